// The chance of a square is that of all layouts with its mines.
#include "players/squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sapper {
namespace {

constexpr std::uint32_t none = 0;  // no cell is at this place

// The corner that has to be a mine beside those that are known: `none` if there is no need of any. No value if
// a corner is known to be no mine, or several are unknown.
std::optional<std::uint32_t> missing_corner(const Grid& grid, std::uint32_t place) {
    const std::uint32_t stride = grid.stride();
    std::uint32_t missing = none;
    for (const std::uint32_t at : {place - stride - 1, place - stride + 2, place + 2 * stride - 1,
                                   place + 2 * stride + 2}) {
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

const std::vector<double>& Squares::find(const Position& position, const Analyser& analyser, Analyser& counting,
                                         Budget& budget) {
    const Grid& grid = analyser.grid();
    const std::uint8_t* unknown = grid.unknown();
    chances_.assign(position.codes.size(), 0);
    codes_.assign(position.codes.begin(), position.codes.end());
    if (!position.trust_flags) std::replace(codes_.begin(), codes_.end(), flag_code, hidden_code);
    const Position laid{position.height, position.width, position.mines, codes_, true};
    for (std::uint32_t place = grid.begin(); place < grid.end(); ++place) {
        const std::array square{place, place + 1, place + grid.stride(), place + grid.stride() + 1};
        if (!std::ranges::all_of(square, [&](std::uint32_t at) { return unknown[at] != 0; })) {
            continue;
        }
        const auto missing = missing_corner(grid, place);
        if (!missing) {
            continue;
        }
        const auto lay = [&](std::uint32_t at, std::uint8_t code) { codes_[grid.cell_at(at)] = code; };
        if (*missing != none) lay(*missing, flag_code);
        lay(square[0], flag_code);
        lay(square[3], flag_code);
        lay(square[1], ignored_code);
        lay(square[2], ignored_code);
        const double chance = std::exp(counting.log_layouts(laid, budget) - analyser.findings().log_layouts);
        if (*missing != none) lay(*missing, hidden_code);
        for (const std::uint32_t at : square) {
            lay(at, hidden_code);
            chances_[grid.cell_at(at)] += chance;
        }
    }
    return chances_;
}

}  // namespace sapper
