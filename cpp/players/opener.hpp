// Opener: opens cells on a layout, and all that counting and subsets then prove to be safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/grid.hpp"

namespace sapper {

class Opener {
public:
    // Takes a position and its grid.
    void load(const Position& position, const Grid& grid);
    // Takes a layout of it: a byte for each place in the grid, 1 for a mine and 0 for none.
    void lay(std::span<const std::uint8_t> mines);
    // Returns to the position, on the same layout.
    void begin();
    // Opens a cell, and then all whose safety follows from two numbers at a time. Returns false if it is a mine.
    bool open(std::uint32_t cell);

    std::span<const std::uint8_t> codes() const { return codes_; }
    std::uint32_t left() const { return left_; }  // safe cells that are not open
    std::size_t opened() const { return opened_.size(); }
    std::uint64_t hash() const { return hash_; }  // of what has been opened
    // What tells cells and what they show apart.
    static std::uint64_t hash_of(std::uint32_t cell, std::uint8_t number);

private:
    using Bytes = std::vector<std::uint8_t>;

    // What is known at each place, a byte each. In the margins there is no cell, but rooms and needs are counted.
    struct Places {
        Bytes hidden;    // 1 if it is not open, nor about to be opened
        Bytes unknown;   // 1 if it is hidden, and may be a mine or none
        Bytes room;      // how many cells here and around are unknown,
        Bytes need;      // and how many of these are mines, which is known of open numbers only
        Bytes number;    // 1 if a number is open here (a 0 has no room, so it does not matter there),
        Bytes counted;   // and does not wait to be counted,
        Bytes compared;  // or compared
    };
    // Places that wait. None is there twice, so that it needs no more room than there are places.
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
    void show(std::uint32_t place);
    void await(std::uint32_t place);
    void determine(std::uint32_t place);
    void lay_mine(std::uint32_t place);
    void touch(std::uint32_t number);
    void count(std::uint32_t number);
    void compare(std::uint32_t number);
    bool settle(std::uint32_t number, std::uint32_t other, int common);
    void part(std::uint32_t mines_of, std::uint32_t safe_of);

    Places first_, now_;
    Bytes known_;             // how many mines are known around each place of the position
    Bytes in_row_, numbers_;  // how many mines are beside, and around each place of the layout
    std::uint32_t stride_ = 0, begin_ = 0, end_ = 0;
    std::vector<std::uint32_t> place_of_, cell_of_;
    std::span<const std::uint8_t> mines_;
    Bytes codes_;
    std::vector<std::uint32_t> opened_;  // cells
    Queue to_open_, to_count_, to_compare_;
    std::uint32_t safe_ = 0, left_ = 0;  // cells to open, in the position and now
    std::uint64_t hash_ = 0;
};

}  // namespace sapper
