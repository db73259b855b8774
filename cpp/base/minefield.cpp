// Draws minefields by a partial Fisher-Yates shuffle of the cells that may hold a mine.
#include "base/minefield.hpp"

#include <stdexcept>
#include <utility>

#include "base/random.hpp"

namespace sapper {
namespace {

bool is_kept_clear(std::uint32_t row, std::uint32_t column, std::uint32_t first_row, std::uint32_t first_column,
                   Promise promise) {
    switch (promise) {
        case Promise::none:
            return false;
        case Promise::safe:
            return row == first_row && column == first_column;
        case Promise::open:
            return row + 1 >= first_row && row <= first_row + 1 && column + 1 >= first_column &&
                   column <= first_column + 1;
    }
    throw std::invalid_argument("the promise must be none, safe or open");
}

}  // namespace

std::vector<std::uint8_t> draw_mines(const BoardSize& size, std::uint32_t first, Promise promise, std::uint64_t seed) {
    if (size.height < 1 || size.height > largest_side || size.width < 1 || size.width > largest_side) {
        throw std::invalid_argument("height and width must be from 1 to 1000");
    }
    const std::uint32_t cells = size.height * size.width;
    if (first >= cells) {
        throw std::invalid_argument("the first click is not on the board");
    }
    std::vector<std::uint32_t> free;
    free.reserve(cells);
    for (std::uint32_t row = 0, place = 0; row < size.height; ++row) {
        for (std::uint32_t column = 0; column < size.width; ++column, ++place) {
            if (!is_kept_clear(row, column, first / size.width, first % size.width, promise)) {
                free.push_back(place);
            }
        }
    }
    if (size.mines > free.size()) {
        throw std::invalid_argument("the mines do not fit on the board");
    }
    std::vector<std::uint8_t> board(cells, 0);
    Random random{seed};
    for (std::uint32_t drawn = 0; drawn < size.mines; ++drawn) {
        const auto left = static_cast<std::uint32_t>(free.size()) - drawn;
        std::swap(free[drawn], free[drawn + random.below(left)]);
        board[free[drawn]] = 1;
    }
    return board;
}

std::vector<std::uint8_t> count_around(std::uint32_t height, std::uint32_t width,
                                       std::span<const std::uint8_t> minefield) {
    std::vector<std::uint8_t> counts(minefield.size(), 0);
    for (std::uint32_t cell = 0; cell < minefield.size(); ++cell) {
        if (minefield[cell]) {
            visit_around(cell, height, width, [&](std::uint32_t near) { ++counts[near]; });
            --counts[cell];  // A cell is not adjacent to itself.
        }
    }
    return counts;
}

bool has_twins(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first) {
    // Off the board there is no safe cell either. Indices below 0 wrap around and are off the board too.
    const auto is_mine = [&](std::uint32_t row, std::uint32_t column) {
        return row >= size.height || column >= size.width || minefield[row * size.width + column];
    };
    const auto differ = [&](std::uint32_t cell, std::uint32_t other) {
        return minefield[cell] != minefield[other] && (minefield[cell] ? other : cell) != first;
    };
    for (std::uint32_t row = 0, cell = 0; row < size.height; ++row) {
        for (std::uint32_t column = 0; column < size.width; ++column, ++cell) {
            const auto mines_beside = [&](std::uint32_t at) {
                return is_mine(row, at) && is_mine(row - 1, at) && is_mine(row + 1, at);
            };
            const auto mines_along = [&](std::uint32_t at) {
                return is_mine(at, column) && is_mine(at, column - 1) && is_mine(at, column + 1);
            };
            const bool beside = column + 1 < size.width && differ(cell, cell + 1) && mines_beside(column - 1) &&
                                mines_beside(column + 2);
            const bool below = row + 1 < size.height && differ(cell, cell + size.width) && mines_along(row - 1) &&
                               mines_along(row + 2);
            if (beside || below) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace sapper
