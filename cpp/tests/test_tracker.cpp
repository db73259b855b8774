// Tracking a game finds the same certain cells as analysing each of its positions.
#include "counting/tracker.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/minefield.hpp"
#include "base/random.hpp"
#include "counting/analyser.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

struct Game {
    std::uint32_t height, width, mines;
    std::vector<std::uint8_t> mine, number, codes;

    Game(std::uint32_t rows, std::uint32_t columns, std::uint32_t count, std::uint64_t seed)
        : height{rows},
          width{columns},
          mines{count},
          mine{draw_mines({rows, columns, count}, 0, Promise::none, seed)},
          number(mine.size(), 0),
          codes(mine.size(), hidden_code) {
        for (std::uint32_t cell = 0; cell < mine.size(); ++cell) {
            for_each_neighbour(cell, [&](std::uint32_t other) {
                number[cell] = static_cast<std::uint8_t>(number[cell] + mine[other]);
            });
        }
    }

    template <class Visit>
    void for_each_neighbour(std::uint32_t cell, Visit visit) const {
        const std::uint32_t row = cell / width, column = cell % width;
        for (std::uint32_t i = row - (row > 0); i <= std::min(row + 1, height - 1); ++i) {
            for (std::uint32_t j = column - (column > 0); j <= std::min(column + 1, width - 1); ++j) {
                if (i * width + j != cell) visit(i * width + j);
            }
        }
    }

    void open(std::uint32_t first) {
        std::vector<std::uint32_t> to_open{first};
        while (!to_open.empty()) {
            const std::uint32_t cell = to_open.back();
            to_open.pop_back();
            if (codes[cell] < hidden_code) continue;
            codes[cell] = number[cell];
            if (number[cell] == 0) {
                for_each_neighbour(cell, [&](std::uint32_t other) { to_open.push_back(other); });
            }
        }
    }

    Position position() const { return {height, width, mines, codes, false}; }
};

void test_tracking_agrees_with_analysis() {
    Random random{1};
    Tracker tracker;  // One tracker for all games: it must notice when a new game begins.
    Analyser analyser;
    int complete = 0;
    for (int round = 0; round < 60; ++round) {
        const std::uint32_t height = 1 + random.below(50), width = 1 + random.below(50);
        Game game{height, width, random.below(height * width / 4 + 1), random.below(1000)};
        std::vector<Certainty> known(game.mine.size(), Certainty::none);
        for (int move = 0; move < 60; ++move) {
            std::uint32_t cell = random.below(height * width);
            if (random.below(3)) {  // Often a cell that is known to be safe.
                for (std::uint32_t other = 0; other < known.size(); ++other) {
                    if (known[other] == Certainty::safe && game.codes[other] >= hidden_code) cell = other;
                }
            }
            if (game.mine[cell] || game.codes[cell] < hidden_code) continue;
            game.open(cell);
            if (random.below(5) == 0) {  // Flags must not affect the result.
                for (auto& code : game.codes) {
                    if (code == hidden_code && random.below(20) == 0) code = flag_code;
                }
            }
            Budget budget{60, 1u << 30};
            const auto outcome = tracker.update(game.position(), budget);
            CHECK(outcome != Tracker::Outcome::impossible);
            for (const std::uint32_t safe : tracker.new_safe()) {
                CHECK(!game.mine[safe]);
                CHECK(known[safe] == Certainty::none);
                known[safe] = Certainty::safe;
            }
            for (const std::uint32_t mine : tracker.new_mines()) {
                CHECK(game.mine[mine]);
                CHECK(known[mine] == Certainty::none);
                known[mine] = Certainty::mine;
            }
            const Findings& found = analyser.analyse(game.position(), budget, &budget);
            CHECK(found.possible);
            bool is_equal = true, is_subset = true;
            for (std::size_t other = 0; other < known.size(); ++other) {
                if (game.codes[other] < hidden_code) continue;
                is_equal = is_equal && known[other] == found.certain[other];
                is_subset = is_subset && (known[other] == Certainty::none || known[other] == found.certain[other]);
            }
            CHECK(is_subset);
            CHECK(is_equal || outcome == Tracker::Outcome::mine_count_needed);
            complete += outcome == Tracker::Outcome::complete;
        }
    }
    CHECK(complete > 300);
}

void test_only_changed_components_are_counted() {
    Game game{200, 200, 6000, 5};
    Tracker tracker;
    std::vector<std::uint32_t> empty;
    for (std::uint32_t cell = 0; cell < game.mine.size(); ++cell) {
        if (!game.mine[cell] && game.number[cell] == 0) empty.push_back(cell);
    }
    Budget budget{60, 1u << 30};
    for (std::size_t i = 0; i < empty.size(); i += 40) game.open(empty[i]);
    tracker.update(game.position(), budget);
    const std::size_t all = tracker.counted_cells();
    tracker.update(game.position(), budget);
    CHECK(tracker.counted_cells() == 0);
    std::size_t moves = 0, counted = 0;
    for (std::uint32_t cell = 0; cell < game.mine.size() && moves < 50; ++cell) {
        if (!game.mine[cell] && game.codes[cell] == hidden_code) {
            game.open(cell);
            tracker.update(game.position(), budget);
            counted += tracker.counted_cells();
            ++moves;
        }
    }
    CHECK(moves == 50);
    CHECK(counted / moves < all / 10);
}

void test_tracking_recovers_from_a_contradiction() {
    Game game{20, 20, 40, 3};
    Tracker tracker;
    Budget budget{60, 1u << 30};
    for (std::uint32_t cell = 0; cell < 400; ++cell) {
        if (!game.mine[cell] && game.number[cell] == 0) game.open(cell);
    }
    CHECK(tracker.update(game.position(), budget) != Tracker::Outcome::impossible);
    auto wrong = game;
    for (std::uint32_t cell = 0; cell < 400; ++cell) {
        if (wrong.codes[cell] == 1) wrong.codes[cell] = 8;
    }
    CHECK(tracker.update(wrong.position(), budget) == Tracker::Outcome::impossible);
    CHECK(tracker.update(game.position(), budget) != Tracker::Outcome::impossible);
    CHECK(!tracker.new_safe().empty());
}

}  // namespace

int main() {
    test_tracking_agrees_with_analysis();
    test_only_changed_components_are_counted();
    test_tracking_recovers_from_a_contradiction();
    return check::report();
}
