// Endgame: perfect play where few layouts are left. docs/endgame.md explains the method.
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

// Perfect play wins `won` of the layouts, and opens this cell first.
struct Solution {
    std::uint32_t won;
    std::optional<std::uint32_t> cell;  // none if every hidden cell is a mine
};

class Endgame {
public:
    // Takes all layouts of a position, and what each hidden cell shows in each of them.
    void load(const Grid& grid, const Position& position, const Layouts& layouts, Budget& budget);

    // How many layouts perfect play wins. Every set of layouts that has to be looked at costs a state.
    std::uint32_t won(Budget& budget) { return value(all_, 0, 0, budget); }
    // The same, and the cell to open first.
    Solution solve(Budget& budget);
    // All cells that perfect play can open first.
    std::vector<std::uint32_t> perfect_moves(Budget& budget);
    // How many layouts perfect play wins after these cells were opened first, all at once.
    std::uint32_t won_by(std::span<const std::uint32_t> cells, Budget& budget);

private:
    using Set = std::span<const std::uint32_t>;  // some of the layouts, in ascending order

    // What was found about a set: what perfect play wins of it, or wins at most.
    struct Entry {
        std::uint64_t hash;
        std::uint32_t first, size;  // of the set, among those kept
        std::uint32_t value;
        bool exact;
        bool is_alike;  // what was found holds for every set like it
    };
    struct Move {
        std::uint32_t cell;
        std::uint32_t safe;  // layouts in which it is no mine
    };
    static bool is_safer(const Move& a, const Move& b) { return a.safe > b.safe; }
    Vector<Move> first_moves(Budget& budget);
    struct Part {
        std::uint32_t begin, end;
        std::uint32_t most;  // that can be won of it
    };
    // What one level of the recursion works with.
    struct Level {
        Vector<Move> moves;
        Vector<std::uint32_t> free;     // cells that are safe in the whole set
        Vector<std::uint32_t> members;  // of the parts into which a set falls, one after the other
        Vector<std::uint32_t> ends;
        Vector<Part> parts;
    };

    // How many layouts of the set perfect play wins. If it is less than needed: some number between that
    // and what is needed.
    std::uint32_t value(Set set, std::uint32_t need, std::size_t depth, Budget& budget);
    std::uint32_t search(Set set, std::uint32_t need, std::size_t depth, Budget& budget);
    // The same if this cell is opened first.
    std::uint32_t value_of(const Move& move, Set set, std::uint32_t need, std::size_t depth,
                           Budget& budget);
    std::uint32_t value_of_parts(std::uint32_t need, std::size_t depth, Budget& budget);
    std::uint32_t value_of_risks(Set set, std::uint32_t most, std::uint32_t need, std::size_t depth,
                                 Budget& budget);

    static constexpr std::size_t most_words = 4;
    using Mask = std::array<std::uint64_t, most_words>;
    struct Bound {
        std::uint32_t most;
        bool exact;
    };
    Mask undecided(Set set) const;
    Vector<std::uint32_t> without_twins(Set set, const Mask& open, Budget& budget) const;
    bool touch_alike(std::uint32_t a, std::uint32_t b, const Mask& open) const;
    bool may_change_places(std::uint32_t a, std::uint32_t b, Set set, const Mask& open, Budget& budget) const;
    Mask first_group(const Mask& open) const;
    Bound bound_by_groups(Set set, const Mask& open, std::uint32_t need, std::size_t depth, Budget& budget);

    std::uint32_t value_of_few(Set set) const;
    std::uint32_t bound(Set set);
    // Counts the mines on every live cell, and whether it shows different numbers where it is safe.
    void scan(Set set, Budget& budget);
    void split(std::uint32_t cell, Level& level, Budget& budget);

    std::uint64_t hash(Set set) const;
    std::uint64_t hash_alike(Set set, const Mask& open) const;
    std::uint64_t code_of(std::uint32_t layout, const Mask& cells) const;
    template <class Same>
    Entry* find_entry(std::uint64_t hash, Same same);
    Entry* find(Set set, std::uint64_t hash);
    Entry* find_alike(Set set, const Mask& open, std::uint64_t hash);
    void keep(Entry* known, Entry entry, Set set);
    Level& level(std::size_t depth);

    const std::uint8_t* shown(std::uint32_t layout) const { return shown_.data() + layout * stride_; }
    const std::uint8_t* column(std::uint32_t cell) const { return columns_.data() + cell * all_.size(); }
    const std::uint64_t* mask(std::uint32_t layout) const { return masks_.data() + layout * words_; }

    // Live cells are those that show different numbers in different layouts; the others, once open, tell
    // nothing but that they are safe.
    struct Dull {
        std::uint32_t cell;
        std::uint32_t bit;  // in the masks
    };
    Vector<std::uint32_t> live_;
    Vector<Dull> dull_;
    Vector<std::uint32_t> open_;  // dull cells that are safe in every layout
    std::size_t stride_ = 0, words_ = 0;
    Vector<std::uint8_t> shown_;     // for each layout, what each live cell shows
    Vector<std::uint8_t> columns_;   // the same, for each live cell
    Vector<std::uint64_t> masks_;    // for each layout, where the mines are
    Vector<std::uint64_t> around_;   // for each unknown cell, the mask of its neighbours
    Vector<std::uint64_t> codes_;    // for each layout, a random number to hash sets with
    Vector<std::uint32_t> all_;

    Vector<std::uint32_t> mines_;
    Vector<std::uint8_t> differs_;
    Vector<std::uint32_t> sorted_, ends_;

    Vector<std::uint32_t> table_;  // of entries, by their hash
    Vector<Entry> entries_;
    Vector<std::uint32_t> kept_;
    std::deque<Level> levels_;
};

}  // namespace sapper
