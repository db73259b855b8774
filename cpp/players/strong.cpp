// The strong player: solves endgames, and otherwise looks one move ahead, with or without playouts.
#include "players/strong.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sapper {
namespace {

// Playouts of each candidate between two decisions about which candidates to drop.
constexpr std::uint32_t playouts_per_round = 16;
// Candidates whose score is lower than the best by more than this are not evaluated further before the playouts.
constexpr double score_margin = 0.06;
// On boards with more cells than this, an analysis takes longer, so fewer candidates are evaluated.
constexpr std::uint32_t ordinary_cells = 2500;
// The score of a move is the expected survival of the next guess, where the four least risks after the move are
// averaged with these weights. A position with a safe cell gets the bonus as well.
constexpr std::array<double, 4> next_weights{0.4, 0.3, 0.2, 0.1};
constexpr double progress_bonus = 0.02;
// How much of the risk due to an undecidable square is forgiven: the guess has to be made sooner or later anyway.
constexpr double forgiven_share = 0.9;

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

StrongPlayer::StrongPlayer(const Effort& effort) : effort_{effort}, contest_{effort.min_gain} {
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
    const double max_log_layouts = std::log(effort_.layouts) + 1e-6;
    if (!findings.exact || findings.log_layouts > max_log_layouts) {
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
    const bool use_playouts =
        playouts_ && unknown <= effort_.playout_unknown && unknown + effort_.playout_known <= position.codes.size();
    codes_.assign(position.codes.begin(), position.codes.end());
    double best = -1;
    try {
        for (Candidate& each : candidates_) {
            each.score = score(position, each, use_playouts ? best - score_margin : best, budget);
            if (each.score > best) {
                best = each.score;
                choose(each);
            }
        }
        if (use_playouts) {
            compare_by_playouts(position, budget);
        }
    } catch (const LimitReached&) {  // Use the best candidate so far.
    }
}

// Computes `risks_`, `log_weight_` and `bonuses_`, which take toss-ups and undecidable squares into account. If the
// budget runs out, the remaining corrections are skipped.
void StrongPlayer::adjust_risks(const Position& position, Budget& budget) {
    const Findings& findings = analyser_.findings();
    risks_.assign(findings.risk.begin(), findings.risk.end());
    log_weight_ = findings.log_layouts;
    bonuses_.assign(risks_.size(), 0);
    if (!findings.exact) {
        return;
    }
    try {
        mark_toss_ups(analyser_.counter(), toss_ups_);
        if (std::find(toss_ups_.begin(), toss_ups_.end(), 1) != toss_ups_.end()) {
            log_weight_ = outlook_.assess(position, budget, &risks_).log_layouts;
        }
        if (effort_.squares && risks_.size() <= ordinary_cells) {
            const auto& square_mines = squares_.find(position, analyser_, next_analyser_, budget);
            for (std::size_t cell = 0; cell < square_mines.size(); ++cell) {
                if (square_mines[cell] > 0) {
                    bonuses_[cell] = forgiven_share * std::min({square_mines[cell], risks_[cell], 1 - risks_[cell]});
                }
            }
        }
    } catch (const LimitReached&) {  // The remaining corrections are skipped.
    }
}

// Lists the safest cells. Among equals, those with the fewest unknown neighbours come first, because they are the most
// likely to show a 0.
void StrongPlayer::find_candidates(const Position& position, Budget& budget) {
    const Grid& grid = analyser_.grid();
    adjust_risks(position, budget);
    const auto& risks = risks_;
    double least = 1;
    for (const double risk : risks) {
        if (risk < least) least = risk;  // NaN for open cells.
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
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end(),
                      [](const Candidate& a, const Candidate& b) {
                          return std::tuple{a.risk - a.bonus, a.unknown, a.cell} <
                                 std::tuple{b.risk - b.bonus, b.unknown, b.cell};
                      });
    candidates_.resize(kept);
}

// The score of a move: the probability of surviving it and a guess after it, with a bonus for safe progress. Stops
// early when the score cannot exceed `bound`, and then returns an upper bound on it.
double StrongPlayer::score(const Position& position, const Candidate& candidate, double bound, Budget& budget) {
    Position after = position;
    after.codes = codes_;
    const std::uint8_t before = codes_[candidate.cell];
    const double factor = 1 + candidate.bonus / (1 - candidate.risk);
    double sum = 0, left = 1 - candidate.risk, most = left * (1 + progress_bonus);
    for (std::uint8_t number = 0; number < 9 && left > 1e-9 && factor * most > bound; ++number) {
        codes_[candidate.cell] = number;
        const Outlook outlook = outlook_.assess(after, budget);
        if (!outlook.possible) {
            continue;
        }
        const double chance = std::exp(outlook.log_layouts - log_weight_);
        const double risk = std::inner_product(outlook.risks.begin(), outlook.risks.end(), next_weights.begin(), 0.0);
        left -= chance;
        sum += chance * (1 - risk + (outlook.risks[0] == 0 ? progress_bonus : 0));
        most = sum + left * (1 + progress_bonus);
    }
    codes_[candidate.cell] = before;
    return factor * (factor * most > bound ? sum : most);
}

// Runs playouts of the best candidates, all on the same layouts, until one is known to be best, further playouts are
// not worth it, or the work is used up.
void StrongPlayer::compare_by_playouts(const Position& position, Budget& budget) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    candidates_.resize(std::min<std::size_t>(candidates_.size(), effort_.playout_candidates));
    entries_.clear();
    for (const Candidate& each : candidates_) {
        ContestEntry entry{each.cell, each.score, {}};
        const double risk = analyser_.findings().risk[each.cell];
        const auto shown = next_analyser_.number_probabilities(position, each.cell, budget);
        for (std::size_t number = 0; number < shown.size(); ++number) {
            entry.probabilities[number] = (1 - risk) * shown[number];
        }
        entry.probabilities[no_number] = risk;
        entries_.push_back(entry);
    }
    Budget share = budget.with_states(effort_.playout_states);
    playouts_->load(position, analyser_.counter());
    contest_.start(entries_, analyser_.grid().unknown_count());
    const auto may_continue = [&] { return playouts_->work() < effort_.playout_work; };
    while (contest_.size() > 1 && may_continue()) {
        for (std::uint32_t played = 0; played < playouts_per_round && may_continue(); ++played) {
            playouts_->draw_layout();
            results_.clear();
            for (std::size_t at = 0; at < contest_.size(); ++at) {
                results_.push_back(playouts_->play(contest_.cell(at), share));
            }
            contest_.record(results_);
        }
        contest_.update();
        decision_.cell = contest_.leader();
        decision_.risk = analyser_.findings().risk[contest_.leader()];
    }
}

void StrongPlayer::choose(const Candidate& candidate) {
    decision_.cell = candidate.cell;
    decision_.risk = analyser_.findings().risk[candidate.cell];
}

}  // namespace sapper
