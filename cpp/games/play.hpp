// Play: whole games by a player, one or many at once.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/minefield.hpp"
#include "base/budget.hpp"
#include "counting/grid.hpp"
#include "players/player.hpp"
#include "base/times.hpp"

namespace sapper {

// How a game went.
struct Played {
    bool won = false;
    std::uint32_t left = 0;       // cells without a mine that were never opened
    std::uint32_t decisions = 0;  // how often the player was asked
    std::uint32_t guesses = 0;    // how often it risked a cell
    double survival = 1;          // the chance to survive all its guesses, by the risks it gave
    double solved = std::numeric_limits<double>::quiet_NaN();  // the first chance to win it gave, if any
    double seconds = 0;           // worked
    std::optional<std::uint32_t> lost_at;  // the cell whose mine ended it
    // By how much luck in guesses, while nothing was solved, changed the chance to win. Of any guess, and so of all,
    // none is expected: the more of what happens by chance is in it, the less is left in a game without it.
    double luck = 0;
};

// A board and how much of it is open.
class Table {
public:
    // The minefield has a byte for each cell, 1 for a mine.
    void lay(const BoardSize& size, std::span<const std::uint8_t> minefield);

    // The same with those cells open that are so in the codes, whatever these show, except mines.
    void lay(const BoardSize& size, std::span<const std::uint8_t> minefield, std::span<const std::uint8_t> codes);

    // Opens a cell, and what is around it if no mine is. Returns false if it is a mine itself.
    bool open(std::uint32_t cell);

    Position position() const { return {size_.height, size_.width, size_.mines, codes_}; }
    std::uint32_t left() const { return left_; }

private:
    BoardSize size_{};
    std::uint32_t left_ = 0;
    std::vector<std::uint8_t> codes_;    // what a player sees
    std::vector<std::uint8_t> numbers_;  // what there is to see; hidden_code for a mine
    std::vector<std::uint32_t> waiting_;
};

// How much work a player may do for one decision.
struct Allowance {
    double seconds = 10;
    std::uint64_t states = 2'000'000;
    std::uint64_t memory = 1 << 30;
};

// A player at a table.
class Seat {
public:
    explicit Seat(std::unique_ptr<Player> player) : player_{std::move(player)} {}

    // Plays a game whose first click is given. `interrupted` is asked now and then.
    Played play(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first,
                const Allowance& allowance, const std::function<bool()>& interrupted = {});

    // How long each decision took, with the opening of what it chose.
    const Times& times() const { return times_; }

private:
    bool open(std::uint32_t cell, Played& played);
    bool open_all(const Decision& decision, Played& played);

    std::unique_ptr<Player> player_;
    Table table_;
    Times times_;
};

// Many games at once: a seat for each thread.
class Arena {
public:
    // Throws std::invalid_argument if there is no player of this name, or no seat.
    Arena(std::string_view player, std::uint32_t seats, const Allowance& allowance);
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    using Minefields = std::function<std::vector<std::uint8_t>(std::size_t)>;

    // Plays so many games; `minefields` is called from all threads for the minefield of each. How a game
    // goes depends on its minefield alone, not on which thread plays it. `interrupted` is asked now and
    // then by the calling thread.
    std::vector<Played> play(const BoardSize& size, std::uint32_t first, std::size_t games,
                             const Minefields& minefields, const std::function<bool()>& interrupted = {});

    // How long each decision of all games so far took.
    Times times() const;

private:
    std::vector<Seat> seats_;
    Allowance allowance_;
};

}  // namespace sapper
