// Estimates move values by playouts, stratified by the number that the move shows. The standard error is that of the
// residuals within the strata.
#include "players/move_values.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "players/strong.hpp"

namespace sapper {
namespace {

// Playouts between two checks of the standard errors.
constexpr std::uint32_t check_interval = 32;
// Playouts before a standard error is trusted.
constexpr std::uint32_t min_playouts = 64;
// Added to the sum of squared residuals, as if one more playout had been off by one half, so that a standard error is
// never zero just because all playouts agreed.
constexpr double prior_square = 0.25;

Effort continuation_effort() {
    Effort effort = Effort::fast();
    effort.estimates = false;
    return effort;
}

double standard_error(double squares, double count, double strata) {
    return std::sqrt((squares + prior_square) / std::max(count - strata, 1.0) / count);
}

}  // namespace

MoveEstimator::MoveEstimator() : MoveEstimator{std::make_unique<StrongPlayer>(continuation_effort())} {}

std::vector<MoveEstimate> MoveEstimator::estimate(const Position& position, std::span<const Cells> moves,
                                                  std::uint32_t playouts, double good_error, std::uint64_t seed,
                                                  Budget& budget) {
    start(position, moves, budget);
    playouts_.load(position, analyser_.counter(), seed);
    try {
        for (std::uint32_t played = 0; played < playouts; ++played) {
            if (played >= min_playouts && played % check_interval == 0) {
                budget.add_work(4 * played * moves.size());
                if (update_means() <= good_error) break;
            }
            play(moves, budget);
        }
    } catch (const LimitReached&) {
        if (moves_.front().playouts.size() < min_playouts) throw;
    }
    update_means();
    std::vector<MoveEstimate> estimates;
    for (const MovePlayouts& each : moves_) estimates.push_back(estimate_of(each));
    return estimates;
}

// Computes the probability of each stratum of each move: the number shown by a single cell, or, for several cells,
// whether all are safe.
void MoveEstimator::start(const Position& position, std::span<const Cells> moves, Budget& budget) {
    const Findings& findings = analyser_.analyse(position, budget, nullptr);
    if (!findings.possible || !findings.exact || analyser_.grid().unknown_count() > exact_cells) {
        throw LimitReached{"the position is too large or too complex for playouts"};
    }
    moves_.assign(moves.size(), {});
    for (std::size_t i = 0; i < moves.size(); ++i) {
        auto& probabilities = moves_[i].probabilities;
        if (moves[i].size() > 1) {
            probabilities[no_number] = 1 - next_analyser_.safety(position, moves[i], budget);
            probabilities[0] = 1 - probabilities[no_number];
            continue;
        }
        const double risk = findings.risk[moves[i].front()];
        const auto shown = next_analyser_.number_probabilities(position, moves[i].front(), budget);
        for (std::size_t number = 0; number < shown.size(); ++number) {
            probabilities[number] = (1 - risk) * shown[number];
        }
        probabilities[no_number] = risk;
    }
}

void MoveEstimator::play(std::span<const Cells> moves, Budget& budget) {
    playouts_.draw_layout();
    results_.clear();
    for (const Cells& move : moves) {
        Playout playout = playouts_.play(move, budget);
        if (move.size() > 1 && playout.number != no_number) playout.number = 0;
        results_.push_back(playout);
    }
    for (std::size_t i = 0; i < results_.size(); ++i) moves_[i].playouts.push_back(results_[i]);
}

// Updates the means. Returns the largest standard error that matters: that of the first move's value, and of the other
// moves' differences from it.
double MoveEstimator::update_means() {
    for (MovePlayouts& each : moves_) each.means.compute(each.playouts, each.probabilities);
    double greatest = estimate_of(moves_.front()).chance_error;
    for (const MovePlayouts& each : moves_) {
        if (&each != &moves_.front()) greatest = std::max(greatest, estimate_of(each).less_error);
    }
    return greatest;
}

MoveEstimate MoveEstimator::estimate_of(const MovePlayouts& move) const {
    const MovePlayouts& first = moves_.front();
    double squares = 0, difference_squares = 0;
    for (std::size_t i = 0; i < move.playouts.size(); ++i) {
        const double residual = move.means.residual(move.playouts[i]);
        const double difference = residual - first.means.residual(first.playouts[i]);
        squares += residual * residual;
        difference_squares += difference * difference;
    }
    const auto count = static_cast<double>(move.playouts.size());
    const double strata = move.means.strata(), both_strata = strata + first.means.strata() - 1;
    MoveEstimate estimate{move.means.value(), standard_error(squares, count, strata),
                          first.means.value() - move.means.value(),
                          standard_error(difference_squares, count, both_strata)};
    if (move.probabilities[no_number] == 1) estimate.chance_error = 0;
    if (&move == &first) estimate.less_error = 0;
    return estimate;
}

}  // namespace sapper
