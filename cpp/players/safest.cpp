// Chooses a cell of least risk, and breaks ties by the probability of showing a 0.
#include "players/safest.hpp"

#include <algorithm>
#include <utility>

namespace sapper {
namespace {

constexpr double tolerance = 1e-9;  // Relative tolerance for equal probabilities.
// How many cells of equal risk are compared. Each takes a count of the position's layouts, which is slow on boards with
// `large_board` cells or more.
constexpr std::size_t max_compared = 200, max_compared_on_large = 8;
constexpr std::size_t large_board = 4096;

// If no number is within two cells of a cell, returns the size of its 3x3 neighbourhood on the board, which alone
// determines its probability of showing a 0. Otherwise returns 0.
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

std::optional<std::uint32_t> SafestChooser::choose(const Position& position, std::span<const double> risks,
                                                   std::span<const std::uint32_t> candidates, bool exact,
                                                   Budget& budget) {
    find_equal(position, risks, candidates, budget);
    if (equal_.empty()) {
        return {};
    }
    const std::uint32_t first = equal_.front();
    if (!exact) {
        return first;
    }
    try {
        return most_opening(position, budget);
    } catch (const LimitReached&) {
        return first;
    }
}

// Finds the cells of least risk, unless that is 1.
void SafestChooser::find_equal(const Position& position, std::span<const double> risks,
                               std::span<const std::uint32_t> candidates, Budget& budget) {
    budget.add_work(risks.size() / 4);
    double least = 1;
    const auto for_each = [&](auto visit) {
        if (candidates.empty()) {
            for (std::uint32_t cell = 0; cell < position.codes.size(); ++cell) visit(cell, risks[cell]);
        } else {
            for (const std::uint32_t cell : candidates) visit(cell, risks[cell]);
        }
    };
    for_each([&](std::uint32_t, double risk) {
        least = risk < least ? risk : least;  // The risk of an open cell is NaN.
    });
    equal_.clear();
    if (least < 1) {
        for_each([&](std::uint32_t cell, double risk) {
            if (risk <= least * (1 + tolerance)) equal_.push_back(cell);
        });
    }
}

// Returns the cell among `equal_` that is most likely to show a 0.
std::uint32_t SafestChooser::most_opening(const Position& position, Budget& budget) {
    bool seen[10] = {};  // Whether a remote cell with a neighbourhood of this size was seen.
    budget.add_work(4 * equal_.size());
    std::erase_if(equal_, [&](std::uint32_t cell) {
        const std::uint32_t around = neighbours_if_remote(position, cell);
        return around > 0 && std::exchange(seen[around], true);
    });
    if (equal_.size() == 1) {
        return equal_.front();
    }
    equal_.resize(std::min(equal_.size(), position.codes.size() < large_board ? max_compared : max_compared_on_large));
    const auto layouts = analyser_.log_layouts_with_zero(position, equal_, budget);
    std::size_t best = 0;
    for (std::size_t i = 1; i < equal_.size(); ++i) {
        if (layouts[i] > layouts[best] + tolerance) best = i;
    }
    return equal_[best];
}

const Decision& SafestPlayer::decide(const Position& position, Budget& budget) {
    Budget spare = budget.with_states(Budget::unlimited_states);  // For an estimate, if counting takes too many states.
    const Findings& findings = analyser_.analyse(position, budget, &spare);
    decision_.possible = findings.possible;
    decision_.exact = findings.exact;
    decision_.safe.clear();
    decision_.cell.reset();
    if (!findings.possible) {
        return decision_;
    }
    const auto& certain = findings.certain;
    const auto next_safe = [&](auto from) { return std::find(from, certain.end(), Certainty::safe); };
    for (auto at = next_safe(certain.begin()); at != certain.end(); at = next_safe(at + 1)) {
        decision_.safe.push_back(static_cast<std::uint32_t>(at - certain.begin()));
    }
    if (decision_.safe.empty()) {
        decision_.cell = chooser_.choose(position, findings.risk, {}, findings.exact, spare);
        decision_.risk = decision_.cell ? findings.risk[*decision_.cell] : 1;
    }
    return decision_;
}

}  // namespace sapper
