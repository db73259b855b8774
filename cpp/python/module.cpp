// The Python module sapper._core. Only the files in this directory depend on Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/bindings.hpp"
#include "python/calls.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Translates LimitReached to the package's own exception, so that no caller has to.
void translate_limits() {
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const sapper::LimitReached& reached) {
            const nb::object type = nb::module_::import_("sapper.errors").attr("LimitReached");
            PyErr_SetString(type.ptr(), reached.what());
        }
    });
}

void check_limits(double seconds) {
    if (!(seconds >= 0)) {
        throw nb::value_error("seconds must not be negative");
    }
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled engine. Use it through sapper.engine.";
    nb::set_leak_warnings(false);  // Objects that live until the process ends need no clean-up.
    translate_limits();

    using sapper::python::CallBudget;
    nb::class_<CallBudget>(module, "Budget", "The time and work that all calls for one answer share.")
        .def(
            "__init__",
            [](CallBudget* budget, double seconds, std::uint64_t states, std::uint64_t memory) {
                check_limits(seconds);
                new (budget) CallBudget{seconds, states, memory};
            },
            "seconds"_a, "states"_a, "memory"_a,
            "Start a budget of seconds and states, with a limit in bytes on the memory of each call.")
        .def(
            "spend", [](CallBudget& self, std::uint64_t states) { self.budget.use_states(states); }, "states"_a,
            "Use up states. Raise LimitReached if too few are left.")
        .def(
            "check",
            [](CallBudget& self) {
                try {
                    self.budget.check();
                } catch (const sapper::Interrupted&) {
                    throw nb::python_error();
                }
            },
            "Raise LimitReached if the time is up.")
        .def(
            "reserve",
            [](const CallBudget& self, std::uint64_t bytes) {
                if (bytes > self.memory) {
                    throw sapper::LimitReached{"the memory limit of " + std::to_string(self.memory >> 20) +
                                               " MiB was reached"};
                }
            },
            "bytes"_a, "Raise LimitReached if this is more memory than a call may allocate.")
        .def(
            "renew",
            [](const CallBudget& self) {
                CallBudget renewed = self;
                renewed.budget = self.budget.with_states(self.budget.all_states());
                return renewed;
            },
            "Return a budget with the same deadline and all states available again.")
        .def_prop_ro("seconds_left", [](const CallBudget& self) { return self.budget.seconds_left(); })
        .def_prop_ro("states_left", [](const CallBudget& self) { return self.budget.states_left(); });

    sapper::python::bind_boards(module);
    sapper::python::bind_counting(module);
    sapper::python::bind_endgame(module);
    sapper::python::bind_players(module);
    sapper::python::bind_games(module);
}
