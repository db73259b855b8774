// VectorEnv: many games stepped together, for reinforcement learning. Observations and rewards are flat arrays with one
// row per game.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/minefield.hpp"

namespace sapper {

// The reward of a step: `progress` times the share of the safe cells that it opened, plus `win` if it won the game;
// `mine` if it opened a mine; `repeat` if its cell was already open.
struct StepRewards {
    double progress = 1;
    double win = 1;
    double mine = -1;
    double repeat = -0.1;
};

enum class StepOutcome : std::uint8_t { playing = 0, won = 1, lost = 2 };

class VectorEnv {
public:
    // Every game opens the cell `first`, if given, before its first step. Throws std::invalid_argument if `games` is 0,
    // the board is invalid or has no safe cell, or `first` may be a mine.
    VectorEnv(std::size_t games, const BoardSize& size, Promise promise, std::optional<std::uint32_t> first,
              const StepRewards& rewards);

    // Sets the seeds of a game's next boards, replacing those it has not used. Throws std::invalid_argument if there is
    // no such game.
    void set_seeds(std::size_t game, std::span<const std::uint64_t> seeds);

    // Starts every game on its next board. Throws std::invalid_argument if one has no seed left.
    void reset();

    // Opens a cell in every game. A game that is over starts on its next board instead, with reward 0. Throws
    // std::invalid_argument, before anything is changed, if there is not one action per game, an action is not a cell
    // of the board, or a game that is over has no seed left.
    void step(std::span<const std::int64_t> actions);

    std::size_t games() const { return games_.size(); }
    const BoardSize& size() const { return size_; }

    // One row per game, one byte per cell.
    const std::vector<std::uint8_t>& codes() const { return codes_; }
    const std::vector<std::int8_t>& masks() const { return masks_; }  // 1 for a hidden cell

    // One value per game, for the last step or reset.
    const std::vector<double>& rewards() const { return rewards_; }
    const std::vector<std::uint8_t>& ended() const { return ended_; }  // 1 if the step ended the game
    const std::vector<std::uint8_t>& outcomes() const { return outcomes_; }
    const std::vector<std::uint32_t>& opened() const { return opened_; }  // number of cells that the step opened
    const std::vector<std::uint64_t>& seeds() const { return seeds_; }    // of the boards
    const std::vector<std::uint32_t>& seeds_left() const { return seeds_left_; }

private:
    struct Game {
        bool is_drawn = false;
        std::uint32_t left = 0;  // hidden safe cells
        std::vector<std::uint64_t> seeds;
    };

    void start(std::size_t game);
    void draw(std::size_t game, std::uint32_t first);
    bool open(std::size_t game, std::uint32_t cell);  // false if it is a mine
    void step(std::size_t game, std::uint32_t cell);

    BoardSize size_;
    Promise promise_;
    std::optional<std::uint32_t> first_;
    StepRewards reward_rules_;
    std::uint32_t cells_ = 0;
    std::vector<Game> games_;
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint8_t> numbers_;  // the number of each cell; hidden_code for a mine
    std::vector<std::int8_t> masks_;
    std::vector<double> rewards_;
    std::vector<std::uint8_t> ended_;
    std::vector<std::uint8_t> outcomes_;
    std::vector<std::uint32_t> opened_;
    std::vector<std::uint64_t> seeds_;
    std::vector<std::uint32_t> seeds_left_;
    std::vector<std::uint32_t> to_open_;
};

}  // namespace sapper
