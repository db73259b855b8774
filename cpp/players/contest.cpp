// Compares candidates by playouts. Variance is reduced by stratifying on the number shown, by using the same layouts
// for all candidates, and by a prior from the candidates' scores.
#include "players/contest.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sapper {
namespace {

// The prior: if a candidate's score is higher by some share, its winning probability is expected to be higher by that
// share, with this standard deviation divided by the square root of the number of unknown cells. docs/strength.md
// explains how the value was found.
constexpr double score_error = 0.21;
// A prior for the variance of the difference of two playouts, which counts as this many observations. It keeps the
// first few playouts from being trusted too much.
constexpr double prior_variance = 0.1;
constexpr double prior_weight = 4;
// The winning probability that is assumed before there are any playouts.
constexpr double prior_value = 0.5;

// The expected gain from switching to an alternative, if the switch is made only when it is better; the difference is
// normally distributed.
double expected_gain(double mean, double deviation) {
    const double z = mean / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return deviation * (density + z * std::erfc(-z / std::numbers::sqrt2) / 2);
}

}  // namespace

void Contest::start(std::span<const ContestEntry> entries, std::uint32_t unknown) {
    prior_deviation_ = score_error / std::sqrt(unknown);
    contenders_.clear();
    for (const ContestEntry& each : entries) contenders_.push_back({.entry = each, .playouts = {}, .means = {}});
    leader_ = 0;
    leader_value_ = prior_value;
    drop_hopeless();
}

void Contest::record(std::span<const Playout> playouts) {
    for (std::size_t i = 0; i < playouts.size(); ++i) contenders_[i].playouts.push_back(playouts[i]);
}

Contest::Posterior Contest::compare(const Contender& a, const Contender& b) const {
    const double prior = leader_value_ * (a.entry.score - b.entry.score);
    if (a.playouts.empty()) {
        return {prior, prior_deviation_};
    }
    const double count = static_cast<double>(a.playouts.size());
    double squares = 0;
    for (std::size_t i = 0; i < a.playouts.size(); ++i) {
        const double difference = a.means.residual(a.playouts[i]) - b.means.residual(b.playouts[i]);
        squares += difference * difference;
    }
    const double variance = (squares + prior_variance * prior_weight) / (count + prior_weight) / count;
    const double precision = 1 / variance, prior_precision = 1 / (prior_deviation_ * prior_deviation_);
    const double mean =
        (precision * (a.means.value() - b.means.value()) + prior_precision * prior) / (precision + prior_precision);
    return {mean, std::sqrt(1 / (precision + prior_precision))};
}

void Contest::update() {
    for (Contender& each : contenders_) each.means.compute(each.playouts, each.entry.probabilities);
    leader_value_ = contenders_[leader_].means.value();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        if (i != leader_ && compare(contenders_[i], contenders_[leader_]).mean > 0) leader_ = i;
    }
    drop_hopeless();
}

void Contest::drop_hopeless() {
    const Contender& leader = contenders_[leader_];
    std::size_t dropped_before = 0;
    for (Contender& each : contenders_) {
        if (&each != &leader) {
            const Posterior posterior = compare(each, leader);
            each.is_dropped = expected_gain(posterior.mean, posterior.deviation) < min_gain_;
            dropped_before += each.is_dropped && &each < &leader;
        }
    }
    leader_ -= dropped_before;
    std::erase_if(contenders_, [](const Contender& each) { return each.is_dropped; });
}

}  // namespace sapper
