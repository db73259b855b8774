// Risk estimator: approximate risks for positions with too many states to count.
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
    // Estimates risks by averaging sampled sweeps, in which each unknown cell is a mine independently with the
    // probability that makes the expected number of mines right. If no sample reaches the end, falls back to risks that
    // satisfy each number on average. Stops early if the budget runs out. Estimates prove nothing, so they are never 0
    // or 1.
    void estimate(const Grid& grid, const Frontier& frontier, Budget& budget);

    double risk_of_box(std::size_t box) const { return risk_[box]; }
    double free_risk() const { return free_risk_; }

    void release_memory();

private:
    void scale_iteratively(const Grid& grid, const Frontier& frontier, Budget& budget);
    void average_samples(const Grid& grid, const Frontier& frontier, Budget& budget);
    void fit_density(const Grid& grid, const Frontier& frontier, double density, Budget& budget);

    double free_ = 0;  // number of cells that touch no number
    double density_ = 0;
    double free_risk_ = 0;
    Structure structure_;
    Propagation<Weights> weights_;
    Vector<double> risk_, sampled_, with_mine_, with_safe_;
};

}  // namespace sapper
