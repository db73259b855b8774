// Boards: minefields drawn from seeds, and how far a board can be opened without guessing.
#include "python/boards.hpp"

#include "games/walk.hpp"
#include "python/bindings.hpp"
#include "python/calls.hpp"

namespace sapper::python {
namespace {

using namespace nb::literals;

nb::bytes draw(std::uint32_t height, std::uint32_t width, std::uint32_t mines, std::uint32_t first,
               std::uint32_t promise, std::uint64_t seed) {
    return as_bytes(draw_mines({height, width, mines}, first, promise_of(promise), seed));
}

nb::bytes count_mines(std::uint32_t height, std::uint32_t width, const nb::bytes& minefield) {
    check_size(height, width, minefield.size(), "the minefield");
    return as_bytes(count_around(height, width, bytes_of(minefield)));
}

bool has_pair(std::uint32_t height, std::uint32_t width, const nb::bytes& minefield, std::uint32_t first) {
    check_size(height, width, minefield.size(), "the minefield");
    return has_twins({height, width, 0}, bytes_of(minefield), first);
}

// The end of a walk.
struct Walked {
    nb::bytes codes, unknown;
};

struct WalkWorkspace {
    GameState board;
    Walker walker;
};

Walked walk(const BoundPosition& position, const nb::bytes& minefield, std::uint32_t first, CallBudget& budget) {
    const auto& [height, width, mines, codes, trust_flags] = position.get();
    check_size(height, width, minefield.size(), "the minefield");
    const Workspace<WalkWorkspace> workspace;
    auto& [board, walker] = *workspace;
    board.start({height, width, mines}, bytes_of(minefield), codes);
    if (first >= minefield.size() || !board.open(first)) {
        throw nb::value_error("the first click is not on the board, or is a mine");
    }
    const bool is_done = run(budget, [&](Budget& own) { return walker.walk(board, own); });
    return {as_bytes(board.position().codes), is_done ? nb::bytes("", 0) : as_bytes(walker.unknown())};
}

}  // namespace

void bind_boards(nb::module_& module) {
    nb::class_<BoundPosition>(module, "Position", "A position, and whether its flags are trusted to be mines.")
        .def(nb::init<std::uint32_t, std::uint32_t, std::uint32_t, nb::bytes, bool>(), "height"_a, "width"_a, "mines"_a,
             "codes"_a, "trust_flags"_a,
             "The codes have a byte per cell, row by row: 0 to 8 for open cells, 9 for hidden cells, 10 for\n"
             "flags, and 11 for open cells whose number is ignored.");
    nb::class_<Walked>(module, "Walked", "The end of a walk.")
        .def_ro("codes", &Walked::codes, "The codes of the final position.")
        .def_ro("unknown", &Walked::unknown,
                "Empty if all safe cells are open. Otherwise a byte per cell: 1 if it is unknown and touches a\n"
                "number, 2 if it is unknown and touches none.");
    module.def("draw_mines", &draw, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a,
               "Return a minefield: a byte per cell, row by row, 1 for a mine and 0 for none.");
    module.def("count_around", &count_mines, "height"_a, "width"_a, "minefield"_a,
               "Return the number of adjacent mines of each cell, a byte per cell.");
    module.def("has_twins", &has_pair, "height"_a, "width"_a, "minefield"_a, "first"_a,
               "Return whether some mine and an adjacent cell, other than the first click, touch the same safe\n"
               "cells, so that nothing can tell them apart.");
    module.def("walk", &walk, "position"_a, "minefield"_a, "first"_a, "budget"_a,
               "Open the first click, and then repeatedly all certainly safe cells. Cells that are open in the\n"
               "position are open from the start.");
}

}  // namespace sapper::python
