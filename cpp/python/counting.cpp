// Counting: analyses, and other questions about one position.
#include "counting/analyser.hpp"

#include <nanobind/stl/vector.h>

#include "counting/tracker.hpp"
#include "python/bindings.hpp"
#include "python/boards.hpp"
#include "python/calls.hpp"

namespace sapper::python {
namespace {

using namespace nb::literals;

struct BoundFindings {
    bool possible, exact;
    nb::bytes risks, certain;
};

BoundFindings analyse(const BoundPosition& position, CallBudget& budget) {
    const Workspace<Analyser> analyser;
    const Findings& found = *run(budget, [&](Budget& own) {
        // Most of the time is reserved for the exact answer, the rest for an estimate.
        Budget exact = own.with_time_share(0.6);
        Budget estimate = own.with_states(Budget::unlimited_states);
        const Findings* findings = &analyser->analyse(position.get(), exact, &estimate);
        own.set_states_left(exact.states_left());
        return findings;
    });
    return {found.possible, found.exact, as_bytes(found.risk), as_bytes(found.certain)};
}

bool is_possible(const BoundPosition& position, bool any_mines, CallBudget& budget) {
    const Workspace<Analyser> analyser;
    return run(budget, [&](Budget& own) { return analyser->is_possible(position.get(), any_mines, own); });
}

std::vector<double> number_chances(const BoundPosition& position, std::uint32_t cell, CallBudget& budget) {
    check_cell(position.get(), cell);
    const Workspace<Analyser> analyser;
    const auto chances =
        run(budget, [&](Budget& own) { return analyser->number_probabilities(position.get(), cell, own); });
    return {chances.begin(), chances.end()};
}

double safety(const BoundPosition& position, const std::vector<std::uint32_t>& cells, CallBudget& budget) {
    for (const std::uint32_t cell : cells) check_cell(position.get(), cell);
    const Workspace<Analyser> analyser;
    return run(budget, [&](Budget& own) { return analyser->safety(position.get(), cells, own); });
}

std::uint64_t frontier_size(const BoundPosition& position, CallBudget& budget) {
    const Workspace<Analyser> analyser;
    return run(budget, [&](Budget& own) { return analyser->frontier_size(position.get(), own); });
}

struct BoundCount {
    std::int64_t low, free, mines_left;
    std::vector<nb::bytes> ways;
};

BoundCount count_layouts(const BoundPosition& position, const std::vector<std::uint64_t>& primes, CallBudget& budget) {
    const Workspace<Analyser> analyser;
    const LayoutCount counted = run(budget, [&](Budget& own) { return analyser->count(position.get(), primes, own); });
    BoundCount bound{counted.low, counted.free, counted.mines_left, {}};
    for (const auto& ways : counted.ways) bound.ways.push_back(as_bytes(ways));
    return bound;
}

struct BoundTracker {
    Tracker tracker;
    bool in_use = false;
};

struct Update {
    bool began;
    std::vector<std::uint32_t> safe;
};

Update update(BoundTracker& self, const BoundPosition& position, CallBudget& budget) {
    const Exclusive exclusive{self.in_use, "this Tracker"};
    run(budget, [&](Budget& own) { return self.tracker.update(position.get(), own); });
    return {self.tracker.is_new_game(), self.tracker.new_safe()};
}

}  // namespace

void bind_counting(nb::module_& module) {
    nb::class_<BoundFindings>(module, "Findings", "The result of an analysis.")
        .def_ro("possible", &BoundFindings::possible, "Whether some minefield can produce the position.")
        .def_ro("exact", &BoundFindings::exact, "Whether the risks are exact.")
        .def_ro("risks", &BoundFindings::risks, "A double per cell; NaN for open cells.")
        .def_ro("certain", &BoundFindings::certain,
                "A byte per cell: 1 if it is certainly safe, 2 if it is certainly a mine, otherwise 0.");
    nb::class_<BoundCount>(module, "LayoutCount", "The number of layouts, in factors.")
        .def_ro("low", &BoundCount::low, "The fewest mines on the frontier.")
        .def_ro("free", &BoundCount::free, "The number of cells that touch no number.")
        .def_ro("mines_left", &BoundCount::mines_left, "The number of mines on unknown cells.")
        .def_ro("ways", &BoundCount::ways,
                "For each prime, an array of 64-bit integers: the number of layouts of the frontier for each\n"
                "number of mines from `low` up, modulo the prime.");
    module.def("analyse", &analyse, "position"_a, "budget"_a,
               "Return the risk of every hidden cell, and the certain cells.");
    module.def("is_possible", &is_possible, "position"_a, "any_mines"_a, "budget"_a,
               "Return whether there is a layout with the right number of mines, or with any number of mines.");
    module.def("number_chances", &number_chances, "position"_a, "cell"_a, "budget"_a,
               "Return the probability of each number from 0 to 8 that a cell may show, given that it is safe.");
    module.def("safety", &safety, "position"_a, "cells"_a, "budget"_a,
               "Return the probability that none of these hidden cells is a mine.");
    module.def("frontier_size", &frontier_size, "position"_a, "budget"_a,
               "Return the number of unknown cells that touch numbers.");
    module.def("count_layouts", &count_layouts, "position"_a, "primes"_a, "budget"_a,
               "Return the number of layouts, in factors and modulo each prime.");
    nb::class_<Update>(module, "Update", "The result of Tracker.update.")
        .def_ro("began", &Update::began, "Whether another game began, so that earlier safe cells no longer count.")
        .def_ro("safe", &Update::safe, "The cells that became certainly safe.");
    nb::class_<BoundTracker>(module, "Tracker", "Finds safe cells move by move, in one game after another.")
        .def(nb::init<>())
        .def("update", &update, "position"_a, "budget"_a,
             "Take the next position of a game, or the first position of another. Only an analysis finds the\n"
             "cells that are certain because of the mine count.");
}

}  // namespace sapper::python
