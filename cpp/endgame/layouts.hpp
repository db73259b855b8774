// Layouts: lists all layouts of a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "counting/layout_counter.hpp"

namespace sapper {

// Whether an unknown cell, given by its bit, is a mine in a layout.
inline bool has_mine(const std::uint64_t* mask, std::uint32_t bit) { return mask[bit / 64] >> (bit % 64) & 1; }

class Layouts {
public:
    // Lists all layouts. Returns false if there are more than `most`, or too many unknown cells.
    bool list(const LayoutCounter& counter, std::uint64_t most, Budget& budget);

    std::size_t size() const { return words_ == 0 ? count_ : masks_.size() / words_; }
    // The places of the unknown cells. Bit `i` of a mask says whether the cell at `places()[i]` is a mine.
    std::span<const std::uint32_t> places() const { return places_; }
    std::size_t words() const { return words_; }
    std::span<const std::uint64_t> mask(std::size_t layout) const { return {masks_.data() + layout * words_, words_}; }

private:
    // The layouts of one component, or of the free cells.
    struct Part {
        Vector<std::uint64_t> masks;
        Vector<std::int64_t> mines;
        std::int64_t least = 0, most = 0;  // mines
    };

    struct MineRange {
        std::int64_t least, most;  // range of mine counts that the other parts can complement
    };

    void number_cells(const Grid& grid, const Frontier& frontier);
    void start_parts(const Structure& structure);
    bool list_parts(const Structure& structure, std::int64_t mines_left, std::uint64_t most, Budget& budget);
    bool list_component(const Structure& structure, const Component& component, Part& part, const MineRange& range,
                        std::uint64_t& remaining, Budget& budget);
    bool list_free(Part& part, const MineRange& range, std::uint64_t& remaining, Budget& budget);
    void free_large_parts();
    bool combine(std::size_t part, std::int64_t mines, std::uint64_t most, Budget& budget);
    bool for_each_placement(std::span<const std::uint32_t> cells, std::size_t mines, auto&& then);

    std::size_t words_ = 0;
    std::size_t count_ = 0;
    Vector<std::uint32_t> places_;
    Vector<std::uint64_t> masks_;
    std::vector<std::uint64_t> mask_;  // the layout being built
    std::vector<Part> parts_;
    std::vector<std::vector<std::uint32_t>> box_cells_;
    std::vector<std::uint32_t> free_cells_;
};

}  // namespace sapper
