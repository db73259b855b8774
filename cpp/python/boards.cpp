// Boards: minefields drawn from seeds, and how far certainty alone leads on one.
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

// Where a walk has ended.
struct Walked {
    nb::bytes codes, unknown;
};

struct Walking {
    GameState board;
    Walker walker;
};

Walked walk(const BoundPosition& position, const nb::bytes& minefield, std::uint32_t first, CallBudget& budget) {
    const auto& [height, width, mines, codes, trust_flags] = position.get();
    check_size(height, width, minefield.size(), "the minefield");
    const Workspace<Walking> walking;
    auto& [board, walker] = *walking;
    board.start({height, width, mines}, bytes_of(minefield), codes);
    if (first >= minefield.size() || !board.open(first)) {
        throw nb::value_error("the first click is not on the board, or is a mine");
    }
    const bool is_done = run(budget, [&](Budget& own) { return walker.walk(board, own); });
    return {as_bytes(board.position().codes), is_done ? nb::bytes("", 0) : as_bytes(walker.unknown())};
}

}  // namespace

void bind_boards(nb::module_& module) {
    nb::class_<BoundPosition>(module, "Position", "A position, and whether its flags are to be trusted.")
        .def(nb::init<std::uint32_t, std::uint32_t, std::uint32_t, nb::bytes, bool>(), "height"_a, "width"_a, "mines"_a,
             "codes"_a, "trust_flags"_a,
             "Codes are 0 to 8 for open cells, 9 for hidden ones, 10 for flags, and 11 for open cells\n"
             "whose number is ignored.");
    nb::class_<Walked>(module, "Walked", "Where a walk has ended.")
        .def_ro("codes", &Walked::codes, "What is open then.")
        .def_ro("unknown", &Walked::unknown,
                "Empty if all is open. Otherwise a byte for each cell: 1 if it is unknown and touches a\n"
                "number, 2 if it is unknown and touches none.");
    module.def("draw_mines", &draw, "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a,
               "Return a byte for each cell, row by row: 1 for a mine, 0 for none.");
    module.def("count_around", &count_mines, "height"_a, "width"_a, "minefield"_a,
               "Return the number of mines around each cell; the minefield has a 1 for each mine.");
    module.def("has_twins", &has_pair, "height"_a, "width"_a, "minefield"_a, "first"_a,
               "Return whether a mine and a cell next to it, other than the first click, touch the same\n"
               "safe cells: then nothing can tell them apart.");
    module.def("walk", &walk, "position"_a, "minefield"_a, "first"_a, "budget"_a,
               "Open the first click, and then all cells that are certainly safe, again and again. Cells\n"
               "that are open in the position are open from the start.");
}

}  // namespace sapper::python
