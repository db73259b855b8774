// Builds boxes in one pass over the frontier's cells, and components by breadth-first search over the boxes.
#include "counting/frontier.hpp"

#include <bit>
#include <cstring>

namespace sapper {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

// Calls `visit` with the index of every nonzero byte; bytes are 0 or 1.
template <class Visit>
void for_each_set(const std::uint8_t* bytes, std::uint32_t size, Visit visit) {
    std::uint32_t at = 0;
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes + at, 8);
        if constexpr (std::endian::native == std::endian::little) {
            for (; word != 0; word &= word - 1) {
                visit(at + static_cast<std::uint32_t>(std::countr_zero(word)) / 8);
            }
        } else if (word != 0) {
            for (std::uint32_t offset = 0; offset < 8; ++offset) {
                if (bytes[at + offset]) visit(at + offset);
            }
        }
    }
    for (; at < size; ++at) {
        if (bytes[at]) visit(at);
    }
}

// For each set of the eight neighbours: where its members lie relative to the first in reading order. Two cells touch
// the same numbers if and only if they agree in their first number and in this shape.
constexpr std::array<std::uint16_t, 256> shapes = [] {
    constexpr std::array<int, 8> row{0, 0, 0, 1, 1, 2, 2, 2};
    constexpr std::array<int, 8> column{0, 1, 2, 0, 2, 0, 1, 2};
    std::array<std::uint16_t, 256> table{};
    for (std::size_t set = 1; set < 256; ++set) {
        const auto first = static_cast<std::size_t>(std::countr_zero(set));
        for (std::size_t member = first; member < 8; ++member) {
            if (set >> member & 1) {
                const int bit = (row[member] - row[first]) * 5 + column[member] - column[first] + 2;
                table[set] = static_cast<std::uint16_t>(table[set] | 1 << bit);
            }
        }
    }
    return table;
}();

}  // namespace

void Frontier::build(const Grid& grid) {
    clear(grid);
    for_each_set(grid.active(), grid.size(), [&](std::uint32_t place) { add_number(grid, place); });
    for_each_set(grid.frontier(), grid.size(), [&](std::uint32_t place) { add_cell(grid, place); });
    find_components();
}

void Frontier::build(const Grid& grid, std::span<const std::uint32_t> numbers, std::span<const std::uint32_t> cells) {
    clear(grid);
    for (const std::uint32_t place : numbers) add_number(grid, place);
    for (const std::uint32_t place : cells) add_cell(grid, place);
    find_components();
}

void Frontier::clear(const Grid& grid) {
    boxes_.clear();
    numbers_.clear();
    cells_.clear();
    number_at_.resize(grid.size());
}

void Frontier::add_number(const Grid& grid, std::uint32_t place) {
    number_at_[place] = static_cast<std::uint32_t>(numbers_.size());
    numbers_.push_back({grid.need()[place], grid.room()[place], 0, none, {}});
}

// Adds the cell to the box with the same numbers, which is created if necessary.
void Frontier::add_cell(const Grid& grid, std::uint32_t place) {
    const std::uint32_t stride = grid.stride();
    const std::array<std::uint32_t, 8> steps{0u - stride - 1, 0u - stride, 0u - stride + 1, 0u - 1, 1,
                                             stride - 1,      stride,      stride + 1};
    const std::uint8_t touching = grid.touching()[place];
    const auto first = static_cast<std::size_t>(std::countr_zero(touching));
    const std::uint32_t first_number = number_at_[place + steps[first]];
    const std::uint16_t shape = shapes[touching];
    std::uint32_t found = numbers_[first_number].first_box;
    while (found != none && boxes_[found].shape != shape) {
        found = boxes_[found].next;
    }
    if (found == none) {
        found = static_cast<std::uint32_t>(boxes_.size());
        Box box{0, 0, shape, numbers_[first_number].first_box, {}};
        numbers_[first_number].first_box = found;
        for (unsigned left = touching; left != 0; left &= left - 1) {
            const std::uint32_t number = number_at_[place + steps[static_cast<std::size_t>(std::countr_zero(left))]];
            box.numbers[box.number_count++] = number;
            Number& touched = numbers_[number];
            touched.boxes[touched.box_count++] = found;
        }
        boxes_.push_back(box);
    }
    ++boxes_[found].size;
    cells_.push_back({place, found});
}

std::span<const std::uint32_t> Frontier::component(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : component_ends_[index - 1];
    return {box_order_.data() + begin, component_ends_[index] - begin};
}

void Frontier::find_components() {
    box_order_.clear();
    component_ends_.clear();
    seen_boxes_.assign(boxes_.size(), 0);
    seen_numbers_.assign(numbers_.size(), 0);
    for (std::uint32_t start = 0; start < boxes_.size(); ++start) {
        if (seen_boxes_[start]) {
            continue;
        }
        seen_boxes_[start] = 1;
        std::size_t next = box_order_.size();
        box_order_.push_back(start);
        for (; next < box_order_.size(); ++next) {
            const Box& box = boxes_[box_order_[next]];
            for (std::size_t i = 0; i < box.number_count; ++i) {
                if (seen_numbers_[box.numbers[i]]++) {
                    seen_numbers_[box.numbers[i]] = 1;
                    continue;
                }
                const Number& number = numbers_[box.numbers[i]];
                for (std::size_t j = 0; j < number.box_count; ++j) {
                    const std::uint32_t other = number.boxes[j];
                    if (!seen_boxes_[other]) {
                        seen_boxes_[other] = 1;
                        box_order_.push_back(other);
                    }
                }
            }
        }
        component_ends_.push_back(static_cast<std::uint32_t>(box_order_.size()));
    }
}

}  // namespace sapper
