// Tracks a game: settles the changed rows again, and counts the components they touch again.
#include "counting/tracker.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sapper {

Tracker::Outcome Tracker::update(const Position& position, Budget& budget) {
    try {
        return advance(position, budget);
    } catch (...) {
        *this = {};  // The state may be half-updated: start anew with the next position.
        throw;
    }
}

Tracker::Outcome Tracker::advance(const Position& position, Budget& budget) {
    new_safe_.clear();
    new_mines_.clear();
    counted_cells_ = 0;
    is_new_game_ = !is_continuation(position);
    if (is_new_game_) {
        codes_.clear();
        grid_.clear_changes();
    }
    const bool possible = grid_.update(position, codes_, budget) && settle_changed_components(budget);
    if (!possible) {
        codes_.clear();
        return Outcome::impossible;
    }
    height_ = position.height;
    width_ = position.width;
    mines_ = position.mines;
    trust_flags_ = position.trust_flags;
    codes_.assign(position.codes.begin(), position.codes.end());
    for (const std::uint32_t place : grid_.settled_cells()) {
        (grid_.mine()[place] ? new_mines_ : new_safe_).push_back(grid_.cell_at(place));
    }
    grid_.clear_changes();
    // If the free cells can take any number of the remaining mines, the mine count settles nothing.
    const std::int64_t mines_left = grid_.mines_left();
    const std::int64_t frontier = grid_.frontier_count(), unknown = grid_.unknown_count();
    if (mines_left < 0 || mines_left > unknown) {
        codes_.clear();
        return Outcome::impossible;
    }
    const bool any = unknown == 0 || (frontier < mines_left && mines_left < unknown - frontier);
    return any ? Outcome::complete : Outcome::mine_count_needed;
}

// Whether this is a later position of the same game: no open cell has changed.
bool Tracker::is_continuation(const Position& position) const {
    if (codes_.empty() || position.height != height_ || position.width != width_ || position.mines != mines_ ||
        position.trust_flags != trust_flags_) {
        return false;
    }
    constexpr std::size_t piece = 4096;  // Skips the parts of the board that are unchanged, which is most of it.
    for (std::size_t from = 0; from < codes_.size(); from += piece) {
        const std::size_t size = std::min(piece, codes_.size() - from);
        if (std::memcmp(&codes_[from], &position.codes[from], size) == 0) {
            continue;
        }
        for (std::size_t i = from; i < from + size; ++i) {
            const std::uint8_t before = codes_[i], now = position.codes[i];
            const bool flag_moved = trust_flags_ && (before == flag_code) != (now == flag_code);
            if ((before < hidden_code && before != now) || flag_moved) {
                return false;
            }
        }
    }
    return true;
}

// Counts the components of all changed numbers and settles what is certain in them, until nothing changes.
bool Tracker::settle_changed_components(Budget& budget) {
    std::size_t from = 0;
    while (from < grid_.changed_numbers().size()) {
        collect_changed_components(from, budget);
        from = grid_.changed_numbers().size();
        frontier_.build(grid_, numbers_, cells_);
        if (!structure_.build(frontier_, budget)) {
            return false;
        }
        counted_cells_ += cells_.size();
        const Possibilities kind;
        may_be_mine_.resize(frontier_.boxes().size());
        may_be_safe_.resize(frontier_.boxes().size());
        possibilities_.forward(structure_, kind, budget);
        possibilities_.set_unrestricted_outside(structure_);
        possibilities_.backward(structure_, kind, may_be_mine_, may_be_safe_, budget);
        for (const FrontierCell& each : frontier_.cells()) {
            if (!may_be_mine_[each.box] || !may_be_safe_[each.box]) {
                grid_.set_settled(each.place, may_be_mine_[each.box]);
            }
        }
        if (!grid_.settle_changes(budget)) {
            return false;
        }
    }
    return true;
}

// Collects all cells and numbers of the components that contain changed numbers.
void Tracker::collect_changed_components(std::size_t from, Budget& budget) {
    numbers_.clear();
    cells_.clear();
    seen_.resize(grid_.size());
    const std::uint32_t stride = grid_.stride();
    const std::array<std::uint32_t, 8> steps{0u - stride - 1, 0u - stride, 0u - stride + 1, 0u - 1, 1,
                                             stride - 1,      stride,      stride + 1};
    const auto visit = [&](std::uint32_t place, const std::uint8_t* wanted, Vector<std::uint32_t>& found) {
        if (wanted[place] && !seen_[place]) {
            seen_[place] = 1;
            found.push_back(place);
        }
    };
    for (std::size_t i = from; i < grid_.changed_numbers().size(); ++i) {
        visit(grid_.changed_numbers()[i], grid_.active(), numbers_);
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        budget.add_work(16);
        for (const std::uint32_t step : steps) {
            const std::uint32_t cell = numbers_[i] + step;
            const std::size_t before = cells_.size();
            visit(cell, grid_.unknown(), cells_);
            if (cells_.size() != before) {
                for (const std::uint32_t further : steps) {
                    visit(cell + further, grid_.active(), numbers_);
                }
            }
        }
    }
    for (const std::uint32_t place : numbers_) seen_[place] = 0;
    for (const std::uint32_t place : cells_) seen_[place] = 0;
}

}  // namespace sapper
