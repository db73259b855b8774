// Many games stepped together, for learning: what is seen and earned lies in flat arrays, a row a game.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/minefield.hpp"

namespace sapper {

// What a step is worth: `progress` times the share of the safe cells that it opened, and `win` on top;
// `mine` if it opened one, `repeat` if its cell was open before.
struct StepRewards {
    double progress = 1;
    double win = 1;
    double mine = -1;
    double repeat = -0.1;
};

enum class StepOutcome : std::uint8_t { playing = 0, won = 1, lost = 2 };

class VectorEnv {
public:
    // Every game opens the cell `first`, if given, before its first step. Throws std::invalid_argument if
    // there is no game, no safe cell, no such board, or `first` may be a mine.
    VectorEnv(std::size_t games, const BoardSize& size, Promise promise, std::optional<std::uint32_t> first,
              const StepRewards& rewards);

    // Gives a game the seeds of its next boards, in place of those it has not used.
    // Throws std::invalid_argument if there is no such game.
    void supply(std::size_t game, std::span<const std::uint64_t> seeds);

    // Begins every game on its next board. Throws std::invalid_argument if one has no seed left.
    void reset();

    // Opens a cell in every game; a game that is over begins on its next board instead, which is worth 0.
    // Throws std::invalid_argument, before anything is changed, if a cell is not on the board, there is not
    // one for each game, or a game that is over has no seed left.
    void step(std::span<const std::int64_t> actions);

    std::size_t games() const { return games_.size(); }
    const BoardSize& size() const { return size_; }

    // A row for each game, a byte for each cell.
    const std::vector<std::uint8_t>& codes() const { return codes_; }
    const std::vector<std::int8_t>& masks() const { return masks_; }  // 1 for a hidden cell

    // A value for each game: of the last step, or of the reset.
    const std::vector<double>& rewards() const { return earned_; }
    const std::vector<std::uint8_t>& ended() const { return ended_; }  // 1 if that step ended it
    const std::vector<std::uint8_t>& outcomes() const { return outcomes_; }
    const std::vector<std::uint32_t>& opened() const { return opened_; }  // how many cells that step opened
    const std::vector<std::uint64_t>& seeds() const { return seeds_; }    // of the boards
    const std::vector<std::uint32_t>& seeds_left() const { return seeds_left_; }

private:
    struct Game {
        bool is_drawn = false;
        std::uint32_t left = 0;  // safe cells that are hidden
        std::vector<std::uint64_t> seeds;
    };

    void begin(std::size_t game);
    void draw(std::size_t game, std::uint32_t first);
    bool open(std::size_t game, std::uint32_t cell);  // false if it is a mine
    void step(std::size_t game, std::uint32_t cell);

    BoardSize size_;
    Promise promise_;
    std::optional<std::uint32_t> first_;
    StepRewards worth_;
    std::uint32_t cells_ = 0;
    std::vector<Game> games_;
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint8_t> numbers_;  // what there is to see; hidden_code for a mine
    std::vector<std::int8_t> masks_;
    std::vector<double> earned_;
    std::vector<std::uint8_t> ended_;
    std::vector<std::uint8_t> outcomes_;
    std::vector<std::uint32_t> opened_;
    std::vector<std::uint64_t> seeds_;
    std::vector<std::uint32_t> seeds_left_;
    std::vector<std::uint32_t> waiting_;
};

}  // namespace sapper
