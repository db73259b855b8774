// Undecidable squares: 2x2 unknown cells with mines on one diagonal, where nothing can ever tell which diagonal.
#pragma once

#include <cstdint>
#include <vector>

#include "counting/analyser.hpp"

namespace sapper {

class Squares {
public:
    // Returns for each cell the probability that it is one of the two mines of such a square, or 0. A square is
    // considered if the four cells diagonally outside it are known mines or off the board, except for at most one that
    // may be a mine. Takes an exact analysis of the position, and another analyser to count with.
    const std::vector<double>& find(const Position& position, const Analyser& analyser, Analyser& counter,
                                    Budget& budget);

private:
    std::vector<double> probabilities_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace sapper
