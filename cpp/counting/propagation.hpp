// Values carried through a structure: forward through each component, together over all of them, and
// backward with what lies outside. docs/engine.md explains the method, values.hpp has the kinds of values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "counting/structure.hpp"

namespace sapper {

// Values for each number of mines from `low` on, in a store that many series share.
struct Series {
    std::int64_t low;
    std::size_t offset;
    std::size_t length;

    std::int64_t end() const { return low + static_cast<std::int64_t>(length); }
};

template <class Kind>
class Propagation {
public:
    using Value = typename Kind::Value;

    // Lays out every component by the number of mines used.
    void forward(const Structure& structure, const Kind& kind, Budget& budget) {
        forward_.assign(structure.series_size(), Kind::zero());
        log_scale_ = 0;
        for (const Component& component : structure.components()) {
            forward(structure, kind, component, budget);
        }
    }

    // Frees the memory of all values.
    void release_memory() {
        for (auto* values : {&forward_, &backward_, &joined_, &outside_}) release(*values);
    }

    // Multiplies them: how all components together use each number of mines.
    void join(const Structure& structure, const Kind& kind, Budget& budget);
    std::int64_t low() const { return nodes_.back().low; }
    std::span<const Value> together() const { return values(joined_, nodes_.back()); }
    // The logarithm of what the values were divided by to keep them in range.
    double log_scale() const { return log_scale_; }

    // What the ways to come to a state weigh, for each number of mines from its `low` on.
    std::span<const Value> forward_of(const State& state) const {
        return {forward_.data() + state.offset, state.length};
    }

    // Gives every component its outside, from that of all together: what the ways to lay the cells beyond
    // them weigh, for each number of mines.
    void split(const Structure& structure, const Kind& kind, std::span<const Value> outside,
               Budget& budget);
    // Gives every component an outside that takes any number of mines.
    void split_freely(const Structure& structure) {
        nodes_.clear();
        for (const Component& component : structure.components()) {
            const State& last = structure.states()[component.final_state];
            nodes_.push_back({last.low, nodes_.empty() ? 0 : nodes_.back().offset + nodes_.back().length,
                              last.length});
        }
        const std::size_t size = nodes_.empty() ? 0 : nodes_.back().offset + nodes_.back().length;
        outside_.assign(size, Kind::one());
    }

    // For every box: what the layouts with a mine on one of its cells weigh, and those with none there.
    void backward(const Structure& structure, const Kind& kind, std::span<Value> with_mine,
                  std::span<Value> with_none, Budget& budget) {
        backward_.resize(structure.series_size());
        for (std::size_t i = 0; i < structure.components().size(); ++i) {
            backward(structure, kind, structure.components()[i], nodes_[i], with_mine, with_none, budget);
        }
    }

private:
    static constexpr std::uint32_t rescale_after = 16;  // steps: each makes values a little smaller

    static std::span<const Value> values(const Vector<Value>& store, const Series& series) {
        return {store.data() + series.offset, series.length};
    }

    void forward(const Structure& structure, const Kind& kind, const Component& component,
                 Budget& budget) {
        const auto states = structure.states();
        forward_[structure.states_of(component.first_layer)[0].offset] = Kind::one();
        for (std::uint32_t at = 0; at < component.step_count; ++at) {
            const Step& step = structure.steps()[component.first_step + at];
            const std::uint32_t layer = component.first_layer + at + 1;
            std::uint64_t work = 0;
            for (const Transition& each : structure.transitions_into(layer)) {
                const State& from = states[each.source];
                const State& to = states[each.target];
                const Value weight = kind.weight(step.size, each.mines, step.box);
                const Value* source = forward_.data() + from.offset;
                Value* target = forward_.data() + to.offset + shift(structure, from, each, to);
                for (std::uint32_t i = 0; i < from.length; ++i) {
                    kind.add_product(target[i], weight, source[i]);
                }
                work += from.length;
            }
            budget.work(work / 4 + 1);
            apply_shares(structure, forward_, layer);
            if ((at + 1) % rescale_after == 0) {
                log_scale_ += std::log(static_cast<double>(kind.rescale(layer_values(
                    forward_, structure.states_of(layer)))));
            }
        }
    }

    // Lets every state that was drawn stand for those that were not.
    static void apply_shares(const Structure& structure, Vector<Value>& store, std::uint32_t layer) {
        if constexpr (std::is_same_v<Value, double>) {
            if (!structure.counts_mines()) {
                std::size_t state = structure.layers()[layer].first_state;
                for (const State& each : structure.states_of(layer)) {
                    store[each.offset] *= structure.share(state++);
                }
            }
        }
    }

    void backward(const Structure& structure, const Kind& kind, const Component& component,
                  const Series& outside, std::span<Value> with_mine, std::span<Value> with_none,
                  Budget& budget) {
        const auto states = structure.states();
        const State& last = states[component.final_state];
        const auto end = backward_.begin() + last.offset;
        std::fill(end, end + last.length, Kind::zero());
        const auto seed = values(outside_, outside);
        std::copy(seed.begin(), seed.end(), end + (outside.low - last.low));
        for (std::uint32_t at = component.step_count; at-- > 0;) {
            const Step& step = structure.steps()[component.first_step + at];
            const std::uint32_t layer = component.first_layer + at;
            const auto sources = layer_values(backward_, structure.states_of(layer));
            std::fill(sources.begin(), sources.end(), Kind::zero());
            Value mine = Kind::zero(), none = Kind::zero();
            std::uint64_t work = 0;
            for (const Transition& each : structure.transitions_into(layer + 1)) {
                const State& from = states[each.source];
                const State& to = states[each.target];
                const Value weight = kind.weight(step.size, each.mines, step.box);
                const Value* before = forward_.data() + from.offset;
                const Value* after = backward_.data() + to.offset + shift(structure, from, each, to);
                Value* source = backward_.data() + from.offset;
                Value both = Kind::zero();
                for (std::uint32_t i = 0; i < from.length; ++i) {
                    kind.add_product(both, before[i], after[i]);
                    kind.add_product(source[i], weight, after[i]);
                }
                kind.add_product(mine, kind.mine_weight(step.size, each.mines, step.box), both);
                kind.add_product(none, kind.none_weight(step.size, each.mines, step.box), both);
                work += from.length;
            }
            budget.work(work / 4 + 1);
            with_mine[step.box] = mine;
            with_none[step.box] = none;
            apply_shares(structure, backward_, layer);
            if (at % rescale_after == 0) {
                kind.rescale(sources);
            }
        }
    }

    // How far a series moves along a transition.
    static std::ptrdiff_t shift(const Structure& structure, const State& from, const Transition& each,
                                const State& to) {
        return structure.counts_mines() ? static_cast<std::ptrdiff_t>(from.low) + each.mines - to.low : 0;
    }

    static std::span<Value> layer_values(Vector<Value>& store, std::span<const State> states) {
        const State& last = states.back();
        return {store.data() + states.front().offset, last.offset + last.length - states.front().offset};
    }

    void pass_down(const Kind& kind, const Series& node, const Series& child, const Series& sibling,
                   Budget& budget);

    Vector<Value> forward_, backward_, joined_, outside_;
    // Nodes of a binary tree: first the components, then the products of two nodes each, in order: node
    // `n + i` of `n` components is the product of nodes `2 i` and `2 i + 1`. The last is the root.
    Vector<Series> nodes_;
    double log_scale_ = 0;
};

template <class Kind>
void Propagation<Kind>::join(const Structure& structure, const Kind& kind, Budget& budget) {
    nodes_.clear();
    joined_.clear();
    for (const Component& component : structure.components()) {
        const State& last = structure.states()[component.final_state];
        const auto begin = forward_.begin() + last.offset;
        nodes_.push_back({last.low, joined_.size(), last.length});
        joined_.insert(joined_.end(), begin, begin + last.length);
    }
    if (nodes_.empty()) {
        nodes_.push_back({0, 0, 1});
        joined_.push_back(Kind::one());
    }
    for (std::size_t i = 0; i + 1 < nodes_.size(); i += 2) {
        const Series left = nodes_[i], right = nodes_[i + 1];
        Series product{left.low + right.low, joined_.size(), left.length + right.length - 1};
        joined_.resize(joined_.size() + product.length, Kind::zero());
        for (std::size_t a = 0; a < left.length; ++a) {
            budget.work(right.length / 4 + 1);
            const Value factor = joined_[left.offset + a];
            const Value* source = joined_.data() + right.offset;
            Value* target = joined_.data() + product.offset + a;
            for (std::size_t b = 0; b < right.length; ++b) {
                kind.add_product(target[b], factor, source[b]);
            }
        }
        const auto made = std::span<Value>{joined_.data() + product.offset, product.length};
        log_scale_ += std::log(static_cast<double>(kind.rescale(made)));
        const auto [first, last] = kind.worth_keeping(made);
        product = {product.low + static_cast<std::int64_t>(first), product.offset + first, last - first};
        nodes_.push_back(product);
    }
}

template <class Kind>
void Propagation<Kind>::split(const Structure& structure, const Kind& kind,
                              std::span<const Value> outside, Budget& budget) {
    outside_.assign(joined_.size(), Kind::zero());
    std::copy(outside.begin(), outside.end(),
              outside_.begin() + static_cast<std::ptrdiff_t>(nodes_.back().offset));
    const std::size_t leaves = structure.components().size();
    for (std::size_t node = nodes_.size(); leaves != 0 && node-- > leaves;) {
        const std::size_t child = 2 * (node - leaves);
        pass_down(kind, nodes_[node], nodes_[child], nodes_[child + 1], budget);
        pass_down(kind, nodes_[node], nodes_[child + 1], nodes_[child], budget);
    }
}

// What a child does not hold is its sibling, and what the node does not hold.
template <class Kind>
void Propagation<Kind>::pass_down(const Kind& kind, const Series& node, const Series& child,
                                  const Series& sibling, Budget& budget) {
    for (std::size_t a = 0; a < child.length; ++a) {
        budget.work(sibling.length / 4 + 1);
        // The places in the node that belong to the sibling's; some may have been not worth keeping.
        const std::int64_t shift = child.low + static_cast<std::int64_t>(a) + sibling.low - node.low;
        const std::int64_t first = std::max<std::int64_t>(0, -shift);
        const std::int64_t last = std::min(static_cast<std::int64_t>(sibling.length),
                                           static_cast<std::int64_t>(node.length) - shift);
        Value sum = Kind::zero();
        for (std::int64_t b = first; b < last; ++b) {
            kind.add_product(sum, outside_[node.offset + static_cast<std::size_t>(shift + b)],
                             joined_[sibling.offset + static_cast<std::size_t>(b)]);
        }
        outside_[child.offset + a] = sum;
    }
    // Only how the values compare with each other matters.
    kind.rescale(std::span<Value>{outside_.data() + child.offset, child.length});
}

}  // namespace sapper
