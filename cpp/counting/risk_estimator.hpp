// Risk estimator: approximate risks for positions that have too many states to count.
#pragma once

#include <cstdint>
#include <span>

#include "base/budget.hpp"
#include "counting/frontier.hpp"
#include "counting/grid.hpp"
#include "counting/propagation.hpp"
#include "counting/structure.hpp"
#include "counting/values.hpp"

namespace sapper {

class RiskEstimator {
public:
    // Follows samples of the layouts, as if each unknown cell were a mine independently, with the probability that
    // makes the expected number of mines right. If no sample reaches the end, the risks are those that balance the
    // numbers. It ends early if the budget does. The estimates prove nothing: they are never 0 or 1.
    void estimate(const Grid& grid, const Frontier& frontier, Budget& budget);

    double risk_of_box(std::size_t box) const { return risk_[box]; }
    double free_risk() const { return free_risk_; }

    void release_memory();

private:
    void balance(const Grid& grid, const Frontier& frontier, Budget& budget);
    void average_samples(const Grid& grid, const Frontier& frontier, Budget& budget);
    void weigh_sample(const Grid& grid, const Frontier& frontier, double density, Budget& budget);

    double free_ = 0;  // the number of cells that touch no number
    double density_ = 0;
    double free_risk_ = 0;
    Structure structure_;
    Propagation<Chances> chances_;
    Vector<double> risk_, sampled_, with_mine_, with_none_;
};

}  // namespace sapper
