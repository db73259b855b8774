// Walk: how far a board can be opened without guessing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/analyser.hpp"
#include "games/play.hpp"

namespace sapper {

class Walker {
public:
    // Repeatedly opens all certainly safe cells. Returns whether this opens all safe cells of the board.
    bool walk(GameState& board, Budget& budget);

    // After a walk, for each cell: 1 if it is unknown and touches a number, 2 if it is unknown and touches none,
    // otherwise 0.
    std::vector<std::uint8_t> unknown() const;

private:
    void find_safe(const Position& position, Budget& budget);

    Analyser analyser_;
    std::vector<std::uint32_t> safe_;
};

}  // namespace sapper
