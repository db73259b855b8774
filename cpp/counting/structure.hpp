// The structure of a sweep: which states there are after each box, and which lead to which.
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

// One box of a component's sweep, and what it does to the numbers that are open.
struct Step {
    std::uint32_t box;
    std::uint8_t size;
    std::uint8_t number_count;
    std::uint8_t opening;                // a bit for each number that opens here
    std::array<std::uint16_t, 8> slots;  // where the state keeps each number's need
    std::array<std::uint8_t, 8> needs;   // the need of those that open
    std::array<std::uint8_t, 8> room;    // cells that each number has left after this box
};

// Layouts of the boxes so far that leave the same needs. A series over them has a value for each
// number of mines from `low` on.
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
    std::uint32_t first_transition;  // of those that lead here
};

struct Component {
    std::uint32_t first_step;
    std::uint32_t first_layer;  // the layer before the first step
    std::uint32_t step_count;
    std::uint32_t final_state;
};

// How to go on where there are too many states: in each layer only some are followed, drawn at random, those
// that weigh more with a better chance, and each stands for others like it.
struct Sampling {
    std::uint32_t most_states;  // in a layer
    double density;             // of mines, for the weights
    std::uint64_t seed;
};

// The sweeps of all components. States of a component's layer follow each other, and so do transitions.
class Structure {
public:
    // Returns false if a component cannot be laid at all.
    bool build(const Frontier& frontier, Budget& budget) { return build(frontier, nullptr, budget); }
    // The same with only some of the states, which do not count their mines: every series has one value.
    // Returns false if none of those that were followed came to the end.
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
    // The fewest and the most mines that all components together can hold; not of a sample.
    std::pair<std::int64_t, std::int64_t> mines() const;
    std::uint32_t series_size() const { return series_size_; }
    // Whether states count their mines.
    bool counts_mines() const { return share_.empty(); }
    // What a state that was drawn stands for: 1, or more.
    double share(std::size_t state) const { return share_[state]; }

private:
    bool build(const Frontier& frontier, const Sampling* sampling, Budget& budget);
    std::uint32_t plan(const Frontier& frontier, std::span<const std::uint32_t> boxes, Budget& budget);
    std::uint32_t choose_box(const Frontier& frontier) const;
    Step add_step(const Frontier& frontier, std::uint32_t box, std::uint32_t& slots);
    template <class Key>
    bool expand(Component& component, const Sampling* sampling, Budget& budget);
    void begin_layers(Component& component, const Sampling* sampling);
    template <class Key>
    void follow(const Step& step, const Sampling* sampling, Budget& budget);
    void reach(std::uint32_t index, bool is_new, std::int32_t low, std::uint32_t length);
    template <class Key>
    void draw_states(Vector<Key>& keys, const Sampling& sampling);
    void lay_out_series(std::size_t first_state);

    Vector<Component> components_;
    Vector<Step> steps_;
    Vector<State> states_;
    Vector<Transition> transitions_;
    Vector<Layer> layers_;
    std::uint32_t series_size_ = 0;

    // What planning keeps for each number and box.
    Vector<std::uint8_t> boxes_left_, room_left_, done_;
    Vector<std::uint16_t> slot_of_;
    Vector<std::uint32_t> open_;
    Vector<std::uint16_t> free_slots_;
    // The keys of the states of a layer, and those of the next.
    template <class Key>
    struct Keys {
        Vector<Key> now;
        KeyTable<Key> next;
    };
    std::tuple<Keys<Key<1>>, Keys<Key<2>>, Keys<Key<8>>, Keys<Key<128>>> keys_;
    Vector<double> share_;             // for each state, if sampled
    Vector<double> weights_, masses_;  // of the states of a layer, and of the next
    Vector<std::uint32_t> kept_;
    Random random_{0};
};

}  // namespace sapper
