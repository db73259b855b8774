// The value of a move is the mean of its games, with what it showed given the weight that it has in truth; its
// error is that of what the number does not tell.
#include "estimate.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "strong.hpp"

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

Estimator::Estimator() : Estimator{std::make_unique<StrongPlayer>(goes_on())} {}

void Estimator::Runner::weigh() {
    std::array<double, 10> sums{}, counts{};
    for (const Trial& each : trials) {
        sums[each.number] += each.chance;
        counts[each.number] += 1;
    }
    double sum = 0, seen = 0;
    kinds = 0;
    for (std::size_t number = 0; number <= no_number; ++number) {
        if (counts[number] == 0) continue;
        means[number] = sums[number] / counts[number];
        ++kinds;
        if (number != no_number) {
            sum += chances[number] * means[number];
            seen += chances[number];
        }
    }
    value = seen > 0 ? sum / seen * (1 - chances[no_number]) : 0;
}

double Estimator::Runner::rest(std::size_t trial) const {
    return trials[trial].chance - means[trials[trial].number];
}

std::vector<Estimate> Estimator::estimate(const Position& position, std::span<const Cells> moves,
                                          std::uint32_t playouts, double enough, std::uint64_t seed,
                                          Budget& budget) {
    begin(position, moves, budget);
    trials_.load(position, analyser_, seed);
    try {
        for (std::uint32_t played = 0; played < playouts; ++played) {
            if (played >= fewest && played % at_once == 0 && weigh() <= enough) break;
            play(moves, budget);
        }
    } catch (const LimitReached&) {
        if (runners_.front().trials.size() < fewest) throw;
    }
    weigh();
    std::vector<Estimate> estimates;
    for (const Runner& each : runners_) estimates.push_back(estimate_of(each));
    return estimates;
}

// What each move may show, and how likely that is: the number of a cell, or for several at once whether all are
// safe.
void Estimator::begin(const Position& position, std::span<const Cells> moves, Budget& budget) {
    const Findings& findings = analyser_.analyse(position, budget, budget);
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
        const auto shows = next_.shows(position, moves[i].front(), budget);
        for (std::size_t number = 0; number < shows.size(); ++number) chances[number] = (1 - risk) * shows[number];
        chances[no_number] = risk;
    }
}

void Estimator::play(std::span<const Cells> moves, Budget& budget) {
    trials_.draw_layout();
    results_.clear();
    for (const Cells& move : moves) {
        Trial trial = trials_.play(move, budget);
        if (move.size() > 1 && trial.number != no_number) trial.number = 0;
        results_.push_back(trial);
    }
    for (std::size_t i = 0; i < results_.size(); ++i) runners_[i].trials.push_back(results_[i]);
}

// Returns the greatest error that matters: that of the first move's chance, and of the other's differences.
double Estimator::weigh() {
    for (Runner& each : runners_) each.weigh();
    double greatest = estimate_of(runners_.front()).chance_error;
    for (const Runner& each : runners_) {
        if (&each != &runners_.front()) greatest = std::max(greatest, estimate_of(each).less_error);
    }
    return greatest;
}

Estimate Estimator::estimate_of(const Runner& runner) const {
    const Runner& first = runners_.front();
    double squares = 0, difference_squares = 0;
    for (std::size_t i = 0; i < runner.trials.size(); ++i) {
        const double rest = runner.rest(i), difference = rest - first.rest(i);
        squares += rest * rest;
        difference_squares += difference * difference;
    }
    const auto count = static_cast<double>(runner.trials.size());
    Estimate estimate{runner.value, error_of(squares, count, runner.kinds), first.value - runner.value,
                      error_of(difference_squares, count, runner.kinds + first.kinds - 1)};
    if (runner.chances[no_number] == 1) estimate.chance_error = 0;
    if (&runner == &first) estimate.less_error = 0;
    return estimate;
}

}  // namespace sapper
