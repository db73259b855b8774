// Games on drawn layouts.
#include "trials.hpp"

#include <algorithm>
#include <cmath>

#include "board.hpp"

namespace sapper {
namespace {

std::uint64_t code_of(std::uint32_t cell, std::uint8_t number) {
    return mixed((std::uint64_t{cell} << 8 | number) + 1);
}

// What is expected where there are no trials yet, and how many it counts for.
constexpr double usual_chance = 0.6;
constexpr double usual_weight = 2;

}  // namespace

void Trials::load(const Position& position, const Analyser& analyser, std::uint64_t seed) {
    const Grid& grid = analyser.grid();
    position_ = position;
    codes_.assign(position.codes.begin(), position.codes.end());
    grid_ = &grid;
    mines_.assign(grid.mine(), grid.mine() + grid.size());
    for (std::uint8_t& mine : mines_) mine = mine != 0;
    sampler_.load(analyser);
    plans_.clear();
    sum_ = count_ = 0;
    seed = mixed(seed) ^ position.mines;
    std::uint32_t hidden = 0;
    for (std::uint32_t cell = 0; cell < codes_.size(); ++cell) {
        if (codes_[cell] < hidden_code) {
            seed ^= code_of(cell, codes_[cell]);
        } else {
            codes_[cell] = hidden_code;
            ++hidden;
        }
    }
    safe_ = hidden - position.mines;
    random_ = Random{seed};
}

void Trials::draw_layout() { sampler_.draw(random_, mines_); }

// A trial that ends at a guess says nothing but that there was bad luck. How likely that was is known, so it is
// taken out: those that survive a guess pay for the risk what is to be lost, and those that do not are paid.
// That changes nothing on the average, and much in how far trials are apart.
Trial Trials::play(std::span<const std::uint32_t> cells, Budget& budget) {
    left_ = safe_;
    hash_ = 0;
    opened_.clear();
    passed_.clear();
    double chance = 1;
    for (const std::uint32_t cell : cells) {
        if (!open(cell)) {
            chance = 0;
            break;
        }
    }
    const std::uint8_t number = chance > 0 ? codes_[cells.front()] : no_number;
    while (chance > 0 && left_ > 0) {
        Plan& next = plan(budget);
        if (next.is_solved) {
            chance = next.win_chance;
            break;
        }
        for (const std::uint32_t each : next.cells) {
            if (!open(each)) {
                chance = 0;
                break;
            }
        }
        if (next.risk > 0) {
            const double at_stake = expected(next);
            if (chance == 0) {
                chance = at_stake * (1 - next.risk);
                break;
            }
            passed_.push_back({&next, -at_stake * next.risk});
        }
    }
    while (!passed_.empty()) {
        const auto [plan, change] = passed_.back();
        passed_.pop_back();
        plan->sum += chance;
        plan->count += 1;
        sum_ += chance;
        count_ += 1;
        chance += change;
    }
    for (const std::uint32_t each : opened_) codes_[each] = hidden_code;
    return {chance, number};
}

// The chance to win after a guess is survived, as far as trials have shown.
double Trials::expected(const Plan& plan) const {
    const double usual = (sum_ + usual_chance) / (count_ + 1);
    return (plan.sum + usual_weight * usual) / (plan.count + usual_weight);
}

Trials::Plan& Trials::plan(Budget& budget) {
    const auto [at, is_new] = plans_.try_emplace(hash_);
    Plan& plan = at->second;
    if (is_new) {
        Position position = position_;
        position.codes = codes_;
        const Decision& decision = player_->decide(position, budget);
        plan.is_solved = !std::isnan(decision.win_chance);
        plan.win_chance = decision.win_chance;
        plan.risk = decision.safe.empty() ? decision.risk : 0;
        plan.cells = decision.safe.empty() ? std::vector{decision.cell} : decision.safe;
        plan.sum = plan.count = 0;
    }
    return plan;
}

bool Trials::open(std::uint32_t first) {
    waiting_.assign(1, first);
    while (!waiting_.empty()) {
        const std::uint32_t cell = waiting_.back();
        waiting_.pop_back();
        if (codes_[cell] != hidden_code) {
            continue;
        }
        const std::uint32_t place = grid_->place_at(cell), stride = grid_->stride();
        if (mines_[place]) {
            return false;
        }
        std::uint8_t number = 0;
        for (const std::uint32_t line : {place - stride, place, place + stride}) {
            number = static_cast<std::uint8_t>(number + mines_[line - 1] + mines_[line] + mines_[line + 1]);
        }
        codes_[cell] = number;
        hash_ ^= code_of(cell, number);
        opened_.push_back(cell);
        --left_;
        if (number == 0) {
            visit_around(cell, position_.height, position_.width,
                         [&](std::uint32_t near) { waiting_.push_back(near); });
        }
    }
    return true;
}

}  // namespace sapper
