// Finds undecidable squares, and computes their probabilities by counting layouts.
#include "players/squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sapper {
namespace {

constexpr std::uint32_t none = 0;  // no cell has place 0

// Checks the four cells diagonally outside a square. Returns the one that has to be a mine in addition to those known
// to be mines, or `none` if all are mines or off the board. Returns no value if one is known to be safe, or if several
// are unknown.
std::optional<std::uint32_t> missing_corner(const Grid& grid, std::uint32_t place) {
    const std::uint32_t stride = grid.stride();
    std::uint32_t missing = none;
    for (const std::uint32_t at :
         {place - stride - 1, place - stride + 2, place + 2 * stride - 1, place + 2 * stride + 2}) {
        if (grid.mine()[at] || !grid.is_cell(at)) {
            continue;
        }
        if (!grid.unknown()[at] || missing != none) {
            return {};
        }
        missing = at;
    }
    return missing;
}

}  // namespace

const std::vector<double>& Squares::find(const Position& position, const Analyser& analyser, Analyser& counter,
                                         Budget& budget) {
    const Grid& grid = analyser.grid();
    const std::uint8_t* unknown = grid.unknown();
    probabilities_.assign(position.codes.size(), 0);
    codes_.assign(position.codes.begin(), position.codes.end());
    if (!position.trust_flags) std::replace(codes_.begin(), codes_.end(), flag_code, hidden_code);
    const Position hypothesis{position.height, position.width, position.mines, codes_, true};
    for (std::uint32_t place = grid.begin(); place < grid.end(); ++place) {
        const std::array square{place, place + 1, place + grid.stride(), place + grid.stride() + 1};
        if (!std::ranges::all_of(square, [&](std::uint32_t at) { return unknown[at] != 0; })) {
            continue;
        }
        const auto missing = missing_corner(grid, place);
        if (!missing) {
            continue;
        }
        const auto set_code = [&](std::uint32_t at, std::uint8_t code) { codes_[grid.cell_at(at)] = code; };
        if (*missing != none) set_code(*missing, flag_code);
        set_code(square[0], flag_code);
        set_code(square[3], flag_code);
        set_code(square[1], ignored_code);
        set_code(square[2], ignored_code);
        const double probability = std::exp(counter.log_layouts(hypothesis, budget) - analyser.findings().log_layouts);
        if (*missing != none) set_code(*missing, hidden_code);
        for (const std::uint32_t at : square) {
            set_code(at, hidden_code);
            probabilities_[grid.cell_at(at)] += probability;
        }
    }
    return probabilities_;
}

}  // namespace sapper
