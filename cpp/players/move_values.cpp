// The value of a move is the mean of its games, with what it showed given the weight that it has in truth; its
// error is that of what the number does not tell.
#include "players/move_values.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "players/strong.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t at_once = 32;
constexpr std::uint32_t fewest = 64;  // games, before an error is believed
// However alike the games were, one more may be off by a half.
constexpr double unseen_square = 0.25;

Effort goes_on() {
    Effort effort = Effort::fast();
    effort.estimates = false;
    return effort;
}

double error_of(double squares, double count, double kinds) {
    return std::sqrt((squares + unseen_square) / std::max(count - kinds, 1.0) / count);
}

}  // namespace

MoveEstimator::MoveEstimator() : MoveEstimator{std::make_unique<StrongPlayer>(goes_on())} {}

std::vector<MoveEstimate> MoveEstimator::estimate(const Position& position, std::span<const Cells> moves,
                                          std::uint32_t playouts, double enough, std::uint64_t seed,
                                          Budget& budget) {
    begin(position, moves, budget);
    playouts_.load(position, analyser_.counter(), seed);
    try {
        for (std::uint32_t played = 0; played < playouts; ++played) {
            if (played >= fewest && played % at_once == 0) {
                budget.add_work(4 * played * moves.size());
                if (weigh() <= enough) break;
            }
            play(moves, budget);
        }
    } catch (const LimitReached&) {
        if (runners_.front().playouts.size() < fewest) throw;
    }
    weigh();
    std::vector<MoveEstimate> estimates;
    for (const Runner& each : runners_) estimates.push_back(estimate_of(each));
    return estimates;
}

// What each move may show, and how likely that is: the number of a cell, or for several at once whether all are
// safe.
void MoveEstimator::begin(const Position& position, std::span<const Cells> moves, Budget& budget) {
    const Findings& findings = analyser_.analyse(position, budget, nullptr);
    if (!findings.possible || !findings.exact || analyser_.grid().unknown_count() > exact_cells) {
        throw LimitReached{"layouts of this position cannot be drawn"};
    }
    runners_.assign(moves.size(), {});
    for (std::size_t i = 0; i < moves.size(); ++i) {
        auto& chances = runners_[i].chances;
        if (moves[i].size() > 1) {
            chances[no_number] = 1 - next_.safety(position, moves[i], budget);
            chances[0] = 1 - chances[no_number];
            continue;
        }
        const double risk = findings.risk[moves[i].front()];
        const auto shows = next_.number_probabilities(position, moves[i].front(), budget);
        for (std::size_t number = 0; number < shows.size(); ++number) chances[number] = (1 - risk) * shows[number];
        chances[no_number] = risk;
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
    for (std::size_t i = 0; i < results_.size(); ++i) runners_[i].playouts.push_back(results_[i]);
}

// Returns the greatest error that matters: that of the first move's chance, and of the other's differences.
double MoveEstimator::weigh() {
    for (Runner& each : runners_) each.means.compute(each.playouts, each.chances);
    double greatest = estimate_of(runners_.front()).chance_error;
    for (const Runner& each : runners_) {
        if (&each != &runners_.front()) greatest = std::max(greatest, estimate_of(each).less_error);
    }
    return greatest;
}

MoveEstimate MoveEstimator::estimate_of(const Runner& runner) const {
    const Runner& first = runners_.front();
    double squares = 0, difference_squares = 0;
    for (std::size_t i = 0; i < runner.playouts.size(); ++i) {
        const double rest = runner.means.residual(runner.playouts[i]);
        const double difference = rest - first.means.residual(first.playouts[i]);
        squares += rest * rest;
        difference_squares += difference * difference;
    }
    const auto count = static_cast<double>(runner.playouts.size());
    MoveEstimate estimate{runner.means.value(), error_of(squares, count, runner.means.kinds()), first.means.value() - runner.means.value(),
                      error_of(difference_squares, count, runner.means.kinds() + first.means.kinds() - 1)};
    if (runner.chances[no_number] == 1) estimate.chance_error = 0;
    if (&runner == &first) estimate.less_error = 0;
    return estimate;
}

}  // namespace sapper
