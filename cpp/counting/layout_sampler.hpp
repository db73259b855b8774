// Sampler: draws layouts of a position, each as likely as any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "counting/layout_counter.hpp"
#include "base/random.hpp"

namespace sapper {

class LayoutSampler {
public:
    // Takes what was found last, which must be exact and of `exact_cells` unknown cells at most. It is to
    // stay as it is while layouts are drawn.
    void load(const LayoutCounter& counter);

    // Marks the mines on the unknown cells, by their places in the grid: 1 for a mine, 0 for none.
    void draw(Random& random, std::span<std::uint8_t> mines);

private:
    void draw_component(std::size_t index, std::int64_t mines, Random& random, std::span<std::uint8_t> out);
    static void lay(std::vector<std::uint32_t>& places, std::size_t mines, Random& random,
                    std::span<std::uint8_t> out);

    const LayoutCounter* counter_ = nullptr;
    std::vector<std::vector<std::uint32_t>> box_places_;
    std::vector<std::uint32_t> free_places_;
    // For each component, by the number of mines in those before it: what the ways to lay it and all after
    // it weigh.
    std::vector<std::vector<double>> after_;
    std::vector<std::int64_t> lows_;  // the fewest mines in the components before each
};

}  // namespace sapper
