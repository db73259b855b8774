// Calls from Python: each runs without the GIL, within its budget, and with objects of its own to work with.
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

// What a call may use, shared by all calls that work on one answer.
struct CallBudget {
    CallBudget(double seconds, std::uint64_t states, std::uint64_t bytes)
        : budget{seconds, states, interrupted}, memory{bytes} {}

    Budget budget;
    std::uint64_t memory;  // bytes that each call may take
};

// Calls `work(budget)` without the GIL. Ctrl-C stops it, and so does any signal handler that raises an error.
template <class Work>
auto run(CallBudget& shared, Work work) {
    Budget budget = shared.budget;  // A copy: threads may share the object.
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

// An object to work with that belongs to one call. A thread keeps it for its next calls. A call that a signal handler
// makes during another call gets an object of its own, so it can never see half-finished work.
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
    // After an error the object is dropped, and so it is if the thread keeps a lot of memory.
    ~Workspace() {
        if (std::uncaught_exceptions() == exceptions_ && Memory::held() <= most_kept) {
            idle_objects()[kind_].push_back(std::move(object_));
        }
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    Object& operator*() const { return *object_; }
    Object* operator->() const { return object_.get(); }

private:
    static constexpr std::int64_t most_kept = 64 << 20;

    static auto& idle_objects() {
        thread_local std::map<std::string, std::vector<std::unique_ptr<Object>>> idle;
        return idle;
    }

    std::string kind_;
    int exceptions_;
    std::unique_ptr<Object> object_;
};

// Rejects a call on an object that another call is using, on another thread or in the code that a signal handler
// interrupted. The GIL must be held when it is made and destroyed.
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
