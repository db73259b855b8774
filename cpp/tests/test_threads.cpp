// Threads: objects used by one thread each do not interfere.
#include <atomic>
#include <thread>
#include <vector>

#include "counting/analyser.hpp"
#include "endgame/endgame.hpp"
#include "games/play.hpp"
#include "players/players.hpp"
#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

constexpr int thread_count = 4;

template <class Work>
void run_in_threads(Work work) {
    std::vector<std::thread> threads;
    for (int number = 0; number < thread_count; ++number) threads.emplace_back(work, number);
    for (std::thread& each : threads) each.join();
}

struct Answer {
    Vector<Certainty> certain;
    std::uint32_t won = 0;
    std::optional<std::uint32_t> cell;

    bool operator==(const Answer&) const = default;
};

Answer answer(const Board& board, Analyser& analyser, Player& player) {
    Budget budget = ample_budget();
    Answer found{analyser.analyse(board.position(), budget, nullptr).certain, 0, {}};
    Layouts layouts;
    if (analyser.is_possible(board.position(), false, budget) && layouts.list(analyser.counter(), 300, budget)) {
        Endgame endgame;
        endgame.load(analyser.grid(), board.position(), layouts, budget);
        found.won = endgame.won(budget);
    }
    found.cell = player.decide(board.position(), budget).cell;
    return found;
}

void test_all_threads_get_the_same_answers() {
    Random random{1};
    std::vector<Board> boards;
    for (int i = 0; i < 30; ++i) boards.push_back(random_board(random, 9, 9, 12, 20 + random.below(60)));
    std::vector<Answer> expected;
    Analyser analyser;
    const auto player = make_player("strong");
    for (const Board& board : boards) expected.push_back(answer(board, analyser, *player));
    std::atomic<int> wrong = 0;
    run_in_threads([&](int) {
        const MemoryLimit limit{1 << 30};
        Analyser own;
        const auto own_player = make_player("strong");
        for (std::size_t i = 0; i < boards.size(); ++i) wrong += answer(boards[i], own, *own_player) != expected[i];
    });
    CHECK(wrong == 0);
}

void test_arenas_run_on_several_threads() {
    const BoardSize size{9, 9, 10};
    const auto play = [&] {
        Arena arena{"strong", 2, {}};
        std::uint32_t won = 0;
        for (const Played& game :
             arena.play(size, 0, 60, [&](std::size_t seed) { return draw_mines(size, 0, Promise::safe, seed); })) {
            won += game.won;
        }
        return won;
    };
    const std::uint32_t expected = play();
    std::atomic<int> wrong = 0;
    run_in_threads([&](int) { wrong += play() != expected; });
    CHECK(wrong == 0);
}

void test_an_arena_can_be_interrupted() {
    const BoardSize size{16, 30, 99};
    Arena arena{"strong-high", 3, {}};
    bool interrupted = false;
    try {
        arena.play(
            size, 0, 100'000, [&](std::size_t seed) { return draw_mines(size, 0, Promise::open, seed); },
            [] { return true; });
    } catch (const Interrupted&) {
        interrupted = true;
    }
    CHECK(interrupted);
}

}  // namespace

int main() {
    test_all_threads_get_the_same_answers();
    test_arenas_run_on_several_threads();
    test_an_arena_can_be_interrupted();
    return check::report();
}
