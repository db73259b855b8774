// Budget: how much time and work a call has left, and whether the caller wants it to stop.
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

// The caller stopped the work.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

// One budget is shared by everything that a call does. Memory is limited apart from it: see `MemoryLimit`.
class Budget {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t unlimited_states = std::numeric_limits<std::uint64_t>::max();

    // `interrupted` is called every few milliseconds and returns whether to stop.
    Budget(double seconds, std::uint64_t states, std::function<bool()> interrupted = {})
        : seconds_{seconds},
          all_states_{states},
          deadline_{Clock::now() + to_duration(seconds)},
          states_{states},
          interrupted_{std::move(interrupted)} {}

    // Spends states. A state is what the engine remembers about a part of a search.
    void spend(std::uint64_t states) {
        if (states > states_) {
            throw LimitReached{"the limit of " + std::to_string(all_states_) + " states was reached"};
        }
        states_ -= states;
        work(16 * states);
    }

    // Counts work; a unit takes about ten nanoseconds. Checks the clock about every millisecond.
    void work(std::uint64_t amount) {
        unchecked_ += amount;
        if (unchecked_ >= check_after) {
            check();
        }
    }

    // Stops the work if the time is over, or if the caller wants it to stop.
    void check() {
        unchecked_ = 0;
        const auto now = Clock::now();
        if (interrupted_ && now >= next_question_) {
            next_question_ = now + question_interval;
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

    // A budget with its own number of states that ends at the same time and is stopped in the same way.
    Budget with_states(std::uint64_t states) const {
        Budget part = *this;
        part.states_ = part.all_states_ = states;
        return part;
    }

    // A budget with the same states for a share of the time that is left.
    Budget with_time_share(double share) const {
        Budget part = *this;
        part.deadline_ = Clock::now() + to_duration(share * seconds_left());
        return part;
    }

    // Takes over what a part of the work has left.
    void set_states_left(std::uint64_t states) { states_ = states; }

private:
    static constexpr std::uint64_t check_after = 1 << 17;
    static constexpr std::chrono::milliseconds question_interval{10};

    static Clock::duration to_duration(double seconds) {
        constexpr double longest = 1e6;  // More would overflow the clock, and is as good as no limit.
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(seconds < longest ? seconds : longest));
    }

    double seconds_;
    std::uint64_t all_states_;
    Clock::time_point deadline_;
    Clock::time_point next_question_{};
    std::uint64_t states_;
    std::uint64_t unchecked_ = 0;
    std::function<bool()> interrupted_;
};

}  // namespace sapper
