// Opens safe cells until none is left. Single numbers are tried first, because they cost least.
#include "games/walk.hpp"

#include <stdexcept>

namespace sapper {

bool Walker::walk(GameState& board, Budget& budget) {
    while (board.left() > 0) {
        find_safe(board.position(), budget);
        if (safe_.empty()) {
            return false;
        }
        for (const std::uint32_t cell : safe_) {
            if (!board.open(cell)) {
                throw std::logic_error("the analysis claimed that a mine is safe");
            }
        }
        budget.add_work(board.position().codes.size());
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
        throw std::invalid_argument("no minefield can produce this position");
    }
}

}  // namespace sapper
