// Boards: where the mines are, drawn from a seed.
#pragma once

#include <cstdint>
#include <vector>

namespace sapper {

// What the first click is guaranteed: nothing, no mine, no mine around it either.
enum class Promise : std::uint8_t { none = 0, safe = 1, open = 2 };

struct BoardSize {
    std::uint32_t height;
    std::uint32_t width;
    std::uint32_t mines;
};

// A byte for each cell, row by row: 1 for a mine, 0 for none. `first` is the place of the first click.
// Throws std::invalid_argument if the board is empty or too large, `first` is not on it, or the mines
// do not fit on the cells that the promise leaves.
std::vector<std::uint8_t> draw_mines(const BoardSize& size, std::uint32_t first, Promise promise,
                                     std::uint64_t seed);

}  // namespace sapper
