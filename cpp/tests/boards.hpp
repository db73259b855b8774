// Random small boards, and all their layouts by brute force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/budget.hpp"
#include "base/minefield.hpp"
#include "base/random.hpp"
#include "counting/grid.hpp"

namespace sapper {

using Minefield = std::vector<std::uint8_t>;

struct Board {
    std::uint32_t height, width, mines;
    std::vector<std::uint8_t> codes;

    Position position() const { return {height, width, mines, codes, false}; }
    bool is_hidden(std::size_t cell) const { return codes[cell] >= hidden_code; }
};

inline bool are_adjacent(std::uint32_t a, std::uint32_t b, std::uint32_t width) {
    const int rows = static_cast<int>(a / width) - static_cast<int>(b / width);
    const int columns = static_cast<int>(a % width) - static_cast<int>(b % width);
    return a != b && std::abs(rows) <= 1 && std::abs(columns) <= 1;
}

inline std::uint8_t number_at(const Board& board, const Minefield& mines, std::uint32_t cell) {
    std::uint8_t number = 0;
    for (std::uint32_t other = 0; other < mines.size(); ++other) {
        if (are_adjacent(cell, other, board.width)) number = static_cast<std::uint8_t>(number + mines[other]);
    }
    return number;
}

// A random board on which each safe cell is open with a probability of `open` percent.
inline Board random_board(Random& random, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                          std::uint32_t open) {
    Board board{height, width, mines, std::vector<std::uint8_t>(height * width, hidden_code)};
    const Minefield mine = draw_mines({height, width, mines}, 0, Promise::none, random.below(1u << 31));
    for (std::uint32_t cell = 0; cell < mine.size(); ++cell) {
        if (!mine[cell] && random.below(100) < open) board.codes[cell] = number_at(board, mine, cell);
    }
    return board;
}

inline std::vector<Minefield> all_layouts(const Board& board) {
    std::vector<Minefield> found;
    const std::uint32_t cells = board.height * board.width;
    for (std::uint32_t bits = 0; bits < std::uint32_t{1} << cells; ++bits) {
        Minefield mines(cells);
        for (std::uint32_t cell = 0; cell < cells; ++cell) mines[cell] = bits >> cell & 1;
        bool fits = std::count(mines.begin(), mines.end(), 1) == board.mines;
        for (std::uint32_t cell = 0; cell < cells && fits; ++cell) {
            fits = board.is_hidden(cell) || (!mines[cell] && number_at(board, mines, cell) == board.codes[cell]);
        }
        if (fits) found.push_back(mines);
    }
    return found;
}

inline Budget ample_budget() { return {100, 1u << 30}; }

}  // namespace sapper
