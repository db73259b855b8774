// The value of a set of layouts, by searching all that a player could do.
#include "endgame.hpp"

#include <algorithm>
#include <array>

#include "vectors.hpp"

namespace sapper {
namespace {

constexpr std::uint8_t is_mine = 255;
constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::uint32_t fewest_for_product = 6;

std::uint64_t mixed(std::uint64_t word) {
    word += 0x9E3779B97F4A7C15;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

// Of numbers that are all the same the bits that any has are those that all have; a mine has all bits.
SAPPER_VECTORS void scan_rows(const std::uint8_t* rows, std::size_t stride,
                              std::span<const std::uint32_t> set, std::uint32_t* mines,
                              std::uint8_t* differs) {
    const Lanes all = SAPPER_MASK(Lanes{} == Lanes{});
    for (std::size_t base = 0; base < stride; base += lane_count) {
        Lanes every = all, any{};
        for (std::size_t first = 0; first < set.size(); first += 255) {
            const std::size_t last = std::min(set.size(), first + 255);
            Lanes count{};
            for (std::size_t i = first; i < last; ++i) {
                const Lanes row = SAPPER_LOAD(rows + set[i] * stride + base);
                const Lanes mine = SAPPER_MASK(row == all);
                count = count - mine;
                every = every & row;
                any = any | (row ^ mine);
            }
            std::array<std::uint8_t, lane_count> counts{};
            SAPPER_STORE(counts.data(), count);
            for (std::size_t i = 0; i < lane_count; ++i) mines[base + i] += counts[i];
        }
        SAPPER_STORE(differs + base, every ^ any);
    }
}

// Whether some cell is safe in both rows and shows different numbers.
SAPPER_VECTORS bool differ(const std::uint8_t* a, const std::uint8_t* b, std::size_t stride) {
    const Lanes all = SAPPER_MASK(Lanes{} == Lanes{});
    Lanes found{};
    for (std::size_t base = 0; base < stride; base += lane_count) {
        const Lanes left = SAPPER_LOAD(a + base), right = SAPPER_LOAD(b + base);
        found = found | SAPPER_MASK((left != right) & (left != all) & (right != all));
    }
    std::array<std::uint64_t, lane_count / 8> words{};
    SAPPER_STORE(words.data(), found);
    return std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; });
}

bool has(const std::uint64_t* mask, std::uint32_t bit) { return mask[bit / 64] >> (bit % 64) & 1; }

}  // namespace

void Endgame::load(const Grid& grid, const Position& position, const Layouts& layouts) {
    const auto places = layouts.places();
    const auto count = static_cast<std::uint32_t>(layouts.size());
    words_ = layouts.words();
    masks_.resize(count * words_);
    codes_.resize(count);
    all_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::copy_n(layouts.mask(i).begin(), words_, masks_.begin() + static_cast<std::ptrdiff_t>(i * words_));
        codes_[i] = mixed(i);
        all_[i] = i;
    }

    // The neighbours of every hidden cell that may be opened: those among the unknown ones.
    std::vector<std::uint32_t> bit_at(grid.size(), none);
    for (std::uint32_t bit = 0; bit < places.size(); ++bit) bit_at[places[bit]] = bit;
    const std::uint32_t stride = grid.stride();
    const std::array<std::uint32_t, 8> steps{0 - stride - 1, 0 - stride, 0 - stride + 1, ~0u, 1,
                                             stride - 1,     stride,     stride + 1};
    around_.assign(places.size() * words_, 0);
    for (std::uint32_t bit = 0; bit < places.size(); ++bit) {
        for (const std::uint32_t step : steps) {
            const std::uint32_t other = bit_at[places[bit] + step];
            if (other != none) around_[bit * words_ + other / 64] |= std::uint64_t{1} << (other % 64);
        }
    }

    live_.clear();
    dull_.clear();
    open_.clear();
    std::vector<std::vector<std::uint8_t>> columns;
    column_.resize(count);
    std::uint32_t cell = 0;
    for (std::uint32_t i = 0; i < position.height; ++i) {
        for (std::uint32_t j = 0; j < position.width; ++j, ++cell) {
            const std::uint32_t place = grid.begin() + i * stride + j;
            const std::uint8_t code = position.codes[cell];
            if (grid.mine()[place] || code < hidden_code || code == mute_code) {
                continue;
            }
            const std::uint32_t bit = bit_at[place];
            std::array<std::uint32_t, 8> near;
            std::uint32_t near_count = 0;
            for (const std::uint32_t step : steps) {
                const std::uint32_t other = bit_at[place + step];
                if (other != none) near[near_count++] = other;
            }
            std::uint8_t least = is_mine, most = 0;
            bool is_ever_mine = false;
            for (std::uint32_t layout = 0; layout < count; ++layout) {
                if (bit != none && has(mask(layout), bit)) {
                    column_[layout] = is_mine;
                    is_ever_mine = true;
                    continue;
                }
                std::uint8_t number = 0;
                for (std::uint32_t k = 0; k < near_count; ++k) number += has(mask(layout), near[k]);
                column_[layout] = number;
                least = std::min(least, number);
                most = std::max(most, number);
            }
            if (least < most) {
                live_.push_back(cell);
                columns.push_back(column_);
            } else if (!is_ever_mine) {
                open_.push_back(cell);
            } else if (least != is_mine) {
                dull_.push_back({cell, bit});
            }
        }
    }
    stride_ = (live_.size() + lane_count - 1) / lane_count * lane_count;
    shown_.assign(count * stride_, 0);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        for (std::uint32_t layout = 0; layout < count; ++layout) {
            shown_[layout * stride_ + i] = columns[i][layout];
        }
    }
    mines_.resize(stride_);
    differs_.resize(stride_);
    entries_.clear();
    kept_.clear();
    table_.assign(1024, none);
}

Solution Endgame::solve(Budget& budget) {
    const auto count = static_cast<std::uint32_t>(all_.size());
    const std::uint32_t won = this->won(budget);
    if (!open_.empty()) {
        return {won, open_.front()};
    }
    // The safest of the cells that win as much; opening a dull one does so only if there is nothing else.
    scan(all_);
    Level& here = level(0);
    here.moves.clear();
    for (std::uint32_t cell = 0; cell < live_.size(); ++cell) here.moves.push_back({cell, count - mines_[cell]});
    std::stable_sort(here.moves.begin(), here.moves.end(),
                     [](const Move& a, const Move& b) { return a.safe > b.safe; });
    const std::vector<Move> moves = here.moves;
    for (const Move& move : moves) {
        if (move.safe >= won && value_of(move, all_, won, 0, budget) >= won) {
            return {won, live_[move.cell]};
        }
    }
    const auto risk = [&](const Dull& each) {
        return std::count_if(all_.begin(), all_.end(), [&](auto i) { return has(mask(i), each.bit); });
    };
    const auto safest = std::min_element(dull_.begin(), dull_.end(), [&](const Dull& a, const Dull& b) {
        return risk(a) < risk(b);
    });
    return {won, safest->cell};
}

std::vector<std::uint32_t> Endgame::perfect_moves(Budget& budget) {
    const std::uint32_t won = this->won(budget);
    std::vector<std::uint32_t> found = open_;
    for (std::uint32_t cell = 0; cell < live_.size(); ++cell) {
        scan(all_);
        const Move move{cell, static_cast<std::uint32_t>(all_.size()) - mines_[cell]};
        if (move.safe >= won && value_of(move, all_, won, 0, budget) >= won) {
            found.push_back(live_[cell]);
        }
    }
    for (const Dull& each : dull_) {
        std::vector<std::uint32_t> safe;
        std::copy_if(all_.begin(), all_.end(), std::back_inserter(safe),
                     [&](std::uint32_t layout) { return !has(mask(layout), each.bit); });
        if (safe.size() >= won && value(safe, won, 0, budget) >= won) {
            found.push_back(each.cell);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::uint32_t Endgame::value(Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    if (size <= 2) {
        return size < 2 || are_told_apart(set[0], set[1]) ? size : 1;
    }
    if (size < need) {
        return size;
    }
    const std::uint64_t hashed = hash(set);
    if (const Entry* entry = find(set, hashed); entry && (entry->exact || entry->value < need)) {
        return entry->value;
    }
    budget.spend(1);
    budget.work(size);
    const std::uint32_t found = search(set, need, depth, budget);
    keep(set, hashed, found, found >= need);
    return found;
}

std::uint32_t Endgame::search(Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    scan(set);
    Level& here = level(depth);
    auto& moves = here.moves;
    moves.clear();
    here.free.clear();
    for (std::uint32_t cell = 0; cell < live_.size(); ++cell) {
        if (differs_[cell] && mines_[cell] < size) {
            moves.push_back({cell, size - mines_[cell]});
            if (mines_[cell] == 0) here.free.push_back(cell);
        }
    }
    if (!here.free.empty()) {
        // They cost nothing, so all are opened.
        here.members.assign(set.begin(), set.end());
        here.ends.assign(1, size);
        for (const std::uint32_t cell : here.free) split(cell, here);
        return value_of_parts(need, depth, budget);
    }
    if (moves.empty()) {
        return 1;  // No number tells anything: whatever is done is right in one layout.
    }
    // Opening a cell wins at most the layouts in which it is safe.
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.safe > b.safe; });
    if (moves.front().safe < need) {
        return moves.front().safe;
    }
    if (size >= fewest_for_product) {
        if (const std::uint32_t product = value_of_product(set, need, depth, budget)) {
            return product;
        }
    }
    std::uint32_t best = 0, at_most = 0;
    for (const Move& move : moves) {
        const std::uint32_t wanted = std::max(best + 1, need);
        if (move.safe < wanted) {
            at_most = std::max(at_most, move.safe);
            break;
        }
        const std::uint32_t found = value_of(move, set, wanted, depth, budget);
        at_most = std::max(at_most, found);
        if (found >= wanted) {
            best = found;
        }
    }
    return best >= need ? best : at_most;
}

std::uint32_t Endgame::value_of(const Move& move, Set set, std::uint32_t need, std::size_t depth,
                                Budget& budget) {
    Level& here = level(depth);
    here.members.clear();
    for (const std::uint32_t layout : set) {
        if (shown(layout)[move.cell] != is_mine) here.members.push_back(layout);
    }
    here.ends.assign(1, move.safe);
    split(move.cell, here);
    return value_of_parts(need, depth, budget);
}

// What is won of the parts of a level together.
std::uint32_t Endgame::value_of_parts(std::uint32_t need, std::size_t depth, Budget& budget) {
    Level& here = level(depth);
    here.parts.clear();
    std::uint32_t begin = 0, total = 0;
    for (const std::uint32_t end : here.ends) {
        const std::uint32_t most = bound(Set{here.members.data() + begin, end - begin});
        here.parts.push_back({begin, end, most});
        total += most;
        begin = end;
    }
    std::sort(here.parts.begin(), here.parts.end(),
              [](const Part& a, const Part& b) { return a.end - a.begin < b.end - b.begin; });
    for (std::size_t i = 0; i < here.parts.size() && total >= need; ++i) {
        const Part part = here.parts[i];
        const std::uint32_t others = total - part.most;
        const Set set{here.members.data() + part.begin, part.end - part.begin};
        total = others + value(set, need > others ? need - others : 0, depth + 1, budget);
    }
    return total;
}

// Unknown cells that are next to each other belong together: what one of them shows depends on the other.
// If the set holds every way to lay one such group with every way to lay the rest, they are games of their
// own, and to win both is to win each.
std::uint32_t Endgame::value_of_product(Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    std::array<std::uint64_t, 8> open{}, group{};
    if (words_ > open.size()) {
        return 0;
    }
    // The cells that are mines in some of the layouts only.
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t any = 0, every = ~std::uint64_t{0};
        for (const std::uint32_t layout : set) {
            any |= mask(layout)[word];
            every &= mask(layout)[word];
        }
        open[word] = any & ~every;
    }
    const auto seed = std::find_if(open.begin(), open.begin() + words_, [](auto word) { return word != 0; });
    const auto first = static_cast<std::size_t>(seed - open.begin());
    group[first] = *seed & (0 - *seed);
    auto border = group;
    for (bool grows = true; grows;) {
        std::array<std::uint64_t, 8> next{};
        for (std::size_t word = 0; word < words_; ++word) {
            for (std::uint64_t bits = border[word]; bits; bits &= bits - 1) {
                const auto bit = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
                for (std::size_t other = 0; other < words_; ++other) {
                    next[other] |= around_[bit * words_ + other];
                }
            }
        }
        grows = false;
        for (std::size_t word = 0; word < words_; ++word) {
            border[word] = next[word] & open[word] & ~group[word];
            group[word] |= border[word];
            grows = grows || border[word];
        }
    }
    if (std::equal(group.begin(), group.begin() + words_, open.begin())) {
        return 0;
    }
    const auto mines_in_group = [&](std::uint32_t layout) {
        int mines = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            mines += __builtin_popcountll(mask(layout)[word] & group[word]);
        }
        return mines;
    };
    const int mines = mines_in_group(set[0]);
    // Those that are like the first layout outside the group, and those that are like it inside.
    Level& here = level(depth);
    here.members.clear();
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t layout : set) {
        bool same_inside = true, same_outside = true;
        for (std::size_t word = 0; word < words_; ++word) {
            const std::uint64_t difference = mask(layout)[word] ^ mask(set[0])[word];
            same_inside = same_inside && !(difference & group[word]);
            same_outside = same_outside && !(difference & ~group[word]);
        }
        if (!same_inside && mines_in_group(layout) != mines) {
            return 0;
        }
        if (same_outside) here.members.push_back(layout);
        if (same_inside) rest.push_back(layout);
    }
    if (here.members.size() * rest.size() != set.size()) {
        return 0;
    }
    const auto rest_size = static_cast<std::uint32_t>(rest.size());
    const std::uint32_t inside = value(here.members, (need + rest_size - 1) / rest_size, depth + 1, budget);
    if (inside * rest_size < need) {
        return inside * rest_size;
    }
    return inside * value(rest, (need + inside - 1) / inside, depth + 1, budget);
}

bool Endgame::are_told_apart(std::uint32_t a, std::uint32_t b) const {
    return differ(shown(a), shown(b), stride_);
}

std::uint32_t Endgame::bound(Set set) {
    const auto size = static_cast<std::uint32_t>(set.size());
    if (size <= 2) {
        return size < 2 || are_told_apart(set[0], set[1]) ? size : 1;
    }
    const Entry* entry = find(set, hash(set));
    return entry ? entry->value : size;
}

void Endgame::scan(Set set) {
    std::fill(mines_.begin(), mines_.end(), 0);
    scan_rows(shown_.data(), stride_, set, mines_.data(), differs_.data());
}

// Splits every part of a level by what the cell shows, which is safe in all of its layouts.
void Endgame::split(std::uint32_t cell, Level& level) {
    ends_.clear();
    sorted_.resize(level.members.size());
    std::uint32_t begin = 0;
    for (const std::uint32_t end : level.ends) {
        std::array<std::uint32_t, 9> at{};
        for (std::uint32_t i = begin; i < end; ++i) ++at[shown(level.members[i])[cell]];
        std::uint32_t next = begin;
        for (std::uint32_t& count : at) {
            const std::uint32_t here = next;
            next += count;
            if (count != 0) ends_.push_back(next);
            count = here;
        }
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t layout = level.members[i];
            sorted_[at[shown(layout)[cell]]++] = layout;
        }
        begin = end;
    }
    std::swap(level.members, sorted_);
    std::swap(level.ends, ends_);
}

std::uint64_t Endgame::hash(Set set) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t layout : set) sum += codes_[layout];
    return sum;
}

Endgame::Entry* Endgame::find(Set set, std::uint64_t hash) {
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        if (table_[at] == none) {
            return nullptr;
        }
        Entry& entry = entries_[table_[at]];
        if (entry.hash == hash && entry.size == set.size() &&
            std::equal(set.begin(), set.end(), kept_.begin() + entry.first)) {
            return &entry;
        }
    }
}

void Endgame::keep(Set set, std::uint64_t hash, std::uint32_t value, bool exact) {
    if (Entry* entry = find(set, hash)) {
        entry->value = value;
        entry->exact = exact;
        return;
    }
    const auto insert = [&](std::uint32_t index) {
        std::size_t at = entries_[index].hash & (table_.size() - 1);
        while (table_[at] != none) at = (at + 1) & (table_.size() - 1);
        table_[at] = index;
    };
    if (2 * entries_.size() >= table_.size()) {
        table_.assign(4 * table_.size(), none);
        for (std::uint32_t i = 0; i < entries_.size(); ++i) insert(i);
    }
    const auto first = static_cast<std::uint32_t>(kept_.size());
    kept_.insert(kept_.end(), set.begin(), set.end());
    entries_.push_back({hash, first, static_cast<std::uint32_t>(set.size()), value, exact});
    insert(static_cast<std::uint32_t>(entries_.size()) - 1);
}

Endgame::Level& Endgame::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
}

}  // namespace sapper
