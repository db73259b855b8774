// Opener: opens cells on a layout, and then everything that the single-number and subset rules prove safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/grid.hpp"

namespace sapper {

class Opener {
public:
    // Loads a position and its grid.
    void load(const Position& position, const Grid& grid);
    // Sets the layout: a byte per place in the grid, 1 for a mine and 0 for none.
    void set_layout(std::span<const std::uint8_t> mines);
    // Returns to the position that was loaded, on the same layout.
    void restart();
    // Opens a cell, and then all cells whose safety follows from two numbers at a time. Returns false if it is a mine.
    bool open(std::uint32_t cell);

    std::span<const std::uint8_t> codes() const { return codes_; }
    std::uint32_t left() const { return left_; }  // safe cells not yet open
    std::size_t opened() const { return opened_.size(); }
    std::uint64_t hash() const { return hash_; }  // hash of the opened cells and their numbers
    // The contribution of one opened cell to the hash.
    static std::uint64_t hash_of(std::uint32_t cell, std::uint8_t number);

private:
    using Bytes = std::vector<std::uint8_t>;

    // What is known, a byte per place. Margins have no cells, but their `room` and `need` are counted all the same.
    struct Places {
        Bytes hidden;    // 1 if neither open nor queued to be opened
        Bytes unknown;   // 1 if hidden and not settled
        Bytes room;      // number of unknown cells here and around
        Bytes need;      // number of mines among them; players know it only for open numbers
        Bytes number;    // 1 for an open number; 0s have no room, so they do not matter
        Bytes counted;   // 1 for an open number that is not queued to be counted
        Bytes compared;  // 1 for an open number that is not queued to be compared
    };
    // A stack of places. No place is on it twice, so it never outgrows the number of places.
    class Queue {
    public:
        void resize(std::size_t size) { places_.resize(size); }
        bool empty() const { return size_ == 0; }
        void push(std::uint32_t place) { places_[size_++] = place; }
        std::uint32_t pop() { return places_[--size_]; }

    private:
        std::vector<std::uint32_t> places_;
        std::size_t size_ = 0;
    };

    template <class Visit>
    void visit(const Bytes& bytes, std::uint32_t place, Visit visit);
    void reveal(std::uint32_t place);
    void queue_opening(std::uint32_t place);
    void mark_known(std::uint32_t place);
    void mark_mine(std::uint32_t place);
    void queue_counting(std::uint32_t number);
    void apply_single_number(std::uint32_t number);
    void compare_with_neighbours(std::uint32_t number);
    bool apply_subset_rule(std::uint32_t number, std::uint32_t other, int common);
    void settle_unshared(std::uint32_t mines_of, std::uint32_t safe_of);

    Places initial_, current_;
    Bytes known_mines_;       // number of settled mines at and around each place of the position
    Bytes in_row_, numbers_;  // per row, and in the 3x3 neighbourhood of each place of the layout
    std::uint32_t stride_ = 0, begin_ = 0, end_ = 0;
    std::vector<std::uint32_t> place_of_, cell_of_;
    std::span<const std::uint8_t> mines_;
    Bytes codes_;
    std::vector<std::uint32_t> opened_;
    Queue to_open_, to_count_, to_compare_;
    std::uint32_t initial_left_ = 0, left_ = 0;  // safe cells to open, in the loaded position and now
    std::uint64_t hash_ = 0;
};

}  // namespace sapper
