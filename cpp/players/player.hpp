// The interface of players, which choose the cells to open.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "counting/grid.hpp"

namespace sapper {

struct Decision {
    bool possible = true;               // whether the position has a layout
    std::vector<std::uint32_t> safe;    // the certainly safe cells that were found, if any
    std::optional<std::uint32_t> cell;  // otherwise the cell to guess; none if every hidden cell is a mine
    double risk = 0;                    // the probability that `cell` is a mine
    bool exact = true;                  // whether `risk` is exact rather than an estimate
    // The probability of winning with perfect play, if the endgame was solved; otherwise NaN.
    double win_chance = std::numeric_limits<double>::quiet_NaN();
};

class Player {
public:
    virtual ~Player() = default;
    // The decision depends only on the position, not on earlier calls.
    virtual const Decision& decide(const Position& position, Budget& budget) = 0;
};

}  // namespace sapper
