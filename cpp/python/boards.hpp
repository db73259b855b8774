// Boards from Python: positions and minefields as bytes, one for each cell, row by row.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <string>

#include "base/minefield.hpp"
#include "counting/grid.hpp"

namespace sapper::python {

namespace nb = nanobind;

inline void check_size(std::uint32_t height, std::uint32_t width, std::size_t cells, const char* what) {
    if (height < 1 || width < 1 || height > largest_side || width > largest_side) {
        throw nb::value_error("the sides of a board are 1 to 1000 cells");
    }
    if (cells != std::size_t{height} * width) {
        throw nb::value_error((std::string{what} + " must have one byte for each cell").c_str());
    }
}

inline std::span<const std::uint8_t> bytes_of(const nb::bytes& bytes) {
    return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// A position, and whether its flags are to be trusted.
class BoundPosition {
public:
    BoundPosition(std::uint32_t height, std::uint32_t width, std::uint32_t mines, nb::bytes codes, bool trust_flags)
        : codes_{std::move(codes)}, position_{height, width, mines, bytes_of(codes_), trust_flags} {
        check_size(height, width, codes_.size(), "the codes");
    }

    const Position& get() const { return position_; }

private:
    nb::bytes codes_;  // They are kept alive for the position.
    Position position_;
};

inline void check_cell(const Position& position, std::uint32_t cell) {
    if (cell >= position.codes.size() || !is_hidden(position.codes[cell])) {
        throw nb::value_error("the cell is not a hidden cell of the board");
    }
}

inline Promise promise_of(std::uint32_t reach) {
    if (reach > 2) {
        throw nb::value_error("a promise is 0, 1 or 2");
    }
    return static_cast<Promise>(reach);
}

}  // namespace sapper::python
