// Outlook: a quick assessment of a position that a move may lead to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "counting/layout_counter.hpp"

namespace sapper {

struct Outlook {
    bool possible = false;
    // The logarithm of the layouts' total weight. Layouts with exactly one mine in a toss-up count half: one of its two
    // cells has to be guessed sooner or later, and guessing now costs nothing extra.
    double log_layouts = 0;
    // The four least risks of the informative hidden cells, those next to an unknown cell. If there are fewer, the last
    // one is repeated; if there are none, the least risk of all frontier cells is used.
    std::array<double, 4> risks{1, 1, 1, 1};
};

class OutlookCounter {
public:
    // With more than `exact_cells` unknown cells, very small risks may be rounded to 0. If `risks` is given, it
    // receives the risk of every hidden cell.
    Outlook assess(const Position& position, Budget& budget, std::vector<double>* risks = nullptr);

private:
    bool is_informative(std::uint32_t place) const;
    std::array<double, 4> least_risks(double free_risk) const;

    LayoutCounter counter_;
    Vector<std::uint8_t> toss_ups_;
    std::vector<std::uint32_t> informative_safe_;  // informative cells that are settled as safe
};

}  // namespace sapper
