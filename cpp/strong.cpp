#include "strong.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

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
        candidates_.push_back({cell, findings.risk[cell], unknown, !grid.frontier()[place]});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.risk != b.risk ? a.risk < b.risk : a.unknown < b.unknown;
    });
}

void StrongPlayer::guess(const Position& position, Budget& budget) {
    find_candidates(position);
    codes_.assign(position.codes.begin(), position.codes.end());
    double best = -1;
    std::uint32_t tried = 0;
    for (const Candidate& each : candidates_) {
        if ((1 - each.risk) * (1 + effort_.progress) <= best) break;
        if (tried++ == effort_.candidates) break;
        const double found = promise(position, each, best, budget);
        if (found > best) {
            best = found;
            decision_.cell = each.cell;
            decision_.risk = each.risk;
        }
    }
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
