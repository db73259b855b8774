// Times: a histogram of durations with logarithmic bins, sixteen per octave, so that memory is bounded.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

namespace sapper {

// Returns the CPU time of the calling thread in seconds, or the wall-clock time where CPU time is not available.
inline double thread_seconds() {
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
    // Bin `b` counts durations from 2^(b / 16 - 30) seconds to the start of the next bin. The first and last bins also
    // count everything shorter and longer.
    static constexpr int bins = 640, bins_per_octave = 16, octaves_below_one_second = 30;

    void add(double seconds) {
        const double bin = bins_per_octave * (std::log2(std::max(seconds, 1e-9)) + octaves_below_one_second);
        ++counts_[static_cast<std::size_t>(std::clamp(bin, 0.0, bins - 1.0))];
        longest_ = std::max(longest_, seconds);
    }

    void add(const Times& others) {
        for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
            counts_[bin] += others.counts_[bin];
        }
        longest_ = std::max(longest_, others.longest_);
    }

    const std::array<std::uint64_t, bins>& counts() const { return counts_; }
    double longest() const { return longest_; }

private:
    std::array<std::uint64_t, bins> counts_{};
    double longest_ = 0;
};

}  // namespace sapper
