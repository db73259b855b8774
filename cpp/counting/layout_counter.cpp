// From a position to weights: the components by sweeps, the free cells by binomials.
#include "counting/layout_counter.hpp"

#include <algorithm>
#include <cmath>

#include "counting/logarithms.hpp"

namespace sapper {
namespace {

template <class Value>
Certain certain(Value mine, Value none) {
    return mine == 0 ? Certain::safe : none == 0 ? Certain::mine : Certain::no;
}

}  // namespace

bool LayoutCounter::load(const Position& position, Budget& budget) {
    if (!grid_.load_settled(position, budget)) {
        return false;
    }
    find_frontier();
    return true;
}

void LayoutCounter::find_frontier() {
    grid_.mark();
    frontier_.build(grid_);
    free_ = std::int64_t{grid_.unknown_count()} - static_cast<std::int64_t>(frontier_.cells().size());
}

bool LayoutCounter::weigh(Budget& budget, std::span<const std::uint8_t> half_boxes) {
    total_ = 0;
    half_boxes_ = half_boxes;
    const auto [least, most] = structure_.mines();
    if (grid_.mines_left() < least || grid_.mines_left() > most + free_) {
        return false;
    }
    const double unknown = grid_.unknown_count();
    density_ = unknown == 0 ? 0.5 : static_cast<double>(grid_.mines_left()) / unknown;
    for (int tries = is_large() ? 60 : 1; tries > 0; --tries) {
        const Chances kind{density_, !is_large(), half_boxes_};
        chances_.forward(structure_, kind, budget);
        chances_.join(structure_, kind, budget);
        if (tries > 1) {
            const double better = better_density();
            if (better == density_) {
                break;
            }
            density_ = better;
        }
    }
    weigh_outside();
    return is_large() || total_ > 0;
}

// Any density gives all layouts the same weight. But only with the right one do the components, left to themselves,
// hold about as many mines as there must be, so that nothing is lost at the ends of series: one step of Newton's
// method towards it, in the logarithm of the odds, unless it is close enough.
double LayoutCounter::better_density() const {
    const auto together = chances_.together();
    double total = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < together.size(); ++i) {
        const double mines = static_cast<double>(i);
        total += together[i];
        mean += together[i] * mines;
        square += together[i] * mines * mines;
    }
    if (total == 0) {
        return density_;
    }
    mean /= total;
    const double free = static_cast<double>(free_);
    const double variance = square / total - mean * mean + free * density_ * (1 - density_);
    const double missing = static_cast<double>(grid_.mines_left() - chances_.low()) - mean - free * density_;
    const bool is_close = std::abs(missing) < 0.5 + std::sqrt(std::max(variance, 0.0));
    if (is_close || !(variance > 1e-9) || density_ <= 0 || density_ >= 1) {
        return density_;
    }
    return with_odds_changed(density_, missing / variance);
}

// Weighs the ways to lay the free cells, for each number of mines that the components use together: the number of
// layouts is a binomial coefficient, and each weighs what its mines and other cells weigh.
void LayoutCounter::weigh_outside() {
    const auto together = chances_.together();
    const std::int64_t low = chances_.low(), mines_left = grid_.mines_left();
    const std::int64_t high = low + static_cast<std::int64_t>(together.size()) - 1;
    outside_.assign(together.size(), 0);
    total_ = outside_mine_ = outside_none_ = 0;
    // The components must hold at least and at most this many mines, so that the free cells can hold the rest.
    const std::int64_t least = std::max(low, mines_left - free_), most = std::min(high, mines_left);
    if (least > most) {
        return;
    }
    const double odds = density_ > 0 && density_ < 1 ? density_ / (1 - density_) : 1;
    const double expected = static_cast<double>(free_) * density_;
    middle_ = std::clamp(mines_left - static_cast<std::int64_t>(std::llround(expected)), least, most);
    const auto at = [&](std::int64_t mines) -> double& {
        return outside_[static_cast<std::size_t>(mines - low)];
    };
    at(middle_) = 1;
    for (std::int64_t mines = middle_; mines < most; ++mines) {
        at(mines + 1) = at(mines) * static_cast<double>(mines_left - mines) /
                        (static_cast<double>(free_ - mines_left + mines + 1) * odds);
    }
    for (std::int64_t mines = middle_; mines > least; --mines) {
        at(mines - 1) = at(mines) * static_cast<double>(free_ - mines_left + mines) * odds /
                        static_cast<double>(mines_left - mines + 1);
    }
    for (std::int64_t mines = least; mines <= most; ++mines) {
        const double weight = at(mines) * together[static_cast<std::size_t>(mines - low)];
        total_ += weight;
        outside_mine_ += weight * static_cast<double>(mines_left - mines);
        outside_none_ += weight * static_cast<double>(free_ - mines_left + mines);
    }
}

// Undoes what turns numbers of layouts into weights.
double LayoutCounter::log_layouts() const {
    if (density_ <= 0 || density_ >= 1) {
        return 0;  // No mines are left, or nothing else: there is one layout.
    }
    const double cells = static_cast<double>(frontier_.cells().size());
    return std::log(total_) + chances_.log_scale() + log_choose(free_, grid_.mines_left() - middle_) -
           cells * std::log1p(-density_) - static_cast<double>(middle_) * std::log(density_ / (1 - density_));
}

void LayoutCounter::weigh_boxes(Budget& budget) {
    with_mine_.resize(frontier_.boxes().size());
    with_none_.resize(frontier_.boxes().size());
    const Chances kind{density_, !is_large(), half_boxes_};
    chances_.split(structure_, kind, outside_, budget);
    chances_.backward(structure_, kind, with_mine_, with_none_, budget);
}

bool LayoutCounter::find_certain(Budget& budget) {
    may_be_mine_.resize(frontier_.boxes().size());
    may_be_none_.resize(frontier_.boxes().size());
    if (is_large()) {
        return find_certain_by_mine_count(budget);
    }
    free_certain_ = certain(outside_mine_, outside_none_);
    for (std::size_t box = 0; box < frontier_.boxes().size(); ++box) {
        may_be_mine_[box] = with_mine_[box] > 0;
        may_be_none_[box] = with_none_[box] > 0;
    }
    return total_ > 0;
}

// On large boards weights may be too small to tell from nothing. There, possibilities are followed instead of
// weights: whether a cell can be a mine, and whether it can be safe. Nothing gets lost.
bool LayoutCounter::find_certain_by_mine_count(Budget& budget) {
    const Possibilities kind;
    possibilities_.forward(structure_, kind, budget);
    const auto [least, most] = structure_.mines();
    const std::int64_t mines_left = grid_.mines_left();
    if (most <= mines_left && mines_left - least <= free_) {
        possibilities_.split_freely(structure_);  // The free cells can take up any difference.
        free_certain_ = certain(mines_left > least, mines_left - most < free_);
    } else {
        possibilities_.join(structure_, kind, budget);
        may_outside_.assign(possibilities_.together().size(), 0);
        bool may_be = false, may_mine = false, may_none = false;
        for (std::size_t i = 0; i < may_outside_.size(); ++i) {
            const std::int64_t rest = mines_left - possibilities_.low() - static_cast<std::int64_t>(i);
            may_outside_[i] = rest >= 0 && rest <= free_;
            if (may_outside_[i] && possibilities_.together()[i]) {
                may_be = true;
                may_mine = may_mine || rest > 0;
                may_none = may_none || rest < free_;
            }
        }
        if (!may_be) {
            return false;
        }
        free_certain_ = certain(may_mine, may_none);
        possibilities_.split(structure_, kind, may_outside_, budget);
    }
    possibilities_.backward(structure_, kind, may_be_mine_, may_be_none_, budget);
    return true;
}

Certain LayoutCounter::certain_of_box(std::size_t box) const {
    return certain(may_be_mine_[box], may_be_none_[box]);
}

void LayoutCounter::release_memory() {
    structure_ = {};
    chances_.release_memory();
    possibilities_.release_memory();
}

}  // namespace sapper
