// Games on drawn layouts.
#include "players/playouts.hpp"

#include <cmath>

namespace sapper {
namespace {

// What is expected where there are no playouts yet, and how many it counts for.
constexpr double usual_chance = 0.6;
constexpr double usual_weight = 2;
// How long a decision takes, one of the careful player, and to begin a playout, if to open a cell takes one.
constexpr std::uint64_t decision_work = 200;
constexpr std::uint64_t careful_work = 2600;
constexpr std::uint64_t playout_work = 15;
// At the visit of so many the careful player is asked.
constexpr std::uint32_t often = 7;
// Units of the budget's work that opening a cell takes.
constexpr std::uint64_t budget_work = 8;

}  // namespace

void Playouts::load(const Position& position, const LayoutCounter& counter, std::uint64_t seed) {
    const Grid& grid = counter.grid();
    position_ = position;
    opener_.load(position, grid);
    mines_.assign(grid.mine(), grid.mine() + grid.size());
    for (std::uint8_t& mine : mines_) mine = mine != 0;
    sampler_.load(counter);
    plans_.clear();
    sum_ = count_ = 0;
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
    opener_.lay(mines_);
}

// A playout that ends at a guess says nothing but that there was bad luck. How likely that was is known, so it is
// taken out: those that survive a guess pay for the risk what is to be lost, and those that do not are paid.
// That changes nothing on the average, and much in how far playouts are apart.
Playout Playouts::play(std::span<const std::uint32_t> cells, Budget& budget) {
    opener_.begin();
    passed_.clear();
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
    const std::uint64_t work = playout_work + opener_.opened();
    work_ += work;
    budget.add_work(budget_work * work);
    return {chance, number};
}

// The chance to win after a guess is survived, as far as playouts have shown.
double Playouts::expected(const Plan& plan) const {
    const double usual = (sum_ + usual_chance) / (count_ + 1);
    return (plan.sum + usual_weight * usual) / (plan.count + usual_weight);
}

Playouts::Plan& Playouts::plan(Budget& budget) {
    const auto [at, is_new] = plans_.try_emplace(opener_.hash());
    Plan& plan = at->second;
    if (is_new) {
        ask(*player_, plan, budget);
        work_ += decision_work;
    }
    if (++plan.visits == often && careful_ && plan.risk > 0) {
        ask(*careful_, plan, budget);
        work_ += careful_work;
    }
    return plan;
}

void Playouts::ask(Player& player, Plan& plan, Budget& budget) {
    Position position = position_;
    position.codes = opener_.codes();
    const Decision& decision = player.decide(position, budget);
    plan.is_solved = !std::isnan(decision.win_chance);
    plan.win_chance = decision.win_chance;
    plan.risk = decision.safe.empty() && !plan.is_solved ? decision.risk : 0;
    plan.cells = decision.safe.empty() ? std::vector{decision.cell.value()} : decision.safe;
}

}  // namespace sapper
