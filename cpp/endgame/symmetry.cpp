// What a set of layouts tells by its shape: twins that nothing tells apart, and groups that are games by themselves.
#include <algorithm>
#include <bit>
#include <iterator>

#include "endgame/endgame.hpp"

namespace sapper {

// The cells that are mines in some of the layouts only.
Endgame::Mask Endgame::undecided(Set set) const {
    Mask open{};
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t any = 0, every = ~std::uint64_t{0};
        for (const std::uint32_t layout : set) {
            any |= mask(layout)[word];
            every &= mask(layout)[word];
        }
        open[word] = any & ~every;
    }
    return open;
}

// Two undecided cells are twins if every other one touches both or none, and with each layout the set holds the one
// in which they change places: nothing tells them apart but to open one, and either will do. So of such pairs of
// layouts only one can be won, and the other is left out. Returns nothing if there are no twins.
Vector<std::uint32_t> Endgame::without_twins(Set set, const Mask& open, Budget& budget) const {
    Vector<std::uint32_t> bits;
    for (std::size_t i = 0; i < words_; ++i) {
        for (std::uint64_t left = open[i]; left; left &= left - 1) {
            bits.push_back(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
        budget.add_work(bits.size() - i);
        for (std::size_t k = i + 1; k < bits.size(); ++k) {
            if (touch_alike(bits[i], bits[k], open) && may_change_places(bits[i], bits[k], set, open, budget)) {
                Vector<std::uint32_t> fewer;
                std::copy_if(set.begin(), set.end(), std::back_inserter(fewer), [&](std::uint32_t layout) {
                    return has(mask(layout), bits[i]) || !has(mask(layout), bits[k]);
                });
                return fewer;
            }
        }
    }
    return {};
}

// Whether every other undecided cell touches both of two or none.
bool Endgame::touch_alike(std::uint32_t a, std::uint32_t b, const Mask& open) const {
    for (std::size_t i = 0; i < words_; ++i) {
        std::uint64_t apart = (around_[a * words_ + i] ^ around_[b * words_ + i]) & open[i];
        if (!apart) continue;
        if (a / 64 == i) apart &= ~(std::uint64_t{1} << a % 64);
        if (b / 64 == i) apart &= ~(std::uint64_t{1} << b % 64);
        if (apart) return false;
    }
    return true;
}

// Whether the set holds with each layout the one in which two cells change places.
bool Endgame::may_change_places(std::uint32_t a, std::uint32_t b, Set set, const Mask& open, Budget& budget) const {
    budget.add_work(2 * set.size());
    Mask rest = open;
    rest[a / 64] &= ~(std::uint64_t{1} << a % 64);
    rest[b / 64] &= ~(std::uint64_t{1} << b % 64);
    std::uint64_t balance = 0;  // It is zero, or they may not.
    bool is_any = false;
    for (const std::uint32_t layout : set) {
        const bool one = has(mask(layout), a);
        if (one != has(mask(layout), b)) {
            const std::uint64_t code = code_of(layout, rest);
            balance += one ? code : 0 - code;
            is_any = true;
        }
    }
    if (!is_any || balance != 0) {
        return false;
    }
    budget.add_work(8 * set.size());
    Vector<Mask> firsts, seconds;
    for (const std::uint32_t layout : set) {
        const bool one = has(mask(layout), a);
        if (one != has(mask(layout), b)) {
            Mask others{};
            for (std::size_t i = 0; i < words_; ++i) others[i] = mask(layout)[i] & rest[i];
            (one ? firsts : seconds).push_back(others);
        }
    }
    std::sort(firsts.begin(), firsts.end());
    std::sort(seconds.begin(), seconds.end());
    return firsts == seconds;
}

// Undecided cells that hang together with the first of them, one being next to the other.
Endgame::Mask Endgame::first_group(const Mask& open) const {
    Mask group{};
    const auto word = std::find_if(open.begin(), open.end(), [](std::uint64_t bits) { return bits != 0; });
    group[static_cast<std::size_t>(word - open.begin())] = *word & (0 - *word);
    Mask border = group;
    for (bool grows = true; grows;) {
        Mask next{};
        for (std::size_t i = 0; i < words_; ++i) {
            for (std::uint64_t bits = border[i]; bits; bits &= bits - 1) {
                const auto bit = i * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                for (std::size_t k = 0; k < words_; ++k) next[k] |= around_[bit * words_ + k];
            }
        }
        grows = false;
        for (std::size_t i = 0; i < words_; ++i) {
            border[i] = next[i] & open[i] & ~group[i];
            group[i] |= border[i];
            grows = grows || border[i];
        }
    }
    return group;
}

// What a cell shows depends on its own group alone. So if the set holds every way to lay one group with
// every way to lay the rest, those are two games, and to win both is to win each. If only the number of
// mines ties them together, to be told it could only help: what can be won then, for each number of mines
// by itself, bounds what can be won without.
Endgame::Bound Endgame::bound_by_groups(Set set, const Mask& open, std::uint32_t need, std::size_t depth,
                                        Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    const Mask group = first_group(open);
    if (group == open) {
        return {size, false};
    }
    budget.add_work(4 * set.size());
    Vector<Vector<std::uint32_t>> by_mines;
    for (const std::uint32_t layout : set) {
        std::size_t mines = 0;
        for (std::size_t i = 0; i < words_; ++i) {
            mines += static_cast<std::size_t>(std::popcount(mask(layout)[i] & group[i]));
        }
        if (by_mines.size() <= mines) by_mines.resize(mines + 1);
        by_mines[mines].push_back(layout);
    }
    std::uint32_t most = size;
    Vector<std::uint32_t> inside, outside;  // layouts like the first outside the group, and inside
    for (const auto& told : by_mines) {
        if (told.empty()) {
            continue;
        }
        inside.clear();
        outside.clear();
        for (const std::uint32_t layout : told) {
            bool same_inside = true, same_outside = true;
            for (std::size_t i = 0; i < words_; ++i) {
                const std::uint64_t difference = mask(layout)[i] ^ mask(told[0])[i];
                same_inside = same_inside && !(difference & group[i]);
                same_outside = same_outside && !(difference & ~group[i]);
            }
            if (same_outside) inside.push_back(layout);
            if (same_inside) outside.push_back(layout);
        }
        if (inside.size() * outside.size() != told.size()) {
            return {size, false};
        }
        const auto count = static_cast<std::uint32_t>(told.size());
        const std::uint32_t others = most - count, needed = need > others ? need - others : 0;
        const auto rest = static_cast<std::uint32_t>(outside.size());
        const std::uint32_t first = value(inside, (needed + rest - 1) / rest, depth + 1, budget);
        const std::uint32_t second =
            first * rest < needed ? rest : value(outside, (needed + first - 1) / first, depth + 1, budget);
        most = others + first * second;
        if (count == size || most < need) {
            return {most, count == size};
        }
    }
    return {most, false};
}

}  // namespace sapper
