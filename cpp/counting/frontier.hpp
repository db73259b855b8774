// The frontier: the unknown cells that touch numbers, grouped into boxes and components.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/grid.hpp"

namespace sapper {

// Unknown cells that touch the same numbers. Only the number of mines among them matters.
struct Box {
    std::uint8_t size;
    std::uint8_t number_count;
    std::uint16_t shape;  // positions of the numbers relative to the first
    std::uint32_t next;   // next in the list of boxes with the same first number
    std::array<std::uint32_t, 8> numbers;
};

// An open number, reduced by the settled mines around it.
struct Number {
    std::uint8_t need;
    std::uint8_t room;  // unknown cells around it
    std::uint8_t box_count;
    std::uint32_t first_box;  // head of the list of boxes whose first number this is
    std::array<std::uint32_t, 8> boxes;
};

struct FrontierCell {
    std::uint32_t place;
    std::uint32_t box;
};

class Frontier {
public:
    void build(const Grid& grid);
    // Builds only the part with these active numbers and these cells. The cells must be all the unknown cells that
    // touch the numbers.
    void build(const Grid& grid, std::span<const std::uint32_t> numbers, std::span<const std::uint32_t> cells);

    std::span<const Box> boxes() const { return boxes_; }
    std::span<const Number> numbers() const { return numbers_; }
    std::span<const FrontierCell> cells() const { return cells_; }
    std::size_t component_count() const { return component_ends_.size(); }
    // The boxes of a component in breadth-first order, so that the last one is far from the first.
    std::span<const std::uint32_t> component(std::size_t index) const;

private:
    void clear(const Grid& grid);
    void add_number(const Grid& grid, std::uint32_t place);
    void add_cell(const Grid& grid, std::uint32_t place);
    void find_components();

    Vector<Box> boxes_;
    Vector<Number> numbers_;
    Vector<FrontierCell> cells_;
    Vector<std::uint32_t> number_at_;  // index into numbers_, by the place of an active number
    Vector<std::uint32_t> box_order_;  // all boxes, component by component, in breadth-first order
    Vector<std::uint32_t> component_ends_;
    Vector<std::uint8_t> seen_boxes_, seen_numbers_;
};

}  // namespace sapper
