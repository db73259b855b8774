// The Python module sapper._core: the only file here that knows Python.
#include <nanobind/nanobind.h>

#include "board.hpp"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(_core, module) {
    module.doc() = "The compiled engine.";

    module.def(
        "draw_mines",
        [](std::uint32_t height, std::uint32_t width, std::uint32_t mines, std::uint32_t first,
           std::uint32_t promise, std::uint64_t seed) {
            if (promise > 2) {
                throw nb::value_error("there is no such promise");
            }
            const auto board = sapper::draw_mines({height, width, mines}, first,
                                                  static_cast<sapper::Promise>(promise), seed);
            return nb::bytes(reinterpret_cast<const char*>(board.data()), board.size());
        },
        "height"_a, "width"_a, "mines"_a, "first"_a, "promise"_a, "seed"_a,
        "Return a byte for each cell, row by row: 1 for a mine, 0 for none.");
}
