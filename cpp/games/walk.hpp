// Walk: how far certainty alone leads on a board.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/analyser.hpp"
#include "games/play.hpp"

namespace sapper {

class Walker {
public:
    // Opens all cells that are certainly safe, again and again, from where the table stands. Returns whether
    // that opens all.
    bool walk(Table& table, Budget& budget);

    // What is left after a walk, for each cell: 1 if it may be a mine or not and touches a number, 2 if it
    // touches none, 0 for all others.
    std::vector<std::uint8_t> unknown() const;

private:
    void find_safe(const Position& position, Budget& budget);

    Analyser analyser_;
    std::vector<std::uint32_t> safe_;
};

}  // namespace sapper
