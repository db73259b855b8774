// Plays games to the end on sampled layouts.
#include "players/playouts.hpp"

#include <cmath>

namespace sapper {
namespace {

// A prior for the winning probability after a guess, and the number of playouts that it counts for.
constexpr double prior_chance = 0.6;
constexpr double prior_weight = 2;
// The cost of a decision, of one by the careful policy, and of starting a playout, relative to opening one cell.
constexpr std::uint64_t decision_cost = 200;
constexpr std::uint64_t careful_cost = 2600;
constexpr std::uint64_t playout_cost = 15;
// Number of visits after which the careful policy is consulted.
constexpr std::uint32_t careful_after = 7;
// Work units of the budget for opening one cell.
constexpr std::uint64_t budget_units_per_cell = 8;

}  // namespace

void Playouts::load(const Position& position, const LayoutCounter& counter, std::uint64_t seed) {
    const Grid& grid = counter.grid();
    position_ = position;
    opener_.load(position, grid);
    mines_.assign(grid.mine(), grid.mine() + grid.size());
    for (std::uint8_t& mine : mines_) mine = mine != 0;
    sampler_.load(counter);
    plans_.clear();
    total_ = total_count_ = 0;
    work_ = 0;
    seed = mixed(seed) ^ position.mines;
    const auto codes = opener_.codes();
    for (std::uint32_t cell = 0; cell < codes.size(); ++cell) {
        if (codes[cell] < hidden_code) seed ^= Opener::hash_of(cell, codes[cell]);
    }
    random_ = Random{seed};
}

void Playouts::draw_layout() {
    sampler_.draw(random_, mines_);
    opener_.set_layout(mines_);
}

// A control variate removes the luck of guesses. A playout that ends at a guess mostly shows that the guess was
// unlucky, and the probability of that is known. So surviving a guess with risk r reduces the result by r times the
// expected value after the guess, and losing it adds 1 - r times that value. The expected change is zero, and the
// variance is much smaller.
Playout Playouts::play(std::span<const std::uint32_t> cells, Budget& budget) {
    opener_.restart();
    survived_guesses_.clear();
    double chance = 1;
    for (const std::uint32_t cell : cells) {
        if (!opener_.open(cell)) {
            chance = 0;
            break;
        }
    }
    const std::uint8_t number = chance > 0 ? opener_.codes()[cells.front()] : no_number;
    while (chance > 0 && opener_.left() > 0) {
        Plan& next = plan(budget);
        if (next.is_solved) {
            chance = next.win_chance;
            break;
        }
        for (const std::uint32_t each : next.cells) {
            if (!opener_.open(each)) {
                chance = 0;
                break;
            }
        }
        if (next.risk > 0) {
            const double at_stake = expected_value(next);
            if (chance == 0) {
                chance = at_stake * (1 - next.risk);
                break;
            }
            survived_guesses_.push_back({&next, -at_stake * next.risk});
        }
    }
    while (!survived_guesses_.empty()) {
        const auto [plan, control_variate] = survived_guesses_.back();
        survived_guesses_.pop_back();
        plan->sum += chance;
        plan->count += 1;
        total_ += chance;
        total_count_ += 1;
        chance += control_variate;
    }
    const std::uint64_t work = playout_cost + opener_.opened();
    work_ += work;
    budget.add_work(budget_units_per_cell * work);
    return {chance, number};
}

// The winning probability after surviving a guess, estimated from earlier playouts.
double Playouts::expected_value(const Plan& plan) const {
    const double overall = (total_ + prior_chance) / (total_count_ + 1);
    return (plan.sum + prior_weight * overall) / (plan.count + prior_weight);
}

Playouts::Plan& Playouts::plan(Budget& budget) {
    const auto [at, is_new] = plans_.try_emplace(opener_.hash());
    Plan& plan = at->second;
    if (is_new) {
        consult(*player_, plan, budget);
        work_ += decision_cost;
    }
    if (++plan.visits == careful_after && careful_ && plan.risk > 0) {
        consult(*careful_, plan, budget);
        work_ += careful_cost;
    }
    return plan;
}

void Playouts::consult(Player& player, Plan& plan, Budget& budget) {
    Position position = position_;
    position.codes = opener_.codes();
    const Decision& decision = player.decide(position, budget);
    plan.is_solved = !std::isnan(decision.win_chance);
    plan.win_chance = decision.win_chance;
    plan.risk = decision.safe.empty() && !plan.is_solved ? decision.risk : 0;
    plan.cells = decision.safe.empty() ? std::vector{decision.cell.value()} : decision.safe;
}

}  // namespace sapper
