// What a position that may come next is like: how much its layouts are worth, and the least risks in it.
#include <algorithm>
#include <cmath>

#include "analysis.hpp"

namespace sapper {

Outlook Analyser::look(const Position& position, Budget& budget, std::vector<double>* risks) {
    Outlook outlook;
    if (!grid_.load(position) || !lay_out(budget, true)) {
        return outlook;
    }
    const Outside outside = weigh_outside();
    if (outside.total == 0) {
        return outlook;
    }
    outlook.possible = true;
    outlook.log_layouts = log_layouts(outside);
    settled_.clear();
    grid_.find_safe(settled_);
    std::erase_if(settled_, [&](std::uint32_t cell) { return !may_tell(grid_.place_at(cell)); });
    if (settled_.size() >= outlook.risks.size()) {
        outlook.risks.fill(0);
        return outlook;
    }
    with_mine_.resize(frontier_.boxes().size());
    with_none_.resize(frontier_.boxes().size());
    const Chances kind{density_, !is_large(), toss_ups_};
    chances_.split(structure_, kind, outside_, budget);
    chances_.backward(structure_, kind, with_mine_, with_none_, budget);
    const double free_risk = free_ > 0 ? outside.mine / (outside.mine + outside.none) : 1;
    outlook.risks = least_risks(free_risk);
    if (risks) {
        risks->assign(position.codes.size(), 1);
        for (std::uint32_t place = grid_.begin(); place < grid_.end(); ++place) {
            if (grid_.unknown()[place]) (*risks)[grid_.cell_at(place)] = free_risk;
        }
        for (const FrontierCell& each : frontier_.cells()) {
            const double mine = with_mine_[each.box], none = with_none_[each.box];
            (*risks)[grid_.cell_at(each.place)] = mine / (mine + none);
        }
    }
    return outlook;
}

std::array<double, 4> Analyser::least_risks(double free_risk) const {
    std::array<double, 4> risks{1, 1, 1, 1};
    const auto add = [&](double risk) {
        for (double& each : risks) {
            if (risk < each) std::swap(risk, each);
        }
    };
    for (std::size_t i = 0; i < settled_.size(); ++i) add(0);
    for (std::int64_t i = 0; i < std::min<std::int64_t>(free_, std::ssize(risks)); ++i) add(free_risk);
    double least = 1;
    for (const FrontierCell& each : frontier_.cells()) {
        const double mine = with_mine_[each.box], none = with_none_[each.box], risk = mine / (mine + none);
        least = std::min(least, risk);
        if (risk < risks.back() && may_tell(each.place)) add(risk);
    }
    if (risks[0] == 1) risks[0] = least;
    for (std::size_t i = 1; i < risks.size(); ++i) {
        if (risks[i] == 1) risks[i] = risks[i - 1];
    }
    return risks;
}

// Whether there is an unknown cell beside a place.
bool Analyser::may_tell(std::uint32_t place) const {
    return grid_.room()[place] > grid_.unknown()[place];
}

bool Analyser::has_toss_ups() {
    find_toss_ups();
    return std::find(toss_ups_.begin(), toss_ups_.end(), 1) != toss_ups_.end();
}

// A box of two cells is a toss-up if every other unknown cell touches both of them or none: then no number
// that may come will tell them apart.
void Analyser::find_toss_ups() {
    const std::uint8_t* unknown = grid_.unknown();
    const auto stride = static_cast<std::int64_t>(grid_.stride());
    std::vector<std::uint32_t> first(frontier_.boxes().size(), 0);
    toss_ups_.assign(frontier_.boxes().size(), 0);
    const auto touch = [&](std::int64_t a, std::int64_t b) {
        const std::int64_t away = std::abs(a - b);
        return away <= 1 || (away >= stride - 1 && away <= stride + 1);
    };
    const auto covers = [&](std::int64_t a, std::int64_t b) {
        for (const std::int64_t row : {a - stride, a, a + stride}) {
            for (std::int64_t at = row - 1; at <= row + 1; ++at) {
                if (at != a && at != b && unknown[at] && !touch(at, b)) return false;
            }
        }
        return true;
    };
    for (const FrontierCell& each : frontier_.cells()) {
        if (frontier_.boxes()[each.box].size != 2) {
            continue;
        }
        if (first[each.box] == 0) {
            first[each.box] = each.place;
        } else {
            toss_ups_[each.box] = covers(first[each.box], each.place) && covers(each.place, first[each.box]);
        }
    }
}

}  // namespace sapper
