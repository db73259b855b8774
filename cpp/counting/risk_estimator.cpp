// Sampling sweeps, and balancing the numbers where no sample reaches the end.
#include "counting/risk_estimator.hpp"

#include <algorithm>
#include <cmath>

#include "counting/logarithms.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t sample_size = 2048;          // states followed in a layer
constexpr std::uint64_t sampled_states = 4'000'000;  // in all layers: some hundred MiB
constexpr int most_samples = 8;
constexpr int most_rounds = 60;                         // of balancing
constexpr double least_risk = 1.0 / (2 * sample_size);  // A share of nothing is still some chance.

double within_bounds(double risk) { return std::clamp(risk, least_risk, 1 - least_risk); }

}  // namespace

void RiskEstimator::estimate(const Grid& grid, const Frontier& frontier, Budget& budget) {
    free_ = static_cast<double>(std::int64_t{grid.unknown_count()} -
                                static_cast<std::int64_t>(frontier.cells().size()));
    risk_.resize(frontier.boxes().size());
    balance(grid, frontier, budget);
    average_samples(grid, frontier, budget);
    for (double& risk : risk_) risk = within_bounds(risk);
}

// Takes the mean of some samples, if there is time for any.
void RiskEstimator::average_samples(const Grid& grid, const Frontier& frontier, Budget& budget) {
    const std::size_t boxes = frontier.boxes().size();
    const double density = static_cast<double>(grid.mines_left()) / grid.unknown_count();
    double sampled_free = 0;
    int samples = 0;
    std::uint32_t size = sample_size;
    try {
        sampled_.assign(boxes, 0);
        for (std::uint64_t seed = 1; samples < most_samples; ++seed) {
            // A sample that did not reach the end is tried again with more states, as far as memory goes.
            const auto most = static_cast<std::uint32_t>(sampled_states / (boxes + 1));
            const Sampling sampling{std::min(size, most), std::clamp(density, 1e-6, 1 - 1e-6), seed};
            if (!structure_.sample(frontier, sampling, budget)) {
                if (size > most) break;
                size *= 2;
                continue;
            }
            weigh_sample(grid, frontier, sampling.density, budget);
            for (std::size_t box = 0; box < boxes; ++box) {
                sampled_[box] += with_mine_[box] / (with_mine_[box] + with_none_[box]);
            }
            sampled_free += density_;
            ++samples;
        }
    } catch (const LimitReached&) {  // The samples so far count.
    }
    if (samples > 0) {
        free_risk_ = sampled_free / samples;
        for (std::size_t box = 0; box < boxes; ++box) risk_[box] = sampled_[box] / samples;
    }
}

// Finds a risk for each box. Every cell is independent; the odds around each number, and on the whole board, are
// changed in turn until as many mines are expected there as there must be. Of all probabilities that satisfy this,
// these assume the least (iterative scaling).
void RiskEstimator::balance(const Grid& grid, const Frontier& frontier, Budget& budget) {
    const auto boxes = frontier.boxes();
    free_risk_ = within_bounds(static_cast<double>(grid.mines_left()) / grid.unknown_count());
    std::fill(risk_.begin(), risk_.end(), free_risk_);
    try {
        for (int round = 0; round < most_rounds; ++round) {
            double expected = free_ * free_risk_, variance = free_ * free_risk_ * (1 - free_risk_);
            for (std::size_t box = 0; box < boxes.size(); ++box) {
                expected += boxes[box].size * risk_[box];
                variance += boxes[box].size * risk_[box] * (1 - risk_[box]);
            }
            const double power = (static_cast<double>(grid.mines_left()) - expected) / variance;
            free_risk_ = within_bounds(with_odds_changed(free_risk_, power));
            for (double& risk : risk_) risk = within_bounds(with_odds_changed(risk, power));
            budget.add_work(8 * boxes.size());
            for (const Number& number : frontier.numbers()) {
                const std::span around{number.boxes.data(), number.box_count};
                expected = variance = 0;
                for (const std::uint32_t box : around) {
                    expected += boxes[box].size * risk_[box];
                    variance += boxes[box].size * risk_[box] * (1 - risk_[box]);
                }
                for (const std::uint32_t box : around) {
                    risk_[box] = within_bounds(with_odds_changed(risk_[box], (number.need - expected) / variance));
                }
                budget.add_work(4 * around.size());
            }
        }
    } catch (const LimitReached&) {  // The risks are balanced less well.
    }
}

// Finds the density with which the sample holds as many mines as there are, by Newton's method.
void RiskEstimator::weigh_sample(const Grid& grid, const Frontier& frontier, double density, Budget& budget) {
    const auto boxes = frontier.boxes();
    density_ = density;
    with_mine_.resize(boxes.size());
    with_none_.resize(boxes.size());
    for (int tries = 0; tries < 8; ++tries) {
        const Chances kind{density_, false};
        chances_.forward(structure_, kind, budget);
        chances_.split_freely(structure_);
        chances_.backward(structure_, kind, with_mine_, with_none_, budget);
        double expected = free_ * density_, variance = free_ * density_ * (1 - density_);
        for (std::size_t box = 0; box < boxes.size(); ++box) {
            const double risk = with_mine_[box] / (with_mine_[box] + with_none_[box]);
            expected += boxes[box].size * risk;
            variance += boxes[box].size * risk * (1 - risk);
        }
        const double missing = static_cast<double>(grid.mines_left()) - expected;
        if (std::abs(missing) < 1e-3 || variance < 1e-9) {
            return;
        }
        density_ = with_odds_changed(density_, missing / variance);
    }
}

void RiskEstimator::release_memory() {
    structure_ = {};
    chances_.release_memory();
}

}  // namespace sapper
