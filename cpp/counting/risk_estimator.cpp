// Estimates risks by sampled sweeps, or by iterative scaling if no sample reaches the end.
#include "counting/risk_estimator.hpp"

#include <algorithm>
#include <cmath>

#include "counting/logarithms.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t initial_states = 2048;           // states kept per layer in the first sample
constexpr std::uint64_t max_sampled_states = 4'000'000;  // in all layers; bounds the memory at some hundred MiB
constexpr int max_samples = 8;
constexpr int max_iterations = 60;                         // of iterative scaling
constexpr double least_risk = 1.0 / (2 * initial_states);  // an estimate never claims certainty

double clamp_risk(double risk) { return std::clamp(risk, least_risk, 1 - least_risk); }

}  // namespace

void RiskEstimator::estimate(const Grid& grid, const Frontier& frontier, Budget& budget) {
    free_ =
        static_cast<double>(std::int64_t{grid.unknown_count()} - static_cast<std::int64_t>(frontier.cells().size()));
    risk_.resize(frontier.boxes().size());
    scale_iteratively(grid, frontier, budget);
    average_samples(grid, frontier, budget);
    for (double& risk : risk_) risk = clamp_risk(risk);
}

// Averages several samples, or as many as the budget allows. If there are none, the risks stay as they are.
void RiskEstimator::average_samples(const Grid& grid, const Frontier& frontier, Budget& budget) {
    const std::size_t boxes = frontier.boxes().size();
    const double density = static_cast<double>(grid.mines_left()) / grid.unknown_count();
    double sampled_free = 0;
    int samples = 0;
    std::uint32_t size = initial_states;
    try {
        sampled_.assign(boxes, 0);
        for (std::uint64_t seed = 1; samples < max_samples; ++seed) {
            // If a sample does not reach the end, retry with more states, as far as memory allows.
            const auto max_states = static_cast<std::uint32_t>(max_sampled_states / (boxes + 1));
            const Sampling sampling{std::min(size, max_states), std::clamp(density, 1e-6, 1 - 1e-6), seed};
            if (!structure_.sample(frontier, sampling, budget)) {
                if (size > max_states) break;
                size *= 2;
                continue;
            }
            fit_density(grid, frontier, sampling.density, budget);
            for (std::size_t box = 0; box < boxes; ++box) {
                sampled_[box] += with_mine_[box] / (with_mine_[box] + with_safe_[box]);
            }
            sampled_free += density_;
            ++samples;
        }
    } catch (const LimitReached&) {  // Use the samples so far.
    }
    if (samples > 0) {
        free_risk_ = sampled_free / samples;
        for (std::size_t box = 0; box < boxes; ++box) risk_[box] = sampled_[box] / samples;
    }
}

// Finds a risk for each box by iterative scaling. Cells are treated as independent; the odds around each number, and on
// the whole board, are scaled in turn until the expected number of mines is right everywhere. The result is the
// distribution of maximum entropy among those that satisfy all numbers on average.
void RiskEstimator::scale_iteratively(const Grid& grid, const Frontier& frontier, Budget& budget) {
    const auto boxes = frontier.boxes();
    free_risk_ = clamp_risk(static_cast<double>(grid.mines_left()) / grid.unknown_count());
    std::fill(risk_.begin(), risk_.end(), free_risk_);
    try {
        for (int iteration = 0; iteration < max_iterations; ++iteration) {
            double expected = free_ * free_risk_, variance = free_ * free_risk_ * (1 - free_risk_);
            for (std::size_t box = 0; box < boxes.size(); ++box) {
                expected += boxes[box].size * risk_[box];
                variance += boxes[box].size * risk_[box] * (1 - risk_[box]);
            }
            const double log_factor = (static_cast<double>(grid.mines_left()) - expected) / variance;
            free_risk_ = clamp_risk(with_scaled_odds(free_risk_, log_factor));
            for (double& risk : risk_) risk = clamp_risk(with_scaled_odds(risk, log_factor));
            budget.add_work(8 * boxes.size());
            for (const Number& number : frontier.numbers()) {
                const std::span around{number.boxes.data(), number.box_count};
                expected = variance = 0;
                for (const std::uint32_t box : around) {
                    expected += boxes[box].size * risk_[box];
                    variance += boxes[box].size * risk_[box] * (1 - risk_[box]);
                }
                for (const std::uint32_t box : around) {
                    risk_[box] = clamp_risk(with_scaled_odds(risk_[box], (number.need - expected) / variance));
                }
                budget.add_work(4 * around.size());
            }
        }
    } catch (const LimitReached&) {  // Use the risks so far.
    }
}

// Finds the density at which the sample's expected number of mines is right, by Newton's method.
void RiskEstimator::fit_density(const Grid& grid, const Frontier& frontier, double density, Budget& budget) {
    const auto boxes = frontier.boxes();
    density_ = density;
    with_mine_.resize(boxes.size());
    with_safe_.resize(boxes.size());
    for (int attempt = 0; attempt < 8; ++attempt) {
        const Weights kind{density_, false};
        weights_.forward(structure_, kind, budget);
        weights_.set_unrestricted_outside(structure_);
        weights_.backward(structure_, kind, with_mine_, with_safe_, budget);
        double expected = free_ * density_, variance = free_ * density_ * (1 - density_);
        for (std::size_t box = 0; box < boxes.size(); ++box) {
            const double risk = with_mine_[box] / (with_mine_[box] + with_safe_[box]);
            expected += boxes[box].size * risk;
            variance += boxes[box].size * risk * (1 - risk);
        }
        const double missing = static_cast<double>(grid.mines_left()) - expected;
        if (std::abs(missing) < 1e-3 || variance < 1e-9) {
            return;
        }
        density_ = with_scaled_odds(density_, missing / variance);
    }
}

void RiskEstimator::release_memory() {
    structure_ = {};
    weights_.release_memory();
}

}  // namespace sapper
