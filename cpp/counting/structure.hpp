// The structure of a sweep: the states after each box, and the transitions between them.
//
// A number is pending while some, but not all, of its boxes have been visited. The structure does not depend on the
// kind of values that are propagated, so several propagations can share it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "counting/frontier.hpp"
#include "counting/key.hpp"
#include "counting/key_table.hpp"

namespace sapper {

// One box of a component's sweep, and its effect on the pending numbers.
struct Step {
    std::uint32_t box;
    std::uint8_t size;
    std::uint8_t number_count;
    std::uint8_t starting;               // a bit for each number that becomes pending here
    std::array<std::uint16_t, 8> slots;  // the slot of each number in the state's key
    std::array<std::uint8_t, 8> needs;   // the initial need of those that become pending
    std::array<std::uint8_t, 8> room;    // cells of each number in boxes not yet visited
};

// All layouts of the visited boxes that leave the pending numbers with the same needs. Its series has a value for each
// number of mines from `low` up.
struct State {
    std::uint32_t offset;
    std::int32_t low;
    std::uint32_t length;
};

struct Transition {
    std::uint32_t source;
    std::uint32_t target;
    std::uint32_t mines;
};

struct Layer {
    std::uint32_t first_state;
    std::uint32_t first_transition;  // first of the transitions into this layer
};

struct Component {
    std::uint32_t first_step;
    std::uint32_t first_layer;  // the layer before the first step
    std::uint32_t step_count;
    std::uint32_t final_state;
};

// Parameters for sampling states if there are too many. Each layer keeps about `max_states` states, chosen at random
// with a preference for heavy ones; a kept state also stands for those that were dropped.
struct Sampling {
    std::uint32_t max_states;  // per layer
    double density;            // probability of a mine, for the weights
    std::uint64_t seed;
};

// The sweeps of all components. The states of a layer are contiguous, and so are the transitions into it.
class Structure {
public:
    // Builds all states. Returns false if some component has no layout.
    bool build(const Frontier& frontier, Budget& budget) { return build(frontier, nullptr, budget); }
    // Builds a random sample of the states. Sampled states do not track their number of mines: every series has one
    // value. Returns false if no sampled state reaches the end of a component.
    bool sample(const Frontier& frontier, const Sampling& sampling, Budget& budget) {
        return build(frontier, &sampling, budget);
    }

    std::span<const Component> components() const { return components_; }
    std::span<const Step> steps() const { return steps_; }
    std::span<const State> states() const { return states_; }
    std::span<const Transition> transitions() const { return transitions_; }
    std::span<const Layer> layers() const { return layers_; }
    std::span<const State> states_of(std::size_t layer) const {
        const bool last = layer + 1 == layers_.size();
        const std::size_t begin = layers_[layer].first_state;
        return {states_.data() + begin, (last ? states_.size() : layers_[layer + 1].first_state) - begin};
    }
    std::span<const Transition> transitions_into(std::size_t layer) const {
        const bool last = layer + 1 == layers_.size();
        const std::size_t begin = layers_[layer].first_transition;
        const std::size_t end = last ? transitions_.size() : layers_[layer + 1].first_transition;
        return {transitions_.data() + begin, end - begin};
    }
    // The fewest and the most mines that all components can hold together; not available for a sample.
    std::pair<std::int64_t, std::int64_t> mines() const;
    std::uint32_t series_size() const { return series_size_; }
    // Whether series have a value per number of mines. False for a sample.
    bool counts_mines() const { return importance_.empty(); }
    // The importance weight of a sampled state: the inverse of the probability that it was kept.
    double importance(std::size_t state) const { return importance_[state]; }

private:
    bool build(const Frontier& frontier, const Sampling* sampling, Budget& budget);
    std::uint32_t plan_sweep(const Frontier& frontier, std::span<const std::uint32_t> boxes, Budget& budget);
    std::uint32_t choose_box(const Frontier& frontier) const;
    Step add_step(const Frontier& frontier, std::uint32_t box, std::uint32_t& slots);
    template <class Key>
    bool expand_component(Component& component, const Sampling* sampling, Budget& budget);
    void add_first_layer(Component& component, const Sampling* sampling);
    template <class Key>
    void expand_layer(const Step& step, const Sampling* sampling, Budget& budget);
    void extend_series(std::uint32_t index, bool is_new, std::int32_t low, std::uint32_t length);
    template <class Key>
    void resample(Vector<Key>& keys, const Sampling& sampling);
    double resampling_threshold(std::uint32_t max_states) const;
    void renumber_transitions();
    void assign_offsets(std::size_t first_state);

    Vector<Component> components_;
    Vector<Step> steps_;
    Vector<State> states_;
    Vector<Transition> transitions_;
    Vector<Layer> layers_;
    std::uint32_t series_size_ = 0;

    // Used while planning: per number, boxes and cells not yet visited, and the slot; per box, whether it was visited.
    Vector<std::uint8_t> boxes_left_, room_left_, visited_;
    Vector<std::uint16_t> slot_of_;
    Vector<std::uint32_t> pending_;
    Vector<std::uint16_t> free_slots_;
    // The keys of the current layer's states, and of the next layer's.
    template <class Key>
    struct Keys {
        Vector<Key> now;
        KeyTable<Key> next;
    };
    std::tuple<Keys<Key<1>>, Keys<Key<2>>, Keys<Key<8>>, Keys<Key<128>>> keys_;
    Vector<double> importance_;              // per state; empty if all states are kept
    Vector<double> weights_, next_weights_;  // of the current layer's states, and of the next layer's
    Vector<std::uint32_t> new_index_;        // of each state of a layer after resampling
    Random random_{0};
};

}  // namespace sapper
