// All layouts, from the structure of a sweep: each path through a component is a way to lay its boxes.
#include "endgame/layouts.hpp"

#include <algorithm>

namespace sapper {

// With more unknown cells nothing is listed: mines, boxes and parts are laid by recursion.
constexpr std::size_t most_unknown = 4096;
// No list is longer: layouts are numbered with 32 bits.
constexpr std::uint64_t largest_list = std::uint64_t{1} << 31;

bool Layouts::list(const LayoutCounter& counter, std::uint64_t most, Budget& budget) {
    const Grid& grid = counter.grid();
    const Frontier& frontier = counter.frontier();
    const Structure& structure = counter.structure();
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
    if (places_.size() > most_unknown) {
        return false;
    }
    words_ = (places_.size() + 63) / 64;
    mask_.assign(words_, 0);
    masks_.clear();
    count_ = 1;
    if (words_ == 0) {
        return most > 0;
    }

    const auto components = structure.components();
    parts_.resize(components.size() + 1);
    std::int64_t least = 0, highest = 0;
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
        least += part.least;
        highest += part.most;
    }
    // Not every way to lay a part fits the others, but most do: so the work is bounded by the answer.
    std::uint64_t left = 4 * std::min(most, largest_list) + 1000;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = parts_[i];
        const std::int64_t rest = grid.mines_left();
        const Fits fits{std::max(part.least, rest - (highest - part.most)),
                        std::min(part.most, rest - (least - part.least))};
        if (!(i < components.size() ? list_component(structure, components[i], part, fits, left, budget)
                                    : list_free(part, fits, left, budget))) {
            return false;
        }
        if (part.mines.empty()) {
            return true;  // There is none.
        }
        const auto [low, high] = std::minmax_element(part.mines.begin(), part.mines.end());
        least += *low - part.least;
        highest += *high - part.most;
        part.least = *low;
        part.most = *high;
    }
    const bool all = join(0, grid.mines_left(), most, budget);
    release_parts();
    return all;
}

// Frees the lists of the parts if they are large: their product is listed now.
void Layouts::release_parts() {
    constexpr std::size_t worth_keeping = 1 << 16;
    for (Part& part : parts_) {
        if (part.masks.capacity() > worth_keeping) {
            release(part.masks);
            release(part.mines);
        }
    }
}

// Calls `then` with so many mines on the cells, in every way; stops when it says false.
bool Layouts::lay(std::span<const std::uint32_t> cells, std::size_t mines, auto&& then) {
    if (mines == 0) {
        return then();
    }
    for (std::size_t i = 0; i + mines <= cells.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (cells[i] % 64);
        mask_[cells[i] / 64] |= bit;
        const bool go_on = lay(cells.subspan(i + 1), mines - 1, then);
        mask_[cells[i] / 64] &= ~bit;
        if (!go_on) {
            return false;
        }
    }
    return true;
}

// Goes back from the last state: every state was reached from the first, so that no path ends blindly.
bool Layouts::list_component(const Structure& structure, const Component& component, Part& part,
                             const Fits& fits, std::uint64_t& left, Budget& budget) {
    const auto go = [&](auto&& self, std::uint32_t at, std::uint32_t state, std::int64_t mines) -> bool {
        if (at == 0) {
            if (left == 0) {
                return false;
            }
            --left;
            budget.add_work(words_ + 4);
            if (mines >= fits.least && mines <= fits.most) {
                part.masks.insert(part.masks.end(), mask_.begin(), mask_.end());
                part.mines.push_back(mines);
            }
            return true;
        }
        const Step& step = structure.steps()[component.first_step + at - 1];
        const auto transitions = structure.transitions_into(component.first_layer + at);
        budget.add_work(transitions.size() / 4 + 1);
        for (const Transition& each : transitions) {
            if (each.target == state &&
                !lay(box_cells_[step.box], each.mines,
                     [&] { return self(self, at - 1, each.source, mines + each.mines); })) {
                return false;
            }
        }
        return true;
    };
    return go(go, component.step_count, component.final_state, 0);
}

bool Layouts::list_free(Part& part, const Fits& fits, std::uint64_t& left, Budget& budget) {
    for (std::int64_t mines = fits.least; mines <= fits.most; ++mines) {
        if (!lay(free_cells_, static_cast<std::size_t>(mines), [&] {
                if (left == 0) {
                    return false;
                }
                --left;
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

bool Layouts::join(std::size_t at, std::int64_t mines, std::uint64_t most, Budget& budget) {
    if (at == parts_.size()) {
        if (mines == 0) {
            if (size() == std::min(most, largest_list)) {
                return false;
            }
            masks_.insert(masks_.end(), mask_.begin(), mask_.end());
        }
        return true;
    }
    std::int64_t least = 0, highest = 0;  // of the parts after this one
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
        const bool go_on = join(at + 1, rest, most, budget);
        for (std::size_t word = 0; word < words_; ++word) mask_[word] &= ~part.masks[i * words_ + word];
        if (!go_on) {
            return false;
        }
    }
    return true;
}

}  // namespace sapper
