// Settling by single numbers, a band of rows at a time and many cells at once: a sum over neighbours is
// a sum over three rows of sums over three columns.
#include "grid.hpp"

#include <algorithm>
#include <cstring>

#include "vectors.hpp"

namespace sapper {
namespace {

constexpr std::uint32_t band_height = 16;

struct Round {
    bool changed;
    bool impossible;
};

struct Rows {
    std::uint8_t *unknown, *mine, *room, *need, *row_unknown, *row_mine, *verdict, *row_verdict;
    const std::uint8_t *opened, *number;
};

bool any(const Lanes& lanes) {
    std::uint64_t words[4];
    std::memcpy(words, &lanes, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

// Looks once at the numbers that touch the places from `begin` to before `end`, and settles those places.
// It may go some lanes beyond, and does there what is right there too: each loop goes as far beyond as
// the next one looks.
SAPPER_VECTORS
Round settle(const Rows& rows, std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t stride) {
    const std::ptrdiff_t n = lane_count;
    for (std::ptrdiff_t at = begin - 2 * stride - 2; at < end + 2 * stride + 2 * n; at += n) {
        SAPPER_STORE(rows.row_unknown + at, SAPPER_LOAD(rows.unknown + at - 1) +
                                                SAPPER_LOAD(rows.unknown + at) +
                                                SAPPER_LOAD(rows.unknown + at + 1));
        SAPPER_STORE(rows.row_mine + at, SAPPER_LOAD(rows.mine + at - 1) + SAPPER_LOAD(rows.mine + at) +
                                             SAPPER_LOAD(rows.mine + at + 1));
    }
    Lanes wrong{};
    const Lanes zero{};
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + n; at += n) {
        const Lanes around = SAPPER_LOAD(rows.row_unknown + at - stride) +
                             SAPPER_LOAD(rows.row_unknown + at) +
                             SAPPER_LOAD(rows.row_unknown + at + stride);
        const Lanes mines = SAPPER_LOAD(rows.row_mine + at - stride) + SAPPER_LOAD(rows.row_mine + at) +
                            SAPPER_LOAD(rows.row_mine + at + stride);
        const Lanes left = SAPPER_LOAD(rows.number + at) - mines;  // wraps around when there are too many
        const Lanes opened = SAPPER_LOAD(rows.opened + at);
        SAPPER_STORE(rows.room + at, around);
        SAPPER_STORE(rows.need + at, left);
        const Lanes speaks = opened & SAPPER_MASK(around != zero);
        const Lanes all_safe = speaks & SAPPER_MASK(left == zero);
        const Lanes all_mines = speaks & SAPPER_MASK(left == around);
        SAPPER_STORE(rows.verdict + at, all_safe + all_mines + all_mines);
        wrong = wrong | (opened & SAPPER_MASK(left > around));
    }
    for (std::ptrdiff_t at = begin - stride; at < end + stride; at += n) {
        SAPPER_STORE(rows.row_verdict + at, SAPPER_LOAD(rows.verdict + at - 1) |
                                                SAPPER_LOAD(rows.verdict + at) |
                                                SAPPER_LOAD(rows.verdict + at + 1));
    }
    Lanes changed{};
    const Lanes one = zero - SAPPER_MASK(zero == zero);
    for (std::ptrdiff_t at = begin; at < end; at += n) {
        const Lanes said = SAPPER_LOAD(rows.row_verdict + at - stride) |
                           SAPPER_LOAD(rows.row_verdict + at) |
                           SAPPER_LOAD(rows.row_verdict + at + stride);
        const Lanes unknown = SAPPER_LOAD(rows.unknown + at);
        const Lanes settled = unknown & SAPPER_MASK(said != zero);
        const Lanes mines = settled & SAPPER_MASK((said & (one + one)) != zero);
        changed = changed | settled;
        SAPPER_STORE(rows.mine + at, SAPPER_LOAD(rows.mine + at) | mines);
        SAPPER_STORE(rows.unknown + at, unknown ^ settled);
    }
    return {any(changed), any(wrong)};
}

// Marks the numbers that touch unknown cells, and those cells.
SAPPER_VECTORS
void mark_frontier(const Rows& rows, std::uint8_t* active, std::uint8_t* touching, std::uint8_t* frontier,
                   std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t stride) {
    const Lanes zero{};
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + lane_count; at += lane_count) {
        SAPPER_STORE(active + at, SAPPER_LOAD(rows.opened + at) &
                                      SAPPER_MASK(SAPPER_LOAD(rows.room + at) != zero));
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

SAPPER_VECTORS
void load_row(const std::uint8_t* __restrict codes, std::uint32_t width, bool trust_flags,
              std::uint8_t* __restrict unknown, std::uint8_t* __restrict mine,
              std::uint8_t* __restrict opened, std::uint8_t* __restrict number) {
    const std::uint8_t flags = trust_flags ? 1 : 0;
    for (std::uint32_t column = 0; column < width; ++column) {
        const std::uint8_t code = codes[column];
        const auto open = static_cast<std::uint8_t>(code < hidden_code);
        const auto trusted = static_cast<std::uint8_t>(flags & (code == flag_code));
        opened[column] = open;
        number[column] = static_cast<std::uint8_t>(open ? code : 0);
        mine[column] = trusted;
        const auto mute = static_cast<std::uint8_t>(code == mute_code);
        unknown[column] = static_cast<std::uint8_t>((open | trusted | mute) ^ 1);
    }
}

}  // namespace

bool Grid::load(const Position& position) {
    height_ = position.height;
    stride_ = position.width + 1;
    for (Bytes* bytes : {&unknown_, &mine_, &opened_, &number_, &frontier_, &active_}) {
        bytes->assign(size(), 0);
    }
    for (Bytes* bytes :
         {&room_, &need_, &touching_, &row_unknown_, &row_mine_, &verdict_, &row_verdict_}) {
        bytes->resize(size());
    }
    for (std::uint32_t row = 0; row < height_; ++row) {
        const std::uint32_t at = begin() + row * stride_;
        load_row(&position.codes[std::size_t{row} * position.width], position.width, position.trust_flags,
                 &unknown_[at], &mine_[at], &opened_[at], &number_[at]);
    }

    const Rows rows{unknown_.data(),  mine_.data(),    room_.data(),        need_.data(),
                    row_unknown_.data(), row_mine_.data(), verdict_.data(), row_verdict_.data(),
                    opened_.data(),   number_.data()};
    const std::uint32_t bands = (height_ + band_height - 1) / band_height;
    dirty_.assign(bands + 2, 1);  // A band before the first and one after the last, for good measure.
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t band = 0; band < bands; ++band) {
            if (!dirty_[band + 1]) {
                continue;
            }
            dirty_[band + 1] = 0;
            const std::uint32_t last_row = std::min(height_, (band + 1) * band_height);
            const Round round = settle(rows, begin() + band * band_height * stride_,
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
    const std::ptrdiff_t from = begin(), to = end();
    mark_frontier(rows, active_.data(), touching_.data(), frontier_.data(), from, to, stride_);
    unknown_count_ = count(unknown_.data(), from, to);
    mines_left_ = std::int64_t{position.mines} - count(mine_.data(), from, to);
    return true;
}

}  // namespace sapper
