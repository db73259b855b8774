// Computes weights: components by sweeps, free cells by binomials.
#include "counting/layout_counter.hpp"

#include <algorithm>
#include <cmath>

#include "counting/logarithms.hpp"

namespace sapper {
namespace {

template <class Value>
Certainty certain(Value mine, Value none) {
    return mine == 0 ? Certainty::safe : none == 0 ? Certainty::mine : Certainty::none;
}

}  // namespace

bool LayoutCounter::load(const Position& position, Budget& budget) {
    if (!grid_.load_and_settle(position, budget)) {
        return false;
    }
    find_frontier();
    return true;
}

void LayoutCounter::find_frontier() {
    grid_.mark_frontier();
    frontier_.build(grid_);
    free_ = std::int64_t{grid_.unknown_count()} - static_cast<std::int64_t>(frontier_.cells().size());
}

bool LayoutCounter::compute_total(Budget& budget, std::span<const std::uint8_t> halved_boxes) {
    total_ = 0;
    halved_boxes_ = halved_boxes;
    const auto [least, most] = structure_.mines();
    if (grid_.mines_left() < least || grid_.mines_left() > most + free_) {
        return false;
    }
    const double unknown = grid_.unknown_count();
    density_ = unknown == 0 ? 0.5 : static_cast<double>(grid_.mines_left()) / unknown;
    for (int tries = is_large() ? 60 : 1; tries > 0; --tries) {
        const Weights kind{density_, !is_large(), halved_boxes_};
        weights_.forward(structure_, kind, budget);
        weights_.combine(structure_, kind, budget);
        if (tries > 1) {
            const double better = better_density();
            if (better == density_) {
                break;
            }
            density_ = better;
        }
    }
    compute_outside_weights();
    return is_large() || total_ > 0;
}

// Every density gives all layouts the same weight. But values at the ends of long series are dropped, so the density
// must be such that the expected number of mines is close to the true one. This is one step of Newton's method towards
// that density, in the log-odds. Returns the density unchanged if it is close enough.
double LayoutCounter::better_density() const {
    const auto combined = weights_.combined();
    double total = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < combined.size(); ++i) {
        const double mines = static_cast<double>(i);
        total += combined[i];
        mean += combined[i] * mines;
        square += combined[i] * mines * mines;
    }
    if (total == 0) {
        return density_;
    }
    mean /= total;
    const double free = static_cast<double>(free_);
    const double variance = square / total - mean * mean + free * density_ * (1 - density_);
    const double missing = static_cast<double>(grid_.mines_left() - weights_.low()) - mean - free * density_;
    const bool is_close = std::abs(missing) < 0.5 + std::sqrt(std::max(variance, 0.0));
    if (is_close || !(variance > 1e-9) || density_ <= 0 || density_ >= 1) {
        return density_;
    }
    return with_scaled_odds(density_, missing / variance);
}

// Computes the weight of the layouts of the free cells for each number of mines in the components: a binomial
// coefficient times the weight of each layout. Neighbouring coefficients differ by a simple factor, and only ratios
// matter, so the one nearest the expected number of mines is set to 1 and the others follow from it.
void LayoutCounter::compute_outside_weights() {
    const auto combined = weights_.combined();
    const std::int64_t low = weights_.low(), mines_left = grid_.mines_left();
    const std::int64_t high = low + static_cast<std::int64_t>(combined.size()) - 1;
    outside_.assign(combined.size(), 0);
    total_ = outside_mine_ = outside_safe_ = 0;
    // The components must hold between `least` and `most` mines, so that the rest fits on the free cells.
    const std::int64_t least = std::max(low, mines_left - free_), most = std::min(high, mines_left);
    if (least > most) {
        return;
    }
    const double odds = density_ > 0 && density_ < 1 ? density_ / (1 - density_) : 1;
    const double expected = static_cast<double>(free_) * density_;
    reference_mines_ = std::clamp(mines_left - static_cast<std::int64_t>(std::llround(expected)), least, most);
    const auto at = [&](std::int64_t mines) -> double& { return outside_[static_cast<std::size_t>(mines - low)]; };
    at(reference_mines_) = 1;
    for (std::int64_t mines = reference_mines_; mines < most; ++mines) {
        at(mines + 1) = at(mines) * static_cast<double>(mines_left - mines) /
                        (static_cast<double>(free_ - mines_left + mines + 1) * odds);
    }
    for (std::int64_t mines = reference_mines_; mines > least; --mines) {
        at(mines - 1) = at(mines) * static_cast<double>(free_ - mines_left + mines) * odds /
                        static_cast<double>(mines_left - mines + 1);
    }
    for (std::int64_t mines = least; mines <= most; ++mines) {
        const double weight = at(mines) * combined[static_cast<std::size_t>(mines - low)];
        total_ += weight;
        outside_mine_ += weight * static_cast<double>(mines_left - mines);
        outside_safe_ += weight * static_cast<double>(free_ - mines_left + mines);
    }
}

// Converts the total weight back to a number of layouts.
double LayoutCounter::log_layouts() const {
    if (density_ <= 0 || density_ >= 1) {
        return 0;  // Every unknown cell is safe, or every one is a mine: there is one layout.
    }
    const double cells = static_cast<double>(frontier_.cells().size());
    return std::log(total_) + weights_.log_scale() + log_choose(free_, grid_.mines_left() - reference_mines_) -
           cells * std::log1p(-density_) - static_cast<double>(reference_mines_) * std::log(density_ / (1 - density_));
}

void LayoutCounter::compute_box_weights(Budget& budget) {
    with_mine_.resize(frontier_.boxes().size());
    with_safe_.resize(frontier_.boxes().size());
    const Weights kind{density_, !is_large(), halved_boxes_};
    weights_.set_outside(structure_, kind, outside_, budget);
    weights_.backward(structure_, kind, with_mine_, with_safe_, budget);
}

bool LayoutCounter::find_certain(Budget& budget) {
    may_be_mine_.resize(frontier_.boxes().size());
    may_be_safe_.resize(frontier_.boxes().size());
    if (is_large()) {
        return find_certain_by_mine_count(budget);
    }
    free_certain_ = certain(outside_mine_, outside_safe_);
    for (std::size_t box = 0; box < frontier_.boxes().size(); ++box) {
        may_be_mine_[box] = with_mine_[box] > 0;
        may_be_safe_[box] = with_safe_[box] > 0;
    }
    return total_ > 0;
}

// On large boards a weight may underflow to zero although a layout exists. There, the sweeps carry possibilities
// instead: whether a cell can be a mine, and whether it can be safe. Nothing can underflow.
bool LayoutCounter::find_certain_by_mine_count(Budget& budget) {
    const Possibilities kind;
    possibilities_.forward(structure_, kind, budget);
    const auto [least, most] = structure_.mines();
    const std::int64_t mines_left = grid_.mines_left();
    if (most <= mines_left && mines_left - least <= free_) {
        possibilities_.set_unrestricted_outside(structure_);  // The free cells can take any difference.
        free_certain_ = certain(mines_left > least, mines_left - most < free_);
    } else {
        possibilities_.combine(structure_, kind, budget);
        outside_possible_.assign(possibilities_.combined().size(), 0);
        bool may_be = false, may_mine = false, may_safe = false;
        for (std::size_t i = 0; i < outside_possible_.size(); ++i) {
            const std::int64_t rest = mines_left - possibilities_.low() - static_cast<std::int64_t>(i);
            outside_possible_[i] = rest >= 0 && rest <= free_;
            if (outside_possible_[i] && possibilities_.combined()[i]) {
                may_be = true;
                may_mine = may_mine || rest > 0;
                may_safe = may_safe || rest < free_;
            }
        }
        if (!may_be) {
            return false;
        }
        free_certain_ = certain(may_mine, may_safe);
        possibilities_.set_outside(structure_, kind, outside_possible_, budget);
    }
    possibilities_.backward(structure_, kind, may_be_mine_, may_be_safe_, budget);
    return true;
}

Certainty LayoutCounter::certain_of_box(std::size_t box) const { return certain(may_be_mine_[box], may_be_safe_[box]); }

void LayoutCounter::release_memory() {
    structure_ = {};
    weights_.release_memory();
    possibilities_.release_memory();
}

}  // namespace sapper
