// Games: batches played by a player, and vectorised environments.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <type_traits>

#include "base/random.hpp"
#include "games/play.hpp"
#include "games/vector_env.hpp"
#include "python/bindings.hpp"
#include "python/boards.hpp"
#include "python/calls.hpp"

namespace sapper::python {
namespace {

using namespace nb::literals;

struct BoundArena {
    BoundArena(const std::string& player, std::uint32_t threads, double seconds, std::uint64_t states,
               std::uint64_t memory)
        : arena{player, threads, {seconds, states, memory}} {}

    Arena arena;
    bool in_use = false;
};

std::vector<Played> play(BoundArena& self, const BoardSize& size, std::uint32_t first, std::size_t games,
                         const Arena::Minefields& minefields) {
    const Exclusive exclusive{self.in_use, "this Arena"};
    try {
        const nb::gil_scoped_release released;
        return self.arena.play(size, first, games, minefields, interrupted);
    } catch (const Interrupted&) {
        throw nb::python_error();
    }
}

std::vector<Played> play_seeds(BoundArena& self, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                               std::uint32_t first, std::uint32_t promise, std::uint64_t seed, std::uint64_t start,
                               std::size_t games) {
    const BoardSize size{height, width, mines};
    const Promise promised = promise_of(promise);
    return play(self, size, first, games,
                [=](std::size_t game) { return draw_mines(size, first, promised, board_seed(seed, start + game)); });
}

std::vector<Played> play_minefields(BoundArena& self, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                                    std::uint32_t first, const std::vector<nb::bytes>& minefields) {
    std::vector<std::span<const std::uint8_t>> views;
    for (const nb::bytes& each : minefields) {
        check_size(height, width, each.size(), "a minefield");
        views.push_back(bytes_of(each));
    }
    return play(self, {height, width, mines}, first, views.size(),
                [&](std::size_t game) { return std::vector<std::uint8_t>(views[game].begin(), views[game].end()); });
}

struct DecisionTimes {
    std::vector<std::uint64_t> counts;
    double longest;
};

DecisionTimes times(BoundArena& self) {
    const Exclusive exclusive{self.in_use, "this Arena"};
    const Times all = self.arena.times();
    return {{all.counts().begin(), all.counts().end()}, all.longest()};
}

struct BoundVectorEnv {
    VectorEnv games;
    bool in_use = false;
};

template <class Value>
using InputArray = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void supply(BoundVectorEnv& self, std::size_t game, const InputArray<std::uint64_t>& seeds) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    self.games.set_seeds(game, {seeds.data(), seeds.size()});
}

void reset(BoundVectorEnv& self) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    const nb::gil_scoped_release released;
    self.games.reset();
}

void step(BoundVectorEnv& self, const InputArray<std::int64_t>& actions) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    const nb::gil_scoped_release released;
    self.games.step({actions.data(), actions.size()});
}

// A read-only view of the environment's own memory: a value per game, or per cell of each game. Steps change it.
template <auto values, std::size_t dimensions = 1>
auto view(nb::handle self) {
    const VectorEnv& games = nb::cast<BoundVectorEnv&>(self).games;
    const auto& shown = (games.*values)();
    using Value = typename std::remove_cvref_t<decltype(shown)>::value_type;
    const std::size_t shape[] = {games.games(), shown.size() / games.games()};
    return nb::ndarray<nb::numpy, const Value, nb::ndim<dimensions>>(shown.data(), dimensions, shape, self);
}

}  // namespace

void bind_games(nb::module_& module) {
    nb::class_<Played>(module, "Played", "The record of a finished game.")
        .def_ro("won", &Played::won)
        .def_ro("left", &Played::left, "The number of safe cells that were never opened.")
        .def_ro("decisions", &Played::decisions)
        .def_ro("guesses", &Played::guesses)
        .def_ro("survival", &Played::survival, "The probability of surviving all guesses.")
        .def_prop_ro(
            "solved",
            [](const Played& self) { return std::isnan(self.solved) ? std::nullopt : std::optional{self.solved}; },
            "The probability of winning when the rest of the game was first solved; None if it never was.")
        .def_ro("seconds", &Played::seconds, "CPU time.")
        .def_ro("lost_at", &Played::lost_at, "The cell whose mine ended the game; None if it was won.")
        .def_ro("luck", &Played::luck, "How much the luck of guesses changed the probability of winning.");
    nb::class_<DecisionTimes>(module, "DecisionTimes", "A histogram of the time per decision.")
        .def_ro("counts", &DecisionTimes::counts,
                "The number of decisions per bin. Bins start at 2**-30 seconds; there are sixteen per octave.")
        .def_ro("longest", &DecisionTimes::longest);
    nb::class_<BoundArena>(module, "Arena", "Plays many games at once, on several threads.")
        .def(nb::init<const std::string&, std::uint32_t, double, std::uint64_t, std::uint64_t>(), "player"_a,
             "threads"_a, "seconds"_a, "states"_a, "memory"_a, "The limits apply to each decision.")
        .def("play_seeds", &play_seeds, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a, "start"_a,
             "games"_a, "Play games number `start` to `start + games - 1` of the run with this seed.")
        .def("play_minefields", &play_minefields, "height"_a, "width"_a, "mines"_a, "first"_a, "minefields"_a,
             "Play a game on each minefield. A minefield has a byte per cell, 1 for a mine.")
        .def("times", &times, "Return the time per decision, over all games so far.");

    using Games = VectorEnv;
    nb::class_<BoundVectorEnv>(module, "VectorEnv",
                               "Many games stepped together. Its arrays are views that each step updates.")
        .def(
            "__init__",
            [](BoundVectorEnv* self, std::size_t games, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
               std::uint32_t promise, std::optional<std::uint32_t> first, double progress, double win, double mine,
               double repeat) {
                new (self) BoundVectorEnv{
                    Games{games, {height, width, mines}, promise_of(promise), first, {progress, win, mine, repeat}}};
            },
            "games"_a, "height"_a, "width"_a, "mines"_a, "promise"_a, "first"_a.none(), "progress"_a, "win"_a, "mine"_a,
            "repeat"_a)
        .def("supply", &supply, "game"_a, "seeds"_a, "Set the seeds of the next boards of a game.")
        .def("reset", &reset, "Start every game on its next board.")
        .def("step", &step, "actions"_a,
             "Open a cell in every game. A game that is over starts on its next board instead.")
        .def_prop_ro("codes", &view<&Games::codes, 2>, "The codes of each position, one row per game.")
        .def_prop_ro("masks", &view<&Games::masks, 2>, "1 for each hidden cell, one row per game.")
        .def_prop_ro("rewards", &view<&Games::rewards>, "The rewards of the last step.")
        .def_prop_ro("ended", &view<&Games::ended>, "1 if the last step ended the game.")
        .def_prop_ro("outcomes", &view<&Games::outcomes>, "0 while the game goes on, 1 if it is won, 2 if it is lost.")
        .def_prop_ro("opened", &view<&Games::opened>, "The number of cells that the last step opened.")
        .def_prop_ro("seeds", &view<&Games::seeds>, "The seeds of the current boards.")
        .def_prop_ro("seeds_left", &view<&Games::seeds_left>, "The number of seeds not used yet.");
}

}  // namespace sapper::python
