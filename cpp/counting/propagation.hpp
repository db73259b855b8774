// Carries values through the states of a sweep: forward through each component, combined over all components, and
// backward again. docs/engine.md explains the method; values.hpp defines the kinds of values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "counting/structure.hpp"

namespace sapper {

// A series has a value for each number of mines from `low` up. Many series share one array.
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

    // Sweeps every component forward. The final state of a component then has a value for each number of mines in it.
    void forward(const Structure& structure, const Kind& kind, Budget& budget) {
        forward_.assign(structure.series_size(), Kind::zero());
        log_scale_ = 0;
        for (const Component& component : structure.components()) {
            forward(structure, kind, component, budget);
        }
    }

    // Frees the memory of all values.
    void release_memory() {
        for (auto* values : {&forward_, &backward_, &combined_, &outside_}) release(*values);
    }

    // Multiplies the components' series: a value for each number of mines in all components combined.
    void combine(const Structure& structure, const Kind& kind, Budget& budget);
    std::int64_t low() const { return nodes_.back().low; }
    std::span<const Value> combined() const { return values(combined_, nodes_.back()); }
    // The logarithm of the product of all divisors used to keep values in range.
    double log_scale() const { return log_scale_; }

    // The total weight of the paths to a state, for each number of mines from its `low` up.
    std::span<const Value> forward_of(const State& state) const {
        return {forward_.data() + state.offset, state.length};
    }

    // Derives each component's outside from that of all components combined. The outside of a component is the value of
    // everything beyond it, for each number of mines in the component.
    void set_outside(const Structure& structure, const Kind& kind, std::span<const Value> outside, Budget& budget);
    // Gives every component an outside of one, whatever its number of mines: the total number of mines is ignored.
    void set_unrestricted_outside(const Structure& structure) {
        nodes_.clear();
        for (const Component& component : structure.components()) {
            const State& last = structure.states()[component.final_state];
            nodes_.push_back({last.low, nodes_.empty() ? 0 : nodes_.back().offset + nodes_.back().length, last.length});
        }
        const std::size_t size = nodes_.empty() ? 0 : nodes_.back().offset + nodes_.back().length;
        outside_.assign(size, Kind::one());
    }

    // Computes for every box the total value of the layouts in which a given cell of it is a mine, and in which it is
    // safe.
    void backward(const Structure& structure, const Kind& kind, std::span<Value> with_mine, std::span<Value> with_safe,
                  Budget& budget) {
        backward_.resize(structure.series_size());
        for (std::size_t i = 0; i < structure.components().size(); ++i) {
            backward(structure, kind, structure.components()[i], nodes_[i], with_mine, with_safe, budget);
        }
    }

private:
    static constexpr std::uint32_t rescale_after = 16;  // steps; each makes values somewhat smaller

    static std::span<const Value> values(const Vector<Value>& store, const Series& series) {
        return {store.data() + series.offset, series.length};
    }

    void forward(const Structure& structure, const Kind& kind, const Component& component, Budget& budget) {
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
            budget.add_work(work / 4 + 1);
            apply_importance(structure, forward_, layer);
            if ((at + 1) % rescale_after == 0) {
                log_scale_ +=
                    std::log(static_cast<double>(kind.rescale(layer_values(forward_, structure.states_of(layer)))));
            }
        }
    }

    // In a sampled structure, multiplies each state's value by the importance weight of the state.
    static void apply_importance(const Structure& structure, Vector<Value>& store, std::uint32_t layer) {
        if constexpr (std::is_same_v<Value, double>) {
            if (!structure.counts_mines()) {
                std::size_t state = structure.layers()[layer].first_state;
                for (const State& each : structure.states_of(layer)) {
                    store[each.offset] *= structure.importance(state++);
                }
            }
        }
    }

    void backward(const Structure& structure, const Kind& kind, const Component& component, const Series& outside,
                  std::span<Value> with_mine, std::span<Value> with_safe, Budget& budget) {
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
                kind.add_product(none, kind.safe_weight(step.size, each.mines, step.box), both);
                work += from.length;
            }
            budget.add_work(work / 4 + 1);
            with_mine[step.box] = mine;
            with_safe[step.box] = none;
            apply_importance(structure, backward_, layer);
            if (at % rescale_after == 0) {
                kind.rescale(sources);
            }
        }
    }

    // The offset of the source's series within the target's.
    static std::ptrdiff_t shift(const Structure& structure, const State& from, const Transition& each,
                                const State& to) {
        return structure.counts_mines() ? static_cast<std::ptrdiff_t>(from.low) + each.mines - to.low : 0;
    }

    static std::span<Value> layer_values(Vector<Value>& store, std::span<const State> states) {
        const State& last = states.back();
        return {store.data() + states.front().offset, last.offset + last.length - states.front().offset};
    }

    void pass_down(const Kind& kind, const Series& node, const Series& child, const Series& sibling, Budget& budget);

    Vector<Value> forward_, backward_, combined_, outside_;
    // A binary tree of series: first one leaf per component, then the products of two nodes each. With `n` components,
    // node `n + i` is the product of nodes `2 i` and `2 i + 1`, and the last node is the root.
    Vector<Series> nodes_;
    double log_scale_ = 0;
};

template <class Kind>
void Propagation<Kind>::combine(const Structure& structure, const Kind& kind, Budget& budget) {
    nodes_.clear();
    combined_.clear();
    for (const Component& component : structure.components()) {
        const State& last = structure.states()[component.final_state];
        const auto begin = forward_.begin() + last.offset;
        nodes_.push_back({last.low, combined_.size(), last.length});
        combined_.insert(combined_.end(), begin, begin + last.length);
    }
    if (nodes_.empty()) {
        nodes_.push_back({0, 0, 1});
        combined_.push_back(Kind::one());
    }
    for (std::size_t i = 0; i + 1 < nodes_.size(); i += 2) {
        const Series left = nodes_[i], right = nodes_[i + 1];
        Series product{left.low + right.low, combined_.size(), left.length + right.length - 1};
        combined_.resize(combined_.size() + product.length, Kind::zero());
        for (std::size_t a = 0; a < left.length; ++a) {
            budget.add_work(right.length / 4 + 1);
            const Value factor = combined_[left.offset + a];
            const Value* source = combined_.data() + right.offset;
            Value* target = combined_.data() + product.offset + a;
            for (std::size_t b = 0; b < right.length; ++b) {
                kind.add_product(target[b], factor, source[b]);
            }
        }
        const auto made = std::span<Value>{combined_.data() + product.offset, product.length};
        log_scale_ += std::log(static_cast<double>(kind.rescale(made)));
        const auto [first, last] = kind.significant_range(made);
        product = {product.low + static_cast<std::int64_t>(first), product.offset + first, last - first};
        nodes_.push_back(product);
    }
}

template <class Kind>
void Propagation<Kind>::set_outside(const Structure& structure, const Kind& kind, std::span<const Value> outside,
                                    Budget& budget) {
    outside_.assign(combined_.size(), Kind::zero());
    std::copy(outside.begin(), outside.end(), outside_.begin() + static_cast<std::ptrdiff_t>(nodes_.back().offset));
    const std::size_t leaves = structure.components().size();
    for (std::size_t node = nodes_.size(); leaves != 0 && node-- > leaves;) {
        const std::size_t child = 2 * (node - leaves);
        pass_down(kind, nodes_[node], nodes_[child], nodes_[child + 1], budget);
        pass_down(kind, nodes_[node], nodes_[child + 1], nodes_[child], budget);
    }
}

// The outside of a child is its sibling times the outside of their parent.
template <class Kind>
void Propagation<Kind>::pass_down(const Kind& kind, const Series& node, const Series& child, const Series& sibling,
                                  Budget& budget) {
    for (std::size_t a = 0; a < child.length; ++a) {
        budget.add_work(sibling.length / 4 + 1);
        // The offset of the sibling's series within the node's, whose ends may have been dropped as negligible.
        const std::int64_t shift = child.low + static_cast<std::int64_t>(a) + sibling.low - node.low;
        const std::int64_t first = std::max<std::int64_t>(0, -shift);
        const std::int64_t last =
            std::min(static_cast<std::int64_t>(sibling.length), static_cast<std::int64_t>(node.length) - shift);
        Value sum = Kind::zero();
        for (std::int64_t b = first; b < last; ++b) {
            kind.add_product(sum, outside_[node.offset + static_cast<std::size_t>(shift + b)],
                             combined_[sibling.offset + static_cast<std::size_t>(b)]);
        }
        outside_[child.offset + a] = sum;
    }
    // Only ratios of these values matter.
    kind.rescale(std::span<Value>{outside_.data() + child.offset, child.length});
}

}  // namespace sapper
