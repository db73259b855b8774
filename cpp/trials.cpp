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

}  // namespace

void Trials::load(const Position& position, const Analyser& analyser) {
    const Grid& grid = analyser.grid();
    position_ = position;
    codes_.assign(position.codes.begin(), position.codes.end());
    grid_ = &grid;
    mines_.assign(grid.mine(), grid.mine() + grid.size());
    for (std::uint8_t& mine : mines_) mine = mine != 0;
    sampler_.load(analyser);
    plans_.clear();
    // The same position is always tried on the same layouts.
    std::uint64_t seed = position.mines;
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

double Trials::play(std::uint32_t cell, Budget& budget) {
    left_ = safe_;
    hash_ = 0;
    opened_.clear();
    double chance = open(cell) ? 1 : 0;
    while (chance > 0 && left_ > 0) {
        const Plan& next = plan(budget);
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
    }
    for (const std::uint32_t each : opened_) codes_[each] = hidden_code;
    return chance;
}

const Trials::Plan& Trials::plan(Budget& budget) {
    const auto [at, is_new] = plans_.try_emplace(hash_);
    Plan& plan = at->second;
    if (is_new) {
        Position position = position_;
        position.codes = codes_;
        const Decision& decision = player_->decide(position, budget);
        plan.is_solved = !std::isnan(decision.win_chance);
        plan.win_chance = decision.win_chance;
        plan.cells = decision.safe.empty() ? std::vector{decision.cell} : decision.safe;
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
