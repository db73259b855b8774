// Outlook: how promising a position is that a move may lead to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "counting/layout_counter.hpp"

namespace sapper {

struct Outlook {
    bool possible = false;
    // The logarithm of what the layouts are worth. Of a toss-up, a layout with one mine counts half: one of its two
    // cells has to be risked sooner or later, and to risk it now costs nothing more.
    double log_layouts = 0;
    // The least risks of hidden cells that may tell something: those next to an unknown cell. If there are fewer, the
    // last stands for the rest; if there are none, those that tell nothing count.
    std::array<double, 4> risks{1, 1, 1, 1};
};

class OutlookCounter {
public:
    // On boards of more than `exact_cells` unknown cells a very small risk may be called none. If `risks` is given,
    // it gets the risk of every hidden cell.
    Outlook look(const Position& position, Budget& budget, std::vector<double>* risks = nullptr);

private:
    bool may_tell(std::uint32_t place) const;
    std::array<double, 4> least_risks(double free_risk) const;

    LayoutCounter counter_;
    Vector<std::uint8_t> toss_ups_;
    std::vector<std::uint32_t> settled_;  // safe cells that may tell something
};

}  // namespace sapper
