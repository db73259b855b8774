// Lists all layouts from the structure of a sweep: each path through a component's states is a layout of its boxes.
#include "endgame/layouts.hpp"

#include <algorithm>

namespace sapper {

// Positions with more unknown cells are not listed: the recursion is as deep as there are mines, boxes and parts.
constexpr std::size_t max_unknown = 4096;
// The longest list: layouts have 32-bit indices.
constexpr std::uint64_t max_layouts = std::uint64_t{1} << 31;

bool Layouts::list(const LayoutCounter& counter, std::uint64_t most, Budget& budget) {
    number_cells(counter.grid(), counter.frontier());
    if (places_.size() > max_unknown) {
        return false;
    }
    words_ = (places_.size() + 63) / 64;
    mask_.assign(words_, 0);
    masks_.clear();
    count_ = 1;
    if (words_ == 0) {
        return most > 0;
    }
    start_parts(counter.structure());
    const std::int64_t mines_left = counter.grid().mines_left();
    if (!list_parts(counter.structure(), mines_left, most, budget)) {
        return false;
    }
    if (std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.mines.empty(); })) {
        return true;  // There is no layout.
    }
    const bool all = combine(0, mines_left, most, budget);
    free_large_parts();
    return all;
}

// Numbers the unknown cells: first the frontier, then the free cells.
void Layouts::number_cells(const Grid& grid, const Frontier& frontier) {
    places_.clear();
    free_cells_.clear();
    if (box_cells_.size() < frontier.boxes().size()) {
        box_cells_.resize(frontier.boxes().size());
    }
    for (std::size_t box = 0; box < frontier.boxes().size(); ++box) box_cells_[box].clear();
    for (const FrontierCell& each : frontier.cells()) {
        box_cells_[each.box].push_back(static_cast<std::uint32_t>(places_.size()));
        places_.push_back(each.place);
    }
    for (std::uint32_t place = grid.begin(); place < grid.end(); ++place) {
        if (grid.unknown()[place] && !grid.frontier()[place]) {
            free_cells_.push_back(static_cast<std::uint32_t>(places_.size()));
            places_.push_back(place);
        }
    }
}

// Prepares an empty part for every component and one for the free cells, with bounds on their mines.
void Layouts::start_parts(const Structure& structure) {
    const auto components = structure.components();
    parts_.resize(components.size() + 1);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        part.masks.clear();
        part.mines.clear();
        if (i < components.size()) {
            const State& last = structure.states()[components[i].final_state];
            part.least = last.low;
            part.most = last.low + static_cast<std::int64_t>(last.length) - 1;
        } else {
            part.least = 0;
            part.most = static_cast<std::int64_t>(free_cells_.size());
        }
    }
}

// Lists the layouts of each part, until one has none. Returns false if there are too many.
bool Layouts::list_parts(const Structure& structure, std::int64_t mines_left, std::uint64_t most, Budget& budget) {
    const auto components = structure.components();
    std::int64_t least = 0, highest = 0;
    for (const Part& part : parts_) {
        least += part.least;
        highest += part.most;
    }
    // A bound on the work. Some layouts of a part may fit no layout of the others, but most do, so the parts together
    // have not many more layouts than the answer.
    std::uint64_t remaining = 4 * std::min(most, max_layouts) + 1000;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        const MineRange range{std::max(part.least, mines_left - (highest - part.most)),
                              std::min(part.most, mines_left - (least - part.least))};
        if (!(i < components.size() ? list_component(structure, components[i], part, range, remaining, budget)
                                    : list_free(part, range, remaining, budget))) {
            return false;
        }
        if (part.mines.empty()) {
            return true;
        }
        const auto [low, high] = std::minmax_element(part.mines.begin(), part.mines.end());
        least += *low - part.least;
        highest += *high - part.most;
        part.least = *low;
        part.most = *high;
    }
    return true;
}

// Frees the lists of the parts if they are large: they are not needed any more.
void Layouts::free_large_parts() {
    constexpr std::size_t large = 1 << 16;
    for (Part& part : parts_) {
        if (part.masks.capacity() > large) {
            release(part.masks);
            release(part.mines);
        }
    }
}

// Calls `then` for every way to place this many mines on the cells, with the mines set in `mask_`. Stops and returns
// false when `then` returns false.
bool Layouts::for_each_placement(std::span<const std::uint32_t> cells, std::size_t mines, auto&& then) {
    if (mines == 0) {
        return then();
    }
    for (std::size_t i = 0; i + mines <= cells.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (cells[i] % 64);
        mask_[cells[i] / 64] |= bit;
        const bool proceed = for_each_placement(cells.subspan(i + 1), mines - 1, then);
        mask_[cells[i] / 64] &= ~bit;
        if (!proceed) {
            return false;
        }
    }
    return true;
}

// Walks back from the final state. Every state is reachable from the first one, so there are no dead ends.
bool Layouts::list_component(const Structure& structure, const Component& component, Part& part, const MineRange& range,
                             std::uint64_t& remaining, Budget& budget) {
    const auto go = [&](auto&& self, std::uint32_t at, std::uint32_t state, std::int64_t mines) -> bool {
        if (at == 0) {
            if (remaining == 0) {
                return false;
            }
            --remaining;
            budget.add_work(words_ + 4);
            if (mines >= range.least && mines <= range.most) {
                part.masks.insert(part.masks.end(), mask_.begin(), mask_.end());
                part.mines.push_back(mines);
            }
            return true;
        }
        const Step& step = structure.steps()[component.first_step + at - 1];
        const auto transitions = structure.transitions_into(component.first_layer + at);
        budget.add_work(transitions.size() / 4 + 1);
        for (const Transition& each : transitions) {
            if (each.target == state && !for_each_placement(box_cells_[step.box], each.mines, [&] {
                    return self(self, at - 1, each.source, mines + each.mines);
                })) {
                return false;
            }
        }
        return true;
    };
    return go(go, component.step_count, component.final_state, 0);
}

bool Layouts::list_free(Part& part, const MineRange& range, std::uint64_t& remaining, Budget& budget) {
    for (std::int64_t mines = range.least; mines <= range.most; ++mines) {
        if (!for_each_placement(free_cells_, static_cast<std::size_t>(mines), [&] {
                if (remaining == 0) {
                    return false;
                }
                --remaining;
                budget.add_work(words_ + 4);
                part.masks.insert(part.masks.end(), mask_.begin(), mask_.end());
                part.mines.push_back(mines);
                return true;
            })) {
            return false;
        }
    }
    return true;
}

bool Layouts::combine(std::size_t at, std::int64_t mines, std::uint64_t most, Budget& budget) {
    if (at == parts_.size()) {
        if (mines == 0) {
            if (size() == std::min(most, max_layouts)) {
                return false;
            }
            masks_.insert(masks_.end(), mask_.begin(), mask_.end());
        }
        return true;
    }
    std::int64_t least = 0, highest = 0;  // mines in the parts after this one
    budget.add_work(parts_.size() - at);
    for (std::size_t i = at + 1; i < parts_.size(); ++i) {
        least += parts_[i].least;
        highest += parts_[i].most;
    }
    const Part& part = parts_[at];
    for (std::size_t i = 0; i < part.mines.size(); ++i) {
        const std::int64_t rest = mines - part.mines[i];
        budget.add_work(words_ / 2 + 2);
        if (rest < least || rest > highest) {
            continue;
        }
        for (std::size_t word = 0; word < words_; ++word) mask_[word] |= part.masks[i * words_ + word];
        const bool proceed = combine(at + 1, rest, most, budget);
        for (std::size_t word = 0; word < words_; ++word) mask_[word] &= ~part.masks[i * words_ + word];
        if (!proceed) {
            return false;
        }
    }
    return true;
}

}  // namespace sapper
