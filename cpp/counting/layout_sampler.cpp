// Draws a layout by first choosing each component's number of mines, and then walking back through its states.
#include "counting/layout_sampler.hpp"

#include <utility>

namespace sapper {

void LayoutSampler::load(const LayoutCounter& counter) {
    counter_ = &counter;
    const Frontier& frontier = counter.frontier();
    const Grid& grid = counter.grid();
    box_places_.resize(frontier.boxes().size());
    for (auto& places : box_places_) places.clear();
    for (const FrontierCell& each : frontier.cells()) box_places_[each.box].push_back(each.place);
    free_places_.clear();
    for (std::uint32_t place = grid.begin(); place < grid.end(); ++place) {
        if (grid.unknown()[place] && !grid.frontier()[place]) free_places_.push_back(place);
    }

    const auto components = counter.structure().components();
    const auto states = counter.structure().states();
    rest_weights_.resize(components.size() + 1);
    fewest_before_.assign(components.size() + 1, 0);
    std::size_t length = 1;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const State& last = states[components[i].final_state];
        rest_weights_[i].assign(length, 0);
        fewest_before_[i + 1] = fewest_before_[i] + last.low;
        length += last.length - 1;
    }
    rest_weights_.back().assign(counter.outside().begin(), counter.outside().end());
    rest_weights_.back().resize(length, 0);
    for (std::size_t i = components.size(); i-- > 0;) {
        const auto component_weights = counter.weights().forward_of(states[components[i].final_state]);
        for (std::size_t before = 0; before < rest_weights_[i].size(); ++before) {
            for (std::size_t mines = 0; mines < component_weights.size(); ++mines) {
                rest_weights_[i][before] += component_weights[mines] * rest_weights_[i + 1][before + mines];
            }
        }
    }
}

void LayoutSampler::draw(Random& random, std::span<std::uint8_t> out) {
    const auto components = counter_->structure().components();
    std::size_t before = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const State& last = counter_->structure().states()[components[i].final_state];
        const auto component_weights = counter_->weights().forward_of(last);
        double left = random.fraction() * rest_weights_[i][before];
        std::size_t mines = 0, chosen = 0;
        for (; mines < component_weights.size(); ++mines) {
            const double weight = component_weights[mines] * rest_weights_[i + 1][before + mines];
            if (weight > 0) {
                chosen = mines;
                left -= weight;
                if (left < 0) break;
            }
        }
        draw_component(i, last.low + static_cast<std::int64_t>(chosen), random, out);
        before += chosen;
    }
    const std::int64_t used = fewest_before_.back() + static_cast<std::int64_t>(before);
    place_mines(free_places_, static_cast<std::size_t>(counter_->grid().mines_left() - used), random, out);
}

void LayoutSampler::draw_component(std::size_t index, std::int64_t mines, Random& random, std::span<std::uint8_t> out) {
    const Structure& structure = counter_->structure();
    const Component& component = structure.components()[index];
    const Weights kind{counter_->density()};
    std::uint32_t state = component.final_state;
    const auto weight_of = [&](const Transition& each, const Step& step) {
        const State& source = structure.states()[each.source];
        const std::int64_t at = mines - each.mines - source.low;
        return each.target == state && at >= 0 && at < std::int64_t{source.length}
                   ? kind.weight(step.size, each.mines, step.box) *
                         counter_->weights().forward_of(source)[static_cast<std::size_t>(at)]
                   : 0;
    };
    for (std::uint32_t at = component.step_count; at > 0; --at) {
        const Step& step = structure.steps()[component.first_step + at - 1];
        const auto transitions = structure.transitions_into(component.first_layer + at);
        double total = 0;
        for (const Transition& each : transitions) total += weight_of(each, step);
        double left = random.fraction() * total;
        const Transition* chosen = nullptr;
        for (const Transition& each : transitions) {
            const double weight = weight_of(each, step);
            if (weight > 0) {
                chosen = &each;
                left -= weight;
                if (left < 0) break;
            }
        }
        place_mines(box_places_[step.box], chosen->mines, random, out);
        mines -= chosen->mines;
        state = chosen->source;
    }
}

// Places mines on randomly chosen places, by a partial shuffle.
void LayoutSampler::place_mines(std::vector<std::uint32_t>& places, std::size_t mines, Random& random,
                                std::span<std::uint8_t> out) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i < mines) {
            const auto other = i + random.below(static_cast<std::uint32_t>(places.size() - i));
            std::swap(places[i], places[other]);
        }
        out[places[i]] = i < mines;
    }
}

}  // namespace sapper
