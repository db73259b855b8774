// The opener opens only cells that are safe on every layout, and all that follow from two numbers at a time.
#include "players/opener.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "base/minefield.hpp"
#include "base/random.hpp"
#include "counting/analyser.hpp"
#include "games/play.hpp"
#include "games/walk.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

using Cells = std::set<std::uint32_t>;

constexpr BoardSize sizes[] = {{1, 1, 0}, {1, 12, 3}, {12, 1, 3}, {2, 2, 1},
                               {3, 2, 1}, {7, 5, 8},  {9, 9, 10}, {16, 30, 99}};

// Converts a minefield to places in a grid.
std::vector<std::uint8_t> by_places(const Grid& grid, const std::vector<std::uint8_t>& minefield) {
    std::vector<std::uint8_t> mines(grid.size(), 0);
    for (std::uint32_t cell = 0; cell < minefield.size(); ++cell) mines[grid.place_at(cell)] = minefield[cell];
    return mines;
}

Cells without(const Cells& cells, const Cells& others) {
    Cells rest;
    std::set_difference(cells.begin(), cells.end(), others.begin(), others.end(), std::inserter(rest, rest.end()));
    return rest;
}

// Opens what follows from two numbers at a time, in the simplest way: by trying all pairs repeatedly.
void open_by_pairs(GameState& board) {
    Cells mines;
    for (bool changed = true; changed;) {
        changed = false;
        const Position position = board.position();
        std::vector<std::pair<Cells, int>> sentences{{{}, 0}};
        for (std::uint32_t cell = 0; cell < position.codes.size(); ++cell) {
            if (position.codes[cell] >= hidden_code) continue;
            Cells unknown;
            int need = position.codes[cell];
            visit_around(cell, position.height, position.width, [&](std::uint32_t near) {
                if (mines.contains(near)) {
                    --need;
                } else if (position.codes[near] == hidden_code) {
                    unknown.insert(near);
                }
            });
            if (!unknown.empty()) sentences.emplace_back(unknown, need);
        }
        for (const auto& [cells, need] : sentences) {
            for (const auto& [others, other_need] : sentences) {
                const Cells alone = without(cells, others), other_alone = without(others, cells);
                if (need - other_need != static_cast<int>(alone.size())) continue;
                for (const std::uint32_t cell : alone) changed |= mines.insert(cell).second;
                for (const std::uint32_t cell : other_alone) {
                    changed = true;
                    CHECK(board.open(cell));
                }
                if (changed) break;
            }
            if (changed) break;
        }
    }
}

void test_all_cells_that_two_numbers_prove_are_opened() {
    Random random{1};
    Analyser analyser;
    Opener opener;
    for (const BoardSize& size : sizes) {
        const std::uint32_t cells = size.height * size.width;
        const std::vector<std::uint8_t> hidden(cells, hidden_code);
        Budget budget{100, 10'000'000};
        analyser.analyse({size.height, size.width, size.mines, hidden}, budget, &budget);
        opener.load({size.height, size.width, size.mines, hidden}, analyser.grid());
        for (std::uint64_t seed = 0; seed < (cells > 100 ? 10u : 100u); ++seed) {
            const auto minefield = draw_mines(size, 0, Promise::none, seed);
            const auto mines = by_places(analyser.grid(), minefield);
            opener.set_layout(mines);
            opener.restart();
            CHECK(opener.left() == cells - size.mines);
            CHECK(std::ranges::equal(opener.codes(), hidden));
            GameState board;
            board.start(size, minefield);
            std::vector<std::uint32_t> chosen;
            for (int i = 0; i < 4; ++i) {
                const std::uint32_t cell = random.below(cells);
                CHECK(opener.open(cell) == !minefield[cell]);
                if (!minefield[cell]) {
                    chosen.push_back(cell);
                    board.open(cell);
                    open_by_pairs(board);
                }
                CHECK(std::ranges::equal(opener.codes(), board.position().codes));
                CHECK(opener.left() == board.left());
                CHECK(opener.opened() + board.left() == cells - size.mines);
            }
            // The order of moves does not matter.
            const std::uint64_t hash = opener.hash();
            opener.restart();
            for (auto cell = chosen.rbegin(); cell != chosen.rend(); ++cell) CHECK(opener.open(*cell));
            CHECK(std::ranges::equal(opener.codes(), board.position().codes));
            CHECK(opener.hash() == hash);
        }
    }
}

// From any position: nothing that single numbers prove safe is left, and only certainly safe cells were opened.
void test_only_certain_cells_are_opened() {
    Random random{2};
    Analyser analyser;
    Grid checker;
    Opener opener;
    Walker walker;
    for (const BoardSize& size : sizes) {
        const std::uint32_t cells = size.height * size.width;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const auto minefield = draw_mines(size, 0, Promise::none, seed);
            Budget budget{100, 100'000'000};
            GameState board;
            board.start(size, minefield);
            for (std::uint32_t i = 0; i < 1 + cells / 20; ++i) {
                board.open(random.below(cells));
            }
            walker.walk(board, budget);
            if (board.left() == 0) {
                continue;
            }
            analyser.analyse(board.position(), budget, &budget);
            opener.load(board.position(), analyser.grid());
            const auto mines = by_places(analyser.grid(), minefield);
            opener.set_layout(mines);
            opener.restart();
            std::uint32_t cell = random.below(cells);
            while (minefield[cell] || board.position().codes[cell] < hidden_code) cell = (cell + 1) % cells;
            CHECK(opener.open(cell));
            std::vector<std::uint32_t> safe;
            CHECK(checker.load_and_settle({size.height, size.width, size.mines, opener.codes()}, budget));
            checker.find_safe(safe);
            CHECK(safe.empty());
            board.open(cell);
            walker.walk(board, budget);
            const auto certain = board.position().codes;
            for (std::uint32_t at = 0; at < cells; ++at) {
                CHECK(opener.codes()[at] == hidden_code || opener.codes()[at] == certain[at]);
            }
        }
    }
}

}  // namespace

int main() {
    test_all_cells_that_two_numbers_prove_are_opened();
    test_only_certain_cells_are_opened();
    return check::report();
}
