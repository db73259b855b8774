// Limits: time, states and memory bound every call, and an interrupted call leaves nothing half-finished.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "counting/analyser.hpp"
#include "counting/tracker.hpp"
#include "endgame/endgame.hpp"
#include "players/players.hpp"
#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

double seconds_for(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool reaches_limit(const std::function<void()>& work) {
    try {
        work();
    } catch (const LimitReached&) {
        return true;
    }
    return false;
}

Board hidden_board(std::uint32_t height, std::uint32_t width, std::uint32_t mines) {
    return {height, width, mines, std::vector<std::uint8_t>(height * width, hidden_code)};
}

void solve(const Board& board, Budget& budget) {
    Analyser analyser;
    Layouts layouts;
    Endgame endgame;
    analyser.is_possible(board.position(), false, budget);
    if (layouts.list(analyser.counter(), budget.states_left(), budget)) {
        endgame.load(analyser.grid(), board.position(), layouts, budget);
        endgame.won(budget);
    } else {
        throw LimitReached{"too many layouts"};
    }
}

// Two mines on 2,000 cells have 1,999,000 layouts: each is small, but together they exceed the limit.
void test_memory_is_limited() {
    const Board board = hidden_board(40, 50, 2);
    const std::int64_t before = Memory::held();
    {
        const MemoryLimit limit{64 << 20};
        Budget budget{100, 2'000'000};
        CHECK(reaches_limit([&] { solve(board, budget); }));
    }
    CHECK(Memory::held() == before);
    const MemoryLimit outer{1 << 20};
    const MemoryLimit inner{std::uint64_t{1} << 40};  // An inner limit never allows more than the outer one.
    CHECK(reaches_limit([] { Vector<double> values(1 << 20); }));
}

void test_time_is_limited() {
    const Board board = hidden_board(40, 50, 2);
    CHECK(seconds_for([&] {
              Budget budget{0.1, 2'000'000};
              CHECK(reaches_limit([&] { solve(board, budget); }));
          }) < 3);
}

void test_a_caller_can_interrupt_the_work() {
    const Board board = hidden_board(40, 50, 2);
    int questions = 0;
    Budget budget{100, 2'000'000, [&] { return ++questions == 3; }};
    bool interrupted = false;
    const double seconds = seconds_for([&] {
        try {
            solve(board, budget);
        } catch (const Interrupted&) {
            interrupted = true;
        }
    });
    CHECK(interrupted);
    CHECK(seconds < 3);
}

void test_huge_state_limits_do_not_overflow() {
    const Board board = hidden_board(8, 8, 30);
    for (const std::uint64_t states : {std::uint64_t{1} << 40, Budget::unlimited_states}) {
        const MemoryLimit limit{64 << 20};
        Budget budget{100, states};
        CHECK(reaches_limit([&] { solve(board, budget); }));
    }
}

// If only mines are hidden, a player opens nothing.
void test_players_open_nothing_if_only_mines_are_hidden() {
    for (const std::string& name : player_names()) {
        const auto player = make_player(name);
        for (std::uint32_t width = 1; width < 40; ++width) {
            Board board = hidden_board(2, width, 2 * width);
            Budget budget = ample_budget();
            CHECK(!player->decide(board.position(), budget).cell);
            if (width >= 3) {
                board.codes.assign(2 * width, 0);
                for (const std::uint32_t cell : {width - 1, 2 * width - 1}) board.codes[cell] = hidden_code;
                for (const std::uint32_t cell : {width - 2, 2 * width - 2}) board.codes[cell] = 2;
                board.mines = 2;
                const Decision& decision = player->decide(board.position(), budget);
                CHECK(decision.possible);
                CHECK(decision.safe.empty());
                CHECK(!decision.cell);
            }
        }
    }
}

// A tracker that was interrupted anywhere finds the same cells afterwards as a new one.
void test_an_interrupted_tracker_starts_anew() {
    Random random{7};
    for (int round = 0; round < 200; ++round) {
        const Board board = random_board(random, 12, 12, 25, 50);
        Tracker interrupted, fresh;
        Budget few{100, random.below(40)};
        reaches_limit([&] { interrupted.update(board.position(), few); });
        Budget budget = ample_budget(), again = ample_budget();
        CHECK(interrupted.update(board.position(), budget) == fresh.update(board.position(), again));
        if (interrupted.is_new_game()) {
            CHECK(interrupted.new_safe() == fresh.new_safe());
            CHECK(interrupted.new_mines() == fresh.new_mines());
        }
    }
}

// An analyser that was interrupted anywhere gives the same answer afterwards as a new one.
void test_an_interrupted_analyser_is_as_good_as_new() {
    Random random{8};
    Analyser used;
    for (int round = 0; round < 300; ++round) {
        const Board board = random_board(random, 9, 14, 25, 30 + random.below(40));
        Budget few{100, random.below(200)};
        reaches_limit([&] {
            const MemoryLimit limit{random.below(1 << 16)};
            used.analyse(board.position(), few, nullptr);
        });
        Budget budget = ample_budget(), again = ample_budget();
        Analyser fresh;
        const Findings& found = used.analyse(board.position(), budget, nullptr);
        const Findings& expected = fresh.analyse(board.position(), again, nullptr);
        CHECK(std::ranges::equal(found.certain, expected.certain));
        for (std::size_t cell = 0; cell < found.risk.size(); ++cell) {
            CHECK(found.risk[cell] == expected.risk[cell] || std::isnan(found.risk[cell]));
        }
    }
}

}  // namespace

int main() {
    test_memory_is_limited();
    test_time_is_limited();
    test_a_caller_can_interrupt_the_work();
    test_huge_state_limits_do_not_overflow();
    test_players_open_nothing_if_only_mines_are_hidden();
    test_an_interrupted_tracker_starts_anew();
    test_an_interrupted_analyser_is_as_good_as_new();
    return check::report();
}
