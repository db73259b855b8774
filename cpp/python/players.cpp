// Players: their decisions, and move values estimated by playouts.
#include "players/players.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "players/move_values.hpp"
#include "players/safest.hpp"
#include "python/bindings.hpp"
#include "python/boards.hpp"
#include "python/calls.hpp"

namespace sapper::python {
namespace {

using namespace nb::literals;

// NaN becomes None.
std::optional<double> if_known(double probability) {
    return std::isnan(probability) ? std::nullopt : std::optional{probability};
}

struct BoundDecision {
    bool possible;
    std::vector<std::uint32_t> safe;
    std::optional<std::uint32_t> cell;
    double risk;
    std::optional<double> win_chance;
};

BoundDecision decide(const std::string& name, const BoundPosition& position, CallBudget& budget) {
    const Workspace<Player> player{name, [&] { return make_player(name); }};
    return run(budget, [&](Budget& own) -> BoundDecision {
        const Decision& decision = player->decide(position.get(), own);
        return {decision.possible, decision.safe, decision.cell, decision.risk, if_known(decision.win_chance)};
    });
}

std::optional<std::uint32_t> choose_safest(const BoundPosition& position, const nb::bytes& risks,
                                           const std::vector<std::uint32_t>& candidates, bool exact,
                                           CallBudget& budget) {
    const std::size_t cells = position.get().codes.size();
    if (risks.size() != cells * sizeof(double)) {
        throw nb::value_error("there must be one risk per cell");
    }
    for (const std::uint32_t cell : candidates) check_cell(position.get(), cell);
    const Workspace<SafestChooser> chooser;
    return run(budget, [&](Budget& own) {
        const std::span<const double> given{static_cast<const double*>(risks.data()), cells};
        return chooser->choose(position.get(), given, candidates, exact, own);
    });
}

std::vector<MoveEstimate> estimate_moves(const BoundPosition& position, const std::vector<Cells>& moves,
                                         std::uint32_t playouts, double good_error, std::uint64_t seed,
                                         const std::optional<std::string>& player, CallBudget& budget) {
    if (moves.empty() || playouts == 0) {
        throw nb::value_error("there must be at least one move and one playout");
    }
    for (const Cells& cells : moves) {
        if (cells.empty()) {
            throw nb::value_error("a move must open at least one cell");
        }
        for (const std::uint32_t cell : cells) check_cell(position.get(), cell);
    }
    const auto make = [&] {
        return player ? std::make_unique<MoveEstimator>(make_player(*player)) : std::make_unique<MoveEstimator>();
    };
    const Workspace<MoveEstimator> estimator{player.value_or(""), make};
    return run(budget, [&](Budget& own) {
        return estimator->estimate(position.get(), moves, playouts, good_error, seed, own);
    });
}

}  // namespace

void bind_players(nb::module_& module) {
    nb::class_<BoundDecision>(module, "Decision", "The decision of a player.")
        .def_ro("possible", &BoundDecision::possible, "Whether some minefield can produce the position.")
        .def_ro("safe", &BoundDecision::safe, "The certainly safe cells that were found.")
        .def_ro("cell", &BoundDecision::cell,
                "If no cell is safe, the cell to guess; None if every hidden cell is a mine.")
        .def_ro("risk", &BoundDecision::risk, "The probability that `cell` is a mine.")
        .def_ro("win_chance", &BoundDecision::win_chance,
                "The probability of winning with perfect play, if the rest of the game was solved.");
    module.def("players", &player_names, "Return the names of the players.");
    module.def("decide", &decide, "player"_a, "position"_a, "budget"_a,
               "Return the decision of a player. It depends only on the position.");
    module.def("choose_safest", &choose_safest, "position"_a, "risks"_a, "candidates"_a, "exact"_a, "budget"_a,
               "Return the cell of least risk, or None if every risk is 1. Ties go to the cell most likely to show\n"
               "a 0. Empty candidates mean all hidden cells.");
    nb::class_<MoveEstimate>(module, "MoveEstimate", "The estimated value of a move.")
        .def_ro("chance", &MoveEstimate::chance, "The probability of winning with the move.")
        .def_ro("chance_error", &MoveEstimate::chance_error, "The standard error of `chance`.")
        .def_ro("less", &MoveEstimate::less, "How much less `chance` is than with the first move.")
        .def_ro("less_error", &MoveEstimate::less_error, "The standard error of `less`.");
    module.def("estimate_moves", &estimate_moves, "position"_a, "moves"_a, "playouts"_a, "good_error"_a, "seed"_a,
               "player"_a.none(), "budget"_a,
               "Play every move on the same sampled layouts, continued by a fast player or the named one, until\n"
               "all standard errors are at most good_error. The position must be possible.");
}

}  // namespace sapper::python
