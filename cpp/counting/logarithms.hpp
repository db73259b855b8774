// Logarithms of factorials and binomials, and probabilities with scaled odds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sapper {

// log(n!), by Stirling's series. std::lgamma is not thread-safe: it sets a global variable.
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

// Returns the probability whose odds are exp(log_factor) times those of the given one. The factor is limited to e and
// 1/e, which keeps Newton steps from overshooting.
inline double with_scaled_odds(double probability, double log_factor) {
    const double odds = probability / (1 - probability) * std::exp(std::clamp(log_factor, -1.0, 1.0));
    return odds / (1 + odds);
}

}  // namespace sapper
