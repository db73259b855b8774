// Analyser: the exact risk of every cell, what is certain, and other questions about one position.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "counting/layout_counter.hpp"
#include "counting/risk_estimator.hpp"

namespace sapper {

// What an analysis found; a value for each cell, row by row.
struct Findings {
    bool possible = false;
    bool exact = true;
    Vector<double> risk;  // not a number for opened cells
    Vector<Certain> certain;
    double log_layouts = 0;  // the logarithm of their number, if exact
};

// The number of layouts in parts: how many ways the components together can use each number of mines from `low` on,
// modulo each prime; the rest of the mines lie on the free cells.
struct LayoutCount {
    std::int64_t low = 0;
    std::int64_t free = 0;
    std::int64_t mines_left = 0;
    Vector<Vector<std::uint64_t>> ways;  // for each prime
};

// Analyses positions one after the other, and keeps its memory from one to the next.
class Analyser {
public:
    // If the budget runs out, risks are estimated within the spare budget. Without one, LimitReached is thrown.
    const Findings& analyse(const Position& position, Budget& budget, Budget* spare);

    // Looks for safe cells with as little work as possible. If single numbers make any safe, adds those and returns
    // null. Otherwise analyses the position, adds the safe cells that this finds, and returns the findings. Returns
    // null without a safe cell if a number cannot be true.
    const Findings* find_safe(const Position& position, std::vector<std::uint32_t>& safe, Budget& budget, Budget* spare);

    // What the last analysis found, and what the position was turned into for it.
    const Findings& findings() const { return findings_; }
    const LayoutCounter& counter() const { return counter_; }
    const Grid& grid() const { return counter_.grid(); }

    // Whether there is a layout, with the right number of mines or with any.
    bool is_possible(const Position& position, bool any_mines, Budget& budget);

    // The logarithm of the number of layouts; minus infinity if there is none.
    double log_layouts(const Position& position, Budget& budget);

    // The probability of each number from 0 to 8 that a hidden cell may show, given that it is safe.
    std::array<double, 9> shows(const Position& position, std::uint32_t cell, Budget& budget);

    // For each of these hidden cells, the logarithm of the number of layouts in which it shows a 0.
    std::vector<double> log_layouts_with_zero(const Position& position, std::span<const std::uint32_t> cells,
                                              Budget& budget);

    // The probability that none of these hidden cells is a mine.
    double safety(const Position& position, std::span<const std::uint32_t> cells, Budget& budget);

    LayoutCount count(const Position& position, std::span<const std::uint64_t> primes, Budget& budget);
    // How many cells the components have: a bound for the bits of each number of ways.
    std::size_t frontier_size(const Position& position, Budget& budget);

private:
    const Findings& analyse_loaded(const Position& position, Budget& budget, Budget* spare);
    bool weigh(Budget& budget);
    void count_risks(const Position& position, Budget& budget);
    void estimate_risks(const Position& position, Budget& budget);
    void write(const Position& position, double free_risk, Certain free_certain);

    LayoutCounter counter_;
    RiskEstimator estimator_;
    Propagation<Remainders> remainders_;
    Vector<double> box_risk_;
    Vector<Certain> box_certain_;
    Vector<std::uint8_t> codes_;
    Findings findings_;
};

}  // namespace sapper
