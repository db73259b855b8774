// Computes the value of a set of layouts by searching all moves.
#include "endgame/endgame.hpp"

#include <algorithm>
#include <array>

#include "base/lanes.hpp"
#include "base/random.hpp"

namespace sapper {
namespace {

constexpr std::uint8_t is_mine = 255;
constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::uint32_t min_size_for_groups = 6;  // splitting smaller sets into groups gains nothing
// Depth limit. The search recurses once or twice per move, and this many levels use about two megabytes of stack.
constexpr std::size_t max_depth = 4000;

// Scans one group of 32 cells over a set of layouts. A cell shows the same number wherever it is safe if the bitwise OR
// of its numbers equals their AND. Mines have all bits set, so they do not affect the AND; they are excluded from the
// OR.
SAPPER_VECTORS void scan_lanes(const std::uint8_t* rows, std::size_t stride, std::span<const std::uint32_t> set,
                               std::uint32_t* mines, std::uint8_t* differs) {
    const Lanes all = SAPPER_MASK(Lanes{} == Lanes{});
    Lanes every = all, any{};
    for (std::size_t first = 0; first < set.size(); first += 255) {
        const std::size_t last = std::min(set.size(), first + 255);
        Lanes count{};
        for (std::size_t i = first; i < last; ++i) {
            const Lanes row = SAPPER_LOAD(rows + set[i] * stride);
            const Lanes mine = SAPPER_MASK(row == all);
            count = count - mine;
            every = every & row;
            any = any | (row ^ mine);
        }
        std::array<std::uint8_t, lane_count> counts{};
        SAPPER_STORE(counts.data(), count);
        for (std::size_t i = 0; i < lane_count; ++i) mines[i] += counts[i];
    }
    SAPPER_STORE(differs, every ^ any);
}

struct Column {
    std::uint32_t mines = 0;
    std::uint8_t first = is_mine;  // what it shows in the first layout in which it is safe
    bool differs = false;          // whether it shows another number elsewhere
};

// Computes what a cell shows in each layout: a mine if its bit is set, otherwise the number of mines around it.
SAPPER_VECTORS void fill_column(std::span<const std::uint64_t> masks, std::span<const std::uint64_t> around,
                                std::uint32_t bit, std::span<std::uint8_t> column, Column& found) {
    const std::size_t words = around.size();
    for (std::size_t layout = 0; layout < column.size(); ++layout) {
        const std::uint64_t* mask = masks.data() + layout * words;
        if (bit != none && has_mine(mask, bit)) {
            column[layout] = is_mine;
            ++found.mines;
            continue;
        }
        int number = 0;
        for (std::size_t word = 0; word < words; ++word) {
            number += __builtin_popcountll(mask[word] & around[word]);
        }
        column[layout] = static_cast<std::uint8_t>(number);
        if (found.first == is_mine) found.first = column[layout];
        found.differs = found.differs || column[layout] != found.first;
    }
}

// The same in chunks, so that the budget is checked in between.
Column fill_column(std::span<const std::uint64_t> masks, std::span<const std::uint64_t> around, std::uint32_t bit,
                   std::span<std::uint8_t> column, Budget& budget) {
    constexpr std::size_t at_once = 4096;
    Column found;
    for (std::size_t from = 0; from < column.size(); from += at_once) {
        const std::size_t count = std::min(at_once, column.size() - from);
        budget.add_work(count * (around.size() + 2) / 4);
        fill_column(masks.subspan(from * around.size(), count * around.size()), around, bit,
                    column.subspan(from, count), found);
    }
    return found;
}

// Whether some cell is safe in both layouts and shows different numbers.
SAPPER_VECTORS bool is_told_apart(const std::uint8_t* a, const std::uint8_t* b, std::size_t stride) {
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

// Finds the unknown cells around any place, as masks of bits.
class NeighbourFinder {
public:
    NeighbourFinder(const Grid& grid, std::span<const std::uint32_t> places)
        : stride_{grid.stride()}, bits_(grid.size(), none) {
        for (std::uint32_t bit = 0; bit < places.size(); ++bit) bits_[places[bit]] = bit;
    }

    // The bit of the unknown cell at a place, or `none`.
    std::uint32_t bit_at(std::uint32_t place) const { return bits_[place]; }

    // Sets the bits of the unknown cells around a place.
    void mark(std::uint32_t place, std::uint64_t* around) const {
        for (const std::uint32_t row : {place - stride_, place, place + stride_}) {
            for (std::uint32_t at = row - 1; at <= row + 1; ++at) {
                const std::uint32_t bit = at == place ? none : bits_[at];
                if (bit != none) around[bit / 64] |= std::uint64_t{1} << (bit % 64);
            }
        }
    }

private:
    std::uint32_t stride_;
    Vector<std::uint32_t> bits_;
};

}  // namespace

void Endgame::load(const Grid& grid, const Position& position, const Layouts& layouts, Budget& budget) {
    load_layouts(layouts, budget);
    const auto places = layouts.places();
    const NeighbourFinder finder{grid, places};
    neighbours_.assign(places.size() * words_, 0);
    for (std::uint32_t bit = 0; bit < places.size(); ++bit) {
        finder.mark(places[bit], neighbours_.data() + bit * words_);
    }

    live_.clear();
    dead_.clear();
    safe_dead_.clear();
    columns_.clear();
    Vector<std::uint8_t> column(all_.size());
    Vector<std::uint64_t> around(words_);
    for (std::uint32_t cell = 0; cell < position.codes.size(); ++cell) {
        const std::uint32_t place = grid.place_at(cell);
        if (grid.mine()[place] || !is_hidden(position.codes[cell])) {
            continue;
        }
        std::fill(around.begin(), around.end(), 0);
        finder.mark(place, around.data());
        const std::uint32_t bit = finder.bit_at(place);
        const Column found = fill_column(masks_, around, bit, column, budget);
        if (found.differs) {
            live_.push_back(cell);
            columns_.insert(columns_.end(), column.begin(), column.end());
        } else if (found.mines == 0) {
            safe_dead_.push_back(cell);
        } else if (found.mines < all_.size()) {
            dead_.push_back({cell, bit});
        }
    }
    fill_rows(budget);
    mines_.resize(stride_);
    differs_.resize(stride_);
    entries_.clear();
    cached_sets_.clear();
    table_.assign(1024, none);
}

void Endgame::load_layouts(const Layouts& layouts, Budget& budget) {
    const auto count = static_cast<std::uint32_t>(layouts.size());
    words_ = layouts.words();
    masks_.resize(count * words_);
    layout_codes_.resize(count);
    all_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        budget.add_work(words_ + 1);
        std::copy_n(layouts.mask(i).begin(), words_, masks_.begin() + static_cast<std::ptrdiff_t>(i * words_));
        layout_codes_[i] = mixed(i + 1);
        all_[i] = i;
    }
}

// Transposes the columns of the live cells to rows, padded to a multiple of the vector width.
void Endgame::fill_rows(Budget& budget) {
    const std::size_t count = all_.size();
    stride_ = (live_.size() + lane_count - 1) / lane_count * lane_count;
    shown_.assign(count * stride_, 0);
    for (std::size_t i = 0; i < live_.size(); ++i) {
        budget.add_work(count / 2);
        for (std::size_t layout = 0; layout < count; ++layout) {
            shown_[layout * stride_ + i] = columns_[i * count + layout];
        }
    }
}

Solution Endgame::solve(Budget& budget) {
    const std::uint32_t won = this->won(budget);
    if (!safe_dead_.empty()) {
        return {won, safe_dead_.front()};
    }
    // Take the safest of the optimal cells. A dead cell is optimal only if no live cell is.
    for (const Move& move : first_moves(budget)) {
        if (move.safe >= won && value_of_move(move, all_, won, 0, budget) >= won) {
            return {won, live_[move.cell]};
        }
    }
    if (dead_.empty()) {
        return {won, {}};
    }
    const auto risk = [&](const DeadCell& each) {
        return std::count_if(all_.begin(), all_.end(), [&](auto i) { return has_mine(mask(i), each.bit); });
    };
    const auto safest = std::min_element(dead_.begin(), dead_.end(),
                                         [&](const DeadCell& a, const DeadCell& b) { return risk(a) < risk(b); });
    return {won, safest->cell};
}

// All live cells, the safest first.
Vector<Endgame::Move> Endgame::first_moves(Budget& budget) {
    scan(all_, budget);
    Vector<Move> moves;
    for (std::uint32_t cell = 0; cell < live_.size(); ++cell) {
        moves.push_back({cell, static_cast<std::uint32_t>(all_.size()) - mines_[cell]});
    }
    std::stable_sort(moves.begin(), moves.end(), is_safer);
    return moves;
}

std::vector<std::uint32_t> Endgame::perfect_moves(Budget& budget) {
    const std::uint32_t won = this->won(budget);
    std::vector<std::uint32_t> found{safe_dead_.begin(), safe_dead_.end()};
    for (const Move& move : first_moves(budget)) {
        if (move.safe >= won && value_of_move(move, all_, won, 0, budget) >= won) {
            found.push_back(live_[move.cell]);
        }
    }
    for (const DeadCell& each : dead_) {
        budget.add_work(all_.size());
        Vector<std::uint32_t> safe;
        std::copy_if(all_.begin(), all_.end(), std::back_inserter(safe),
                     [&](std::uint32_t layout) { return !has_mine(mask(layout), each.bit); });
        if (safe.size() >= won && value(safe, won, 0, budget) >= won) {
            found.push_back(each.cell);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::uint32_t Endgame::won_after(std::span<const std::uint32_t> cells, Budget& budget) {
    Level& here = level(0);
    here.members = all_;
    Vector<std::uint32_t> opened_live;
    for (const std::uint32_t cell : cells) {
        budget.add_work(live_.size() + here.members.size());
        const auto live = std::find(live_.begin(), live_.end(), cell);
        const auto dead =
            std::find_if(dead_.begin(), dead_.end(), [&](const DeadCell& each) { return each.cell == cell; });
        if (live != live_.end()) {
            const auto at = static_cast<std::uint32_t>(live - live_.begin());
            std::erase_if(here.members, [&](std::uint32_t layout) { return column(at)[layout] == is_mine; });
            opened_live.push_back(at);
        } else if (dead != dead_.end()) {
            std::erase_if(here.members, [&](std::uint32_t layout) { return has_mine(mask(layout), dead->bit); });
        } else if (std::find(safe_dead_.begin(), safe_dead_.end(), cell) == safe_dead_.end()) {
            return 0;  // The cell is a mine in every layout.
        }
    }
    if (here.members.empty()) {
        return 0;
    }
    here.ends.assign(1, static_cast<std::uint32_t>(here.members.size()));
    for (const std::uint32_t at : opened_live) split(at, here, budget);
    return value_of_parts(0, 0, budget);
}

std::uint32_t Endgame::value(Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    if (size <= 2) {
        return value_of_pair(set);
    }
    if (size < need) {
        return size;
    }
    budget.add_work(size);
    const std::uint64_t hashed = hash(set);
    if (const Entry* entry = find(set, hashed); entry && (entry->exact || entry->value < need)) {
        return entry->value;
    }
    if (depth > max_depth) {
        throw LimitReached{"the rest of the game may take too many moves to follow"};
    }
    budget.use_states(1);
    const std::uint32_t found = search(set, need, depth, budget);
    cache(find(set, hashed), {hashed, 0, size, found, found >= need, false}, set);
    return found;
}

std::uint32_t Endgame::search(Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    const auto size = static_cast<std::uint32_t>(set.size());
    scan(set, budget);
    Level& here = level(depth);
    here.moves.clear();
    here.free.clear();
    for (std::uint32_t cell = 0; cell < live_.size(); ++cell) {
        if (differs_[cell] && mines_[cell] < size) {
            here.moves.push_back({cell, size - mines_[cell]});
            if (mines_[cell] == 0) here.free.push_back(cell);
        }
    }
    if (!here.free.empty()) {
        // Opening safe cells costs nothing, so all of them are opened.
        here.members.assign(set.begin(), set.end());
        here.ends.assign(1, size);
        for (const std::uint32_t cell : here.free) split(cell, here, budget);
        return value_of_parts(need, depth, budget);
    }
    if (here.moves.empty()) {
        return 1;  // No number reveals anything: every choice wins exactly one layout.
    }
    // Opening a cell wins at most the layouts in which it is safe.
    std::stable_sort(here.moves.begin(), here.moves.end(), is_safer);
    if (here.moves.front().safe < need) {
        return here.moves.front().safe;
    }
    if (words_ > max_words) {
        return value_of_guesses(set, size, need, depth, budget);
    }
    budget.add_work(4 * size * words_);
    const Mask undecided = undecided_cells(set);
    const std::uint64_t hashed = hash_undecided(set, undecided);
    if (const Entry* entry = find_equivalent(set, undecided, hashed); entry && (entry->exact || entry->value < need)) {
        return entry->value;
    }
    std::uint32_t found;
    if (const auto fewer = without_twins(set, undecided, budget); !fewer.empty()) {
        found = value(fewer, need, depth + 1, budget);
    } else {
        Bound bound{size, false};
        if (size >= min_size_for_groups) {
            bound = bound_by_groups(set, undecided, need, depth, budget);
        }
        found = bound.exact || bound.most < need ? bound.most : value_of_guesses(set, bound.most, need, depth, budget);
    }
    cache(find_equivalent(set, undecided, hashed), {hashed, 0, size, found, found >= need, true}, set);
    return found;
}

// Every move is a guess. `most` is an upper bound on the value of the set.
std::uint32_t Endgame::value_of_guesses(Set set, std::uint32_t most, std::uint32_t need, std::size_t depth,
                                        Budget& budget) {
    std::uint32_t best = 0, at_most = 0;
    for (const Move& move : level(depth).moves) {
        const std::uint32_t wanted = std::max(best + 1, need), possible = std::min(move.safe, most);
        if (possible < wanted) {
            at_most = std::max(at_most, possible);
            break;
        }
        const std::uint32_t found = value_of_move(move, set, wanted, depth, budget);
        at_most = std::max(at_most, found);
        if (found >= wanted) {
            best = found;
        }
    }
    return best >= need ? best : std::min(at_most, most);
}

std::uint32_t Endgame::value_of_move(const Move& move, Set set, std::uint32_t need, std::size_t depth, Budget& budget) {
    Level& here = level(depth);
    here.members.clear();
    const std::uint8_t* shows = column(move.cell);
    for (const std::uint32_t layout : set) {
        if (shows[layout] != is_mine) here.members.push_back(layout);
    }
    here.ends.assign(1, move.safe);
    split(move.cell, here, budget);
    return value_of_parts(need, depth, budget);
}

// The sum of the values of the parts of a level.
std::uint32_t Endgame::value_of_parts(std::uint32_t need, std::size_t depth, Budget& budget) {
    Level& here = level(depth);
    here.parts.clear();
    std::uint32_t begin = 0, total = 0;
    for (const std::uint32_t end : here.ends) {
        budget.add_work(end - begin + 4);
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

// Two layouts can both be won if some cell that is safe in both tells them apart.
std::uint32_t Endgame::value_of_pair(Set set) const {
    return set.size() == 2 && is_told_apart(shown(set[0]), shown(set[1]), stride_) ? 2 : 1;
}

std::uint32_t Endgame::bound(Set set) {
    const auto size = static_cast<std::uint32_t>(set.size());
    if (size <= 2) {
        return value_of_pair(set);
    }
    const Entry* entry = find(set, hash(set));
    return entry ? entry->value : size;
}

void Endgame::scan(Set set, Budget& budget) {
    std::fill(mines_.begin(), mines_.end(), 0);
    for (std::size_t base = 0; base < stride_; base += lane_count) {
        budget.add_work(set.size() / 2 + 8);
        scan_lanes(shown_.data() + base, stride_, set, mines_.data() + base, differs_.data() + base);
    }
}

// Splits every part of a level by the number that a cell shows. The cell must be safe in all of its layouts.
void Endgame::split(std::uint32_t cell, Level& level, Budget& budget) {
    budget.add_work(level.members.size());
    const std::uint8_t* shows = column(cell);
    Vector<std::uint32_t>& members = level.members;
    ends_.clear();
    std::uint32_t begin = 0;
    for (const std::uint32_t end : level.ends) {
        const std::uint8_t first = shows[members[begin]];
        std::uint32_t same = begin + 1;
        while (same < end && shows[members[same]] == first) ++same;
        if (same < end) {
            std::array<std::uint32_t, 9> at{};
            for (std::uint32_t i = begin; i < end; ++i) ++at[shows[members[i]]];
            std::uint32_t next = 0;
            for (std::uint32_t& count : at) {
                const std::uint32_t here = next;
                next += count;
                if (count != 0) ends_.push_back(begin + next);
                count = here;
            }
            sorted_.resize(std::max<std::size_t>(sorted_.size(), next));
            for (std::uint32_t i = begin; i < end; ++i) sorted_[at[shows[members[i]]]++] = members[i];
            std::copy_n(sorted_.begin(), next, members.begin() + begin);
        } else {
            ends_.push_back(end);
        }
        begin = end;
    }
    std::swap(level.ends, ends_);
}

std::uint64_t Endgame::hash(Set set) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t layout : set) sum += layout_codes_[layout];
    return sum;
}

template <class Same>
Endgame::Entry* Endgame::find_entry(std::uint64_t hash, Same same) {
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        if (table_[at] == none) {
            return nullptr;
        }
        Entry& entry = entries_[table_[at]];
        if (entry.hash == hash && same(entry)) {
            return &entry;
        }
    }
}

Endgame::Entry* Endgame::find(Set set, std::uint64_t hash) {
    return find_entry(hash, [&](const Entry& entry) {
        return !entry.covers_equivalent_sets && entry.size == set.size() &&
               std::equal(set.begin(), set.end(), cached_sets_.begin() + entry.first);
    });
}

// If no cell is safe in the whole set, cells that are mines in all layouts or in none reveal nothing. So a set's value
// depends only on its layouts of the undecided cells, and two sets that agree there have the same value.
std::uint64_t Endgame::hash_undecided(Set set, const Mask& undecided) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t layout : set) sum += code_of(layout, undecided);
    return sum;
}

// A hash of a layout restricted to some cells.
std::uint64_t Endgame::code_of(std::uint32_t layout, const Mask& cells) const {
    std::uint64_t code = 1;
    for (std::size_t i = 0; i < words_; ++i) code = mixed(code + (mask(layout)[i] & cells[i]));
    return code;
}

Endgame::Entry* Endgame::find_equivalent(Set set, const Mask& undecided, std::uint64_t hash) {
    return find_entry(hash, [&](const Entry& entry) {
        if (!entry.covers_equivalent_sets || entry.size != set.size()) {
            return false;
        }
        const std::uint32_t* kept = cached_sets_.data() + entry.first;
        for (std::size_t k = 0; k < set.size(); ++k) {
            for (std::size_t i = 0; i < words_; ++i) {
                const std::uint64_t mines = mask(kept[k])[i];
                if (((mines ^ mask(set[k])[i]) & undecided[i]) || ((mines ^ mask(kept[0])[i]) & ~undecided[i])) {
                    return false;
                }
            }
        }
        return true;
    });
}

// Caches a result, in the entry of the set if there is one.
void Endgame::cache(Entry* known, Entry entry, Set set) {
    if (known) {
        known->value = entry.value;
        known->exact = entry.exact;
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
    if (cached_sets_.size() > none - set.size()) {
        throw LimitReached{"the endgame has too many positions to remember"};
    }
    entry.first = static_cast<std::uint32_t>(cached_sets_.size());
    cached_sets_.insert(cached_sets_.end(), set.begin(), set.end());
    entries_.push_back(entry);
    insert(static_cast<std::uint32_t>(entries_.size()) - 1);
}

Endgame::Level& Endgame::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
}

}  // namespace sapper
