// Settles cells by single numbers, one band of rows at a time, 32 cells per instruction. A sum over the 3x3
// neighbourhood is a vertical sum of horizontal sums.
#include "counting/grid.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/lanes.hpp"

namespace sapper {
namespace {

constexpr std::uint8_t no_cell = 255;  // the code of a margin place

struct RoundResult {
    bool changed;
    bool impossible;
};

bool any(const Lanes& lanes) {
    std::uint64_t words[4];
    std::memcpy(words, &lanes, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

// Applies the single-number rules once to all numbers that touch the places from `begin` to `end`, and settles those
// places. The loops run past these bounds, each as far as the next one reads, and compute correct values there too.
SAPPER_VECTORS
RoundResult settle(const Rows& rows, std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t stride) {
    const std::ptrdiff_t n = lane_count;
    for (std::ptrdiff_t at = begin - 2 * stride - 2; at < end + 2 * stride + 2 * n; at += n) {
        SAPPER_STORE(rows.row_unknown + at, SAPPER_LOAD(rows.unknown + at - 1) + SAPPER_LOAD(rows.unknown + at) +
                                                SAPPER_LOAD(rows.unknown + at + 1));
        SAPPER_STORE(rows.row_mine + at,
                     SAPPER_LOAD(rows.mine + at - 1) + SAPPER_LOAD(rows.mine + at) + SAPPER_LOAD(rows.mine + at + 1));
    }
    Lanes wrong{};
    const Lanes zero{};
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + n; at += n) {
        const Lanes around = SAPPER_LOAD(rows.row_unknown + at - stride) + SAPPER_LOAD(rows.row_unknown + at) +
                             SAPPER_LOAD(rows.row_unknown + at + stride);
        const Lanes mines = SAPPER_LOAD(rows.row_mine + at - stride) + SAPPER_LOAD(rows.row_mine + at) +
                            SAPPER_LOAD(rows.row_mine + at + stride);
        const Lanes left = SAPPER_LOAD(rows.number + at) - mines;  // wraps around if there are too many mines
        const Lanes opened = SAPPER_LOAD(rows.opened + at);
        SAPPER_STORE(rows.room + at, around);
        SAPPER_STORE(rows.need + at, left);
        const Lanes has_unknown = opened & SAPPER_MASK(around != zero);
        const Lanes all_safe = has_unknown & SAPPER_MASK(left == zero);
        const Lanes all_mines = has_unknown & SAPPER_MASK(left == around);
        SAPPER_STORE(rows.verdict + at, all_safe + all_mines + all_mines);
        wrong = wrong | (opened & SAPPER_MASK(left > around));
    }
    for (std::ptrdiff_t at = begin - stride; at < end + stride + n; at += n) {
        SAPPER_STORE(rows.row_verdict + at, SAPPER_LOAD(rows.verdict + at - 1) | SAPPER_LOAD(rows.verdict + at) |
                                                SAPPER_LOAD(rows.verdict + at + 1));
    }
    Lanes changed{};
    const Lanes one = zero - SAPPER_MASK(zero == zero);
    for (std::ptrdiff_t at = begin; at < end; at += n) {
        const Lanes verdicts = SAPPER_LOAD(rows.row_verdict + at - stride) | SAPPER_LOAD(rows.row_verdict + at) |
                               SAPPER_LOAD(rows.row_verdict + at + stride);
        const Lanes unknown = SAPPER_LOAD(rows.unknown + at);
        const Lanes settled = unknown & SAPPER_MASK(verdicts != zero);
        const Lanes mines = settled & SAPPER_MASK((verdicts & (one + one)) != zero);
        changed = changed | settled;
        SAPPER_STORE(rows.mine + at, SAPPER_LOAD(rows.mine + at) | mines);
        SAPPER_STORE(rows.unknown + at, unknown ^ settled);
    }
    return {any(changed), any(wrong)};
}

// Marks the active numbers and the frontier cells.
SAPPER_VECTORS
void mark_frontier(const Rows& rows, std::uint8_t* active, std::uint8_t* touching, std::uint8_t* frontier,
                   std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t stride) {
    const Lanes zero{};
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + lane_count; at += lane_count) {
        SAPPER_STORE(active + at, SAPPER_LOAD(rows.opened + at) & SAPPER_MASK(SAPPER_LOAD(rows.room + at) != zero));
    }
    for (std::ptrdiff_t at = begin; at < end; at += lane_count) {
        const std::ptrdiff_t order[8] = {stride + 1, stride, stride - 1, 1, -1, 1 - stride, -stride, -stride - 1};
        Lanes bits{};
        for (const std::ptrdiff_t step : order) {
            bits = bits + bits + SAPPER_LOAD(active + at + step);
        }
        SAPPER_STORE(touching + at, bits);
        SAPPER_STORE(frontier + at, SAPPER_LOAD(rows.unknown + at) & SAPPER_MASK(bits != zero));
    }
}

SAPPER_VECTORS
std::uint32_t count(const std::uint8_t* bytes, std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::uint32_t total = 0;
    for (std::ptrdiff_t at = begin; at < end; ++at) {
        total += bytes[at];
    }
    return total;
}

// Converts codes to the grid's arrays, from place `begin` to `end`. Margins have the code `no_cell`.
SAPPER_VECTORS
void read_codes(const std::uint8_t* codes, const Rows& rows, std::uint8_t* opened, std::uint8_t* number,
                bool trust_flags, std::ptrdiff_t begin, std::ptrdiff_t end) {
    const Lanes zero{}, one = zero - SAPPER_MASK(zero == zero);
    const Lanes hidden = zero + hidden_code, flag = zero + flag_code;
    const Lanes trusted = trust_flags ? one : zero;
    for (std::ptrdiff_t at = begin; at < end; at += lane_count) {
        const Lanes code = SAPPER_LOAD(codes + at);
        const Lanes open = SAPPER_MASK(hidden > code);
        const Lanes mine = SAPPER_MASK(code == flag) & trusted;
        const Lanes closed = (SAPPER_MASK(code == hidden) | SAPPER_MASK(code == flag)) & one;
        SAPPER_STORE(opened + at, open & one);
        SAPPER_STORE(number + at, open & code);
        SAPPER_STORE(rows.mine + at, mine);
        SAPPER_STORE(rows.unknown + at, closed ^ mine);
    }
}

}  // namespace

bool Grid::load(const Position& position, Budget& budget) {
    if (!load_and_settle(position, budget)) {
        return false;
    }
    mark_frontier();
    return true;
}

bool Grid::load_and_settle(const Position& position, Budget& budget) {
    budget.add_work(position.codes.size());
    height_ = position.height;
    stride_ = position.width + 1;
    mines_ = position.mines;
    codes_.assign(size(), no_cell);
    for (Bytes* bytes : {&unknown_, &mine_, &opened_, &number_, &room_, &need_, &touching_, &row_unknown_, &row_mine_,
                         &verdict_, &row_verdict_}) {
        bytes->resize(size());
    }
    load_rows(position, 0, height_);
    // One extra band at each end, so that every band has two neighbours.
    dirty_.assign(band_count() + 2, 1);
    processed_.assign(band_count() + 2, 0);
    return settle_bands(budget);
}

void Grid::mark_frontier() {
    for (Bytes* bytes : {&frontier_, &active_}) {
        bytes->assign(size(), 0);
    }
    sapper::mark_frontier(rows(), active_.data(), touching_.data(), frontier_.data(), begin(), end(), stride_);
    unknown_count_ = count(unknown_.data(), begin(), end());
    mines_left_ = std::int64_t{mines_} - count(mine_.data(), begin(), end());
}

Rows Grid::rows() {
    return {unknown_.data(),  mine_.data(),    room_.data(),        need_.data(),   row_unknown_.data(),
            row_mine_.data(), verdict_.data(), row_verdict_.data(), opened_.data(), number_.data()};
}

void Grid::load_rows(const Position& position, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t row = first; row < last; ++row) {
        std::memcpy(&codes_[begin() + row * stride_], &position.codes[std::size_t{row} * position.width],
                    position.width);
    }
    // When loading the whole board, the margins are cleared too.
    const bool all = first == 0 && last == height_;
    const std::uint32_t from = all ? 0 : begin() + first * stride_;
    const std::uint32_t to = all ? size() - lane_count : begin() + last * stride_ - 1;
    read_codes(codes_.data(), rows(), opened_.data(), number_.data(), position.trust_flags, from, to);
}

// Processes dirty bands until nothing changes.
bool Grid::settle_bands(Budget& budget) {
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t band = 0; band < band_count(); ++band) {
            if (!dirty_[band + 1]) {
                continue;
            }
            dirty_[band + 1] = 0;
            processed_[band + 1] = 1;
            budget.add_work(band_height * stride_ / 16);
            const std::uint32_t last_row = std::min(height_, (band + 1) * band_height);
            const RoundResult round = sapper::settle(rows(), begin() + band * band_height * stride_,
                                                     begin() + last_row * stride_ - 1, stride_);
            if (round.impossible) {
                return false;
            }
            if (round.changed) {
                dirty_[band] = dirty_[band + 1] = dirty_[band + 2] = 1;
                again = true;
            }
        }
    }
    return true;
}

void Grid::find_safe(std::vector<std::uint32_t>& safe) const {
    constexpr std::uint64_t all = 0x0101010101010101;
    constexpr bool is_little = std::endian::native == std::endian::little;
    const auto word = [](const Bytes& bytes, std::uint32_t at) {
        std::uint64_t eight;
        std::memcpy(&eight, &bytes[at], sizeof eight);
        return eight;
    };
    for (std::uint32_t at = begin(); at < end(); at += sizeof all) {
        std::uint64_t rest = (word(opened_, at) | word(unknown_, at) | word(mine_, at)) ^ all;
        for (; rest != 0; rest &= rest - 1) {
            const auto byte = static_cast<std::uint32_t>(std::countr_zero(rest)) / 8;
            const std::uint32_t place = at + (is_little ? byte : 7 - byte);
            if (is_hidden(codes_[place])) {  // Not a margin, and not an ignored cell.
                safe.push_back(cell_at(place));
            }
        }
    }
}

bool Grid::update(const Position& position, std::span<const std::uint8_t> codes_before, Budget& budget) {
    if (codes_before.empty()) {  // The first position of a game.
        if (!load(position, budget)) {
            return false;
        }
        for (Bytes* bytes : {&settled_as_, &recorded_unknown_, &recorded_active_, &recorded_need_, &recorded_room_}) {
            bytes->assign(size(), 0);
        }
        for (auto* counts : {&band_unknown_, &band_mines_, &band_frontier_}) {
            counts->assign(band_count(), 0);
        }
        for (std::uint32_t row = 0, cell = 0; row < height_; ++row) {
            for (std::uint32_t at = begin() + row * stride_; at < begin() + (row + 1) * stride_ - 1; ++at) {
                recorded_unknown_[at] = position.codes[cell++] >= hidden_code;
            }
        }
        std::fill(processed_.begin(), processed_.end(), 1);
        record_changes();
        return true;
    }
    const std::size_t width = position.width;
    for (std::uint32_t band = 0; band < band_count(); ++band) {
        const std::uint32_t first = band * band_height, last = std::min(height_, first + band_height);
        if (std::memcmp(&position.codes[first * width], &codes_before[first * width], (last - first) * width) == 0) {
            continue;
        }
        load_rows(position, first, last);
        const std::uint32_t beyond = begin() + last * stride_ + lane_count;
        for (std::uint32_t at = begin() + first * stride_; at < beyond; ++at) {
            if (settled_as_[at] == 2 && opened_[at]) {
                return false;  // It was proved to be a mine.
            }
            if (settled_as_[at]) {  // Settled cells stay settled.
                mine_[at] = static_cast<std::uint8_t>(settled_as_[at] == 2);
                unknown_[at] = 0;
            }
        }
        dirty_[band] = dirty_[band + 1] = dirty_[band + 2] = 1;
    }
    return settle_changes(budget);
}

void Grid::set_settled(std::uint32_t place, bool is_mine) {
    const std::uint32_t band = (place - begin()) / stride_ / band_height;
    unknown_[place] = 0;
    mine_[place] = is_mine;
    dirty_[band] = dirty_[band + 1] = dirty_[band + 2] = 1;
}

bool Grid::settle_changes(Budget& budget) {
    if (!settle_bands(budget)) {
        return false;
    }
    record_changes();
    return true;
}

void Grid::clear_changes() {
    changed_numbers_.clear();
    settled_cells_.clear();
}

// Updates the recorded state of the processed bands and of their neighbours: a number may have changed because of a
// cell in the next band.
void Grid::record_changes() {
    for (std::uint32_t band = 0; band < band_count(); ++band) {
        if (!processed_[band] && !processed_[band + 1] && !processed_[band + 2]) {
            continue;
        }
        const std::uint32_t last_row = std::min(height_, (band + 1) * band_height);
        const std::uint32_t from = begin() + band * band_height * stride_;
        const std::uint32_t to = begin() + last_row * stride_ - 1;
        sapper::mark_frontier(rows(), active_.data(), touching_.data(), frontier_.data(), from, to, stride_);
        for (std::uint32_t at = from; at < to; ++at) {
            if (recorded_unknown_[at] != unknown_[at]) {
                recorded_unknown_[at] = unknown_[at];
                if (!opened_[at]) {
                    settled_as_[at] = mine_[at] ? 2 : 1;
                    settled_cells_.push_back(at);
                }
            }
            const bool same = recorded_active_[at] == active_[at] && recorded_need_[at] == need_[at] &&
                              recorded_room_[at] == room_[at];
            if (!same && (active_[at] || recorded_active_[at])) {
                recorded_active_[at] = active_[at];
                recorded_need_[at] = need_[at];
                recorded_room_[at] = room_[at];
                if (active_[at]) {
                    changed_numbers_.push_back(at);
                }
            }
        }
        band_unknown_[band] = count(unknown_.data(), from, to);
        band_mines_[band] = count(mine_.data(), from, to);
        band_frontier_[band] = count(frontier_.data(), from, to);
    }
    std::fill(processed_.begin(), processed_.end(), 0);
    unknown_count_ = std::accumulate(band_unknown_.begin(), band_unknown_.end(), 0u);
    frontier_count_ = std::accumulate(band_frontier_.begin(), band_frontier_.end(), 0u);
    mines_left_ = std::int64_t{mines_} - std::accumulate(band_mines_.begin(), band_mines_.end(), std::int64_t{0});
}

}  // namespace sapper
