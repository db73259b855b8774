// Playout means: what a move is worth by its playouts, with each number given its true weight.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sapper {

// How one playout of a move ended.
struct Playout {
    double chance;        // of winning
    std::uint8_t number;  // what the cell showed, or `no_number` if it was a mine
};

inline constexpr std::uint8_t no_number = 9;

// The probability of each number that a move may show, and last that of a mine.
using NumberChances = std::array<double, 10>;

// Playouts are stratified by the number that the move shows: how often each number comes up is known exactly, so only
// what happens after it is left to chance.
class PlayoutMeans {
public:
    void compute(std::span<const Playout> playouts, const NumberChances& chances) {
        NumberChances sums{}, counts{};
        for (const Playout& each : playouts) {
            sums[each.number] += each.chance;
            counts[each.number] += 1;
        }
        double sum = 0, seen = 0;
        kinds_ = 0;
        for (std::size_t number = 0; number <= no_number; ++number) {
            if (counts[number] == 0) continue;
            means_[number] = sums[number] / counts[number];
            ++kinds_;
            if (number != no_number) {
                sum += chances[number] * means_[number];
                seen += chances[number];
            }
        }
        value_ = seen > 0 ? sum / seen * (1 - chances[no_number]) : 0;
    }

    // The probability of winning with the move.
    double value() const { return value_; }
    // How many different numbers were shown; a mine counts as one.
    double kinds() const { return kinds_; }
    // What the number shown does not explain.
    double residual(const Playout& playout) const { return playout.chance - means_[playout.number]; }

private:
    NumberChances means_{};
    double value_ = 0;
    double kinds_ = 0;
};

}  // namespace sapper
