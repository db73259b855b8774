// Planning a sweep, and following it through its states.
#include "structure.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "key.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::size_t few = 12;  // so many keys are found faster by looking through them
constexpr std::uint32_t most_values = 1u << 26;  // 512 MiB of doubles: what all series may take

}  // namespace

bool Structure::build(const Frontier& frontier, Budget& budget) {
    components_.clear();
    steps_.clear();
    states_.clear();
    transitions_.clear();
    layers_.clear();
    series_size_ = 0;
    const auto numbers = frontier.numbers();
    boxes_left_.resize(numbers.size());
    room_left_.resize(numbers.size());
    slot_of_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        boxes_left_[i] = numbers[i].box_count;
        room_left_[i] = numbers[i].room;
    }
    done_.assign(frontier.boxes().size(), 0);
    for (std::size_t i = 0; i < frontier.component_count(); ++i) {
        const auto boxes = frontier.component(i);
        Component component{static_cast<std::uint32_t>(steps_.size()), 0,
                            static_cast<std::uint32_t>(boxes.size()), none};
        const std::uint32_t slots = plan(frontier, boxes);
        bool possible = false;
        if (slots <= Key<1>::slots) {
            thread_local std::vector<Key<1>> keys, next;
            possible = expand(component, keys, next, budget);
        } else if (slots <= Key<2>::slots) {
            thread_local std::vector<Key<2>> keys, next;
            possible = expand(component, keys, next, budget);
        } else if (slots <= Key<8>::slots) {
            thread_local std::vector<Key<8>> keys, next;
            possible = expand(component, keys, next, budget);
        } else {
            throw LimitReached{};  // No sweep that wide comes to an end.
        }
        if (!possible) {
            return false;
        }
        components_.push_back(component);
    }
    return true;
}

// Begins at a box that is far from the others. Then follows the box that closes the most numbers; of
// those, one that opens the fewest; of those, one of the number that has been open the longest. Returns
// how many slots the open numbers need.
std::uint32_t Structure::plan(const Frontier& frontier, std::span<const std::uint32_t> boxes) {
    const auto all_boxes = frontier.boxes();
    const auto numbers = frontier.numbers();
    open_.clear();
    free_slots_.clear();
    std::uint32_t slots = 0;
    std::uint32_t current = boxes.back();
    for (std::size_t taken = 0; taken < boxes.size(); ++taken) {
        if (taken != 0) {
            int best = std::numeric_limits<int>::max();
            for (const std::uint32_t number : open_) {
                for (std::size_t j = 0; j < numbers[number].box_count; ++j) {
                    const std::uint32_t candidate = numbers[number].boxes[j];
                    if (done_[candidate]) {
                        continue;
                    }
                    const Box& box = all_boxes[candidate];
                    int opens = 0, closes = 0;
                    for (std::size_t k = 0; k < box.number_count; ++k) {
                        const std::uint32_t touched = box.numbers[k];
                        opens += boxes_left_[touched] == numbers[touched].box_count;
                        closes += boxes_left_[touched] == 1;
                    }
                    const int cost = opens - 4 * closes;
                    if (cost < best) {
                        best = cost;
                        current = candidate;
                    }
                }
            }
        }
        done_[current] = 1;
        const Box& box = all_boxes[current];
        Step step{current, box.size, box.number_count, 0, {}, {}, {}};
        for (std::size_t k = 0; k < box.number_count; ++k) {
            const std::uint32_t number = box.numbers[k];
            if (boxes_left_[number] == numbers[number].box_count) {
                step.opening = static_cast<std::uint8_t>(step.opening | 1u << k);
                step.needs[k] = numbers[number].need;
                if (free_slots_.empty()) {
                    slot_of_[number] = static_cast<std::uint16_t>(slots++);
                } else {
                    slot_of_[number] = free_slots_.back();
                    free_slots_.pop_back();
                }
                open_.push_back(number);
            }
            step.slots[k] = slot_of_[number];
            room_left_[number] = static_cast<std::uint8_t>(room_left_[number] - box.size);
            step.room[k] = room_left_[number];
            --boxes_left_[number];
        }
        // Only now can slots be used again: the numbers that close here stood beside those that opened.
        for (std::size_t k = 0; k < box.number_count; ++k) {
            if (boxes_left_[box.numbers[k]] == 0) {
                free_slots_.push_back(step.slots[k]);
                open_.erase(std::find(open_.begin(), open_.end(), box.numbers[k]));
            }
        }
        steps_.push_back(step);
    }
    return slots;
}

template <class Key>
bool Structure::expand(Component& component, std::vector<Key>& keys, std::vector<Key>& next,
                       Budget& budget) {
    component.first_layer = static_cast<std::uint32_t>(layers_.size());
    layers_.push_back({static_cast<std::uint32_t>(states_.size()),
                       static_cast<std::uint32_t>(transitions_.size())});
    states_.push_back({series_size_, 0, 1});
    series_size_ += 1;
    keys.assign(1, Key{});
    for (std::uint32_t at = 0; at < component.step_count; ++at) {
        const Step& step = steps_[component.first_step + at];
        const std::uint32_t first_source = layers_.back().first_state;
        const auto first_target = static_cast<std::uint32_t>(states_.size());
        layers_.push_back({first_target, static_cast<std::uint32_t>(transitions_.size())});
        next.clear();
        table_.clear();
        std::uint64_t mask = 0;

        const auto find = [&](const Key& key) -> std::uint32_t {
            if (table_.empty()) {
                for (std::size_t i = 0; i < next.size(); ++i) {
                    if (next[i] == key) return static_cast<std::uint32_t>(i);
                }
            } else {
                for (std::uint64_t i = key.hash() & mask; table_[i] != none; i = (i + 1) & mask) {
                    if (next[table_[i]] == key) return table_[i];
                }
            }
            return none;
        };
        const auto enter = [&](std::uint32_t index) {
            std::uint64_t i = next[index].hash() & mask;
            while (table_[i] != none) i = (i + 1) & mask;
            table_[i] = index;
        };

        for (std::size_t source = 0; source < keys.size(); ++source) {
            Key key = keys[source];
            unsigned least = 0, most = step.size;
            for (std::size_t k = 0; k < step.number_count; ++k) {
                if (step.opening >> k & 1) {
                    key.add(step.slots[k], step.needs[k]);
                }
                const unsigned need = key.get(step.slots[k]);
                most = std::min(most, need);
                if (need > step.room[k]) {
                    least = std::max(least, need - step.room[k]);
                }
            }
            if (least > most) {
                continue;
            }
            const State from = states_[first_source + source];  // A copy: the states may move.
            budget.work(most - least + 1);
            for (std::size_t k = 0; k < step.number_count; ++k) {
                key.subtract(step.slots[k], least);
            }
            for (unsigned mines = least;; ++mines) {
                std::uint32_t target = find(key);
                const std::int32_t low = from.low + static_cast<std::int32_t>(mines);
                if (target == none) {
                    target = static_cast<std::uint32_t>(next.size());
                    next.push_back(key);
                    states_.push_back({0, low, from.length});
                    if (next.size() * 2 <= table_.size()) {
                        enter(target);
                    } else if (next.size() > few) {
                        table_.assign(std::bit_ceil(next.size() * 4), none);
                        mask = table_.size() - 1;
                        for (std::uint32_t i = 0; i < next.size(); ++i) enter(i);
                    }
                } else {
                    State& to = states_[first_target + target];
                    const std::int32_t high =
                        std::max(to.low + static_cast<std::int32_t>(to.length),
                                 low + static_cast<std::int32_t>(from.length));
                    to.low = std::min(to.low, low);
                    to.length = static_cast<std::uint32_t>(high - to.low);
                }
                transitions_.push_back({first_source + static_cast<std::uint32_t>(source),
                                        first_target + target, mines});
                if (mines == most) break;
                for (std::size_t k = 0; k < step.number_count; ++k) {
                    key.subtract(step.slots[k], 1);
                }
            }
        }
        if (next.empty()) {
            return false;
        }
        for (std::size_t i = first_target; i < states_.size(); ++i) {
            states_[i].offset = series_size_;
            if (states_[i].length > most_values - series_size_) {
                throw LimitReached{};
            }
            series_size_ += states_[i].length;
        }
        budget.spend(next.size());
        std::swap(keys, next);
    }
    component.final_state = static_cast<std::uint32_t>(states_.size()) - 1;
    return true;
}

}  // namespace sapper
