// Layout sampler: draws layouts of a position, uniformly at random.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "counting/layout_counter.hpp"

namespace sapper {

class LayoutSampler {
public:
    // Takes the counter's last result, which must be exact, with at most `exact_cells` unknown cells. The counter must
    // not change while layouts are drawn.
    void load(const LayoutCounter& counter);

    // Draws a layout: sets the byte of every unknown cell, by its place in the grid, to 1 for a mine and 0 for none.
    void draw(Random& random, std::span<std::uint8_t> mines);

private:
    void draw_component(std::size_t index, std::int64_t mines, Random& random, std::span<std::uint8_t> out);
    static void place_mines(std::vector<std::uint32_t>& places, std::size_t mines, Random& random,
                            std::span<std::uint8_t> out);

    const LayoutCounter* counter_ = nullptr;
    std::vector<std::vector<std::uint32_t>> box_places_;
    std::vector<std::uint32_t> free_places_;
    // For each component, by the number of mines in the components before it (above the minimum): the total weight of
    // this component, all later ones and the free cells.
    std::vector<std::vector<double>> rest_weights_;
    std::vector<std::int64_t> fewest_before_;  // the fewest mines in the components before each one
};

}  // namespace sapper
