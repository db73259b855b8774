// Playouts are noisy, so everything known beforehand is put to use: how likely a move is to show each number, what
// it promises, and how much promises are off.
#include "players/contest.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sapper {
namespace {

// A move that promises a share more is taken to win that share more, give or take this chance, divided by the
// root of the number of unknown cells. docs/strength.md tells how that was found.
constexpr double promise_error = 0.21;
// Before there are many playouts, differences are taken to vary so much, as if this had been seen so often.
constexpr double first_variance = 0.1;
constexpr double first_weight = 4;
// What a move is worth if nothing is known yet.
constexpr double usual_value = 0.5;

// What is gained, on the average, by a choice that may be better or worse, if it is made only when better.
double expected_gain(double mean, double deviation) {
    const double z = mean / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return deviation * (density + z * std::erfc(-z / std::numbers::sqrt2) / 2);
}

}  // namespace

void Contest::begin(std::span<const Entry> entries, std::uint32_t unknown) {
    error_ = promise_error / std::sqrt(unknown);
    runners_.clear();
    for (const Entry& each : entries) runners_.push_back({.entry = each, .playouts = {}, .means = {}});
    leader_ = 0;
    value_ = usual_value;
    drop_hopeless();
}

void Contest::record(std::span<const Playout> playouts) {
    for (std::size_t i = 0; i < playouts.size(); ++i) runners_[i].playouts.push_back(playouts[i]);
}

Contest::Belief Contest::compare(const Runner& a, const Runner& b) const {
    const double before = value_ * (a.entry.promise - b.entry.promise);
    if (a.playouts.empty()) {
        return {before, error_};
    }
    const double count = static_cast<double>(a.playouts.size());
    double squares = 0;
    for (std::size_t i = 0; i < a.playouts.size(); ++i) {
        const double difference = a.means.residual(a.playouts[i]) - b.means.residual(b.playouts[i]);
        squares += difference * difference;
    }
    const double variance = (squares + first_variance * first_weight) / (count + first_weight) / count;
    const double trust = 1 / variance, trust_before = 1 / (error_ * error_);
    const double mean = (trust * (a.means.value() - b.means.value()) + trust_before * before) / (trust + trust_before);
    return {mean, std::sqrt(1 / (trust + trust_before))};
}

void Contest::give_up() {
    for (Runner& each : runners_) each.means.compute(each.playouts, each.entry.chances);
    value_ = runners_[leader_].means.value();
    for (std::size_t i = 0; i < runners_.size(); ++i) {
        if (i != leader_ && compare(runners_[i], runners_[leader_]).mean > 0) leader_ = i;
    }
    drop_hopeless();
}

void Contest::drop_hopeless() {
    const Runner& leader = runners_[leader_];
    std::size_t before = 0;
    for (Runner& each : runners_) {
        if (&each != &leader) {
            const Belief belief = compare(each, leader);
            each.is_out = expected_gain(belief.mean, belief.deviation) < enough_;
            before += each.is_out && &each < &leader;
        }
    }
    leader_ -= before;
    std::erase_if(runners_, [](const Runner& each) { return each.is_out; });
}

}  // namespace sapper
