// Minefields have the right number of mines, keep their promises, and never change for a given seed.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "base/minefield.hpp"
#include "base/random.hpp"
#include "tests/check.hpp"

using sapper::BoardSize;
using sapper::draw_mines;
using sapper::Promise;

namespace {

std::string text(const std::vector<std::uint8_t>& board) {
    std::string out;
    for (const auto mine : board) {
        out += mine ? '1' : '0';
    }
    return out;
}

void test_every_board_has_the_right_number_of_mines() {
    for (std::uint32_t height = 1; height <= 6; ++height) {
        for (std::uint32_t width = 1; width <= 6; ++width) {
            for (std::uint32_t mines = 0; mines <= height * width; ++mines) {
                const auto board = draw_mines({height, width, mines}, 0, Promise::none, mines + 1);
                CHECK(board.size() == height * width);
                CHECK(std::count(board.begin(), board.end(), 1) == mines);
            }
        }
    }
}

void test_promises_are_kept() {
    constexpr std::uint32_t height = 5, width = 6;
    for (std::uint32_t first = 0; first < height * width; ++first) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CHECK(draw_mines({height, width, 29}, first, Promise::safe, seed)[first] == 0);
            const auto board = draw_mines({height, width, 21}, first, Promise::open, seed);
            for (std::uint32_t place = 0; place < height * width; ++place) {
                const auto rows = static_cast<int>(place / width) - static_cast<int>(first / width);
                const auto columns = static_cast<int>(place % width) - static_cast<int>(first % width);
                if (std::abs(rows) <= 1 && std::abs(columns) <= 1) {
                    CHECK(board[place] == 0);
                }
            }
        }
    }
}

void test_boards_of_a_seed_never_change() {
    CHECK(text(draw_mines({2, 4, 3}, 0, Promise::open, 7)) == "00100011");
    CHECK(text(draw_mines({4, 4, 4}, 5, Promise::safe, 0)) == "0100000010110000");
    CHECK(text(draw_mines({3, 5, 5}, 0, Promise::none, 18446744073709551615u)) == "000001001101001");
}

void test_mines_are_uniform() {
    // With 3 mines on 10 cells, each cell is a mine in 3/10 of 20,000 draws; one standard deviation is 65.
    std::array<int, 10> hits{};
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        const auto board = draw_mines({2, 5, 3}, 0, Promise::none, seed);
        for (std::size_t place = 0; place < hits.size(); ++place) {
            hits[place] += board[place];
        }
    }
    for (const int count : hits) {
        CHECK(std::abs(count - 6000) < 325);
    }
}

void test_random_numbers_are_below_their_limit() {
    sapper::Random random{1};
    for (std::uint32_t limit = 1; limit < 3000; ++limit) {
        CHECK(random.below(limit) < limit);
    }
}

void test_invalid_boards_are_rejected() {
    CHECK_THROWS(draw_mines({0, 5, 0}, 0, Promise::none, 1));
    CHECK_THROWS(draw_mines({5, 1001, 0}, 0, Promise::none, 1));
    CHECK_THROWS(draw_mines({2, 2, 5}, 0, Promise::none, 1));
    CHECK_THROWS(draw_mines({3, 3, 1}, 4, Promise::open, 1));
    CHECK_THROWS(draw_mines({2, 2, 1}, 4, Promise::safe, 1));
}

}  // namespace

int main() {
    test_every_board_has_the_right_number_of_mines();
    test_promises_are_kept();
    test_boards_of_a_seed_never_change();
    test_mines_are_uniform();
    test_random_numbers_are_below_their_limit();
    test_invalid_boards_are_rejected();
    return check::report();
}
