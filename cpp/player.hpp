// Players: what chooses the cells to open.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "budget.hpp"
#include "grid.hpp"

namespace sapper {

struct Decision {
    bool possible = true;              // whether there is a layout at all
    std::vector<std::uint32_t> safe;   // the cells that are certainly safe, to be opened all
    std::uint32_t cell = 0;            // where none is: the cell to risk,
    double risk = 0;                   // and its chance of a mine,
    bool exact = true;                 // which may be an estimate
    // The chance to win with perfect play, where it was solved.
    double win_chance = std::numeric_limits<double>::quiet_NaN();
};

class Player {
public:
    virtual ~Player() = default;
    // What to do in a position in which there is still something to open. What it answers depends on the
    // position alone, not on what was asked before.
    virtual const Decision& decide(const Position& position, Budget& budget) = 0;
};

}  // namespace sapper
