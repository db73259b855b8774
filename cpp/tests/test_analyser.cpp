// Compares the analyser with brute force over all layouts, and tries boards of odd shapes and sizes.
#include "counting/analyser.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

// A random board with any number of mines, some flags and some open cells, of which `wrong` percent show a random
// number.
Board random_position(Random& random, std::uint32_t height, std::uint32_t width, std::uint32_t open,
                      std::uint32_t wrong) {
    const std::uint32_t cells = height * width;
    const std::uint32_t mines = random.below(cells + 1);
    const auto mine = draw_mines({height, width, mines}, 0, Promise::none, random.below(1u << 31));
    Board board{height, width, mines, std::vector<std::uint8_t>(cells, hidden_code)};
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (mine[cell] || random.below(100) >= open) {
            if (random.below(8) == 0) board.codes[cell] = flag_code;
            continue;
        }
        board.codes[cell] =
            random.below(100) < wrong ? static_cast<std::uint8_t>(random.below(9)) : number_at(board, mine, cell);
    }
    return board;
}

struct BruteForce {
    std::uint64_t layouts = 0;
    std::vector<std::uint64_t> mines;
};

BruteForce brute_force(const Board& board) {
    const std::uint32_t cells = board.height * board.width;
    std::vector<std::uint32_t> hidden, around(cells, 0);
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (board.codes[cell] >= hidden_code) hidden.push_back(cell);
    }
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            if (are_adjacent(cell, hidden[i], board.width)) around[cell] |= 1u << i;
        }
    }
    BruteForce truth{0, std::vector<std::uint64_t>(cells, 0)};
    for (std::uint32_t layout = 0; layout < 1u << hidden.size(); ++layout) {
        bool fits = static_cast<std::uint32_t>(std::popcount(layout)) == board.mines;
        for (std::uint32_t cell = 0; fits && cell < cells; ++cell) {
            fits = board.codes[cell] >= hidden_code || std::popcount(layout & around[cell]) == board.codes[cell];
        }
        if (fits) {
            ++truth.layouts;
            for (std::size_t i = 0; i < hidden.size(); ++i) truth.mines[hidden[i]] += layout >> i & 1;
        }
    }
    return truth;
}

void test_small_boards_match_brute_force() {
    Random random{1};
    Analyser analyser;
    constexpr std::uint32_t shapes[][2] = {{1, 1}, {1, 12}, {12, 1}, {2, 6}, {3, 4}, {4, 3}, {3, 5}, {2, 7}};
    for (int round = 0; round < 600; ++round) {
        const auto& shape = shapes[random.below(8)];
        const Board board = random_position(random, shape[0], shape[1], 10 + random.below(80), 3);
        const BruteForce truth = brute_force(board);
        Budget budget{60, 1u << 30};
        const Findings& found = analyser.analyse(board.position(), budget, &budget);
        CHECK(found.possible == (truth.layouts > 0));
        if (!found.possible) continue;
        for (std::size_t cell = 0; cell < board.codes.size(); ++cell) {
            if (board.codes[cell] < hidden_code) {
                CHECK(std::isnan(found.risk[cell]));
                CHECK(found.certain[cell] == Certainty::none);
                continue;
            }
            const double risk = static_cast<double>(truth.mines[cell]) / static_cast<double>(truth.layouts);
            CHECK(std::abs(found.risk[cell] - risk) < 1e-12);
            CHECK((found.certain[cell] == Certainty::safe) == (truth.mines[cell] == 0));
            CHECK((found.certain[cell] == Certainty::mine) == (truth.mines[cell] == truth.layouts));
        }
    }
}

// With more than `exact_cells` unknown cells, certain cells are found through possibilities. These must agree with the
// risks, which are still exact on boards that are not much larger.
void test_large_boards_are_consistent() {
    Random random{2};
    Analyser analyser;
    for (int round = 0; round < 40; ++round) {
        Board small = random_position(random, 4, 5, 50, 0);
        // The same board with a field of free cells next to it.
        Budget budget{60, 1u << 30};
        const Findings alone = analyser.analyse(small.position(), budget, &budget);
        Board large{4, 5 + 1 + 300, small.mines, {}};
        large.codes.assign(4 * large.width, hidden_code);
        for (std::uint32_t row = 0; row < 4; ++row) {
            for (std::uint32_t column = 0; column < 5; ++column) {
                large.codes[row * large.width + column] = small.codes[row * 5 + column];
            }
        }
        Budget more{60, 1u << 30};
        const Findings& found = analyser.analyse(large.position(), more, &more);
        CHECK(!alone.possible || found.possible);  // The same mines have more room.
        if (!found.possible) continue;
        double mines = 0;
        for (std::size_t cell = 0; cell < large.codes.size(); ++cell) {
            if (large.codes[cell] < hidden_code) continue;
            CHECK((found.certain[cell] == Certainty::safe) == (found.risk[cell] == 0));
            CHECK((found.certain[cell] == Certainty::mine) == (found.risk[cell] == 1));
            mines += found.risk[cell];
        }
        CHECK(std::abs(mines - large.mines) < 1e-9);
    }
}

// A tall board is settled band by band, a wide one in a single band; transposition must not change the result. The same
// analyser is used for all boards, and must not carry anything over from one to the next.
void test_transposed_boards_agree() {
    Random random{5};
    Analyser analyser;
    for (int round = 0; round < 2000; ++round) {
        const std::uint32_t height = 17 + random.below(40), width = 1 + random.below(6);
        const Board tall = random_position(random, height, width, 20 + random.below(75), random.below(3));
        Board wide{width, height, tall.mines, tall.codes};
        for (std::uint32_t row = 0; row < height; ++row) {
            for (std::uint32_t column = 0; column < width; ++column) {
                wide.codes[column * height + row] = tall.codes[row * width + column];
            }
        }
        Budget budget{60, 1u << 30};
        const Findings first = analyser.analyse(tall.position(), budget, &budget);
        const Findings& second = analyser.analyse(wide.position(), budget, &budget);
        CHECK(first.possible == second.possible);
        if (!first.possible || !second.possible) continue;
        bool same = true;
        for (std::uint32_t cell = 0; cell < tall.codes.size(); ++cell) {
            const std::uint32_t transposed = cell % width * height + cell / width;
            same = same && first.certain[cell] == second.certain[transposed];
            same = same &&
                   (tall.codes[cell] < hidden_code || std::abs(first.risk[cell] - second.risk[transposed]) < 1e-12);
        }
        CHECK(same);
    }
}

void test_number_probabilities_match_brute_force() {
    Random random{3};
    Analyser analyser;
    for (int round = 0; round < 60; ++round) {
        Board board = random_position(random, 3, 4, 40, 0);
        const BruteForce truth = brute_force(board);
        for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
            if (board.codes[cell] < hidden_code || truth.mines[cell] == truth.layouts) continue;
            Budget budget{60, 1u << 30};
            const auto chances = analyser.number_probabilities(board.position(), cell, budget);
            for (std::uint8_t number = 0; number < 9; ++number) {
                Board after = board;
                after.codes[cell] = number;
                const double expected = static_cast<double>(brute_force(after).layouts) /
                                        static_cast<double>(truth.layouts - truth.mines[cell]);
                CHECK(std::abs(chances[number] - expected) < 1e-12);
            }
        }
    }
}

// Random codes never do anything worse than reach a limit.
void test_random_codes_never_crash() {
    Random random{4};
    Analyser analyser;
    for (int round = 0; round < 400; ++round) {
        const std::uint32_t height = 1 + random.below(40), width = 1 + random.below(40);
        Board board{height, width, random.below(height * width + 1), {}};
        board.codes.resize(height * width);
        const std::uint32_t open = random.below(100);
        for (auto& code : board.codes) {
            code = static_cast<std::uint8_t>(random.below(100) < open ? random.below(9) : 9 + random.below(2));
        }
        Position position = board.position();
        position.trust_flags = random.below(2) == 1;
        Budget budget{60, 20000};
        try {
            Budget spare{60, 1u << 24};
            const Findings& found = analyser.analyse(position, budget, &spare);
            if (found.possible) {
                for (std::size_t cell = 0; cell < board.codes.size(); ++cell) {
                    CHECK(board.codes[cell] < hidden_code || (found.risk[cell] >= 0 && found.risk[cell] <= 1));
                }
            }
        } catch (const LimitReached&) {
        }
    }
}

}  // namespace

int main() {
    test_small_boards_match_brute_force();
    test_large_boards_are_consistent();
    test_transposed_boards_agree();
    test_number_probabilities_match_brute_force();
    test_random_codes_never_crash();
    return check::report();
}
