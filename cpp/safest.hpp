// The player "safest": opens what is certainly safe, else a cell with the least risk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis.hpp"
#include "player.hpp"

namespace sapper {

// Of several cells with the same risk it takes the one most likely to show that no mine is around it; of
// several such the first, row by row. The agent `Safest` in Python chooses the same cells.
class SafestPlayer : public Player {
public:
    const Decision& decide(const Position& position, Budget& budget) override;

private:
    std::uint32_t most_opening(const Position& position, Budget& budget);

    Analyser analyser_;
    Decision decision_;
    std::vector<std::uint32_t> equal_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace sapper
