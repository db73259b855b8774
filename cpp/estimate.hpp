// Estimates: what moves are worth where the endgame cannot be solved, by games on drawn layouts.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "analysis.hpp"
#include "trials.hpp"

namespace sapper {

// What a move is worth, each with its standard error.
struct Estimate {
    double chance, chance_error;  // to win
    double less, less_error;      // than with the first of the moves, on the same layouts
};

// Cells that are opened at once.
using Cells = std::vector<std::uint32_t>;

class Estimator {
public:
    // A fast player goes on after the moves, or the one that is given.
    Estimator();
    explicit Estimator(std::unique_ptr<Player> player) : trials_{std::move(player)} {}

    // Plays every move on the same layouts, and lets the player go on: so many times, or until no error that
    // matters is greater than is good enough. Throws LimitReached if that takes too long to say anything, or the
    // position has more than `exact_cells` unknown cells. Every move opens hidden cells of a position that is
    // possible.
    std::vector<Estimate> estimate(const Position& position, std::span<const Cells> moves,
                                   std::uint32_t playouts, double enough, std::uint64_t seed, Budget& budget);

private:
    struct Runner {
        std::array<double, 10> chances{};  // of each number that it may show, and of a mine
        std::vector<Trial> trials;
        std::array<double, 10> means{};    // of the trials that showed each number
        double value = 0;
        double kinds = 0;                  // of trials: how many numbers were shown

        void weigh();
        double rest(std::size_t trial) const;
    };

    void begin(const Position& position, std::span<const Cells> moves, Budget& budget);
    void play(std::span<const Cells> moves, Budget& budget);
    double weigh();
    Estimate estimate_of(const Runner& runner) const;

    Analyser analyser_, next_;
    Trials trials_;
    std::vector<Runner> runners_;
    std::vector<Trial> results_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace sapper
