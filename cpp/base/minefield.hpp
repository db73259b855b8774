// Minefields, drawn from a seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sapper {

// The guarantee for the first click: none, safe (not a mine), or open (not a mine, and no adjacent mines).
enum class Promise : std::uint8_t { none = 0, safe = 1, open = 2 };

inline constexpr std::uint32_t largest_side = 1000;

struct BoardSize {
    std::uint32_t height;
    std::uint32_t width;
    std::uint32_t mines;
};

// Visits a cell and its neighbours.
template <class Visit>
void visit_around(std::uint32_t cell, std::uint32_t height, std::uint32_t width, Visit visit) {
    const std::uint32_t row = cell / width, column = cell % width;
    const std::uint32_t last_row = row + 1 < height ? row + 1 : row;
    const std::uint32_t last_column = column + 1 < width ? column + 1 : column;
    for (std::uint32_t i = row == 0 ? 0 : row - 1; i <= last_row; ++i) {
        for (std::uint32_t j = column == 0 ? 0 : column - 1; j <= last_column; ++j) {
            visit(i * width + j);
        }
    }
}

// Draws a minefield: a byte per cell, row by row, 1 for a mine and 0 for none. `first` is the cell of the first click.
// Throws std::invalid_argument if the board is empty or too large, `first` is not on it, or the promise leaves too few
// cells for the mines.
std::vector<std::uint8_t> draw_mines(const BoardSize& size, std::uint32_t first, Promise promise, std::uint64_t seed);

// Returns the number of adjacent mines of each cell.
std::vector<std::uint8_t> count_around(std::uint32_t height, std::uint32_t width,
                                       std::span<const std::uint8_t> minefield);

// Returns whether the minefield has twins: a mine and an orthogonally adjacent safe cell, other than the first click,
// such that every safe cell that touches one touches the other. Neither the numbers nor the mine count can tell twins
// apart, so the player has to guess.
bool has_twins(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first);

}  // namespace sapper
