// Symmetry and independence in a set of layouts: twins that nothing tells apart, and groups of cells that are
// independent games.
#include <algorithm>
#include <bit>
#include <iterator>

#include "endgame/endgame.hpp"

namespace sapper {

// The cells that are mines in some, but not all, of the layouts.
Endgame::Mask Endgame::undecided_cells(Set set) const {
    Mask undecided{};
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t any = 0, every = ~std::uint64_t{0};
        for (const std::uint32_t layout : set) {
            any |= mask(layout)[word];
            every &= mask(layout)[word];
        }
        undecided[word] = any & ~every;
    }
    return undecided;
}

// Two undecided cells are twins if every other undecided cell touches both or neither, and swapping them maps the set
// onto itself. Nothing but opening one of them tells them apart, and by symmetry it does not matter which. So of two
// layouts that differ by the swap only one can be won, and the other is removed. Returns an empty set if there are no
// twins.
Vector<std::uint32_t> Endgame::without_twins(Set set, const Mask& undecided, Budget& budget) const {
    Vector<std::uint32_t> bits;
    for (std::size_t i = 0; i < words_; ++i) {
        for (std::uint64_t left = undecided[i]; left; left &= left - 1) {
            bits.push_back(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
        budget.add_work(bits.size() - i);
        for (std::size_t k = i + 1; k < bits.size(); ++k) {
            if (touch_same_cells(bits[i], bits[k], undecided) &&
                are_interchangeable(bits[i], bits[k], set, undecided, budget)) {
                Vector<std::uint32_t> fewer;
                std::copy_if(set.begin(), set.end(), std::back_inserter(fewer), [&](std::uint32_t layout) {
                    return has_mine(mask(layout), bits[i]) || !has_mine(mask(layout), bits[k]);
                });
                return fewer;
            }
        }
    }
    return {};
}

// Whether every other undecided cell touches both of two cells or neither.
bool Endgame::touch_same_cells(std::uint32_t a, std::uint32_t b, const Mask& undecided) const {
    for (std::size_t i = 0; i < words_; ++i) {
        std::uint64_t apart = (neighbours_[a * words_ + i] ^ neighbours_[b * words_ + i]) & undecided[i];
        if (!apart) continue;
        if (a / 64 == i) apart &= ~(std::uint64_t{1} << a % 64);
        if (b / 64 == i) apart &= ~(std::uint64_t{1} << b % 64);
        if (apart) return false;
    }
    return true;
}

// Whether swapping two cells maps the set onto itself.
bool Endgame::are_interchangeable(std::uint32_t a, std::uint32_t b, Set set, const Mask& undecided,
                                  Budget& budget) const {
    budget.add_work(2 * set.size());
    Mask rest = undecided;
    rest[a / 64] &= ~(std::uint64_t{1} << a % 64);
    rest[b / 64] &= ~(std::uint64_t{1} << b % 64);
    std::uint64_t balance = 0;  // a quick check by hashes: it must be zero
    bool is_any = false;
    for (const std::uint32_t layout : set) {
        const bool one = has_mine(mask(layout), a);
        if (one != has_mine(mask(layout), b)) {
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
        const bool one = has_mine(mask(layout), a);
        if (one != has_mine(mask(layout), b)) {
            Mask others{};
            for (std::size_t i = 0; i < words_; ++i) others[i] = mask(layout)[i] & rest[i];
            (one ? firsts : seconds).push_back(others);
        }
    }
    std::sort(firsts.begin(), firsts.end());
    std::sort(seconds.begin(), seconds.end());
    return firsts == seconds;
}

// The connected component of the first undecided cell, where cells are connected if they are adjacent.
Endgame::Mask Endgame::first_group(const Mask& undecided) const {
    Mask group{};
    const auto word = std::find_if(undecided.begin(), undecided.end(), [](std::uint64_t bits) { return bits != 0; });
    group[static_cast<std::size_t>(word - undecided.begin())] = *word & (0 - *word);
    Mask border = group;
    for (bool grows = true; grows;) {
        Mask next{};
        for (std::size_t i = 0; i < words_; ++i) {
            for (std::uint64_t bits = border[i]; bits; bits &= bits - 1) {
                const auto bit = i * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                for (std::size_t k = 0; k < words_; ++k) next[k] |= neighbours_[bit * words_ + k];
            }
        }
        grows = false;
        for (std::size_t i = 0; i < words_; ++i) {
            border[i] = next[i] & undecided[i] & ~group[i];
            group[i] |= border[i];
            grows = grows || border[i];
        }
    }
    return group;
}

// What a cell shows depends only on its own group of connected cells. So if the set is the product of the layouts of
// one group and those of the rest, the two are independent games, and the value is the product of their values. If only
// the number of mines connects them, an upper bound is the value if the player knew the group's number of mines.
Endgame::Bound Endgame::bound_by_groups(Set set, const Mask& undecided, std::uint32_t need, std::size_t depth,
                                        Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    const Mask group = first_group(undecided);
    if (group == undecided) {
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
    Vector<std::uint32_t> inside, outside;  // layouts equal to the first outside the group, and inside it
    for (const auto& same_count : by_mines) {
        if (same_count.empty()) {
            continue;
        }
        inside.clear();
        outside.clear();
        for (const std::uint32_t layout : same_count) {
            bool same_inside = true, same_outside = true;
            for (std::size_t i = 0; i < words_; ++i) {
                const std::uint64_t difference = mask(layout)[i] ^ mask(same_count[0])[i];
                same_inside = same_inside && !(difference & group[i]);
                same_outside = same_outside && !(difference & ~group[i]);
            }
            if (same_outside) inside.push_back(layout);
            if (same_inside) outside.push_back(layout);
        }
        if (inside.size() * outside.size() != same_count.size()) {
            return {size, false};
        }
        const auto count = static_cast<std::uint32_t>(same_count.size());
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
