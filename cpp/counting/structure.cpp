// Plans the order of a sweep, and builds its states.
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
constexpr std::uint32_t max_values = 1u << 25;  // total length of all series: 256 MiB forward, and as much backward

}  // namespace

bool Structure::build(const Frontier& frontier, const Sampling* sampling, Budget& budget) {
    components_.clear();
    steps_.clear();
    states_.clear();
    transitions_.clear();
    layers_.clear();
    series_size_ = 0;
    importance_.clear();
    random_ = Random{sampling ? sampling->seed : 0};
    const auto numbers = frontier.numbers();
    boxes_left_.resize(numbers.size());
    room_left_.resize(numbers.size());
    slot_of_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        boxes_left_[i] = numbers[i].box_count;
        room_left_[i] = numbers[i].room;
    }
    visited_.assign(frontier.boxes().size(), 0);
    for (std::size_t i = 0; i < frontier.component_count(); ++i) {
        const auto boxes = frontier.component(i);
        Component component{static_cast<std::uint32_t>(steps_.size()), 0, static_cast<std::uint32_t>(boxes.size()),
                            none};
        const std::uint32_t slots = plan_sweep(frontier, boxes, budget);
        bool possible = false;
        if (slots <= Key<1>::slots) {
            possible = expand_component<Key<1>>(component, sampling, budget);
        } else if (slots <= Key<2>::slots) {
            possible = expand_component<Key<2>>(component, sampling, budget);
        } else if (slots <= Key<8>::slots) {
            possible = expand_component<Key<8>>(component, sampling, budget);
        } else if (sampling && slots <= Key<128>::slots) {
            possible = expand_component<Key<128>>(component, sampling, budget);
        } else {
            throw LimitReached{"the frontier is too complex to count: a sweep would have " + std::to_string(slots) +
                               " numbers pending at once"};
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

// Plans the order of a component's boxes so that few numbers are pending at once. The sweep starts at a box far from
// the others. The next box is the one that completes the most numbers; among equals, the one that starts the fewest;
// among equals, one that touches the number that has been pending longest. Returns the number of slots needed.
std::uint32_t Structure::plan_sweep(const Frontier& frontier, std::span<const std::uint32_t> boxes, Budget& budget) {
    pending_.clear();
    free_slots_.clear();
    std::uint32_t slots = 0;
    for (std::size_t taken = 0; taken < boxes.size(); ++taken) {
        budget.add_work(8 * pending_.size());
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
    for (const std::uint32_t number : pending_) {
        for (std::size_t j = 0; j < numbers[number].box_count; ++j) {
            const std::uint32_t candidate = numbers[number].boxes[j];
            if (visited_[candidate]) {
                continue;
            }
            const Box& box = boxes[candidate];
            int starts = 0, completes = 0;
            for (std::size_t k = 0; k < box.number_count; ++k) {
                const std::uint32_t touched = box.numbers[k];
                starts += boxes_left_[touched] == numbers[touched].box_count;
                completes += boxes_left_[touched] == 1;
            }
            const int cost = starts - 4 * completes;
            if (cost < best) {
                best = cost;
                chosen = candidate;
            }
        }
    }
    return chosen;
}

// Visits a box: numbers become pending or complete, and each pending number gets a slot.
Step Structure::add_step(const Frontier& frontier, std::uint32_t chosen, std::uint32_t& slots) {
    const auto numbers = frontier.numbers();
    const Box& box = frontier.boxes()[chosen];
    visited_[chosen] = 1;
    Step step{chosen, box.size, box.number_count, 0, {}, {}, {}};
    for (std::size_t k = 0; k < box.number_count; ++k) {
        const std::uint32_t number = box.numbers[k];
        if (boxes_left_[number] == numbers[number].box_count) {
            step.starting = static_cast<std::uint8_t>(step.starting | 1u << k);
            step.needs[k] = numbers[number].need;
            if (free_slots_.empty()) {
                slot_of_[number] = static_cast<std::uint16_t>(slots++);
            } else {
                slot_of_[number] = free_slots_.back();
                free_slots_.pop_back();
            }
            pending_.push_back(number);
        }
        step.slots[k] = slot_of_[number];
        room_left_[number] = static_cast<std::uint8_t>(room_left_[number] - box.size);
        step.room[k] = room_left_[number];
        --boxes_left_[number];
    }
    // Slots are freed only now: a number that completes here is still pending next to those that start here.
    for (std::size_t k = 0; k < box.number_count; ++k) {
        if (boxes_left_[box.numbers[k]] == 0) {
            free_slots_.push_back(step.slots[k]);
            pending_.erase(std::find(pending_.begin(), pending_.end(), box.numbers[k]));
        }
    }
    return step;
}

// Builds the layers of a component, one per box. Returns false if no state reaches the end.
template <class Key>
bool Structure::expand_component(Component& component, const Sampling* sampling, Budget& budget) {
    auto& [keys, next] = std::get<Keys<Key>>(keys_);
    add_first_layer(component, sampling);
    keys.assign(1, Key{});
    for (std::uint32_t at = 0; at < component.step_count; ++at) {
        const auto first_state = static_cast<std::uint32_t>(states_.size());
        layers_.push_back({first_state, static_cast<std::uint32_t>(transitions_.size())});
        next.clear();
        next_weights_.clear();
        expand_layer<Key>(steps_[component.first_step + at], sampling, budget);
        if (next.size() == 0) {
            return false;
        }
        if (sampling) {
            resample(next.keys(), *sampling);
        }
        assign_offsets(first_state);
        budget.use_states(next.size());
        std::swap(keys, next.keys());
    }
    component.final_state = static_cast<std::uint32_t>(states_.size()) - 1;
    return true;
}

// Adds the layer before the first box: a single state with no mines placed.
void Structure::add_first_layer(Component& component, const Sampling* sampling) {
    component.first_layer = static_cast<std::uint32_t>(layers_.size());
    layers_.push_back({static_cast<std::uint32_t>(states_.size()), static_cast<std::uint32_t>(transitions_.size())});
    states_.push_back({series_size_, 0, 1});
    series_size_ += 1;
    if (sampling) {
        importance_.push_back(1);
        weights_.assign(1, 1);
    }
}

// Adds the transitions out of every state of the current layer, one for each number of mines that the box can hold.
template <class Key>
void Structure::expand_layer(const Step& step, const Sampling* sampling, Budget& budget) {
    auto& [keys, next] = std::get<Keys<Key>>(keys_);
    const std::uint32_t first_source = layers_[layers_.size() - 2].first_state;
    const std::uint32_t first_target = layers_.back().first_state;
    std::optional<Weights> box_weights;
    if (sampling) {
        box_weights.emplace(sampling->density);
    }
    for (std::size_t source = 0; source < keys.size(); ++source) {
        Key key = keys[source];
        unsigned least = 0, most = step.size;
        for (std::size_t k = 0; k < step.number_count; ++k) {
            if (step.starting >> k & 1) {
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
        const State from = states_[first_source + source];  // a copy, because push_back may move the states
        budget.add_work((sizeof(Key) / 32 + 4) * (most - least + 1));
        for (std::size_t k = 0; k < step.number_count; ++k) {
            key.subtract(step.slots[k], least);
        }
        for (unsigned mines = least;; ++mines) {
            const auto [target, is_new] = next.insert(key);
            const std::int32_t low = sampling ? 0 : from.low + static_cast<std::int32_t>(mines);
            extend_series(first_target + target, is_new, low, from.length);
            if (sampling) {
                next_weights_.resize(next.size());
                next_weights_[target] += weights_[source] * box_weights->weight(step.size, mines, step.box);
            }
            transitions_.push_back({first_source + static_cast<std::uint32_t>(source), first_target + target, mines});
            if (mines == most) break;
            for (std::size_t k = 0; k < step.number_count; ++k) {
                key.subtract(step.slots[k], 1);
            }
        }
    }
}

// Extends a state's series so that it covers `length` values from `low` up.
void Structure::extend_series(std::uint32_t index, bool is_new, std::int32_t low, std::uint32_t length) {
    if (is_new) {
        states_.push_back({0, low, length});
        return;
    }
    State& state = states_[index];
    const std::int32_t end =
        std::max(state.low + static_cast<std::int32_t>(state.length), low + static_cast<std::int32_t>(length));
    state.low = std::min(state.low, low);
    state.length = static_cast<std::uint32_t>(end - state.low);
}

// Assigns each state from `first_state` on its offset in the array of all series.
void Structure::assign_offsets(std::size_t first_state) {
    for (std::size_t i = first_state; i < states_.size(); ++i) {
        states_[i].offset = series_size_;
        if (states_[i].length > max_values - series_size_) {
            throw LimitReached{"counting the layouts would take too much memory"};
        }
        series_size_ += states_[i].length;
    }
}

// Samples the states of the last layer if there are too many of them (the resampling of Fearnhead and Clifford, 2003).
// States whose weight reaches a threshold are all kept. A lighter state is kept with probability weight / threshold,
// and then gets the threshold as its weight, so that the expected weight of every state is unchanged.
template <class Key>
void Structure::resample(Vector<Key>& keys, const Sampling& sampling) {
    const std::uint32_t first_state = layers_.back().first_state;
    importance_.resize(states_.size(), 1);
    const double total = std::accumulate(next_weights_.begin(), next_weights_.end(), 0.0);
    for (double& weight : next_weights_) weight /= total;  // Only ratios matter, and this prevents underflow.
    if (keys.size() > sampling.max_states) {
        const double threshold = resampling_threshold(sampling.max_states);
        new_index_.assign(keys.size(), none);
        std::uint32_t kept = 0;
        double carried = random_.fraction();  // systematic sampling: one random number for the whole layer
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            const double probability = std::min(1.0, next_weights_[i] / threshold);
            carried += probability;
            if (probability >= 1 || carried >= 1) {
                carried -= probability >= 1 ? probability : 1;
                new_index_[i] = kept;
                keys[kept] = keys[i];
                states_[first_state + kept] = states_[first_state + i];
                importance_[first_state + kept] = probability > 0 ? 1 / probability : 1;
                next_weights_[kept] = std::max(next_weights_[i], threshold);
                ++kept;
            }
        }
        keys.resize(kept);
        next_weights_.resize(kept);
        states_.resize(first_state + kept);
        importance_.resize(first_state + kept);
        renumber_transitions();
    }
    std::swap(weights_, next_weights_);
}

// Returns the threshold at which the expected number of kept states is `max_states`, by bisection.
double Structure::resampling_threshold(std::uint32_t max_states) const {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        double expected = 0;
        for (const double weight : next_weights_) expected += std::min(1.0, weight / middle);
        (expected > max_states ? low : high) = middle;
    }
    return high;
}

// Removes the transitions into states that were dropped from the last layer, and renumbers the targets of the others.
void Structure::renumber_transitions() {
    const std::uint32_t first_state = layers_.back().first_state;
    const std::size_t first = layers_.back().first_transition;
    std::size_t end = first;
    for (std::size_t i = first; i < transitions_.size(); ++i) {
        Transition each = transitions_[i];
        const std::uint32_t target = new_index_[each.target - first_state];
        if (target != none) {
            each.target = first_state + target;
            transitions_[end++] = each;
        }
    }
    transitions_.resize(end);
}

}  // namespace sapper
