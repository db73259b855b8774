// Walking: what single numbers settle comes first, for it costs least.
#include "games/walk.hpp"

#include <stdexcept>

namespace sapper {

bool Walker::walk(Table& table, Budget& budget) {
    while (table.left() > 0) {
        find_safe(table.position(), budget);
        if (safe_.empty()) {
            return false;
        }
        for (const std::uint32_t cell : safe_) {
            if (!table.open(cell)) {
                throw std::logic_error("a mine was called safe");
            }
        }
        budget.add_work(table.position().codes.size());
    }
    return true;
}

std::vector<std::uint8_t> Walker::unknown() const {
    const Grid& grid = analyser_.grid();
    const auto& certain = analyser_.findings().certain;
    std::vector<std::uint8_t> unknown(certain.size(), 0);
    for (std::uint32_t cell = 0; cell < certain.size(); ++cell) {
        const std::uint32_t place = grid.place_at(cell);
        if (grid.unknown()[place] && certain[cell] == Certainty::none) {
            unknown[cell] = grid.frontier()[place] ? 1 : 2;
        }
    }
    return unknown;
}

void Walker::find_safe(const Position& position, Budget& budget) {
    safe_.clear();
    const Findings* findings = analyser_.find_safe(position, safe_, budget, nullptr);
    if (safe_.empty() && !(findings && findings->possible)) {
        throw std::invalid_argument("the numbers are not those of a minefield");
    }
}

}  // namespace sapper
