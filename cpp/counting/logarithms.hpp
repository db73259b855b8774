// Logarithms of factorials, and probabilities changed by their odds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sapper {

// The logarithm of n!, by Stirling's series. std::lgamma sets a global variable: threads would race.
inline double log_factorial(std::int64_t n) {
    if (n < 16) {
        double product = 1;
        for (std::int64_t factor = 2; factor <= n; ++factor) product *= static_cast<double>(factor);
        return std::log(product);
    }
    const double x = static_cast<double>(n), square = 1 / (x * x);
    const double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
    return (x + 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + series;
}

inline double log_choose(std::int64_t n, std::int64_t k) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// The probability whose odds are larger by this power of e, but by no more than a factor of e.
inline double with_odds_changed(double probability, double power) {
    const double odds = probability / (1 - probability) * std::exp(std::clamp(power, -1.0, 1.0));
    return odds / (1 + odds);
}

}  // namespace sapper
