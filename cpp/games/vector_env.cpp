// Steps many games: opens cells, computes rewards, and starts the next game when one is over.
#include "games/vector_env.hpp"

#include <algorithm>
#include <stdexcept>

#include "counting/grid.hpp"

namespace sapper {

VectorEnv::VectorEnv(std::size_t games, const BoardSize& size, Promise promise, std::optional<std::uint32_t> first,
                     const StepRewards& rewards)
    : size_{size}, promise_{promise}, first_{first}, reward_rules_{rewards} {
    if (games == 0) {
        throw std::invalid_argument("there must be at least one game");
    }
    // A promise that can be kept in the middle of the board can be kept everywhere.
    const std::uint32_t middle = size.height / 2 * size.width + size.width / 2;
    cells_ = static_cast<std::uint32_t>(draw_mines(size, middle, promise, 0).size());
    if (size.mines == cells_) {
        throw std::invalid_argument("the board must have at least one safe cell");
    }
    if (first && (promise == Promise::none || *first >= cells_)) {
        throw std::invalid_argument("the first cell must be on the board, and the promise must keep it safe");
    }
    games_.resize(games);
    codes_.assign(games * cells_, hidden_code);
    numbers_.assign(games * cells_, 0);
    masks_.assign(games * cells_, 1);
    rewards_.assign(games, 0);
    ended_.assign(games, 0);
    outcomes_.assign(games, 0);
    opened_.assign(games, 0);
    seeds_.assign(games, 0);
    seeds_left_.assign(games, 0);
}

void VectorEnv::set_seeds(std::size_t game, std::span<const std::uint64_t> seeds) {
    if (game >= games_.size()) {
        throw std::invalid_argument("there is no such game");
    }
    games_[game].seeds.assign(seeds.rbegin(), seeds.rend());  // Reversed, so that the next seed is at the end.
    seeds_left_[game] = static_cast<std::uint32_t>(seeds.size());
}

void VectorEnv::reset() {
    if (std::find(seeds_left_.begin(), seeds_left_.end(), 0u) != seeds_left_.end()) {
        throw std::invalid_argument("a game has no seed left");
    }
    for (std::size_t game = 0; game < games_.size(); ++game) {
        start(game);
    }
}

void VectorEnv::step(std::span<const std::int64_t> actions) {
    if (actions.size() != games_.size()) {
        throw std::invalid_argument("there must be one action per game");
    }
    for (std::size_t game = 0; game < games_.size(); ++game) {
        if (actions[game] < 0 || actions[game] >= cells_) {
            throw std::invalid_argument("an action is not a cell of the board");
        }
        if (ended_[game] && seeds_left_[game] == 0) {
            throw std::invalid_argument("a game has no seed left");
        }
    }
    for (std::size_t game = 0; game < games_.size(); ++game) {
        if (ended_[game]) {
            start(game);
        } else {
            step(game, static_cast<std::uint32_t>(actions[game]));
        }
    }
}

void VectorEnv::start(std::size_t game) {
    Game& game_state = games_[game];
    seeds_[game] = game_state.seeds.back();
    game_state.seeds.pop_back();
    --seeds_left_[game];
    game_state.is_drawn = false;
    game_state.left = cells_ - size_.mines;
    std::fill_n(codes_.data() + game * cells_, cells_, hidden_code);
    std::fill_n(masks_.data() + game * cells_, cells_, std::int8_t{1});
    rewards_[game] = 0;
    ended_[game] = 0;
    opened_[game] = 0;
    if (first_) {
        open(game, *first_);
    }
    outcomes_[game] = static_cast<std::uint8_t>(game_state.left == 0 ? StepOutcome::won : StepOutcome::playing);
}

void VectorEnv::draw(std::size_t game, std::uint32_t first) {
    // Without a promise, the board does not depend on the first click.
    const auto minefield = draw_mines(size_, promise_ == Promise::none ? 0 : first, promise_, seeds_[game]);
    const auto counts = count_around(size_.height, size_.width, minefield);
    std::uint8_t* const numbers = numbers_.data() + game * cells_;
    for (std::uint32_t cell = 0; cell < cells_; ++cell) {
        numbers[cell] = minefield[cell] ? hidden_code : counts[cell];
    }
    games_[game].is_drawn = true;
}

bool VectorEnv::open(std::size_t game, std::uint32_t cell) {
    if (!games_[game].is_drawn) {
        draw(game, cell);
    }
    std::uint8_t* const codes = codes_.data() + game * cells_;
    std::int8_t* const mask = masks_.data() + game * cells_;
    const std::uint8_t* const numbers = numbers_.data() + game * cells_;
    if (numbers[cell] == hidden_code) {
        return false;
    }
    std::uint32_t count = 0;
    const auto show = [&](std::uint32_t shown) {
        if (codes[shown] == hidden_code) {
            codes[shown] = numbers[shown];
            mask[shown] = 0;
            ++count;
            if (numbers[shown] == 0) to_open_.push_back(shown);
        }
    };
    to_open_.clear();
    show(cell);
    while (!to_open_.empty()) {
        const std::uint32_t empty = to_open_.back();
        to_open_.pop_back();
        visit_around(empty, size_.height, size_.width, show);
    }
    games_[game].left -= count;
    opened_[game] = count;
    return true;
}

void VectorEnv::step(std::size_t game, std::uint32_t cell) {
    Game& game_state = games_[game];
    opened_[game] = 0;
    bool is_lost = false;
    // A game that was won by its first cell just ends.
    if (game_state.left > 0 && codes_[game * cells_ + cell] == hidden_code) {
        is_lost = !open(game, cell);
    }
    const bool is_won = game_state.left == 0;
    if (is_lost) {
        rewards_[game] = reward_rules_.mine;
    } else if (!is_won && opened_[game] == 0) {
        rewards_[game] = reward_rules_.repeat;
    } else {
        const double share = reward_rules_.progress * opened_[game] / (cells_ - size_.mines);
        rewards_[game] = share + (is_won ? reward_rules_.win : 0.0);
    }
    ended_[game] = is_lost || is_won;
    outcomes_[game] = static_cast<std::uint8_t>(is_lost  ? StepOutcome::lost
                                                : is_won ? StepOutcome::won
                                                         : StepOutcome::playing);
}

}  // namespace sapper
