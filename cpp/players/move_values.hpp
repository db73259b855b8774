// Move values: the winning probabilities of moves, estimated by playouts where the endgame cannot be solved.
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

// Estimates for one move, each with its standard error.
struct MoveEstimate {
    double chance, chance_error;  // probability of winning
    double less, less_error;      // how much less than with the first move, on the same layouts
};

// Cells that are opened together.
using Cells = std::vector<std::uint32_t>;

class MoveEstimator {
public:
    // The playouts are continued by a fast player, or by the given one.
    MoveEstimator();
    explicit MoveEstimator(std::unique_ptr<Player> player) : playouts_{std::move(player)} {}

    // Plays every move on the same sampled layouts, up to `playouts` times, or until no standard error that matters
    // exceeds `good_error`. All cells must be hidden, and the position must be possible. Throws LimitReached if the
    // budget runs out too early for an answer, or if the position has more than `exact_cells` unknown cells.
    std::vector<MoveEstimate> estimate(const Position& position, std::span<const Cells> moves, std::uint32_t playouts,
                                       double good_error, std::uint64_t seed, Budget& budget);

private:
    struct MovePlayouts {
        NumberProbabilities probabilities{};
        Vector<Playout> playouts;
        PlayoutMeans means;
    };

    void start(const Position& position, std::span<const Cells> moves, Budget& budget);
    void play(std::span<const Cells> moves, Budget& budget);
    double update_means();
    MoveEstimate estimate_of(const MovePlayouts& move) const;

    Analyser analyser_, next_analyser_;
    Playouts playouts_;
    std::vector<MovePlayouts> moves_;
    std::vector<Playout> results_;
};

}  // namespace sapper
