// Budget: how much work a call may still do, and whether somebody wants it to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace sapper {

// The work was stopped before there was an answer: by a limit, which the message names, or from outside.
struct LimitReached : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

class Budget {
public:
    using Clock = std::chrono::steady_clock;

    Budget(double seconds, std::uint64_t states, std::function<bool()> interrupted = {})
        : seconds_{seconds},
          all_states_{states},
          deadline_{Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds < 1e6 ? seconds : 1e6))},
          states_{states},
          interrupted_{std::move(interrupted)} {}

    // Pays for some states; now and then looks at the clock and whether to stop.
    void spend(std::uint64_t states) {
        if (states > states_) {
            throw LimitReached{"the limit of " + std::to_string(all_states_) + " states was reached"};
        }
        states_ -= states;
        work(states);
    }

    // One of so many states that ends no later and can be stopped in the same way.
    Budget share(std::uint64_t states) const {
        Budget part = *this;
        part.states_ = part.all_states_ = states;
        return part;
    }

    // Does work that needs no memory.
    void work(std::uint64_t amount) {
        unseen_ += amount;
        if (unseen_ >= look_after) {
            unseen_ = 0;
            look();
        }
    }

private:
    static constexpr std::uint64_t look_after = 1 << 14;

    void look() const {
        if (interrupted_ && interrupted_()) {
            throw Interrupted{};
        }
        if (Clock::now() > deadline_) {
            std::ostringstream message;
            message << "the limit of " << seconds_ << " seconds was reached";
            throw LimitReached{message.str()};
        }
    }

    double seconds_;
    std::uint64_t all_states_;
    Clock::time_point deadline_;
    std::uint64_t states_;
    std::uint64_t unseen_ = 0;
    std::function<bool()> interrupted_;
};

}  // namespace sapper
