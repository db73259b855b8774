// Squares: four unknown cells with mines on one diagonal or the other, and nothing that will ever tell which.
#pragma once

#include <cstdint>
#include <vector>

#include "counting/analyser.hpp"

namespace sapper {

class Squares {
public:
    // For each cell: the chance that it is a mine of such a square, or 0. A square is looked at if all that
    // touch it at a corner are known to be mines or off the board, but for one that may be a mine.
    // Takes an exact analysis of the position, and another analyser to count with.
    const std::vector<double>& find(const Position& position, const Analyser& analyser, Analyser& counting,
                                    Budget& budget);

private:
    std::vector<double> chances_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace sapper
