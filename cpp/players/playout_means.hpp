// Playout means: the value of a move from its playouts, stratified by the number that it shows.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sapper {

// The result of one playout.
struct Playout {
    double chance;        // probability of winning
    std::uint8_t number;  // the number shown, or `no_number` for a mine
};

inline constexpr std::uint8_t no_number = 9;

// The probability of each number that a move may show; the last is that of a mine.
using NumberProbabilities = std::array<double, 10>;

// Stratified sampling: the probability of each number is known exactly, so it replaces the observed frequency, and only
// the results within a stratum are subject to chance.
class PlayoutMeans {
public:
    void compute(std::span<const Playout> playouts, const NumberProbabilities& probabilities) {
        NumberProbabilities sums{}, counts{};
        for (const Playout& each : playouts) {
            sums[each.number] += each.chance;
            counts[each.number] += 1;
        }
        double sum = 0, seen = 0;
        strata_ = 0;
        for (std::size_t number = 0; number <= no_number; ++number) {
            if (counts[number] == 0) continue;
            means_[number] = sums[number] / counts[number];
            ++strata_;
            if (number != no_number) {
                sum += probabilities[number] * means_[number];
                seen += probabilities[number];
            }
        }
        value_ = seen > 0 ? sum / seen * (1 - probabilities[no_number]) : 0;
    }

    // The estimated probability of winning with the move.
    double value() const { return value_; }
    // The number of strata seen; a mine is one of them.
    double strata() const { return strata_; }
    // The deviation of a playout from the mean of its stratum.
    double residual(const Playout& playout) const { return playout.chance - means_[playout.number]; }

private:
    NumberProbabilities means_{};
    double value_ = 0;
    double strata_ = 0;
};

}  // namespace sapper
