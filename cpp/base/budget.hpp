// Budget: the time and work that a call may still use, and whether the caller wants it to stop.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "base/memory.hpp"

namespace sapper {

// The caller asked for the work to stop.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

// Everything that a call does shares one budget. Memory is limited separately: see `MemoryLimit`.
class Budget {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t unlimited_states = std::numeric_limits<std::uint64_t>::max();

    // `interrupted` returns whether to stop. It is called at most once every 10 ms.
    Budget(double seconds, std::uint64_t states, std::function<bool()> interrupted = {})
        : seconds_{seconds},
          all_states_{states},
          deadline_{Clock::now() + to_duration(seconds)},
          states_{states},
          interrupted_{std::move(interrupted)} {}

    // Counts states against the limit. A state is a unit of what the engine stores: one state of a sweep, or one set of
    // layouts in an endgame.
    void use_states(std::uint64_t states) {
        if (states > states_) {
            throw LimitReached{"the limit of " + std::to_string(all_states_) + " states was reached"};
        }
        states_ -= states;
        add_work(16 * states);
    }

    // Counts work in units of about ten nanoseconds, and checks the clock about once a millisecond.
    void add_work(std::uint64_t amount) {
        unchecked_ += amount;
        if (unchecked_ >= check_after) {
            check();
        }
    }

    // Throws if the time is up, or if the caller wants the work to stop.
    void check() {
        unchecked_ = 0;
        const auto now = Clock::now();
        if (interrupted_ && now >= next_interrupt_check_) {
            next_interrupt_check_ = now + interrupt_interval;
            if (interrupted_()) {
                throw Interrupted{};
            }
        }
        if (now > deadline_) {
            std::ostringstream message;
            message << "the limit of " << seconds_ << " seconds was reached";
            throw LimitReached{message.str()};
        }
    }

    double seconds_left() const {
        return std::max(std::chrono::duration<double>(deadline_ - Clock::now()).count(), 0.0);
    }
    std::uint64_t states_left() const { return states_; }
    std::uint64_t all_states() const { return all_states_; }

    // Returns a budget with its own number of states, but the same deadline and interruption.
    Budget with_states(std::uint64_t states) const {
        Budget part = *this;
        part.states_ = part.all_states_ = states;
        return part;
    }

    // Returns a budget with the same states, and this share of the remaining time.
    Budget with_time_share(double share) const {
        Budget part = *this;
        part.deadline_ = Clock::now() + to_duration(share * seconds_left());
        return part;
    }

    // Records how many states are left after a copy of this budget was used.
    void set_states_left(std::uint64_t states) { states_ = states; }

private:
    // Units of work between two looks at the clock: about a millisecond, so that looking costs next to nothing.
    static constexpr std::uint64_t check_after = 1 << 17;
    // `interrupted` acquires the GIL, so it is not called more often than a person could notice.
    static constexpr std::chrono::milliseconds interrupt_interval{10};

    static Clock::duration to_duration(double seconds) {
        constexpr double longest = 1e6;  // More would overflow the clock, and nobody waits that long.
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(seconds < longest ? seconds : longest));
    }

    double seconds_;
    std::uint64_t all_states_;
    Clock::time_point deadline_;
    Clock::time_point next_interrupt_check_{};
    std::uint64_t states_;
    std::uint64_t unchecked_ = 0;
    std::function<bool()> interrupted_;
};

}  // namespace sapper
