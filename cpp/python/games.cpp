// Games: many of them by a player, and many stepped together for learning.
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
    return play(self, size, first, games, [=](std::size_t game) {
        return draw_mines(size, first, promised, board_seed(seed, start + game));
    });
}

std::vector<Played> play_minefields(BoundArena& self, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                                    std::uint32_t first, const std::vector<nb::bytes>& minefields) {
    std::vector<std::span<const std::uint8_t>> views;
    for (const nb::bytes& each : minefields) {
        check_size(height, width, each.size(), "a minefield");
        views.push_back(bytes_of(each));
    }
    return play(self, {height, width, mines}, first, views.size(), [&](std::size_t game) {
        return std::vector<std::uint8_t>(views[game].begin(), views[game].end());
    });
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

struct BoundGames {
    VectorEnv games;
    bool in_use = false;
};

template <class Value>
using Given = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void supply(BoundGames& self, std::size_t game, const Given<std::uint64_t>& seeds) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    self.games.set_seeds(game, {seeds.data(), seeds.size()});
}

void reset(BoundGames& self) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    const nb::gil_scoped_release released;
    self.games.reset();
}

void step(BoundGames& self, const Given<std::int64_t>& actions) {
    const Exclusive exclusive{self.in_use, "this VectorEnv"};
    const nb::gil_scoped_release released;
    self.games.step({actions.data(), actions.size()});
}

// The games' own memory as a read-only array: a value for each game, or one for each cell of each game. Steps change it.
template <auto values, std::size_t dimensions = 1>
auto view(nb::handle self) {
    const VectorEnv& games = nb::cast<BoundGames&>(self).games;
    const auto& shown = (games.*values)();
    using Value = typename std::remove_cvref_t<decltype(shown)>::value_type;
    const std::size_t shape[] = {games.games(), shown.size() / games.games()};
    return nb::ndarray<nb::numpy, const Value, nb::ndim<dimensions>>(shown.data(), dimensions, shape, self);
}

}  // namespace

void bind_games(nb::module_& module) {
    nb::class_<Played>(module, "Played", "How a game went.")
        .def_ro("won", &Played::won)
        .def_ro("left", &Played::left, "Safe cells that were never opened.")
        .def_ro("decisions", &Played::decisions)
        .def_ro("guesses", &Played::guesses)
        .def_ro("survival", &Played::survival, "The probability of surviving all its guesses.")
        .def_prop_ro(
            "solved",
            [](const Played& self) {
                return std::isnan(self.solved) ? std::nullopt : std::optional{self.solved};
            },
            "The probability of winning when the rest of the game was first solved; None if it never was.")
        .def_ro("seconds", &Played::seconds, "CPU time.")
        .def_ro("lost_at", &Played::lost_at, "The cell whose mine ended the game; None if it was won.")
        .def_ro("luck", &Played::luck, "How much luck in guesses changed the probability of winning.");
    nb::class_<DecisionTimes>(module, "DecisionTimes", "How long decisions took.")
        .def_ro("counts", &DecisionTimes::counts,
                "How many took how long, in steps of a sixteenth of an octave from 2**-30 seconds on.")
        .def_ro("longest", &DecisionTimes::longest);
    nb::class_<BoundArena>(module, "Arena", "Plays many games at once, on threads.")
        .def(nb::init<const std::string&, std::uint32_t, double, std::uint64_t, std::uint64_t>(), "player"_a,
             "threads"_a, "seconds"_a, "states"_a, "memory"_a, "Each decision may use this much.")
        .def("play_seeds", &play_seeds, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a, "start"_a,
             "games"_a, "Play games of the run with this seed, from the one with this number on.")
        .def("play_minefields", &play_minefields, "height"_a, "width"_a, "mines"_a, "first"_a, "minefields"_a,
             "Play a game on each minefield: a byte for each cell, 1 for a mine.")
        .def("times", &times, "Return how long the decisions of all games so far took.");

    using Games = VectorEnv;
    nb::class_<BoundGames>(module, "VectorEnv", "Many games stepped together. Its arrays are its own memory.")
        .def(
            "__init__",
            [](BoundGames* self, std::size_t games, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
               std::uint32_t promise, std::optional<std::uint32_t> first, double progress, double win, double mine,
               double repeat) {
                new (self) BoundGames{
                    Games{games, {height, width, mines}, promise_of(promise), first, {progress, win, mine, repeat}}};
            },
            "games"_a, "height"_a, "width"_a, "mines"_a, "promise"_a, "first"_a.none(), "progress"_a, "win"_a,
            "mine"_a, "repeat"_a)
        .def("supply", &supply, "game"_a, "seeds"_a, "Give a game the seeds of its next boards.")
        .def("reset", &reset, "Begin every game on its next board.")
        .def("step", &step, "actions"_a, "Open a cell in every game; one that is over begins on its next board instead.")
        .def_prop_ro("codes", &view<&Games::codes, 2>, "What is seen: a row for each game.")
        .def_prop_ro("masks", &view<&Games::masks, 2>, "1 for each hidden cell: a row for each game.")
        .def_prop_ro("rewards", &view<&Games::rewards>, "What the last step was worth.")
        .def_prop_ro("ended", &view<&Games::ended>, "1 if the last step ended the game.")
        .def_prop_ro("outcomes", &view<&Games::outcomes>, "0 while it is played, 1 if won, 2 if lost.")
        .def_prop_ro("opened", &view<&Games::opened>, "How many cells the last step opened.")
        .def_prop_ro("seeds", &view<&Games::seeds>, "The seeds of the boards.")
        .def_prop_ro("seeds_left", &view<&Games::seeds_left>, "How many boards are supplied.");
}

}  // namespace sapper::python
