// Games follow the rules, whatever the player and the number of threads.
#include "games/play.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>

#include "players/players.hpp"
#include "players/safest.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

constexpr DecisionLimits limits{};

std::vector<std::uint8_t> minefield(const std::string& text) {
    std::vector<std::uint8_t> mines;
    for (const char cell : text) {
        mines.push_back(cell == '*');
    }
    return mines;
}

// Guesses the cells in order, and reports made-up risks and winning probabilities.
class Reckless : public Player {
public:
    const Decision& decide(const Position& position, Budget&) override {
        const auto hidden = std::find(position.codes.begin(), position.codes.end(), hidden_code);
        decision_.cell = static_cast<std::uint32_t>(hidden - position.codes.begin());
        decision_.risk = 0.5;
        decision_.win_chance = ++asked_ < 3 ? std::nan("") : 1.0 / asked_;
        return decision_;
    }

private:
    Decision decision_;
    int asked_ = 0;
};

// Never opens a cell.
class Stuck : public Player {
public:
    const Decision& decide(const Position&, Budget&) override { return decision_; }

private:
    Decision decision_;
};

void test_zeros_open_their_neighbours() {
    GameState table;
    table.start({3, 4, 1}, minefield("...*"
                                     "...."
                                     "...."));
    CHECK(table.left() == 11);
    CHECK(!table.open(3));
    CHECK(table.left() == 11);
    CHECK(table.open(2));
    CHECK(table.left() == 10);
    CHECK(table.position().codes[2] == 1);
    CHECK(table.open(8));
    CHECK(table.left() == 0);
    CHECK(table.position().codes[3] == hidden_code);
    CHECK(table.position().codes[7] == 1 && table.position().codes[0] == 0);
    table.start({1000, 1000, 0}, std::vector<std::uint8_t>(1'000'000));
    CHECK(table.open(499'500));
    CHECK(table.left() == 0);
}

void test_minefields_must_match_the_board() {
    GameState table;
    CHECK_THROWS(table.start({2, 2, 1}, minefield("*..")));
    CHECK_THROWS(table.start({2, 2, 1}, minefield("**..")));
    CHECK_THROWS(table.start({2, 2, 1}, std::vector<std::uint8_t>{0, 0, 2, 0}));
}

void test_games_are_recorded() {
    const auto mines = minefield("......*");
    GameRunner won{std::make_unique<SafestPlayer>()};
    Played played = won.play({1, 7, 1}, mines, 0, limits);
    CHECK(played.won && played.left == 0 && played.decisions == 0 && played.guesses == 0);
    CHECK(played.survival == 1 && std::isnan(played.solved) && !played.lost_at);

    GameRunner lost{std::make_unique<Reckless>()};
    played = lost.play({1, 7, 4}, minefield(".*.*.**"), 1, limits);
    CHECK(!played.won && played.left == 3 && played.decisions == 0 && played.lost_at == 1);
    played = lost.play({1, 7, 3}, minefield("....***"), 3, limits);
    CHECK(played.won && played.guesses == 1 && played.survival == 0.5 && !played.lost_at);
    played = lost.play({1, 7, 3}, minefield("...*.**"), 2, limits);
    CHECK(!played.won && played.left == 1 && played.guesses == 2 && played.decisions == 2);
    CHECK(played.survival == 0.25 && played.solved == 1.0 / 3 && played.lost_at == 3);
    CHECK(played.luck == 0.25);  // From the first guess only: the second is in a solved position.
    std::uint64_t timed = 0;
    for (const auto count : lost.times().counts()) {
        timed += count;
    }
    CHECK(timed == 3);
}

// Over all layouts of a board, luck sums to zero, so the scores add up to the number of games won.
void test_luck_sums_to_zero() {
    struct {
        BoardSize size;
        const char* player;
        std::uint32_t first;
    } const runs[] = {{{3, 4, 3}, "safest", 0}, {{4, 4, 4}, "safest", 5}, {{4, 5, 4}, "strong-fast", 0}};
    for (const auto& [size, player, first] : runs) {
        GameRunner runner{make_player(player)};
        std::vector<std::uint8_t> mines(std::size_t{size.height} * size.width);
        std::fill(mines.end() - size.mines, mines.end(), 1);
        double won = 0, scores = 0, squared_results = 0, squared_scores = 0, games = 0;
        do {
            const Played game = runner.play(size, mines, first, limits);
            const double score = (std::isnan(game.solved) ? game.won : game.solved) - game.luck;
            won += game.won;
            scores += score;
            squared_results += game.won;
            squared_scores += score * score;
            games += 1;
        } while (std::next_permutation(mines.begin(), mines.end()));
        CHECK(won > 0 && won < games);
        CHECK(std::abs(scores - won) < 1e-9 * games);
        CHECK(squared_scores < squared_results);  // The variance is smaller, because the mean is the same.
    }
}

void test_a_player_that_opens_nothing_is_an_error() {
    GameRunner runner{std::make_unique<Stuck>()};
    bool thrown = false;
    try {
        runner.play({1, 3, 1}, minefield("..*"), 0, limits);
    } catch (const std::logic_error&) {
        thrown = true;
    }
    CHECK(!thrown);  // The cascade won the game.
    try {
        runner.play({1, 4, 2}, minefield(".*.*"), 0, limits);
    } catch (const std::logic_error&) {
        thrown = true;
    }
    CHECK(thrown);
}

void test_the_safest_player_opens_certain_cells() {
    SafestPlayer player;
    Budget budget{limits.seconds, limits.states};
    const std::vector<std::uint8_t> certain{9, 1, 9, 9}, even{9, 9, 9, 9, 9}, wrong{9, 3, 9, 9};
    CHECK((player.decide({1, 4, 1, certain}, budget).safe == std::vector<std::uint32_t>{3}));
    const Decision& guess = player.decide({1, 5, 1, even}, budget);
    CHECK(guess.safe.empty() && guess.cell == 0 && std::abs(guess.risk - 0.2) < 1e-12);
    CHECK(!player.decide({1, 4, 3, wrong}, budget).possible);
}

std::vector<Played> play(std::uint32_t workers, const Arena::Minefields& minefields) {
    Arena arena{"safest", workers, limits};
    return arena.play({9, 9, 10}, 0, 200, minefields);
}

void test_games_do_not_depend_on_threads() {
    const auto draw = [](std::size_t game) { return draw_mines({9, 9, 10}, 0, Promise::safe, game); };
    const auto one = play(1, draw);
    CHECK(std::count_if(one.begin(), one.end(), [](const Played& game) { return game.won; }) > 100);
    for (const std::uint32_t workers : {2u, 5u}) {
        const auto more = play(workers, draw);
        CHECK(std::equal(one.begin(), one.end(), more.begin(), [](const Played& a, const Played& b) {
            return a.won == b.won && a.left == b.left && a.decisions == b.decisions && a.guesses == b.guesses &&
                   a.survival == b.survival && a.luck == b.luck;
        }));
    }
}

void test_errors_and_interruptions_end_a_run() {
    CHECK_THROWS(
        play(2, [](std::size_t game) { return draw_mines({9, 9, game == 100 ? 11u : 10u}, 0, Promise::safe, game); }));
    Arena arena{"safest", 2, limits};
    CHECK_THROWS(arena.play({9, 9, 10}, 81, 1, [](std::size_t) { return std::vector<std::uint8_t>(81); }));
    bool interrupted = false;
    std::atomic<std::size_t> begun = 0;
    try {
        const auto slow = [&](std::size_t game) {
            ++begun;
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
            return draw_mines({9, 9, 10}, 0, Promise::safe, game);
        };
        arena.play({9, 9, 10}, 0, 1'000'000, slow, [] { return true; });
    } catch (const Interrupted&) {
        interrupted = true;
    }
    CHECK(interrupted && begun < 1000);
}

void test_players_are_created_by_name() {
    for (const auto& name : player_names()) {
        CHECK(make_player(name) != nullptr);
    }
    CHECK_THROWS(make_player("nobody"));
    CHECK_THROWS(Arena("safest", 0, limits));
}

}  // namespace

int main() {
    test_zeros_open_their_neighbours();
    test_minefields_must_match_the_board();
    test_games_are_recorded();
    test_luck_sums_to_zero();
    test_a_player_that_opens_nothing_is_an_error();
    test_the_safest_player_opens_certain_cells();
    test_games_do_not_depend_on_threads();
    test_errors_and_interruptions_end_a_run();
    test_players_are_created_by_name();
    return check::report();
}
