// Planning a sweep, and following it through its states.
#include "counting/structure.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "counting/values.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::uint32_t most_values = 1u << 25;  // of all series: 256 MiB, twice

}  // namespace

bool Structure::build(const Frontier& frontier, const Sampling* sampling, Budget& budget) {
    components_.clear();
    steps_.clear();
    states_.clear();
    transitions_.clear();
    layers_.clear();
    series_size_ = 0;
    share_.clear();
    random_ = Random{sampling ? sampling->seed : 0};
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
        const std::uint32_t slots = plan(frontier, boxes, budget);
        bool possible = false;
        if (slots <= Key<1>::slots) {
            possible = expand<Key<1>>(component, sampling, budget);
        } else if (slots <= Key<2>::slots) {
            possible = expand<Key<2>>(component, sampling, budget);
        } else if (slots <= Key<8>::slots) {
            possible = expand<Key<8>>(component, sampling, budget);
        } else if (sampling && slots <= Key<128>::slots) {
            possible = expand<Key<128>>(component, sampling, budget);
        } else {
            throw LimitReached{"too many numbers hang together: a sweep would have " +
                               std::to_string(slots) + " of them open at once"};
        }
        if (!possible) {
            return false;
        }
        components_.push_back(component);
    }
    return true;
}

std::pair<std::int64_t, std::int64_t> Structure::mines() const {
    std::int64_t least = 0, most = 0;
    for (const Component& component : components_) {
        const State& last = states_[component.final_state];
        least += last.low;
        most += last.low + static_cast<std::int64_t>(last.length) - 1;
    }
    return {least, most};
}

// Plans the order of a component's boxes. The sweep begins at a box that is far from the others. Then comes the box
// that closes the most numbers; among those, one that opens the fewest; among those, one next to the number that has
// been open the longest. Returns how many slots the open numbers need.
std::uint32_t Structure::plan(const Frontier& frontier, std::span<const std::uint32_t> boxes,
                              Budget& budget) {
    open_.clear();
    free_slots_.clear();
    std::uint32_t slots = 0;
    for (std::size_t taken = 0; taken < boxes.size(); ++taken) {
        budget.add_work(8 * open_.size());
        const std::uint32_t box = taken == 0 ? boxes.back() : choose_box(frontier);
        steps_.push_back(add_step(frontier, box, slots));
    }
    return slots;
}

std::uint32_t Structure::choose_box(const Frontier& frontier) const {
    const auto boxes = frontier.boxes();
    const auto numbers = frontier.numbers();
    int best = std::numeric_limits<int>::max();
    std::uint32_t chosen = none;
    for (const std::uint32_t number : open_) {
        for (std::size_t j = 0; j < numbers[number].box_count; ++j) {
            const std::uint32_t candidate = numbers[number].boxes[j];
            if (done_[candidate]) {
                continue;
            }
            const Box& box = boxes[candidate];
            int opens = 0, closes = 0;
            for (std::size_t k = 0; k < box.number_count; ++k) {
                const std::uint32_t touched = box.numbers[k];
                opens += boxes_left_[touched] == numbers[touched].box_count;
                closes += boxes_left_[touched] == 1;
            }
            const int cost = opens - 4 * closes;
            if (cost < best) {
                best = cost;
                chosen = candidate;
            }
        }
    }
    return chosen;
}

// Visits a box: opens and closes its numbers, and gives each open number a slot.
Step Structure::add_step(const Frontier& frontier, std::uint32_t chosen, std::uint32_t& slots) {
    const auto numbers = frontier.numbers();
    const Box& box = frontier.boxes()[chosen];
    done_[chosen] = 1;
    Step step{chosen, box.size, box.number_count, 0, {}, {}, {}};
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
    // A slot is free again only now: numbers that close here were open beside those that opened.
    for (std::size_t k = 0; k < box.number_count; ++k) {
        if (boxes_left_[box.numbers[k]] == 0) {
            free_slots_.push_back(step.slots[k]);
            open_.erase(std::find(open_.begin(), open_.end(), box.numbers[k]));
        }
    }
    return step;
}

// Follows the sweep of a component box by box. Returns false if no state reaches the end.
template <class Key>
bool Structure::expand(Component& component, const Sampling* sampling, Budget& budget) {
    auto& [keys, next] = std::get<Keys<Key>>(keys_);
    begin_layers(component, sampling);
    keys.assign(1, Key{});
    for (std::uint32_t at = 0; at < component.step_count; ++at) {
        const auto first_state = static_cast<std::uint32_t>(states_.size());
        layers_.push_back({first_state, static_cast<std::uint32_t>(transitions_.size())});
        next.clear();
        masses_.clear();
        follow<Key>(steps_[component.first_step + at], sampling, budget);
        if (next.size() == 0) {
            return false;
        }
        if (sampling) {
            draw_states(next.keys(), *sampling);
        }
        lay_out_series(first_state);
        budget.use_states(next.size());
        std::swap(keys, next.keys());
    }
    component.final_state = static_cast<std::uint32_t>(states_.size()) - 1;
    return true;
}

// Adds the layer before the first step: one state, in which no mine has been laid.
void Structure::begin_layers(Component& component, const Sampling* sampling) {
    component.first_layer = static_cast<std::uint32_t>(layers_.size());
    layers_.push_back({static_cast<std::uint32_t>(states_.size()),
                       static_cast<std::uint32_t>(transitions_.size())});
    states_.push_back({series_size_, 0, 1});
    series_size_ += 1;
    if (sampling) {
        share_.push_back(1);
        weights_.assign(1, 1);
    }
}

// Goes from every state of a layer to those of the next: one for each number of mines that the box may hold.
template <class Key>
void Structure::follow(const Step& step, const Sampling* sampling, Budget& budget) {
    auto& [keys, next] = std::get<Keys<Key>>(keys_);
    const std::uint32_t first_source = layers_[layers_.size() - 2].first_state;
    const std::uint32_t first_target = layers_.back().first_state;
    std::optional<Chances> chances;
    if (sampling) {
        chances.emplace(sampling->density);
    }
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
        budget.add_work((sizeof(Key) / 32 + 4) * (most - least + 1));
        for (std::size_t k = 0; k < step.number_count; ++k) {
            key.subtract(step.slots[k], least);
        }
        for (unsigned mines = least;; ++mines) {
            const auto [target, is_new] = next.insert(key);
            const std::int32_t low = sampling ? 0 : from.low + static_cast<std::int32_t>(mines);
            reach(first_target + target, is_new, low, from.length);
            if (sampling) {
                masses_.resize(next.size());
                masses_[target] += weights_[source] * chances->weight(step.size, mines, step.box);
            }
            transitions_.push_back({first_source + static_cast<std::uint32_t>(source),
                                    first_target + target, mines});
            if (mines == most) break;
            for (std::size_t k = 0; k < step.number_count; ++k) {
                key.subtract(step.slots[k], 1);
            }
        }
    }
}

// Makes room in a state for a series of this length from `low` on.
void Structure::reach(std::uint32_t index, bool is_new, std::int32_t low, std::uint32_t length) {
    if (is_new) {
        states_.push_back({0, low, length});
        return;
    }
    State& state = states_[index];
    const std::int32_t end = std::max(state.low + static_cast<std::int32_t>(state.length),
                                      low + static_cast<std::int32_t>(length));
    state.low = std::min(state.low, low);
    state.length = static_cast<std::uint32_t>(end - state.low);
}

// Gives every state from this one on its place among the series.
void Structure::lay_out_series(std::size_t first_state) {
    for (std::size_t i = first_state; i < states_.size(); ++i) {
        states_[i].offset = series_size_;
        if (states_[i].length > most_values - series_size_) {
            throw LimitReached{"counting the layouts would take too much memory"};
        }
        series_size_ += states_[i].length;
    }
}

// Draws states of the last layer if there are too many. All with at least a certain weight are kept; one
// with less is kept with a chance in proportion to its weight and then stands for that weight, so that
// on the average every state has what it had (the resampling of Fearnhead and Clifford).
template <class Key>
void Structure::draw_states(Vector<Key>& keys, const Sampling& sampling) {
    const std::uint32_t first_state = layers_.back().first_state;
    share_.resize(states_.size(), 1);
    const double total = std::accumulate(masses_.begin(), masses_.end(), 0.0);
    for (double& mass : masses_) mass /= total;  // Only how they compare matters, and they never vanish.
    if (keys.size() > sampling.most_states) {
        // The threshold at which as many are kept as may be, found by halving.
        double low = 0, high = 1;
        for (int i = 0; i < 60; ++i) {
            const double middle = (low + high) / 2;
            double expected = 0;
            for (const double mass : masses_) expected += std::min(1.0, mass / middle);
            (expected > sampling.most_states ? low : high) = middle;
        }
        kept_.assign(keys.size(), none);
        std::uint32_t kept = 0;
        double carried = random_.fraction();
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            const double chance = std::min(1.0, masses_[i] / high);
            carried += chance;
            if (chance >= 1 || carried >= 1) {
                carried -= chance >= 1 ? chance : 1;
                kept_[i] = kept;
                keys[kept] = keys[i];
                states_[first_state + kept] = states_[first_state + i];
                share_[first_state + kept] = chance > 0 ? 1 / chance : 1;
                masses_[kept] = std::max(masses_[i], high);
                ++kept;
            }
        }
        keys.resize(kept);
        masses_.resize(kept);
        states_.resize(first_state + kept);
        share_.resize(first_state + kept);
        const std::size_t first = layers_.back().first_transition;
        std::size_t end = first;
        for (std::size_t i = first; i < transitions_.size(); ++i) {
            Transition each = transitions_[i];
            const std::uint32_t target = kept_[each.target - first_state];
            if (target != none) {
                each.target = first_state + target;
                transitions_[end++] = each;
            }
        }
        transitions_.resize(end);
    }
    std::swap(weights_, masses_);
}

}  // namespace sapper
