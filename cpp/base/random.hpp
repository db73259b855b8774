// Random numbers that are the same on every machine: SplitMix64, and Lemire's unbiased range.
// docs/game.md specifies the method; the pure-Python twin is src/sapper/engine/seeds.py.
#pragma once

#include <cstdint>

namespace sapper {

// A number that looks like any other, but is always the same for the same word.
constexpr std::uint64_t mixed(std::uint64_t word) noexcept {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

inline constexpr std::uint64_t seed_step = 0x9E3779B97F4A7C15;

// The board's seed of a game, counted from 0, in a run with its own seed.
constexpr std::uint64_t board_seed(std::uint64_t seed, std::uint64_t game) noexcept {
    return mixed(mixed(seed + seed_step) + (game + 1) * seed_step);
}

class Random {
public:
    explicit constexpr Random(std::uint64_t seed) noexcept : state_{mixed(seed + seed_step)} {}

    // A number from 0 to limit - 1, each as likely as any other; limit is at least 1.
    constexpr std::uint32_t below(std::uint32_t limit) noexcept {
        const std::uint32_t uneven = (0u - limit) % limit;  // 2^32 modulo the limit
        for (;;) {
            const std::uint64_t product = std::uint64_t{next()} * limit;
            if (static_cast<std::uint32_t>(product) >= uneven) {
                return static_cast<std::uint32_t>(product >> 32);
            }
        }
    }

    // A number from 0 to before 1.
    constexpr double fraction() noexcept { return static_cast<double>(next()) / 4294967296.0; }

private:
    constexpr std::uint32_t next() noexcept {
        state_ += seed_step;
        return static_cast<std::uint32_t>(mixed(state_) >> 32);
    }

    std::uint64_t state_;
};

}  // namespace sapper
