// Endgame: perfect play when few layouts remain, by exhaustive search. docs/endgame.md explains the method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "counting/grid.hpp"
#include "endgame/layouts.hpp"

namespace sapper {

// The number of layouts that perfect play wins, and the cell that it opens first.
struct Solution {
    std::uint32_t won;
    std::optional<std::uint32_t> cell;  // none if every hidden cell is a mine
};

class Endgame {
public:
    // Takes all layouts of a position, and computes what each hidden cell shows in each of them.
    void load(const Grid& grid, const Position& position, const Layouts& layouts, Budget& budget);

    // The number of layouts that perfect play wins. Each set of layouts that is searched uses one state of the budget.
    std::uint32_t won(Budget& budget) { return value(all_, 0, 0, budget); }
    // The same, with the cell to open first.
    Solution solve(Budget& budget);
    // All cells that perfect play can open first, in ascending order.
    std::vector<std::uint32_t> perfect_moves(Budget& budget);
    // The number of layouts that perfect play wins after these cells are opened first, all at once.
    std::uint32_t won_after(std::span<const std::uint32_t> cells, Budget& budget);

private:
    using Set = std::span<const std::uint32_t>;  // indices of layouts, in ascending order

    // A cached result for a set: the number of its layouts that perfect play wins, or an upper bound.
    struct Entry {
        std::uint64_t hash;
        std::uint32_t first, size;  // the set's range in `cached_sets_`
        std::uint32_t value;
        bool exact;
        bool covers_equivalent_sets;  // it also holds for every set that is equal on the undecided cells
    };
    struct Move {
        std::uint32_t cell;
        std::uint32_t safe;  // number of layouts in which it is not a mine
    };
    static bool is_safer(const Move& a, const Move& b) { return a.safe > b.safe; }
    void load_layouts(const Layouts& layouts, Budget& budget);
    void fill_rows(Budget& budget);
    Vector<Move> first_moves(Budget& budget);
    struct Part {
        std::uint32_t begin, end;
        std::uint32_t most;  // upper bound on the layouts of it that can be won
    };
    // Scratch memory for one level of the recursion.
    struct Level {
        Vector<Move> moves;
        Vector<std::uint32_t> free;     // cells that are safe in all layouts of the set
        Vector<std::uint32_t> members;  // the layouts of all parts, one part after the other
        Vector<std::uint32_t> ends;
        Vector<Part> parts;
    };

    // The number of layouts of the set that perfect play wins. If it is less than `need`, the result may be any upper
    // bound below `need`.
    std::uint32_t value(Set set, std::uint32_t need, std::size_t depth, Budget& budget);
    std::uint32_t search(Set set, std::uint32_t need, std::size_t depth, Budget& budget);
    // The same if this cell is opened first.
    std::uint32_t value_of_move(const Move& move, Set set, std::uint32_t need, std::size_t depth, Budget& budget);
    std::uint32_t value_of_parts(std::uint32_t need, std::size_t depth, Budget& budget);
    std::uint32_t value_of_guesses(Set set, std::uint32_t most, std::uint32_t need, std::size_t depth, Budget& budget);

    static constexpr std::size_t max_words = 4;
    using Mask = std::array<std::uint64_t, max_words>;
    struct Bound {
        std::uint32_t most;
        bool exact;
    };
    Mask undecided_cells(Set set) const;
    Vector<std::uint32_t> without_twins(Set set, const Mask& undecided, Budget& budget) const;
    bool touch_same_cells(std::uint32_t a, std::uint32_t b, const Mask& undecided) const;
    bool are_interchangeable(std::uint32_t a, std::uint32_t b, Set set, const Mask& undecided, Budget& budget) const;
    Mask first_group(const Mask& undecided) const;
    Bound bound_by_groups(Set set, const Mask& undecided, std::uint32_t need, std::size_t depth, Budget& budget);

    std::uint32_t value_of_pair(Set set) const;
    std::uint32_t bound(Set set);
    // For every live cell, counts the layouts in which it is a mine, and finds out whether it shows different numbers
    // in the others.
    void scan(Set set, Budget& budget);
    void split(std::uint32_t cell, Level& level, Budget& budget);

    std::uint64_t hash(Set set) const;
    std::uint64_t hash_undecided(Set set, const Mask& undecided) const;
    std::uint64_t code_of(std::uint32_t layout, const Mask& cells) const;
    template <class Same>
    Entry* find_entry(std::uint64_t hash, Same same);
    Entry* find(Set set, std::uint64_t hash);
    Entry* find_equivalent(Set set, const Mask& undecided, std::uint64_t hash);
    void cache(Entry* known, Entry entry, Set set);
    Level& level(std::size_t depth);

    const std::uint8_t* shown(std::uint32_t layout) const { return shown_.data() + layout * stride_; }
    const std::uint8_t* column(std::uint32_t cell) const { return columns_.data() + cell * all_.size(); }
    const std::uint64_t* mask(std::uint32_t layout) const { return masks_.data() + layout * words_; }

    // Live cells show different numbers in different layouts. The others are dead: opening one reveals only that it is
    // safe.
    struct DeadCell {
        std::uint32_t cell;
        std::uint32_t bit;  // its bit in the masks
    };
    Vector<std::uint32_t> live_;
    Vector<DeadCell> dead_;
    Vector<std::uint32_t> safe_dead_;  // dead cells that are safe in every layout
    std::size_t stride_ = 0, words_ = 0;
    Vector<std::uint8_t> shown_;          // what each live cell shows, one row per layout
    Vector<std::uint8_t> columns_;        // the same, one column per live cell
    Vector<std::uint64_t> masks_;         // the mines of each layout
    Vector<std::uint64_t> neighbours_;    // the neighbours of each unknown cell
    Vector<std::uint64_t> layout_codes_;  // a random number per layout; the hash of a set is their sum
    Vector<std::uint32_t> all_;

    Vector<std::uint32_t> mines_;
    Vector<std::uint8_t> differs_;
    Vector<std::uint32_t> sorted_, ends_;

    Vector<std::uint32_t> table_;  // hash table of indices into entries_
    Vector<Entry> entries_;
    Vector<std::uint32_t> cached_sets_;
    std::deque<Level> levels_;
};

}  // namespace sapper
