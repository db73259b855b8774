// Layout counter: the total weight of a position's layouts, and their weight per box.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/budget.hpp"
#include "counting/frontier.hpp"
#include "counting/grid.hpp"
#include "counting/propagation.hpp"
#include "counting/structure.hpp"
#include "counting/values.hpp"

namespace sapper {

enum class Certainty : std::uint8_t { none = 0, safe = 1, mine = 2 };

// With at most this many unknown cells, a sum of weights is zero only if there is no layout. Every layout with the
// right number of mines has the same weight, at least 2^-cells because the density is that of the position, and no sum
// exceeds one. Doubles represent both ends of this range.
inline constexpr std::uint32_t exact_cells = 900;

// Call the functions in the order of their declaration. Memory is reused for the next position.
class LayoutCounter {
public:
    // Loads a position and settles what follows from single numbers. Returns false if a number cannot be satisfied.
    bool load(const Position& position, Budget& budget);
    // The two parts of `load`. The first is enough to find the cells that single numbers prove to be safe.
    bool settle(const Position& position, Budget& budget) { return grid_.load_and_settle(position, budget); }
    void find_frontier();

    // Builds the states of every component. Returns false if the numbers have no layout, whatever the mine count.
    bool sweep(Budget& budget) { return structure_.build(frontier_, budget); }
    // Computes the total weight of all layouts. Layouts with exactly one mine in a marked box have half their weight.
    // Returns false if there is no layout.
    bool compute_total(Budget& budget, std::span<const std::uint8_t> halved_boxes = {});

    // The logarithm of the number of layouts.
    double log_layouts() const;
    // Computes the weight of the layouts in which a given cell of each box is a mine, and in which it is safe.
    void compute_box_weights(Budget& budget);
    double risk_of_box(std::size_t box) const { return with_mine_[box] / (with_mine_[box] + with_safe_[box]); }
    // The risk of a cell that touches no number (a free cell).
    double free_risk() const { return free_ == 0 ? 0 : outside_mine_ / (outside_mine_ + outside_safe_); }
    // Finds out which boxes are certain, by exact zeros only. Returns false if there is no layout.
    bool find_certain(Budget& budget);
    Certainty certain_of_box(std::size_t box) const;
    Certainty certain_of_free() const { return free_certain_; }

    const Grid& grid() const { return grid_; }
    const Frontier& frontier() const { return frontier_; }
    const Structure& structure() const { return structure_; }
    const Propagation<Weights>& weights() const { return weights_; }
    double density() const { return density_; }
    std::int64_t free_cells() const { return free_; }
    bool is_large() const { return grid_.unknown_count() > exact_cells; }
    // The total weight of the layouts of the free cells, for each number of mines in the components from
    // `weights().low()` up.
    std::span<const double> outside() const { return outside_; }
    double total() const { return total_; }

    // Frees the memory of the last count, but not the grid and the frontier.
    void release_memory();

private:
    double better_density() const;
    void compute_outside_weights();
    bool find_certain_by_mine_count(Budget& budget);

    Grid grid_;
    Frontier frontier_;
    Structure structure_;
    std::int64_t free_ = 0;
    double density_ = 0;
    double total_ = 0;                            // the weight of all layouts
    double outside_mine_ = 0, outside_safe_ = 0;  // proportional to the weight with a mine, and safe, on a free cell
    std::int64_t reference_mines_ = 0;            // mines in the components at which `outside_` is 1
    Certainty free_certain_ = Certainty::none;
    Propagation<Weights> weights_;
    Propagation<Possibilities> possibilities_;
    std::span<const std::uint8_t> halved_boxes_;
    Vector<double> outside_, with_mine_, with_safe_;
    Vector<std::uint8_t> outside_possible_, may_be_mine_, may_be_safe_;
};

}  // namespace sapper
