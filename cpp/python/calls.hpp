// Calls from Python: each runs without the GIL, within its budget, and in its own workspace.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"

namespace sapper::python {

namespace nb = nanobind;

// Runs Python's signal handlers. Returns whether one of them raised an error, which is then set.
inline bool interrupted() {
    const nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

// The limits for all calls that contribute to one answer.
struct CallBudget {
    CallBudget(double seconds, std::uint64_t states, std::uint64_t bytes)
        : budget{seconds, states, interrupted}, memory{bytes} {}

    Budget budget;
    std::uint64_t memory;  // bytes that each call may allocate
};

// Calls `work(budget)` without the GIL. Ctrl-C interrupts it, and so does any signal handler that raises an exception.
template <class Work>
auto run(CallBudget& shared, Work work) {
    Budget budget = shared.budget;  // A copy, because threads may share the object.
    struct Settle {
        Budget &shared, &own;
        ~Settle() { shared.set_states_left(std::min(shared.states_left(), own.states_left())); }
    } const settle{shared.budget, budget};
    try {
        const nb::gil_scoped_release released;
        const MemoryLimit limit{shared.memory};
        return work(budget);
    } catch (const Interrupted&) {
        throw nb::python_error();
    }
}

// A cached object for the exclusive use of one call. A thread reuses it in later calls. A call made by a signal handler
// during another call gets an object of its own, so it never sees half-finished work.
template <class Object>
class Workspace {
public:
    using Make = std::function<std::unique_ptr<Object>()>;

    explicit Workspace(const std::string& kind = {}, const Make& make = std::make_unique<Object>)
        : kind_{kind}, exceptions_{std::uncaught_exceptions()} {
        auto& idle = idle_objects()[kind];
        if (idle.empty()) {
            object_ = make();
        } else {
            object_ = std::move(idle.back());
            idle.pop_back();
        }
    }
    // Drops the object after an exception, or if the thread holds a lot of memory.
    ~Workspace() {
        if (std::uncaught_exceptions() == exceptions_ && Memory::held() <= max_kept_bytes) {
            idle_objects()[kind_].push_back(std::move(object_));
        }
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    Object& operator*() const { return *object_; }
    Object* operator->() const { return object_.get(); }

private:
    static constexpr std::int64_t max_kept_bytes = 64 << 20;

    static auto& idle_objects() {
        thread_local std::map<std::string, std::vector<std::unique_ptr<Object>>> idle;
        return idle;
    }

    std::string kind_;
    int exceptions_;
    std::unique_ptr<Object> object_;
};

// Rejects a call on an object that another call is using, on another thread or in code that a signal handler
// interrupted. The GIL must be held during construction and destruction.
class Exclusive {
public:
    Exclusive(bool& in_use, const char* what) : in_use_{in_use} {
        if (in_use) {
            const std::string message = std::string{what} + " is already in use: give each thread its own";
            throw nb::builtin_exception(nb::exception_type::runtime_error, message.c_str());
        }
        in_use = true;
    }
    ~Exclusive() { in_use_ = false; }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

private:
    bool& in_use_;
};

template <class Values>
nb::bytes as_bytes(const Values& values) {
    return nb::bytes(values.data(), values.size() * sizeof(*values.data()));
}

inline nb::bytes as_bytes(std::span<const std::uint8_t> values) { return nb::bytes(values.data(), values.size()); }

}  // namespace sapper::python
