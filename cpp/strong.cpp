#include "strong.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

StrongPlayer::StrongPlayer(const Effort& effort) : effort_{effort} {
    if (effort.trials > 0) {
        Effort quick;
        quick.layouts = effort.trial_layouts;
        quick.states = 2000;
        quick.candidates = effort.trial_candidates;
        quick.window = effort.trial_window;
        trials_ = std::make_unique<Trials>(std::make_unique<StrongPlayer>(quick));
    }
}

const Decision& StrongPlayer::decide(const Position& position, Budget& budget) {
    const Findings& findings = analyser_.analyse(position, budget, budget);
    decision_ = Decision{};
    decision_.possible = findings.possible;
    if (!findings.possible) {
        return decision_;
    }
    for (std::uint32_t cell = 0; cell < findings.certain.size(); ++cell) {
        if (findings.certain[cell] == Certain::safe) decision_.safe.push_back(cell);
    }
    if (!decision_.safe.empty()) {
        return decision_;
    }
    log_layouts_ = findings.log_layouts;
    if (!solve(position, budget)) {
        guess(position, budget);
    }
    return decision_;
}

bool StrongPlayer::solve(const Position& position, Budget& budget) {
    if (log_layouts_ > std::log(effort_.layouts) + 1e-6 ||
        !layouts_.list(analyser_.grid(), analyser_.frontier(), analyser_.structure(), effort_.layouts,
                       budget)) {
        return false;
    }
    endgame_.load(analyser_.grid(), position, layouts_);
    Budget states{10, effort_.states};
    try {
        const Solution solution = endgame_.solve(states);
        decision_.cell = solution.cell;
        decision_.win_chance = static_cast<double>(solution.won) / static_cast<double>(layouts_.size());
        return true;
    } catch (const LimitReached&) {
        return false;
    }
}

void StrongPlayer::find_candidates(const Position& position) {
    const Grid& grid = analyser_.grid();
    const std::uint32_t stride = grid.stride();
    const Findings& findings = analyser_.findings();
    double least = 1;
    for (const double risk : findings.risk) {
        if (risk < least) least = risk;
    }
    candidates_.clear();
    for (std::uint32_t cell = 0; cell < findings.risk.size(); ++cell) {
        if (!(findings.risk[cell] <= least + effort_.window)) continue;
        const std::uint32_t place = grid.begin() + cell / position.width * stride + cell % position.width;
        std::uint32_t unknown = 0;
        for (const std::uint32_t row : {place - stride, place, place + stride}) {
            for (std::uint32_t at = row - 1; at <= row + 1; ++at) unknown += grid.unknown()[at] != 0;
        }
        candidates_.push_back({cell, findings.risk[cell], unknown, !grid.frontier()[place], 0});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.risk != b.risk ? a.risk < b.risk : a.unknown < b.unknown;
    });
}

void StrongPlayer::guess(const Position& position, Budget& budget) {
    find_candidates(position);
    codes_.assign(position.codes.begin(), position.codes.end());
    const bool try_them = trials_ && analyser_.grid().unknown_count() <= effort_.trial_unknown;
    double best = -1;
    std::uint32_t seen = 0;
    for (Candidate& each : candidates_) {
        if (seen == effort_.candidates || (!try_them && (1 - each.risk) * (1 + effort_.progress) <= best)) {
            break;
        }
        ++seen;
        each.promise = promise(position, each, try_them ? -1 : best, budget);
        if (each.promise > best) {
            best = each.promise;
            decision_.cell = each.cell;
            decision_.risk = each.risk;
        }
    }
    if (try_them) {
        candidates_.resize(seen);
        try_out(position, budget);
    }
}

void StrongPlayer::try_out(const Position& position, Budget& budget) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
    if (candidates_.size() > effort_.tried) candidates_.resize(effort_.tried);
    const std::size_t count = candidates_.size();
    if (count < 2) return;
    trials_->load(position, analyser_);
    // Every candidate against the first, on the same layouts.
    std::vector<double> chance(count), sum(count, 0), square(count, 0);
    std::vector<bool> is_out(count, false);
    std::uint32_t played = 0;
    const auto error = [&](std::size_t i) {
        const double n = played, mean = sum[i] / n;
        return std::sqrt(std::max(square[i] / n - mean * mean, 0.0) / n + 1e-12);
    };
    while (played < effort_.trials) {
        for (int k = 0; k < 32; ++k, ++played) {
            trials_->draw_layout();
            for (std::size_t i = 0; i < count; ++i) {
                if (is_out[i]) continue;
                chance[i] = trials_->play(candidates_[i].cell, budget);
                const double difference = chance[i] - chance[0];
                sum[i] += difference;
                square[i] += difference * difference;
            }
        }
        std::size_t best = 0;
        for (std::size_t i = 1; i < count; ++i) {
            if (!is_out[i] && sum[i] > sum[best]) best = i;
        }
        std::size_t left = 0;
        for (std::size_t i = 1; i < count; ++i) {
            is_out[i] = is_out[i] || sum[i] / played + effort_.give_up * error(i) < std::max(0.0, sum[best] / played - effort_.give_up * error(best));
            left += !is_out[i];
        }
        if (left == 0) break;
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) {
        if (!is_out[i] && sum[i] > sum[best] && sum[i] / played > effort_.trust * error(i)) best = i;
    }
    decision_.cell = candidates_[best].cell;
    decision_.risk = candidates_[best].risk;
}

double StrongPlayer::promise(const Position& position, const Candidate& candidate, double best,
                             Budget& budget) {
    Position after = position;
    after.codes = codes_;
    const std::uint8_t before = codes_[candidate.cell];
    double sum = 0, left = 1 - candidate.risk;
    for (std::uint8_t number = 0; number < 9 && left > 1e-9; ++number) {
        codes_[candidate.cell] = number;
        const Outlook outlook = next_.look(after, budget);
        if (!outlook.possible) continue;
        const double chance = std::exp(outlook.log_layouts - log_layouts_);
        left -= chance;
        sum += chance * ((1 - outlook.least_risk) + (outlook.least_risk == 0 ? effort_.progress : 0));
        if (sum + left * (1 + effort_.progress) <= best) break;
    }
    codes_[candidate.cell] = before;
    return sum;
}

}  // namespace sapper
