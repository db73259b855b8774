// What one number or two settle, cell by cell: only numbers that something new is known of are looked at, and three
// places side by side at once.
#include "players/opener.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/random.hpp"
#include "base/lanes.hpp"

namespace sapper {
namespace {

// Some bytes side by side, in the order in which they lie.
template <class Word>
Word load_word(const std::uint8_t* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

constexpr std::uint32_t three_ones = std::bit_cast<std::uint32_t>(std::array<std::uint8_t, 4>{1, 1, 1, 0});
constexpr std::uint64_t five_ones =
    std::bit_cast<std::uint64_t>(std::array<std::uint8_t, 8>{1, 1, 1, 1, 1, 0, 0, 0});

// Takes one from three places, each of which has one to take.
void take_one(std::uint8_t* from) {
    const std::uint32_t less = load_word<std::uint32_t>(from) - three_ones;
    std::memcpy(from, &less, sizeof less);
}

// The 3 by 3 places around a number as bits, and those of them that are around another, by where it is: two rows and
// columns before to two after.
constexpr std::array<std::array<std::uint16_t, 5>, 5> commons = [] {
    std::array<std::array<std::uint16_t, 5>, 5> table{};
    for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 5; ++column) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const bool is_near = i + 1 - row <= 1 && row - i - 1 <= 1 && j + 1 - column <= 1 && column - j - 1 <= 1;
                    const auto at = static_cast<std::size_t>(row), to = static_cast<std::size_t>(column);
                    if (is_near) table[at][to] = static_cast<std::uint16_t>(table[at][to] | 1 << (3 * i + j));
                }
            }
        }
    }
    return table;
}();

constexpr std::array<std::uint8_t, 512> bit_counts = [] {
    std::array<std::uint8_t, 512> table{};
    for (std::size_t bits = 1; bits < 512; ++bits) {
        table[bits] = static_cast<std::uint8_t>(table[bits / 2] + bits % 2);
    }
    return table;
}();

// Three ones or zeros side by side as bits.
std::uint32_t three_bits(const std::uint8_t* from) {
    return static_cast<std::uint32_t>(from[0] | from[1] << 1 | from[2] << 2);
}

// Counts the mines at and around all places.
SAPPER_VECTORS
void count_mines(const std::uint8_t* mines, std::uint8_t* in_row, std::uint8_t* around, std::ptrdiff_t begin,
                 std::ptrdiff_t end, std::ptrdiff_t stride) {
    for (std::ptrdiff_t at = begin - 2 * stride - 2; at < end + 2 * stride + lane_count; at += lane_count) {
        SAPPER_STORE(in_row + at, SAPPER_LOAD(mines + at - 1) + SAPPER_LOAD(mines + at) + SAPPER_LOAD(mines + at + 1));
    }
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + 1; at += lane_count) {
        SAPPER_STORE(around + at, SAPPER_LOAD(in_row + at - stride) + SAPPER_LOAD(in_row + at) +
                                      SAPPER_LOAD(in_row + at + stride));
    }
}

SAPPER_VECTORS
void subtract(const std::uint8_t* from, const std::uint8_t* what, std::uint8_t* to, std::ptrdiff_t begin,
              std::ptrdiff_t end) {
    for (std::ptrdiff_t at = begin; at < end; at += lane_count) {
        SAPPER_STORE(to + at, SAPPER_LOAD(from + at) - SAPPER_LOAD(what + at));
    }
}

}  // namespace

std::uint64_t Opener::hash_of(std::uint32_t cell, std::uint8_t number) {
    return mixed((std::uint64_t{cell} << 8 | number) + 1);
}

void Opener::load(const Position& position, const Grid& grid) {
    stride_ = grid.stride();
    begin_ = grid.begin();
    end_ = grid.end();
    codes_.assign(position.codes.begin(), position.codes.end());
    std::replace(codes_.begin(), codes_.end(), flag_code, hidden_code);
    opened_.clear();
    const std::size_t size = grid.size();
    for (Bytes* bytes : {&first_.hidden, &first_.number, &first_.need, &known_, &in_row_, &numbers_}) {
        bytes->assign(size, 0);
    }
    first_.unknown.assign(grid.unknown(), grid.unknown() + size);
    first_.room.assign(grid.room(), grid.room() + size);
    for (Queue* queue : {&to_open_, &to_count_, &to_compare_}) queue->resize(size);
    count_mines(grid.mine(), in_row_.data(), known_.data(), begin_, end_, stride_);
    place_of_.resize(codes_.size());
    cell_of_.resize(size);
    std::uint32_t hidden = 0;
    for (std::uint32_t cell = 0; cell < codes_.size(); ++cell) {
        const std::uint32_t place = grid.place_at(cell);
        place_of_[cell] = place;
        cell_of_[place] = cell;
        first_.hidden[place] = codes_[cell] == hidden_code;
        first_.number[place] = codes_[cell] < hidden_code;
        hidden += first_.hidden[place];
    }
    first_.counted = first_.compared = first_.number;
    safe_ = hidden - position.mines;
}

void Opener::lay(std::span<const std::uint8_t> mines) {
    mines_ = mines;
    count_mines(mines.data(), in_row_.data(), numbers_.data(), begin_, end_, stride_);
    subtract(numbers_.data(), known_.data(), first_.need.data(), begin_ - stride_ - 1, end_ + stride_ + 1);
}

void Opener::begin() {
    now_ = first_;
    for (const std::uint32_t cell : opened_) codes_[cell] = hidden_code;
    opened_.clear();
    left_ = safe_;
    hash_ = 0;
}

bool Opener::open(std::uint32_t cell) {
    const std::uint32_t place = place_of_[cell];
    if (mines_[place]) {
        return false;
    }
    if (now_.hidden[place]) await(place);
    for (;;) {
        if (!to_open_.empty()) {
            show(to_open_.pop());
        } else if (!to_count_.empty()) {
            count(to_count_.pop());
        } else if (!to_compare_.empty()) {
            compare(to_compare_.pop());
        } else {
            return true;
        }
    }
}

// Visits a place and its neighbours, as far as they have ones.
template <class Visit>
void Opener::visit(const Bytes& ones, std::uint32_t place, Visit visit) {
    for (const std::uint32_t row : {place - stride_, place, place + stride_}) {
        const std::uint8_t* at = &ones[row - 1];
        if ((load_word<std::uint32_t>(at) & three_ones) == 0) {
            continue;
        }
        for (std::uint32_t i = 0; i < 3; ++i) {
            if (at[i]) visit(row - 1 + i);
        }
    }
}

// Has a hidden cell opened.
void Opener::await(std::uint32_t place) {
    now_.hidden[place] = 0;
    to_open_.push(place);
}

void Opener::show(std::uint32_t place) {
    if (now_.unknown[place]) determine(place);
    const std::uint32_t cell = cell_of_[place];
    const std::uint8_t number = numbers_[place];
    codes_[cell] = number;
    opened_.push_back(cell);
    hash_ ^= hash_of(cell, number);
    --left_;
    if (number == 0) {
        visit(now_.hidden, place, [&](std::uint32_t near) { await(near); });
        return;
    }
    now_.number[place] = now_.compared[place] = 1;
    to_count_.push(place);
}

// Notes that a place is unknown no more.
void Opener::determine(std::uint32_t place) {
    now_.unknown[place] = 0;
    for (const std::uint32_t row : {place - stride_, place, place + stride_}) take_one(&now_.room[row - 1]);
    visit(now_.counted, place, [&](std::uint32_t number) { touch(number); });
}

void Opener::lay_mine(std::uint32_t place) {
    for (const std::uint32_t row : {place - stride_, place, place + stride_}) take_one(&now_.need[row - 1]);
    determine(place);
}

// Notes that something new is known of a number that was counted.
void Opener::touch(std::uint32_t number) {
    now_.counted[number] = 0;
    to_count_.push(number);
}

// Settles what one number settles.
void Opener::count(std::uint32_t number) {
    now_.counted[number] = 1;
    const std::uint8_t room = now_.room[number], need = now_.need[number];
    if (room == 0) {
        return;
    }
    if (need == 0) {
        visit(now_.unknown, number, [&](std::uint32_t near) {
            if (now_.hidden[near]) await(near);
        });
    } else if (need == room) {
        visit(now_.unknown, number, [&](std::uint32_t near) { lay_mine(near); });
    } else if (now_.compared[number]) {
        now_.compared[number] = 0;
        to_compare_.push(number);
    }
}

// Settles what a number settles together with one near it.
void Opener::compare(std::uint32_t number) {
    now_.compared[number] = 1;
    if (now_.room[number] == 0) {
        return;
    }
    const std::uint8_t* unknown = &now_.unknown[number - 1];
    const std::uint32_t around =
        three_bits(unknown - stride_) | three_bits(unknown) << 3 | three_bits(unknown + stride_) << 6;
    for (std::uint32_t row = 0, at = number - 2 * stride_ - 2; row < 5; ++row, at += stride_) {
        if ((load_word<std::uint64_t>(&now_.number[at]) & five_ones) == 0) {
            continue;
        }
        for (std::uint32_t column = 0; column < 5; ++column) {
            const std::uint32_t other = at + column;
            if (now_.number[other] && now_.room[other] &&
                settle(number, other, bit_counts[around & commons[row][column]])) {
                return;
            }
        }
    }
}

// Settles what two numbers settle that have so many unknown cells in common. If one needs so many mines more than the
// other as there are cells around it alone, these are mines, and what is around the other alone is safe.
bool Opener::settle(std::uint32_t number, std::uint32_t other, int common) {
    const int alone = now_.room[number] - common, other_alone = now_.room[other] - common;
    const int more = now_.need[number] - now_.need[other];
    if (common == 0 || alone + other_alone == 0) {
        return false;
    }
    if (more == alone) {
        part(number, other);
    } else if (-more == other_alone) {
        part(other, number);
    } else {
        return false;
    }
    if (now_.counted[number]) touch(number);  // There may be more.
    return true;
}

// Settles what is around one of two numbers alone.
void Opener::part(std::uint32_t mines_of, std::uint32_t safe_of) {
    const auto is_around = [&](std::uint32_t place, std::uint32_t number) {
        const std::uint32_t away = place > number ? place - number : number - place;
        return away <= 1 || (away >= stride_ - 1 && away <= stride_ + 1);
    };
    visit(now_.unknown, safe_of, [&](std::uint32_t place) {
        if (now_.hidden[place] && !is_around(place, mines_of)) await(place);
    });
    visit(now_.unknown, mines_of, [&](std::uint32_t place) {
        if (!is_around(place, safe_of)) lay_mine(place);
    });
}

}  // namespace sapper
