// The least risk, and what opens most.
#include "safest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sapper {
namespace {

constexpr double alike = 1e-9;  // By how much two chances that are the same may differ.
constexpr std::size_t tried = 200, tried_on_large = 8;  // How many equal cells are compared.
constexpr std::size_t large = 4096;

// How many neighbours a cell has that is so far from all numbers that nothing else tells apart the
// chances to show a 0; none for all other cells.
std::uint32_t neighbours_if_remote(const Position& position, std::uint32_t cell) {
    const std::uint32_t row = cell / position.width, column = cell % position.width;
    const auto span = [](std::uint32_t at, std::uint32_t length, std::uint32_t reach) {
        return std::pair{at < reach ? 0 : at - reach, std::min(at + reach + 1, length)};
    };
    const auto [top, bottom] = span(row, position.height, 2);
    const auto [left, right] = span(column, position.width, 2);
    for (std::uint32_t i = top; i < bottom; ++i) {
        const auto codes = position.codes.subspan(std::size_t{i} * position.width + left, right - left);
        if (std::any_of(codes.begin(), codes.end(), [](auto code) { return code < hidden_code; })) {
            return 0;
        }
    }
    const auto [above, below] = span(row, position.height, 1);
    const auto [before, after] = span(column, position.width, 1);
    return (below - above) * (after - before);
}

}  // namespace

const Decision& SafestPlayer::decide(const Position& position, Budget& budget) {
    Budget spare = budget;  // An estimate, where counting takes too much, may take as much again.
    const Findings& findings = analyser_.analyse(position, budget, spare);
    decision_.possible = findings.possible;
    decision_.safe.clear();
    if (!findings.possible) {
        return decision_;
    }
    const auto& certain = findings.certain;
    const auto next_safe = [&](auto from) { return std::find(from, certain.end(), Certain::safe); };
    for (auto at = next_safe(certain.begin()); at != certain.end(); at = next_safe(at + 1)) {
        decision_.safe.push_back(static_cast<std::uint32_t>(at - certain.begin()));
    }
    if (!decision_.safe.empty()) {
        return decision_;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const double risk : findings.risk) {
        least = risk < least ? risk : least;  // The risk of opened cells is not a number.
    }
    equal_.clear();
    for (std::uint32_t cell = 0; cell < position.codes.size(); ++cell) {
        if (findings.risk[cell] <= least * (1 + alike)) {
            equal_.push_back(cell);
        }
    }
    decision_.cell = findings.exact ? most_opening(position, spare) : equal_.front();
    decision_.risk = findings.risk[decision_.cell];
    decision_.exact = findings.exact;
    return decision_;
}

// The cell among the equal ones that is most likely to show a 0.
std::uint32_t SafestPlayer::most_opening(const Position& position, Budget& budget) {
    bool seen[10] = {};  // Remote cells with so many cells in and around them.
    std::erase_if(equal_, [&](std::uint32_t cell) {
        const std::uint32_t around = neighbours_if_remote(position, cell);
        return around > 0 && std::exchange(seen[around], true);
    });
    if (equal_.size() == 1) {
        return equal_.front();
    }
    equal_.resize(std::min(equal_.size(), position.codes.size() < large ? tried : tried_on_large));
    codes_.assign(position.codes.begin(), position.codes.end());
    Position after = position;
    after.codes = codes_;
    std::uint32_t best = equal_.front();
    double most = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t cell : equal_) {
        const std::uint8_t code = std::exchange(codes_[cell], std::uint8_t{0});
        const double layouts = analyser_.log_layouts(after, budget);
        codes_[cell] = code;
        if (layouts > most + alike) {
            best = cell;
            most = layouts;
        }
    }
    return best;
}

}  // namespace sapper
