// Estimates: what moves are worth where the endgame cannot be solved, by games on drawn layouts.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "counting/analyser.hpp"
#include "players/playouts.hpp"

namespace sapper {

// What a move is worth, each with its standard error.
struct MoveEstimate {
    double chance, chance_error;  // to win
    double less, less_error;      // than with the first of the moves, on the same layouts
};

// Cells that are opened at once.
using Cells = std::vector<std::uint32_t>;

class MoveEstimator {
public:
    // A fast player goes on after the moves, or the one that is given.
    MoveEstimator();
    explicit MoveEstimator(std::unique_ptr<Player> player) : playouts_{std::move(player)} {}

    // Plays every move on the same layouts, and lets the player go on: so many times, or until no error that
    // matters is greater than is good enough. Throws LimitReached if that takes too long to say anything, or the
    // position has more than `exact_cells` unknown cells. Every move opens hidden cells of a position that is
    // possible.
    std::vector<MoveEstimate> estimate(const Position& position, std::span<const Cells> moves,
                                   std::uint32_t playouts, double enough, std::uint64_t seed, Budget& budget);

private:
    struct Runner {
        NumberChances chances{};
        Vector<Playout> playouts;
        PlayoutMeans means;
    };

    void begin(const Position& position, std::span<const Cells> moves, Budget& budget);
    void play(std::span<const Cells> moves, Budget& budget);
    double weigh();
    MoveEstimate estimate_of(const Runner& runner) const;

    Analyser analyser_, next_;
    Playouts playouts_;
    std::vector<Runner> runners_;
    std::vector<Playout> results_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace sapper
