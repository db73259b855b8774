// Play: whole games played by a player, one or many at once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "base/minefield.hpp"
#include "base/times.hpp"
#include "counting/grid.hpp"
#include "players/player.hpp"

namespace sapper {

// The record of a finished game.
struct Played {
    bool won = false;
    std::uint32_t left = 0;  // safe cells that were never opened
    std::uint32_t decisions = 0;
    std::uint32_t guesses = 0;  // number of decisions that were guesses
    double survival = 1;        // probability of surviving all guesses, by the risks the player gave
    double solved = std::numeric_limits<double>::quiet_NaN();  // the first winning probability the player gave, if any
    double seconds = 0;                                        // CPU time
    std::optional<std::uint32_t> lost_at;                      // the mine that was opened, if the game was lost
    // How much the luck of guesses in unsolved positions changed the winning probability. Its expectation is zero, so
    // it is a control variate: subtracting it from the result leaves the mean unchanged and reduces the variance.
    double luck = 0;
};

// A board and the cells that are open.
class GameState {
public:
    // Starts a game. The minefield has a byte per cell, 1 for a mine.
    void start(const BoardSize& size, std::span<const std::uint8_t> minefield);

    // The same, with the cells open that are open in `codes`, except mines. The numbers in `codes` are ignored.
    void start(const BoardSize& size, std::span<const std::uint8_t> minefield, std::span<const std::uint8_t> codes);

    // Opens a cell, and its neighbours if it shows a 0. Returns false if it is a mine.
    bool open(std::uint32_t cell);

    Position position() const { return {size_.height, size_.width, size_.mines, codes_}; }
    std::uint32_t left() const { return left_; }

private:
    BoardSize size_{};
    std::uint32_t left_ = 0;
    std::vector<std::uint8_t> codes_;    // what the player sees
    std::vector<std::uint8_t> numbers_;  // the number of each cell; hidden_code for a mine
    std::vector<std::uint32_t> to_open_;
};

// Limits for one decision.
struct DecisionLimits {
    double seconds = 10;
    std::uint64_t states = 2'000'000;
    std::uint64_t memory = 1 << 30;
};

// Plays games with one player.
class GameRunner {
public:
    explicit GameRunner(std::unique_ptr<Player> player) : player_{std::move(player)} {}

    // Plays a game with the given first click. `interrupted` is polled and returns whether to stop.
    Played play(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first,
                const DecisionLimits& limits, const std::function<bool()>& interrupted = {});

    // The time per decision, including opening the chosen cells.
    const Times& times() const { return times_; }

private:
    bool open(std::uint32_t cell, Played& played);
    bool open_all(const Decision& decision, Played& played);

    std::unique_ptr<Player> player_;
    GameState board_;
    Times times_;
};

// Plays many games at once, with one worker per thread.
class Arena {
public:
    // Throws std::invalid_argument if there is no player of this name, or if `workers` is 0.
    Arena(std::string_view player, std::uint32_t workers, const DecisionLimits& limits);
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    using Minefields = std::function<std::vector<std::uint8_t>(std::size_t)>;

    // Plays games number 0 to `games` - 1. `minefields` returns the minefield of a game, and is called from all
    // threads. The course of a game depends only on its minefield, not on the thread. `interrupted` is polled by the
    // calling thread.
    std::vector<Played> play(const BoardSize& size, std::uint32_t first, std::size_t games,
                             const Minefields& minefields, const std::function<bool()>& interrupted = {});

    // The time per decision, over all games so far.
    Times times() const;

private:
    std::vector<GameRunner> workers_;
    DecisionLimits limits_;
};

}  // namespace sapper
