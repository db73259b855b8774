// Endgames: perfect play when few layouts remain.
#include "endgame/endgame.hpp"

#include <nanobind/stl/vector.h>

#include "counting/analyser.hpp"
#include "python/bindings.hpp"
#include "python/boards.hpp"
#include "python/calls.hpp"

namespace sapper::python {
namespace {

using namespace nb::literals;

struct Solver {
    Analyser analyser;
    Layouts layouts;
    Endgame endgame;

    // Prepares a position. Returns false if it is impossible.
    bool load(const Position& position, Budget& budget) {
        if (!analyser.is_possible(position, false, budget)) {
            return false;
        }
        if (!layouts.list(analyser.counter(), budget.states_left(), budget)) {
            throw LimitReached{"there are more layouts than the limit on states allows"};
        }
        endgame.load(analyser.grid(), position, layouts, budget);
        return true;
    }
};

struct BoundSolution {
    std::uint32_t won = 0;
    std::size_t layouts = 0;
    std::vector<std::uint32_t> moves;
};

BoundSolution solve(const BoundPosition& position, CallBudget& budget) {
    const Workspace<Solver> solver;
    return run(budget, [&](Budget& own) -> BoundSolution {
        if (!solver->load(position.get(), own)) {
            return {};
        }
        const std::uint32_t won = solver->endgame.won(own);
        return {won, solver->layouts.size(), solver->endgame.perfect_moves(own)};
    });
}

BoundSolution solve_move(const BoundPosition& position, const std::vector<std::uint32_t>& cells, CallBudget& budget) {
    for (const std::uint32_t cell : cells) check_cell(position.get(), cell);
    if (cells.empty()) {
        throw nb::value_error("a move must open at least one cell");
    }
    const Workspace<Solver> solver;
    return run(budget, [&](Budget& own) -> BoundSolution {
        if (!solver->load(position.get(), own)) {
            return {};
        }
        return {solver->endgame.won_after(cells, own), solver->layouts.size(), {}};
    });
}

}  // namespace

void bind_endgame(nb::module_& module) {
    nb::class_<BoundSolution>(module, "Solution", "The result of perfect play.")
        .def_ro("won", &BoundSolution::won, "The number of layouts that perfect play wins.")
        .def_ro("layouts", &BoundSolution::layouts, "The number of layouts; 0 if the position is impossible.")
        .def_ro("moves", &BoundSolution::moves, "All cells that perfect play can open first.");
    module.def("solve", &solve, "position"_a, "budget"_a, "Solve the rest of the game.");
    module.def("solve_move", &solve_move, "position"_a, "cells"_a, "budget"_a,
               "Solve the rest of the game after these hidden cells are opened, all at once.");
}

}  // namespace sapper::python
