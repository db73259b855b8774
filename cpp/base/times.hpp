// Times: how long things took, counted in steps of a sixteenth of an octave, so that memory is bounded.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

namespace sapper {

// The seconds that the calling thread has worked; where that is not known, those on the clock.
inline double working_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

class Times {
public:
    // The count at `step` is of times from 2^(step / 16 - 30) seconds on; the first and the last are also
    // of all shorter and longer ones.
    static constexpr int steps = 640, steps_an_octave = 16, octaves_below_a_second = 30;

    void add(double seconds) {
        const double step = steps_an_octave * (std::log2(std::max(seconds, 1e-9)) + octaves_below_a_second);
        ++counts_[static_cast<std::size_t>(std::clamp(step, 0.0, steps - 1.0))];
        longest_ = std::max(longest_, seconds);
    }

    void add(const Times& others) {
        for (std::size_t step = 0; step < counts_.size(); ++step) {
            counts_[step] += others.counts_[step];
        }
        longest_ = std::max(longest_, others.longest_);
    }

    const std::array<std::uint64_t, steps>& counts() const { return counts_; }
    double longest() const { return longest_; }

private:
    std::array<std::uint64_t, steps> counts_{};
    double longest_ = 0;
};

}  // namespace sapper
