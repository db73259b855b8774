// The Python module sapper._core: the only file here that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>

#include "analysis.hpp"
#include "board.hpp"
#include "endgame.hpp"
#include "estimate.hpp"
#include "play.hpp"
#include "players.hpp"
#include "tracker.hpp"
#include "vector_env.hpp"
#include "walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

sapper::Promise promise_of(std::uint32_t reach) {
    if (reach > 2) {
        throw nb::value_error("there is no such promise");
    }
    return static_cast<sapper::Promise>(reach);
}

nb::bytes draw_mines(std::uint32_t height, std::uint32_t width, std::uint32_t mines, std::uint32_t first,
                     std::uint32_t promise, std::uint64_t seed) {
    const auto board = sapper::draw_mines({height, width, mines}, first, promise_of(promise), seed);
    return nb::bytes(board.data(), board.size());
}

std::span<const std::uint8_t> minefield_of(std::uint32_t height, std::uint32_t width,
                                           const nb::bytes& minefield) {
    if (height < 1 || width < 1 || minefield.size() != std::size_t{height} * width) {
        throw nb::value_error("the minefield does not fit the size of the board");
    }
    return {static_cast<const std::uint8_t*>(minefield.data()), minefield.size()};
}

nb::bytes count_around(std::uint32_t height, std::uint32_t width, const nb::bytes& minefield) {
    const auto counts = sapper::count_around(height, width, minefield_of(height, width, minefield));
    return nb::bytes(counts.data(), counts.size());
}

bool has_twins(std::uint32_t height, std::uint32_t width, const nb::bytes& minefield, std::uint32_t first) {
    return sapper::has_twins({height, width, 0}, minefield_of(height, width, minefield), first);
}

sapper::Position position(std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                          const nb::bytes& codes, bool trust_flags) {
    if (height < 1 || width < 1 || codes.size() != std::size_t{height} * width) {
        throw nb::value_error("the codes do not fit the size of the board");
    }
    return {height,
            width,
            mines,
            {reinterpret_cast<const std::uint8_t*>(codes.c_str()), codes.size()},
            trust_flags};
}

// Whether Ctrl-C was pressed; the error it raises is then set.
bool interrupted() {
    const nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

sapper::Analyser& analyser() {
    thread_local sapper::Analyser mine;
    return mine;
}

template <class Value>
nb::bytes as_bytes(const std::vector<Value>& values) {
    return nb::bytes(values.data(), values.size() * sizeof(Value));
}

// Calls `work(analyser, budget)` without holding Python up, and lets Ctrl-C stop it.
template <class Work>
auto working(double seconds, std::uint64_t states, Work work) {
    try {
        const nb::gil_scoped_release released;
        sapper::Budget budget{seconds, states, interrupted};
        return work(analyser(), budget);
    } catch (const sapper::Interrupted&) {
        throw nb::python_error();
    }
}

std::tuple<bool, bool, nb::bytes, nb::bytes> analyse(std::uint32_t height, std::uint32_t width,
                                                     std::uint32_t mines, const nb::bytes& codes,
                                                     bool trust_flags, double seconds,
                                                     std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    const auto* findings = working(seconds, any, [&](sapper::Analyser& analyser, sapper::Budget& budget) {
        // Most of the time is for the exact answer, what is left of it for an estimate.
        sapper::Budget exact{0.6 * seconds, states, interrupted};
        return &analyser.analyse(asked, exact, budget);
    });
    return {findings->possible, findings->exact, as_bytes(findings->risk), as_bytes(findings->certain)};
}

bool is_possible(std::uint32_t height, std::uint32_t width, std::uint32_t mines, const nb::bytes& codes,
                 bool trust_flags, bool any_mines, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    return working(seconds, states, [&](sapper::Analyser& analyser, sapper::Budget& budget) {
        return analyser.is_possible(asked, any_mines, budget);
    });
}

std::vector<double> shows(std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                          const nb::bytes& codes, bool trust_flags, std::uint32_t cell, double seconds,
                          std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    if (cell >= asked.codes.size()) {
        throw nb::value_error("the cell is not on the board");
    }
    const auto chances = working(seconds, states, [&](sapper::Analyser& analyser, sapper::Budget& budget) {
        return analyser.shows(asked, cell, budget);
    });
    return {chances.begin(), chances.end()};
}

std::uint64_t frontier_size(std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                            const nb::bytes& codes, bool trust_flags) {
    return analyser().frontier_size(position(height, width, mines, codes, trust_flags));
}

std::tuple<std::int64_t, std::int64_t, std::int64_t, std::vector<std::vector<std::uint64_t>>> count(
    std::uint32_t height, std::uint32_t width, std::uint32_t mines, const nb::bytes& codes,
    bool trust_flags, const std::vector<std::uint64_t>& primes, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    auto counted = working(seconds, states, [&](sapper::Analyser& analyser, sapper::Budget& budget) {
        return analyser.count(asked, primes, budget);
    });
    return {counted.low, counted.free, counted.mines_left, std::move(counted.ways)};
}

// Calls `ask(endgame, layouts, budget)`, if the position is possible.
template <class Ask>
auto solved(const sapper::Position& asked, double seconds, std::uint64_t states, Ask ask) {
    using Answer = std::invoke_result_t<Ask, sapper::Endgame&, std::size_t, sapper::Budget&>;
    return working(seconds, states, [&](sapper::Analyser& analyser, sapper::Budget& budget) -> Answer {
        if (!analyser.is_possible(asked, false, budget)) {
            return {};
        }
        sapper::Layouts layouts;
        if (!layouts.list(analyser.grid(), analyser.frontier(), analyser.structure(), states, budget)) {
            throw sapper::LimitReached{"there are more layouts than the limit of states"};
        }
        sapper::Endgame endgame;
        endgame.load(analyser.grid(), asked, layouts);
        return ask(endgame, layouts.size(), budget);
    });
}

using Solved = std::tuple<std::uint32_t, std::size_t, std::vector<std::uint32_t>>;

Solved solve(std::uint32_t height, std::uint32_t width, std::uint32_t mines, const nb::bytes& codes,
             bool trust_flags, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    return solved(asked, seconds, states, [](sapper::Endgame& endgame, std::size_t layouts, sapper::Budget& budget) {
        return Solved{endgame.won(budget), layouts, endgame.perfect_moves(budget)};
    });
}

using Moves = std::vector<sapper::Cells>;

void check_moves(const sapper::Position& position, const Moves& moves) {
    for (const auto& cells : moves) {
        if (cells.empty()) {
            throw nb::value_error("a move opens no cell");
        }
        for (const std::uint32_t cell : cells) {
            if (cell >= position.codes.size() || !sapper::is_hidden(position.codes[cell])) {
                throw nb::value_error("a move opens a cell that is not hidden");
            }
        }
    }
}

double safety(std::uint32_t height, std::uint32_t width, std::uint32_t mines, const nb::bytes& codes,
              bool trust_flags, const sapper::Cells& cells, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    check_moves(asked, {cells});
    return working(seconds, states, [&](sapper::Analyser& analyser, sapper::Budget& budget) {
        return analyser.safety(asked, cells, budget);
    });
}

std::tuple<std::vector<std::uint32_t>, std::size_t> solve_moves(
    std::uint32_t height, std::uint32_t width, std::uint32_t mines, const nb::bytes& codes, bool trust_flags,
    const Moves& moves, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    check_moves(asked, moves);
    return solved(asked, seconds, states, [&](sapper::Endgame& endgame, std::size_t layouts, sapper::Budget& budget) {
        std::vector<std::uint32_t> won;
        for (const auto& cells : moves) won.push_back(endgame.won_by(cells, budget));
        return std::tuple{won, layouts};
    });
}

// Chance, its error, how much less than the first, and the error of that: as in sapper::Estimate.
using Estimated = std::tuple<double, double, double, double>;

std::vector<Estimated> estimate(std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                                const nb::bytes& codes, const Moves& moves, std::uint32_t playouts, double enough,
                                std::uint64_t seed, double seconds, std::uint64_t states,
                                const std::optional<std::string>& player) {
    const auto asked = position(height, width, mines, codes, false);
    check_moves(asked, moves);
    if (moves.empty() || playouts == 0) {
        throw nb::value_error("there is nothing to play");
    }
    thread_local sapper::Estimator usual;
    std::optional<sapper::Estimator> other;
    if (player) {
        other.emplace(sapper::make_player(*player));
    }
    return working(seconds, states, [&](sapper::Analyser&, sapper::Budget& budget) {
        std::vector<Estimated> fields;
        for (const auto& each : (other ? *other : usual).estimate(asked, moves, playouts, enough, seed, budget)) {
            fields.emplace_back(each.chance, each.chance_error, each.less, each.less_error);
        }
        return fields;
    });
}

std::tuple<int, bool, std::vector<std::uint32_t>, std::vector<std::uint32_t>> update(
    sapper::Tracker& tracker, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
    const nb::bytes& codes, bool trust_flags, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    const auto outcome = working(seconds, states, [&](sapper::Analyser&, sapper::Budget& budget) {
        return tracker.update(asked, budget);
    });
    return {static_cast<int>(outcome), tracker.began(), tracker.new_safe(), tracker.new_mines()};
}

std::tuple<nb::bytes, nb::bytes> walk(std::uint32_t height, std::uint32_t width, std::uint32_t mines,
                                      const nb::bytes& minefield, const nb::bytes& codes,
                                      std::uint32_t first, double seconds, std::uint64_t states) {
    thread_local sapper::Table table;
    thread_local sapper::Walker walker;
    table.lay({height, width, mines}, minefield_of(height, width, minefield),
              position(height, width, mines, codes, false).codes);
    if (first >= codes.size() || !table.open(first)) {
        throw nb::value_error("the first click is not on the board, or a mine");
    }
    const bool is_done = working(seconds, states, [&](sapper::Analyser&, sapper::Budget& budget) {
        return walker.walk(table, budget);
    });
    const auto opened = table.position().codes;
    return {nb::bytes(opened.data(), opened.size()), is_done ? nb::bytes("", 0) : as_bytes(walker.unknown())};
}

// A chance, None in Python where it is not known.
std::optional<double> if_known(double chance) {
    return std::isnan(chance) ? std::nullopt : std::optional{chance};
}

// A player whom threads ask one after the other.
struct SharedPlayer {
    explicit SharedPlayer(const std::string& name) : player{sapper::make_player(name)} {}

    std::unique_ptr<sapper::Player> player;
    std::mutex turn;
};

// Possible, safe, cell, risk, win chance: as in sapper::Decision.
using Decided = std::tuple<bool, std::vector<std::uint32_t>, std::uint32_t, double, std::optional<double>>;

Decided decide(SharedPlayer& shared, std::uint32_t height, std::uint32_t width, std::uint32_t mines,
               const nb::bytes& codes, bool trust_flags, double seconds, std::uint64_t states) {
    const auto asked = position(height, width, mines, codes, trust_flags);
    return working(seconds, states, [&](sapper::Analyser&, sapper::Budget& budget) -> Decided {
        const std::lock_guard turn{shared.turn};
        const auto& decision = shared.player->decide(asked, budget);
        return {decision.possible, decision.safe, decision.cell, decision.risk,
                if_known(decision.win_chance)};
    });
}

using Cell = std::tuple<std::uint32_t, std::uint32_t>;

// The board's seed if it has one; then as in sapper::Played: won, cells left, decisions, guesses, survival, solved,
// seconds, lost at, luck.
using PlayedFields = std::tuple<std::optional<std::uint64_t>, bool, std::uint32_t, std::uint32_t, std::uint32_t,
                                double, std::optional<double>, double, std::optional<Cell>, double>;

PlayedFields fields_of(const sapper::Played& game, std::optional<std::uint64_t> seed, std::uint32_t width) {
    std::optional<Cell> lost_at;
    if (game.lost_at) {
        lost_at = {*game.lost_at / width, *game.lost_at % width};
    }
    return {seed,          game.won,              game.left,    game.decisions, game.guesses,
            game.survival, if_known(game.solved), game.seconds, lost_at,        game.luck};
}

// `seeds` returns the seed of each board.
template <class Seeds>
std::vector<PlayedFields> play(sapper::Arena& arena, const sapper::BoardSize& size, std::uint32_t first,
                               std::size_t games, const sapper::Arena::Minefields& minefields, Seeds seeds) {
    std::vector<PlayedFields> fields;
    try {
        const nb::gil_scoped_release released;
        for (const auto& game : arena.play(size, first, games, minefields, interrupted)) {
            fields.push_back(fields_of(game, seeds(fields.size()), size.width));
        }
    } catch (const sapper::Interrupted&) {
        throw nb::python_error();
    }
    return fields;
}

std::vector<PlayedFields> play_seeds(sapper::Arena& arena, std::uint32_t height, std::uint32_t width,
                                     std::uint32_t mines, std::uint32_t first, std::uint32_t promise,
                                     std::uint64_t seed, std::uint64_t start, std::size_t games) {
    const sapper::BoardSize size{height, width, mines};
    const auto promised = promise_of(promise);
    const auto seed_of = [&](std::size_t game) { return sapper::board_seed(seed, start + game); };
    const auto draw = [&](std::size_t game) { return sapper::draw_mines(size, first, promised, seed_of(game)); };
    return play(arena, size, first, games, draw, seed_of);
}

std::vector<PlayedFields> play_minefields(sapper::Arena& arena, std::uint32_t height, std::uint32_t width,
                                          std::uint32_t mines, std::uint32_t first,
                                          const std::vector<nb::bytes>& minefields) {
    const auto copy = [&](std::size_t game) {
        const auto* data = static_cast<const std::uint8_t*>(minefields[game].data());
        return std::vector<std::uint8_t>(data, data + minefields[game].size());
    };
    return play(arena, {height, width, mines}, first, minefields.size(), copy, [](std::size_t) { return std::nullopt; });
}

std::tuple<std::vector<std::uint64_t>, double> times(const sapper::Arena& arena) {
    const auto all = arena.times();
    return {{all.counts().begin(), all.counts().end()}, all.longest()};
}

// Games that threads step one after the other.
struct SharedGames {
    sapper::VectorEnv games;
    std::mutex turn;
};

template <class Value>
using Given = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void supply(SharedGames& shared, std::size_t game, const Given<std::uint64_t>& seeds) {
    const nb::gil_scoped_release released;
    const std::lock_guard turn{shared.turn};
    shared.games.supply(game, {seeds.data(), seeds.size()});
}

void reset(SharedGames& shared) {
    const nb::gil_scoped_release released;
    const std::lock_guard turn{shared.turn};
    shared.games.reset();
}

void step(SharedGames& shared, const Given<std::int64_t>& actions) {
    const nb::gil_scoped_release released;
    const std::lock_guard turn{shared.turn};
    shared.games.step({actions.data(), actions.size()});
}

// The games' own memory as an array that can only be read: a value for each game, or one for each cell of each.
// Steps change it.
template <auto values, std::size_t dimensions = 1>
auto view(nb::handle self) {
    const sapper::VectorEnv& games = nb::cast<SharedGames&>(self).games;
    const auto& shown = (games.*values)();
    using Value = typename std::remove_cvref_t<decltype(shown)>::value_type;
    const std::size_t shape[] = {games.games(), shown.size() / games.games()};
    return nb::ndarray<nb::numpy, const Value, nb::ndim<dimensions>>(shown.data(), dimensions, shape, self);
}

std::vector<double> time_analyses(
    const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, nb::bytes>>& positions,
    std::uint32_t repeats) {
    std::vector<double> least(positions.size(), 1e9);
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const auto& [height, width, mines, codes] = positions[i];
            const auto asked = position(height, width, mines, codes, false);
            const auto start = std::chrono::steady_clock::now();
            sapper::Budget budget{60, 1u << 30};
            analyser().analyse(asked, budget, budget);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            least[i] = std::min(least[i], taken.count());
        }
    }
    return least;
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled engine.";
    nb::set_leak_warnings(false);  // What is alive when the process ends need not be taken down.

    nb::exception<sapper::LimitReached>(module, "LimitReached");

    module.def("draw_mines", &draw_mines, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a,
               "seed"_a, "Return a byte for each cell, row by row: 1 for a mine, 0 for none.");
    module.def("count_around", &count_around, "height"_a, "width"_a, "minefield"_a,
               "Return how many mines are around each cell; the minefield has a 1 for each mine.");
    module.def("has_twins", &has_twins, "height"_a, "width"_a, "minefield"_a, "first"_a,
               "Return whether a mine and a cell beside, above or below it, not the first click, touch the\n"
               "same safe cells: then nothing can tell them apart.");
    module.def("analyse", &analyse, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a,
               "seconds"_a, "states"_a,
               "Return whether the position is possible, whether the risks are exact, the risks as doubles,\n"
               "and a byte for each cell: 1 if it is certainly safe, 2 if it is certainly a mine.");
    module.def("is_possible", &is_possible, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a,
               "any_mines"_a, "seconds"_a, "states"_a,
               "Return whether there is a layout, with the right number of mines or with any; opened\n"
               "cells with the code 11 say nothing.");
    module.def("shows", &shows, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "cell"_a,
               "seconds"_a, "states"_a,
               "Return the chances of the numbers 0 to 8 that the cell shows, given that it is safe.");
    module.def("frontier_size", &frontier_size, "height"_a, "width"_a, "mines"_a, "codes"_a,
               "trust_flags"_a, "Return how many unknown cells touch numbers.");
    module.def("count", &count, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "primes"_a,
               "seconds"_a, "states"_a,
               "Return the fewest mines on the frontier, the cells beyond it, the mines left, and for\n"
               "each prime the ways to lay each number of mines on the frontier, modulo the prime.");
    module.def("solve", &solve, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "seconds"_a,
               "states"_a,
               "Return how many layouts perfect play wins, how many there are (0 if the position is\n"
               "impossible), and the places of all cells that it can open first.");
    module.def("safety", &safety, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "cells"_a,
               "seconds"_a, "states"_a, "Return the chance that none of these hidden cells is a mine.");
    module.def("solve_moves", &solve_moves, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a,
               "moves"_a, "seconds"_a, "states"_a,
               "Return how many layouts perfect play wins after each move, which opens some hidden cells at\n"
               "once, and how many there are (0 if the position is impossible).");
    module.def("estimate", &estimate, "height"_a, "width"_a, "mines"_a, "codes"_a, "moves"_a, "playouts"_a,
               "enough"_a, "seed"_a, "seconds"_a, "states"_a, "player"_a = nb::none(),
               "Return for each move, which opens some hidden cells at once, the chance to win when a fast\n"
               "player goes on, or that of this name, its standard error, how much less that is than with the first\n"
               "move, and the standard error of that: by so many games on drawn layouts, the same for all moves, or\n"
               "fewer if errors are good enough. The position must be possible.");
    nb::class_<sapper::Tracker>(module, "Tracker", "Follows the positions of a game.")
        .def(nb::init<>())
        .def("update", &update, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "seconds"_a,
             "states"_a,
             "Return 0 if all certain cells are known now, 1 if the number of mines may tell more, 2 if\n"
             "the position is impossible; whether another game was begun; and the places of the cells\n"
             "that have become certainly safe, and certainly mines.");
    module.def("walk", &walk, "height"_a, "width"_a, "mines"_a, "minefield"_a, "codes"_a, "first"_a,
               "seconds"_a, "states"_a,
               "Open the first click, and again and again all cells that are certainly safe; what is open in\n"
               "the codes is so from the start. Return the codes then and, if not all is open, a byte for\n"
               "each cell: 1 if it is unknown and touches a number, 2 if it is unknown and touches none.");
    module.def("players", &sapper::player_names, "Return the names of the players.");
    nb::class_<SharedPlayer>(module, "Player", "Chooses the cells to open.")
        .def(nb::init<const std::string&>(), "name"_a)
        .def("decide", &decide, "height"_a, "width"_a, "mines"_a, "codes"_a, "trust_flags"_a, "seconds"_a,
             "states"_a,
             "Return whether the position is possible; all cells that are certainly safe; where there\n"
             "is none, the cell to risk, its risk, and the chance to win if the endgame was solved.\n"
             "There must be something left to open.");
    nb::class_<sapper::Arena>(module, "Arena", "Plays many games at once; a game is (seed, won, cells\n"
                                               "left, decisions, guesses, survival, solved, seconds, lost at, luck).")
        .def(
            "__init__",
            [](sapper::Arena* arena, const std::string& player, std::uint32_t seats, double seconds,
               std::uint64_t states) {
                new (arena) sapper::Arena(player, seats, {seconds, states});
            },
            "player"_a, "seats"_a, "seconds"_a, "states"_a)
        .def("play_seeds", &play_seeds, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a,
             "start"_a, "games"_a, "Play so many games of the run with this seed, from the one of this number on.")
        .def("play_minefields", &play_minefields, "height"_a, "width"_a, "mines"_a, "first"_a,
             "minefields"_a, "Play a game on each minefield: a byte for each cell, 1 for a mine.")
        .def("times", &times,
             "Return how many decisions took how long, in steps of a sixteenth of an octave from\n"
             "2**-30 seconds on, and the longest.");
    using Games = sapper::VectorEnv;
    nb::class_<SharedGames>(module, "VectorEnv", "Many games stepped together; its arrays are its own memory,\n"
                                                 "which steps change.")
        .def(
            "__init__",
            [](SharedGames* shared, std::size_t games, std::uint32_t height, std::uint32_t width,
               std::uint32_t mines, std::uint32_t promise, std::optional<std::uint32_t> first, double progress,
               double win, double mine, double repeat) {
                new (shared) SharedGames{Games{games, {height, width, mines}, promise_of(promise), first,
                                               {progress, win, mine, repeat}}, {}};
            },
            "games"_a, "height"_a, "width"_a, "mines"_a, "promise"_a, "first"_a.none(), "progress"_a, "win"_a,
            "mine"_a, "repeat"_a)
        .def("supply", &supply, "game"_a, "seeds"_a, "Give a game the seeds of its next boards.")
        .def("reset", &reset, "Begin every game on its next board.")
        .def("step", &step, "actions"_a,
             "Open a cell in every game; one that is over begins on its next board instead.")
        .def_prop_ro("codes", &view<&Games::codes, 2>, "What is seen: a row for each game.")
        .def_prop_ro("masks", &view<&Games::masks, 2>, "1 for each hidden cell: a row for each game.")
        .def_prop_ro("rewards", &view<&Games::rewards>, "What the last step was worth.")
        .def_prop_ro("ended", &view<&Games::ended>, "1 if the last step ended the game.")
        .def_prop_ro("outcomes", &view<&Games::outcomes>, "0 while it is played, 1 if won, 2 if lost.")
        .def_prop_ro("opened", &view<&Games::opened>, "How many cells the last step opened.")
        .def_prop_ro("seeds", &view<&Games::seeds>, "The seeds of the boards.")
        .def_prop_ro("seeds_left", &view<&Games::seeds_left>, "How many boards are supplied.");
    module.def("time_analyses", &time_analyses, "positions"_a, "repeats"_a,
               "Return the least seconds that the analysis of each position (height, width, mines,\n"
               "codes) took, over some repeats.");
}
