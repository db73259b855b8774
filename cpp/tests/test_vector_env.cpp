// Vectorised games give the right rewards, and start the next game on the board of the next seed.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "counting/grid.hpp"
#include "games/vector_env.hpp"
#include "tests/check.hpp"

using sapper::Promise;
using sapper::VectorEnv;
using Actions = std::vector<std::int64_t>;
using Seeds = std::vector<std::uint64_t>;

namespace {

void test_a_board_without_mines_is_won_at_once() {
    VectorEnv env{2, {3, 4, 0}, Promise::open, {}, {.progress = 6, .win = 10}};
    env.set_seeds(0, Seeds{1, 2});
    env.set_seeds(1, Seeds{3, 4});
    env.reset();
    CHECK(std::count(env.masks().begin(), env.masks().end(), 1) == 24);
    env.step(Actions{0, 11});
    CHECK((env.rewards() == std::vector<double>{16, 16}));
    CHECK((env.opened() == std::vector<std::uint32_t>{12, 12}));
    CHECK((env.ended() == std::vector<std::uint8_t>{1, 1}));
    CHECK(std::count(env.codes().begin(), env.codes().end(), 0) == 24);
    env.step(Actions{0, 0});  // Starts the next games, whatever the actions are.
    CHECK((env.rewards() == std::vector<double>{0, 0}));
    CHECK((env.seeds() == Seeds{2, 4}));
    CHECK(std::count(env.codes().begin(), env.codes().end(), sapper::hidden_code) == 24);
    env.step(Actions{0, 0});
    CHECK_THROWS(env.step(Actions{0, 0}));  // No seeds are left.
}

void test_mines_and_repeats_have_their_rewards() {
    // Four of five cells are mines: the safe one wins, all others lose.
    const auto board = sapper::draw_mines({1, 5, 4}, 0, Promise::none, 9);
    const auto safe = std::find(board.begin(), board.end(), 0) - board.begin();
    VectorEnv env{5, {1, 5, 4}, Promise::none, {}, {.progress = 1, .win = 2, .mine = -5}};
    for (std::size_t game = 0; game < 5; ++game) env.set_seeds(game, Seeds{9});
    env.reset();
    env.step(Actions{0, 1, 2, 3, 4});
    for (std::size_t game = 0; game < 5; ++game) {
        CHECK(env.rewards()[game] == (static_cast<std::ptrdiff_t>(game) == safe ? 3 : -5));
    }

    VectorEnv other{1, {2, 2, 1}, Promise::safe, {}, {.progress = 3, .repeat = -7}};
    other.set_seeds(0, Seeds{1});
    other.reset();
    other.step(Actions{2});
    CHECK(other.rewards()[0] == 1);
    other.step(Actions{2});
    CHECK(other.rewards()[0] == -7);
    CHECK(other.ended()[0] == 0);
}

void test_masks_are_the_hidden_cells() {
    constexpr std::uint32_t cells = 30 * 16;
    VectorEnv env{8, {16, 30, 99}, Promise::open, 40, {}};
    sapper::Random random{1};
    for (std::size_t game = 0; game < 8; ++game) env.set_seeds(game, Seeds(300, game));
    env.reset();
    for (int step = 0; step < 300; ++step) {
        Actions actions;
        for (int game = 0; game < 8; ++game) actions.push_back(random.below(cells));
        env.step(actions);
        for (std::size_t place = 0; place < env.codes().size(); ++place) {
            CHECK((env.codes()[place] == sapper::hidden_code) == (env.masks()[place] == 1));
        }
        for (std::size_t game = 0; game < 8; ++game) CHECK(env.codes()[game * cells + 40] == 0);
    }
}

void test_invalid_values_are_rejected() {
    CHECK_THROWS((VectorEnv{0, {3, 3, 1}, Promise::safe, {}, {}}));
    CHECK_THROWS((VectorEnv{1, {3, 3, 9}, Promise::none, {}, {}}));
    CHECK_THROWS((VectorEnv{1, {3, 3, 1}, Promise::none, 4, {}}));
    CHECK_THROWS((VectorEnv{1, {3, 3, 1}, Promise::safe, 9, {}}));
    CHECK_THROWS((VectorEnv{1, {0, 3, 0}, Promise::safe, {}, {}}));
    VectorEnv env{2, {3, 3, 1}, Promise::safe, {}, {}};
    CHECK_THROWS(env.reset());
    CHECK_THROWS(env.set_seeds(2, Seeds{1}));
    env.set_seeds(0, Seeds{1});
    env.set_seeds(1, Seeds{1});
    env.reset();
    CHECK_THROWS(env.step(Actions{0}));
    CHECK_THROWS(env.step(Actions{0, 9}));
    CHECK_THROWS(env.step(Actions{-1, 0}));
    CHECK(std::count(env.masks().begin(), env.masks().end(), 1) == 18);  // Nothing has changed.
}

}  // namespace

int main() {
    test_a_board_without_mines_is_won_at_once();
    test_mines_and_repeats_have_their_rewards();
    test_masks_are_the_hidden_cells();
    test_invalid_values_are_rejected();
    return check::report();
}
