// Walks open no unsafe cell and leave no certain cell, wherever they begin.
#include <algorithm>
#include <stdexcept>

#include "games/walk.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

using Codes = std::vector<std::uint8_t>;

Budget ample_budget() { return {60, 1u << 30}; }

Codes codes_of(const GameState& board) {
    const auto codes = board.position().codes;
    return {codes.begin(), codes.end()};
}

// Walks on random boards, and checks where each walk ends. Returns how many boards were opened completely.
int walks(const BoardSize& size, std::uint64_t seeds) {
    Walker walker;
    Analyser analyser;
    GameState board;
    int done = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto minefield = draw_mines(size, 0, Promise::open, seed);
        board.start(size, minefield);
        CHECK(board.open(0));
        const Codes first = codes_of(board);
        Budget budget = ample_budget();
        const bool is_done = walker.walk(board, budget);
        const Codes last = codes_of(board);
        CHECK(is_done == (board.left() == 0));
        done += is_done;
        if (!is_done) {
            const auto unknown = walker.unknown();
            Budget spare = ample_budget();
            const auto& certain = analyser.analyse(board.position(), budget, &spare).certain;
            for (std::uint32_t cell = 0; cell < last.size(); ++cell) {
                CHECK(certain[cell] != Certainty::safe);
                CHECK((unknown[cell] == 0) == (last[cell] != hidden_code || certain[cell] == Certainty::mine));
                bool touches = false;
                visit_around(cell, size.height, size.width,
                             [&](std::uint32_t near) { touches |= last[near] != hidden_code; });
                CHECK(unknown[cell] == 0 || (unknown[cell] == 1) == touches);
            }
        }
        // A walk that starts halfway ends at the same position, whatever numbers the codes show there.
        Codes half = first;
        for (std::size_t cell = 0; cell < half.size(); cell += 2) {
            if (last[cell] != hidden_code) half[cell] = 8;
        }
        board.start(size, minefield, half);
        walker.walk(board, budget);
        CHECK(codes_of(board) == last);
    }
    return done;
}

}  // namespace

int main() {
    const int small = walks({6, 6, 6}, 200);
    CHECK(small > 20 && small < 200);
    const int expert = walks({16, 30, 99}, 40);
    CHECK(expert > 0 && expert < 40);
    CHECK(walks({40, 40, 160}, 3) <= 3);

    GameState board;
    const Codes minefield{0, 0, 1}, two{0, 0};
    CHECK_THROWS(board.start({1, 3, 1}, minefield, two));
    CHECK_THROWS(board.start({1, 3, 2}, minefield, minefield));
    const Codes all_open{0, 0, 0};
    board.start({1, 3, 1}, minefield, all_open);
    CHECK(board.left() == 0 && codes_of(board) == (Codes{0, 1, hidden_code}));
    return check::report();
}
