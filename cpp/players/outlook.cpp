// Computes the weight of a position's layouts, and its least risks.
#include "players/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "players/toss_ups.hpp"

namespace sapper {

Outlook OutlookCounter::assess(const Position& position, Budget& budget, std::vector<double>* risks) {
    Outlook outlook;
    if (!counter_.load(position, budget)) {
        return outlook;
    }
    const Grid& grid = counter_.grid();
    if (grid.mines_left() < 0 || grid.mines_left() > grid.unknown_count() || !counter_.sweep(budget)) {
        return outlook;
    }
    mark_toss_ups(counter_, toss_ups_);
    if (!counter_.compute_total(budget, toss_ups_) || counter_.total() == 0) {
        return outlook;
    }
    outlook.possible = true;
    outlook.log_layouts = counter_.log_layouts();
    informative_safe_.clear();
    grid.find_safe(informative_safe_);
    std::erase_if(informative_safe_, [&](std::uint32_t cell) { return !is_informative(grid.place_at(cell)); });
    if (informative_safe_.size() >= outlook.risks.size()) {
        outlook.risks.fill(0);
        return outlook;
    }
    counter_.compute_box_weights(budget);
    const double free_risk = counter_.free_cells() > 0 ? counter_.free_risk() : 1;
    outlook.risks = least_risks(free_risk);
    if (risks) {
        risks->assign(position.codes.size(), 1);
        for (std::uint32_t place = grid.begin(); place < grid.end(); ++place) {
            if (grid.unknown()[place]) (*risks)[grid.cell_at(place)] = free_risk;
        }
        for (const FrontierCell& each : counter_.frontier().cells()) {
            (*risks)[grid.cell_at(each.place)] = counter_.risk_of_box(each.box);
        }
    }
    return outlook;
}

std::array<double, 4> OutlookCounter::least_risks(double free_risk) const {
    std::array<double, 4> risks{1, 1, 1, 1};
    const auto add = [&](double risk) {
        for (double& each : risks) {
            if (risk < each) std::swap(risk, each);
        }
    };
    for (std::size_t i = 0; i < informative_safe_.size(); ++i) add(0);
    const std::int64_t free = std::min<std::int64_t>(counter_.free_cells(), std::ssize(risks));
    for (std::int64_t i = 0; i < free; ++i) add(free_risk);
    double least = 1;
    for (const FrontierCell& each : counter_.frontier().cells()) {
        const double risk = counter_.risk_of_box(each.box);
        least = std::min(least, risk);
        if (risk < risks.back() && is_informative(each.place)) add(risk);
    }
    if (risks[0] == 1) risks[0] = least;
    for (std::size_t i = 1; i < risks.size(); ++i) {
        if (risks[i] == 1) risks[i] = risks[i - 1];
    }
    return risks;
}

// Whether opening a place can reveal anything: there is an unknown cell next to it.
bool OutlookCounter::is_informative(std::uint32_t place) const {
    return counter_.grid().room()[place] > counter_.grid().unknown()[place];
}

}  // namespace sapper
