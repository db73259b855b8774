// Players: what chooses the cells to open.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "counting/grid.hpp"

namespace sapper {

struct Decision {
    bool possible = true;              // whether there is a layout at all
    std::vector<std::uint32_t> safe;   // all cells that are certainly safe, if any is known
    std::optional<std::uint32_t> cell; // otherwise the cell to risk; none if every hidden cell is a mine
    double risk = 0;                   // the probability that it is a mine,
    bool exact = true;                 // which may be an estimate
    // The probability of winning with perfect play, if the rest of the game was solved.
    double win_chance = std::numeric_limits<double>::quiet_NaN();
};

class Player {
public:
    virtual ~Player() = default;
    // Chooses what to open. The answer depends on the position alone, not on earlier calls.
    virtual const Decision& decide(const Position& position, Budget& budget) = 0;
};

}  // namespace sapper
