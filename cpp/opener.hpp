// Opener: opens cells on a layout, and all that counting and subsets then prove to be safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grid.hpp"

namespace sapper {

class Opener {
public:
    // Takes a position and its grid, which is to stay as it is.
    void load(const Position& position, const Grid& grid);
    // Returns to that position. The mines are by places in the grid, 1 for a mine and 0 for none, and are to stay too.
    void begin(std::span<const std::uint8_t> mines);
    // Opens a cell, and then all whose safety follows from two numbers at a time. Returns false if it is a mine.
    bool open(std::uint32_t cell);

    std::span<const std::uint8_t> codes() const { return codes_; }
    std::uint32_t left() const { return left_; }  // safe cells that are not open
    std::size_t opened() const { return opened_.size(); }
    std::uint64_t hash() const { return hash_; }  // of what has been opened
    // What tells cells and what they show apart.
    static std::uint64_t hash_of(std::uint32_t cell, std::uint8_t number);

private:
    // What is known at a place. In the margins there is never anything.
    struct Place {
        std::uint8_t hidden;   // not open, nor about to be opened
        std::uint8_t unknown;  // hidden, and it may be a mine or none
        std::uint8_t mine;     // known to be one
        std::uint8_t number;   // 1 if one is open here
        std::uint8_t room;     // how many cells here and around are unknown,
        std::uint8_t need;     // and for a number how many of these are mines
        std::uint8_t counted, compared;  // 1 if nothing new is known of the number since it was
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
    // A place near another, and those that are around both.
    struct Pair {
        std::uint32_t step;
        std::uint32_t count;
        std::array<std::uint32_t, 6> common;
    };

    // Visits a place and its neighbours, with where they are.
    template <class Visit>
    void visit(std::uint32_t place, Visit visit) {
        const std::uint32_t stride = stride_;
        Place* const places = places_.data();
        for (const std::uint32_t row : {place - stride, place, place + stride}) {
            for (std::uint32_t at = row - 1; at <= row + 1; ++at) visit(places[at], at);
        }
    }
    void show(std::uint32_t place);
    void await(Place& place, std::uint32_t at);
    void determine(std::uint32_t place);
    void lay_mine(std::uint32_t place);
    void touch(Place& number, std::uint32_t at);
    void count(std::uint32_t number);
    void compare(std::uint32_t number);
    void part(std::uint32_t mines_of, std::uint32_t safe_of);

    const Grid* grid_ = nullptr;
    std::span<const std::uint8_t> mines_;
    std::vector<Place> first_, places_;  // in the position, and now
    std::uint32_t stride_ = 0;
    std::vector<Pair> pairs_;
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint32_t> opened_;  // cells
    Queue to_open_, to_count_, to_compare_;
    std::uint32_t safe_ = 0, left_ = 0;  // cells to open, in the position and now
    std::uint64_t hash_ = 0;
};

}  // namespace sapper
