// Boards from Python: positions and minefields as bytes, one per cell, row by row.
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
        throw nb::value_error("height and width must be from 1 to 1000");
    }
    if (cells != std::size_t{height} * width) {
        throw nb::value_error((std::string{what} + " must have one byte per cell").c_str());
    }
}

inline std::span<const std::uint8_t> bytes_of(const nb::bytes& bytes) {
    return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// A position from Python, and whether its flags are trusted to be mines.
class BoundPosition {
public:
    BoundPosition(std::uint32_t height, std::uint32_t width, std::uint32_t mines, nb::bytes codes, bool trust_flags)
        : codes_{std::move(codes)}, position_{height, width, mines, bytes_of(codes_), trust_flags} {
        check_size(height, width, codes_.size(), "the codes");
    }

    const Position& get() const { return position_; }

private:
    nb::bytes codes_;  // Owns the bytes that the position refers to.
    Position position_;
};

inline void check_cell(const Position& position, std::uint32_t cell) {
    if (cell >= position.codes.size() || !is_hidden(position.codes[cell])) {
        throw nb::value_error("the cell is not a hidden cell of the board");
    }
}

inline Promise promise_of(std::uint32_t number) {
    if (number > 2) {
        throw nb::value_error("the promise must be 0 (none), 1 (safe) or 2 (open)");
    }
    return static_cast<Promise>(number);
}

}  // namespace sapper::python
