// Layout counter: what the layouts of a position weigh, all together and by box.
//
// docs/engine.md explains the method.
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

enum class Certain : std::uint8_t { no = 0, safe = 1, mine = 2 };

// With this many unknown cells or fewer, a sum of weights is zero only if there is no layout. Every cell weighs its
// chance of being what it is if the mines could be anywhere. So every layout with the right number of mines has the
// same weight, at least 2^-cells, and no sum exceeds one: doubles hold both.
inline constexpr std::uint32_t exact_cells = 900;

// Call the functions in the order in which they are declared. The memory is kept for the next position.
class LayoutCounter {
public:
    // Takes a position and settles what single numbers settle. Returns false if a number cannot be true.
    bool load(const Position& position, Budget& budget);
    // The same in two parts, of which the first is enough to find cells that single numbers make safe.
    bool settle(const Position& position, Budget& budget) { return grid_.load_settled(position, budget); }
    void find_frontier();

    // Lists the states of every component. Returns false if the numbers leave no layout, whatever the mine count.
    bool sweep(Budget& budget) { return structure_.build(frontier_, budget); }
    // Weighs all layouts. A layout with one mine in a box that is marked counts half. Returns false if there is none.
    bool weigh(Budget& budget, std::span<const std::uint8_t> half_boxes = {});

    // The logarithm of the number of layouts.
    double log_layouts() const;
    // Weighs, for every box, the layouts with a mine on one of its cells and those without.
    void weigh_boxes(Budget& budget);
    double risk_of_box(std::size_t box) const { return with_mine_[box] / (with_mine_[box] + with_none_[box]); }
    // The chance that a cell that touches no number is a mine.
    double free_risk() const { return free_ == 0 ? 0 : outside_mine_ / (outside_mine_ + outside_none_); }
    // Finds out what is certain, by exact zeros only. Returns false if there is no layout.
    bool find_certain(Budget& budget);
    Certain certain_of_box(std::size_t box) const;
    Certain certain_of_free() const { return free_certain_; }

    const Grid& grid() const { return grid_; }
    const Frontier& frontier() const { return frontier_; }
    const Structure& structure() const { return structure_; }
    const Propagation<Chances>& chances() const { return chances_; }
    double density() const { return density_; }
    std::int64_t free_cells() const { return free_; }
    bool is_large() const { return grid_.unknown_count() > exact_cells; }
    // What the ways to lay the free cells weigh, if the components together hold each number of mines from
    // `chances().low()` on.
    std::span<const double> outside() const { return outside_; }
    double total() const { return total_; }

    // Frees what was built for the last position, except the grid and the frontier.
    void release_memory();

private:
    double better_density() const;
    void weigh_outside();
    bool find_certain_by_mine_count(Budget& budget);

    Grid grid_;
    Frontier frontier_;
    Structure structure_;
    std::int64_t free_ = 0;
    double density_ = 0;
    double total_ = 0;                             // what all layouts weigh
    double outside_mine_ = 0, outside_none_ = 0;  // what those with a mine, and without, on a free cell weigh
    std::int64_t middle_ = 0;                      // the number of mines in the components whose ways weigh one
    Certain free_certain_ = Certain::no;
    Propagation<Chances> chances_;
    Propagation<Possibilities> possibilities_;
    std::span<const std::uint8_t> half_boxes_;
    Vector<double> outside_, with_mine_, with_none_;
    Vector<std::uint8_t> may_outside_, may_be_mine_, may_be_none_;
};

}  // namespace sapper
