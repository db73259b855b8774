// How far certainty leads: nothing unsafe is opened, nothing certain is left, wherever the walk begins.
#include <algorithm>
#include <stdexcept>

#include "tests/check.hpp"
#include "games/walk.hpp"

using namespace sapper;

namespace {

using Codes = std::vector<std::uint8_t>;

Budget plenty() { return {60, 1u << 30}; }

Codes codes_of(const Table& table) {
    const auto codes = table.position().codes;
    return {codes.begin(), codes.end()};
}

// Walks on boards of a size, and checks where each walk ends. Returns how many came to the end.
int walks(const BoardSize& size, std::uint64_t seeds) {
    Walker walker;
    Analyser analyser;
    Table table;
    int done = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto minefield = draw_mines(size, 0, Promise::open, seed);
        table.lay(size, minefield);
        CHECK(table.open(0));
        const Codes first = codes_of(table);
        Budget budget = plenty();
        const bool is_done = walker.walk(table, budget);
        const Codes last = codes_of(table);
        CHECK(is_done == (table.left() == 0));
        done += is_done;
        if (!is_done) {
            const auto unknown = walker.unknown();
            Budget spare = plenty();
            const auto& certain = analyser.analyse(table.position(), budget, &spare).certain;
            for (std::uint32_t cell = 0; cell < last.size(); ++cell) {
                CHECK(certain[cell] != Certainty::safe);
                CHECK((unknown[cell] == 0) == (last[cell] != hidden_code || certain[cell] == Certainty::mine));
                bool touches = false;
                visit_around(cell, size.height, size.width, [&](std::uint32_t near) {
                    touches |= last[near] != hidden_code;
                });
                CHECK(unknown[cell] == 0 || (unknown[cell] == 1) == touches);
            }
        }
        // Half of the way is a good place to begin, too, and what the codes say there does not matter.
        Codes half = first;
        for (std::size_t cell = 0; cell < half.size(); cell += 2) {
            if (last[cell] != hidden_code) half[cell] = 8;
        }
        table.lay(size, minefield, half);
        walker.walk(table, budget);
        CHECK(codes_of(table) == last);
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

    Table table;
    const Codes minefield{0, 0, 1}, two{0, 0};
    CHECK_THROWS(table.lay({1, 3, 1}, minefield, two));
    CHECK_THROWS(table.lay({1, 3, 2}, minefield, minefield));
    const Codes all_open{0, 0, 0};
    table.lay({1, 3, 1}, minefield, all_open);
    CHECK(table.left() == 0 && codes_of(table) == (Codes{0, 1, hidden_code}));
    return check::report();
}
