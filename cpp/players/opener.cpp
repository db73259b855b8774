// Deduces safe cells and mines from one or two numbers at a time. Only numbers whose surroundings changed are
// processed, and three adjacent bytes are updated at once.
#include "players/opener.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/lanes.hpp"
#include "base/random.hpp"

namespace sapper {
namespace {

// Loads adjacent bytes as a word, in memory order.
template <class Word>
Word load_word(const std::uint8_t* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

constexpr std::uint32_t three_ones = std::bit_cast<std::uint32_t>(std::array<std::uint8_t, 4>{1, 1, 1, 0});
constexpr std::uint64_t five_ones = std::bit_cast<std::uint64_t>(std::array<std::uint8_t, 8>{1, 1, 1, 1, 1, 0, 0, 0});

// Subtracts one from three adjacent bytes, none of which is zero.
void decrement_three(std::uint8_t* from) {
    const std::uint32_t less = load_word<std::uint32_t>(from) - three_ones;
    std::memcpy(from, &less, sizeof less);
}

// The 3x3 neighbourhood of a number as bits, restricted to the cells that it shares with another number, indexed by the
// other's position from two rows and columns before to two after.
constexpr std::array<std::array<std::uint16_t, 5>, 5> shared_cells = [] {
    std::array<std::array<std::uint16_t, 5>, 5> table{};
    for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 5; ++column) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const bool is_near =
                        i + 1 - row <= 1 && row - i - 1 <= 1 && j + 1 - column <= 1 && column - j - 1 <= 1;
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

// Packs three adjacent bytes, each 0 or 1, into bits.
std::uint32_t three_bits(const std::uint8_t* from) {
    return static_cast<std::uint32_t>(from[0] | from[1] << 1 | from[2] << 2);
}

// Counts the mines at and around every place.
SAPPER_VECTORS
void count_mines(const std::uint8_t* mines, std::uint8_t* in_row, std::uint8_t* around, std::ptrdiff_t begin,
                 std::ptrdiff_t end, std::ptrdiff_t stride) {
    for (std::ptrdiff_t at = begin - 2 * stride - 2; at < end + 2 * stride + lane_count; at += lane_count) {
        SAPPER_STORE(in_row + at, SAPPER_LOAD(mines + at - 1) + SAPPER_LOAD(mines + at) + SAPPER_LOAD(mines + at + 1));
    }
    for (std::ptrdiff_t at = begin - stride - 1; at < end + stride + 1; at += lane_count) {
        SAPPER_STORE(around + at,
                     SAPPER_LOAD(in_row + at - stride) + SAPPER_LOAD(in_row + at) + SAPPER_LOAD(in_row + at + stride));
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
    for (Bytes* bytes : {&initial_.hidden, &initial_.number, &initial_.need, &known_mines_, &in_row_, &numbers_}) {
        bytes->assign(size, 0);
    }
    initial_.unknown.assign(grid.unknown(), grid.unknown() + size);
    initial_.room.assign(grid.room(), grid.room() + size);
    for (Queue* queue : {&to_open_, &to_count_, &to_compare_}) queue->resize(size);
    count_mines(grid.mine(), in_row_.data(), known_mines_.data(), begin_, end_, stride_);
    place_of_.resize(codes_.size());
    cell_of_.resize(size);
    std::uint32_t hidden = 0;
    for (std::uint32_t cell = 0; cell < codes_.size(); ++cell) {
        const std::uint32_t place = grid.place_at(cell);
        place_of_[cell] = place;
        cell_of_[place] = cell;
        initial_.hidden[place] = codes_[cell] == hidden_code;
        initial_.number[place] = codes_[cell] < hidden_code;
        hidden += initial_.hidden[place];
    }
    initial_.counted = initial_.compared = initial_.number;
    initial_left_ = hidden - position.mines;
}

void Opener::set_layout(std::span<const std::uint8_t> mines) {
    mines_ = mines;
    count_mines(mines.data(), in_row_.data(), numbers_.data(), begin_, end_, stride_);
    subtract(numbers_.data(), known_mines_.data(), initial_.need.data(), begin_ - stride_ - 1, end_ + stride_ + 1);
}

void Opener::restart() {
    current_ = initial_;
    for (const std::uint32_t cell : opened_) codes_[cell] = hidden_code;
    opened_.clear();
    left_ = initial_left_;
    hash_ = 0;
}

bool Opener::open(std::uint32_t cell) {
    const std::uint32_t place = place_of_[cell];
    if (mines_[place]) {
        return false;
    }
    if (current_.hidden[place]) queue_opening(place);
    for (;;) {
        if (!to_open_.empty()) {
            reveal(to_open_.pop());
        } else if (!to_count_.empty()) {
            apply_single_number(to_count_.pop());
        } else if (!to_compare_.empty()) {
            compare_with_neighbours(to_compare_.pop());
        } else {
            return true;
        }
    }
}

// Calls `visit` for a place and its neighbours whose byte is 1.
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

// Queues a hidden cell to be opened.
void Opener::queue_opening(std::uint32_t place) {
    current_.hidden[place] = 0;
    to_open_.push(place);
}

void Opener::reveal(std::uint32_t place) {
    if (current_.unknown[place]) mark_known(place);
    const std::uint32_t cell = cell_of_[place];
    const std::uint8_t number = numbers_[place];
    codes_[cell] = number;
    opened_.push_back(cell);
    hash_ ^= hash_of(cell, number);
    --left_;
    if (number == 0) {
        visit(current_.hidden, place, [&](std::uint32_t near) { queue_opening(near); });
        return;
    }
    current_.number[place] = current_.compared[place] = 1;
    to_count_.push(place);
}

// Marks a place as no longer unknown.
void Opener::mark_known(std::uint32_t place) {
    current_.unknown[place] = 0;
    for (const std::uint32_t row : {place - stride_, place, place + stride_}) decrement_three(&current_.room[row - 1]);
    visit(current_.counted, place, [&](std::uint32_t number) { queue_counting(number); });
}

void Opener::mark_mine(std::uint32_t place) {
    for (const std::uint32_t row : {place - stride_, place, place + stride_}) decrement_three(&current_.need[row - 1]);
    mark_known(place);
}

// Queues a number to be counted again.
void Opener::queue_counting(std::uint32_t number) {
    current_.counted[number] = 0;
    to_count_.push(number);
}

// Applies the single-number rules.
void Opener::apply_single_number(std::uint32_t number) {
    current_.counted[number] = 1;
    const std::uint8_t room = current_.room[number], need = current_.need[number];
    if (room == 0) {
        return;
    }
    if (need == 0) {
        visit(current_.unknown, number, [&](std::uint32_t near) {
            if (current_.hidden[near]) queue_opening(near);
        });
    } else if (need == room) {
        visit(current_.unknown, number, [&](std::uint32_t near) { mark_mine(near); });
    } else if (current_.compared[number]) {
        current_.compared[number] = 0;
        to_compare_.push(number);
    }
}

// Compares a number with every number within two cells.
void Opener::compare_with_neighbours(std::uint32_t number) {
    current_.compared[number] = 1;
    if (current_.room[number] == 0) {
        return;
    }
    const std::uint8_t* unknown = &current_.unknown[number - 1];
    const std::uint32_t around =
        three_bits(unknown - stride_) | three_bits(unknown) << 3 | three_bits(unknown + stride_) << 6;
    for (std::uint32_t row = 0, at = number - 2 * stride_ - 2; row < 5; ++row, at += stride_) {
        if ((load_word<std::uint64_t>(&current_.number[at]) & five_ones) == 0) {
            continue;
        }
        for (std::uint32_t column = 0; column < 5; ++column) {
            const std::uint32_t other = at + column;
            if (current_.number[other] && current_.room[other] &&
                apply_subset_rule(number, other, bit_counts[around & shared_cells[row][column]])) {
                return;
            }
        }
    }
}

// Applies the subset rule to two numbers that share `common` unknown cells. If one needs more mines than the other by
// exactly the number of cells that it does not share, those cells are all mines, and the other's unshared cells are
// safe. Returns whether it deduced anything.
bool Opener::apply_subset_rule(std::uint32_t number, std::uint32_t other, int common) {
    const int alone = current_.room[number] - common, other_alone = current_.room[other] - common;
    const int more = current_.need[number] - current_.need[other];
    if (common == 0 || alone + other_alone == 0) {
        return false;
    }
    if (more == alone) {
        settle_unshared(number, other);
    } else if (-more == other_alone) {
        settle_unshared(other, number);
    } else {
        return false;
    }
    if (current_.counted[number]) queue_counting(number);  // There may be more to deduce.
    return true;
}

// Settles the cells that touch only one of two numbers.
void Opener::settle_unshared(std::uint32_t mines_of, std::uint32_t safe_of) {
    const auto is_around = [&](std::uint32_t place, std::uint32_t number) {
        const std::uint32_t away = place > number ? place - number : number - place;
        return away <= 1 || (away >= stride_ - 1 && away <= stride_ + 1);
    };
    visit(current_.unknown, safe_of, [&](std::uint32_t place) {
        if (current_.hidden[place] && !is_around(place, mines_of)) queue_opening(place);
    });
    visit(current_.unknown, mines_of, [&](std::uint32_t place) {
        if (!is_around(place, safe_of)) mark_mine(place);
    });
}

}  // namespace sapper
