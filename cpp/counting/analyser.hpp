// Analyser: the exact risk of every cell, the certain cells, and other questions about one position.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "counting/layout_counter.hpp"
#include "counting/risk_estimator.hpp"

namespace sapper {

// The result of an analysis, with one value per cell, row by row.
struct Findings {
    bool possible = false;
    bool exact = true;
    Vector<double> risk;  // NaN for open cells
    Vector<Certainty> certain;
    double log_layouts = 0;  // logarithm of the number of layouts, if exact
};

// The number of layouts in factors: for each number of mines from `low` up, the number of layouts of the components
// with that many mines, modulo each prime. The remaining mines are on the free cells.
struct LayoutCount {
    std::int64_t low = 0;
    std::int64_t free = 0;
    std::int64_t mines_left = 0;
    Vector<Vector<std::uint64_t>> ways;  // one series per prime
};

// Memory is reused from one position to the next.
class Analyser {
public:
    // If the budget runs out, risks are estimated within `spare`. Without `spare`, LimitReached is thrown.
    const Findings& analyse(const Position& position, Budget& budget, Budget* spare);

    // Finds safe cells with as little work as possible. If single numbers prove any cells safe, appends those and
    // returns null. Otherwise analyses the position, appends the safe cells, and returns the findings. Returns null and
    // appends nothing if a number cannot be satisfied.
    const Findings* find_safe(const Position& position, std::vector<std::uint32_t>& safe, Budget& budget,
                              Budget* spare);

    // The result of the last analysis, and the counter and grid that were used for it.
    const Findings& findings() const { return findings_; }
    const LayoutCounter& counter() const { return counter_; }
    const Grid& grid() const { return counter_.grid(); }

    // Whether there is a layout with the right number of mines; with `any_mines`, with any number.
    bool is_possible(const Position& position, bool any_mines, Budget& budget);

    // The logarithm of the number of layouts; minus infinity if there is none.
    double log_layouts(const Position& position, Budget& budget);

    // The probability that a hidden cell shows each number from 0 to 8, given that it is safe.
    std::array<double, 9> number_probabilities(const Position& position, std::uint32_t cell, Budget& budget);

    // For each of these hidden cells, the logarithm of the number of layouts in which it shows a 0.
    std::vector<double> log_layouts_with_zero(const Position& position, std::span<const std::uint32_t> cells,
                                              Budget& budget);

    // The probability that none of these hidden cells is a mine.
    double safety(const Position& position, std::span<const std::uint32_t> cells, Budget& budget);

    LayoutCount count(const Position& position, std::span<const std::uint64_t> primes, Budget& budget);
    // The number of frontier cells. This bounds the number of bits of each value in `LayoutCount::ways`.
    std::size_t frontier_size(const Position& position, Budget& budget);

private:
    const Findings& analyse_loaded(const Position& position, Budget& budget, Budget* spare);
    bool compute_total(Budget& budget);
    void count_risks(const Position& position, Budget& budget);
    void estimate_risks(const Position& position, Budget& budget);
    void write_findings(const Position& position, double free_risk, Certainty free_certain);

    LayoutCounter counter_;
    RiskEstimator estimator_;
    Propagation<Remainders> remainders_;
    Vector<double> box_risk_;
    Vector<Certainty> box_certain_;
    Vector<std::uint8_t> codes_;
    Findings findings_;
};

}  // namespace sapper
