// What the strong player does where no cell is safe.
#include "players/strong.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sapper {
namespace {

constexpr std::uint32_t playouts_at_once = 16;
constexpr double clearly_worse = 0.06;  // of promises
// On larger boards an analysis takes longer, so fewer candidates are looked at.
constexpr std::uint32_t ordinary_cells = 2500;
// How much the least risks after a move count, and going on without any.
constexpr std::array<double, 4> next_weights{0.4, 0.3, 0.2, 0.1};
constexpr double progress = 0.02;
// What a mine in a square that will never be told counts for less: it would have been risked anyway.
constexpr double square_share = 0.9;

}  // namespace

Effort Effort::fast() { return {.layouts = 300, .states = 1000, .candidates = 10, .window = 0.06}; }

Effort Effort::high() { return {.layouts = 2500, .candidates = 60, .window = 0.5, .playout_unknown = 445}; }

Effort Effort::quick() {
    return {.layouts = 60, .states = 1000, .candidates = 1, .window = 0, .estimates = false, .squares = false};
}

Effort Effort::careful() {
    Effort effort = quick();
    effort.candidates = 12;
    effort.window = 0.1;
    effort.squares = true;
    return effort;
}

StrongPlayer::StrongPlayer(const Effort& effort) : effort_{effort}, contest_{effort.enough} {
    if (effort.playout_unknown > 0) {
        playouts_ = std::make_unique<Playouts>(std::make_unique<StrongPlayer>(Effort::quick()),
                                           std::make_unique<StrongPlayer>(Effort::careful()));
    }
}

const Decision& StrongPlayer::decide(const Position& position, Budget& budget) {
    decision_.safe.clear();
    decision_.win_chance = std::numeric_limits<double>::quiet_NaN();
    decision_.cell.reset();
    const Findings* findings =
        analyser_.find_safe(position, decision_.safe, budget, effort_.estimates ? &budget : nullptr);
    decision_.possible = !decision_.safe.empty() || (findings && findings->possible);
    decision_.exact = !findings || findings->exact;
    if (decision_.possible && decision_.safe.empty() && !solve(position, budget)) {
        guess(position, budget);
    }
    return decision_;
}

bool StrongPlayer::solve(const Position& position, Budget& budget) {
    const Findings& findings = analyser_.findings();
    const double slightly_more = std::log(effort_.layouts) + 1e-6;
    if (!findings.exact || findings.log_layouts > slightly_more) {
        return false;
    }
    try {
        Budget share = budget.with_states(effort_.states);
        if (!layouts_.list(analyser_.counter(), effort_.layouts, share)) {
            return false;
        }
        endgame_.load(analyser_.grid(), position, layouts_, share);
        const Solution solution = endgame_.solve(share);
        if (!solution.cell) {
            return true;  // Every hidden cell is a mine.
        }
        decision_.cell = solution.cell;
        decision_.risk = findings.risk[*solution.cell];
        decision_.win_chance = static_cast<double>(solution.won) / static_cast<double>(layouts_.size());
        return true;
    } catch (const LimitReached&) {
        return false;
    }
}

void StrongPlayer::guess(const Position& position, Budget& budget) {
    find_candidates(position, budget);
    if (candidates_.empty()) {
        return;  // Every hidden cell is a mine.
    }
    choose(candidates_.front());
    const std::uint32_t unknown = analyser_.grid().unknown_count();
    if (!analyser_.findings().exact || candidates_.size() == 1) {
        return;
    }
    const bool are_tried = playouts_ && unknown <= effort_.playout_unknown &&
                           unknown + effort_.playout_known <= position.codes.size();
    codes_.assign(position.codes.begin(), position.codes.end());
    double best = -1;
    try {
        for (Candidate& each : candidates_) {
            each.promise = promise(position, each, are_tried ? best - clearly_worse : best, budget);
            if (each.promise > best) {
                best = each.promise;
                choose(each);
            }
        }
        if (are_tried) {
            try_out(position, budget);
        }
    } catch (const LimitReached&) {  // What is the best so far is chosen.
    }
}

// What the layouts and the risks count for, where some things will never be told, as far as the budget allows.
void StrongPlayer::weigh(const Position& position, Budget& budget) {
    const Findings& findings = analyser_.findings();
    risks_.assign(findings.risk.begin(), findings.risk.end());
    worth_ = findings.log_layouts;
    bonuses_.assign(risks_.size(), 0);
    if (!findings.exact) {
        return;
    }
    try {
        mark_toss_ups(analyser_.counter(), toss_ups_);
        if (std::find(toss_ups_.begin(), toss_ups_.end(), 1) != toss_ups_.end()) {
            worth_ = outlook_.look(position, budget, &risks_).log_layouts;
        }
        if (effort_.squares && risks_.size() <= ordinary_cells) {
            const auto& chances = squares_.find(position, analyser_, next_, budget);
            for (std::size_t cell = 0; cell < chances.size(); ++cell) {
                if (chances[cell] > 0) {
                    bonuses_[cell] = square_share * std::min({chances[cell], risks_[cell], 1 - risks_[cell]});
                }
            }
        }
    } catch (const LimitReached&) {  // What is not weighed counts as it is.
    }
}

// The safest first, of those the ones with the fewest unknown cells around: they are the most likely to
// open others.
void StrongPlayer::find_candidates(const Position& position, Budget& budget) {
    const Grid& grid = analyser_.grid();
    weigh(position, budget);
    const auto& risks = risks_;
    double least = 1;
    for (const double risk : risks) {
        if (risk < least) least = risk;  // It is not a number where the cell is open.
    }
    candidates_.clear();
    for (std::uint32_t cell = 0; cell < risks.size(); ++cell) {
        if (!(risks[cell] - bonuses_[cell] <= least + effort_.window && risks[cell] < 1)) {
            continue;
        }
        candidates_.push_back({cell, risks[cell], bonuses_[cell], grid.room()[grid.place_at(cell)], 0});
    }
    const auto cells = static_cast<std::uint32_t>(position.codes.size());
    const std::size_t most = std::max<std::size_t>(
        cells <= ordinary_cells ? effort_.candidates : effort_.candidates * ordinary_cells / cells, 1);
    const std::size_t kept = std::min(most, candidates_.size());
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates_.end(), [](const Candidate& a, const Candidate& b) {
                          return std::tuple{a.risk - a.bonus, a.unknown, a.cell} <
                                 std::tuple{b.risk - b.bonus, b.unknown, b.cell};
                      });
    candidates_.resize(kept);
}

// The chance to survive this move and those that are the safest after it, and a little for going on without a
// risk. If that is not more than some bound, something between the two.
double StrongPlayer::promise(const Position& position, const Candidate& candidate, double bound,
                             Budget& budget) {
    Position after = position;
    after.codes = codes_;
    const std::uint8_t before = codes_[candidate.cell];
    const double factor = 1 + candidate.bonus / (1 - candidate.risk);
    double sum = 0, left = 1 - candidate.risk, most = left * (1 + progress);
    for (std::uint8_t number = 0; number < 9 && left > 1e-9 && factor * most > bound; ++number) {
        codes_[candidate.cell] = number;
        const Outlook outlook = outlook_.look(after, budget);
        if (!outlook.possible) {
            continue;
        }
        const double chance = std::exp(outlook.log_layouts - worth_);
        const double risk = std::inner_product(outlook.risks.begin(), outlook.risks.end(), next_weights.begin(), 0.0);
        left -= chance;
        sum += chance * (1 - risk + (outlook.risks[0] == 0 ? progress : 0));
        most = sum + left * (1 + progress);
    }
    codes_[candidate.cell] = before;
    return factor * (factor * most > bound ? sum : most);
}

// Plays the most promising candidates, each on the same layouts, until one is known to be the best or it does
// not matter any more.
void StrongPlayer::try_out(const Position& position, Budget& budget) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
    candidates_.resize(std::min<std::size_t>(candidates_.size(), effort_.tried));
    entries_.clear();
    for (const Candidate& each : candidates_) {
        Entry entry{each.cell, each.promise, {}};
        const double risk = analyser_.findings().risk[each.cell];
        const auto shows = next_.number_probabilities(position, each.cell, budget);
        for (std::size_t number = 0; number < shows.size(); ++number) {
            entry.chances[number] = (1 - risk) * shows[number];
        }
        entry.chances[no_number] = risk;
        entries_.push_back(entry);
    }
    Budget share = budget.with_states(effort_.playout_states);
    playouts_->load(position, analyser_.counter());
    contest_.begin(entries_, analyser_.grid().unknown_count());
    const auto may_go_on = [&] { return playouts_->work() < effort_.playout_work; };
    while (contest_.size() > 1 && may_go_on()) {
        for (std::uint32_t played = 0; played < playouts_at_once && may_go_on(); ++played) {
            playouts_->draw_layout();
            results_.clear();
            for (std::size_t at = 0; at < contest_.size(); ++at) {
                results_.push_back(playouts_->play(contest_.cell(at), share));
            }
            contest_.record(results_);
        }
        contest_.give_up();
        decision_.cell = contest_.leader();
        decision_.risk = analyser_.findings().risk[contest_.leader()];
    }
}

void StrongPlayer::choose(const Candidate& candidate) {
    decision_.cell = candidate.cell;
    decision_.risk = analyser_.findings().risk[candidate.cell];
}

}  // namespace sapper
