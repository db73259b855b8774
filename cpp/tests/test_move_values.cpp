// Move values: exact ones against brute force, and estimates against exact ones.
#include "players/move_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "endgame/endgame.hpp"
#include "endgame/layouts.hpp"
#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

using Codes = std::vector<std::uint8_t>;

// A random move: one or two hidden cells.
Cells random_move(Random& random, const Board& board) {
    Cells hidden;
    for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
        if (is_hidden(board.codes[cell])) hidden.push_back(cell);
    }
    Cells move{hidden[random.below(static_cast<std::uint32_t>(hidden.size()))]};
    const std::uint32_t other = hidden[random.below(static_cast<std::uint32_t>(hidden.size()))];
    if (other != move.front()) move.push_back(other);
    return move;
}

// The number of layouts that perfect play wins after a move, and the number of layouts.
struct MoveValue {
    double won, layouts;
};

MoveValue move_value(const Board& board, const Cells& move) {
    Analyser analyser;
    Layouts layouts;
    Endgame endgame;
    Budget budget = ample_budget();
    analyser.is_possible(board.position(), false, budget);
    layouts.list(analyser.counter(), 1u << 20, budget);
    endgame.load(analyser.grid(), board.position(), layouts, budget);
    const double won = move.empty() ? endgame.won(budget) : endgame.won_after(move, budget);
    return {won, static_cast<double>(layouts.size())};
}

// The value of a move is the sum of the values of the positions it may lead to.
void test_move_values_are_sums_over_outcomes() {
    Random random{1};
    for (int i = 0; i < 300; ++i) {
        const std::uint32_t height = 1 + random.below(4), width = 2 + random.below(3);
        const std::uint32_t mines = random.below(std::min(height * width, 4u));
        const Board board = random_board(random, height, width, mines, random.below(80));
        if (std::count_if(board.codes.begin(), board.codes.end(), is_hidden) <= mines) continue;
        const Cells move = random_move(random, board);
        double won = 0, layouts = 0;
        std::vector<Board> before{board};
        for (const std::uint32_t cell : move) {
            std::vector<Board> after;
            for (Board each : before) {
                for (std::uint8_t number = 0; number < 9; ++number) {
                    each.codes[cell] = number;
                    Analyser analyser;
                    Budget budget = ample_budget();
                    if (analyser.is_possible(each.position(), false, budget)) after.push_back(each);
                }
            }
            before = after;
        }
        for (const Board& each : before) {
            const MoveValue then = move_value(each, {});
            won += then.won;
            layouts += then.layouts;
        }
        const MoveValue found = move_value(board, move);
        CHECK(found.won == won);
        Analyser analyser;
        Budget budget = ample_budget();
        CHECK(std::abs(analyser.safety(board.position(), move, budget) - layouts / found.layouts) < 1e-9);
    }
}

// With so few layouts the continuing player is perfect, so the estimates differ from the exact values only by chance.
void test_estimates_agree_with_exact_values() {
    Random random{2};
    MoveEstimator estimator;
    double squared_errors = 0, squared_difference_errors = 0, boards = 0;
    for (int i = 0; i < 60; ++i) {
        const Board board = random_board(random, 4, 4, 3, 5 + random.below(20));
        const std::vector<Cells> moves{random_move(random, board), random_move(random, board)};
        Budget budget = ample_budget();
        const auto estimates = estimator.estimate(board.position(), moves, 1000, 0, 7, budget);
        CHECK(estimates.size() == 2 && estimates[0].less == 0 && estimates[0].less_error == 0);
        std::vector<double> exact;
        for (std::size_t k = 0; k < moves.size(); ++k) {
            const MoveValue truth = move_value(board, moves[k]);
            exact.push_back(truth.won / truth.layouts);
            const double error = std::abs(estimates[k].chance - exact[k]);
            CHECK(error <= 5 * estimates[k].chance_error);
            if (estimates[k].chance_error > 0) squared_errors += std::pow(error / estimates[k].chance_error, 2) / 2;
        }
        const double error = std::abs(estimates[1].less - (exact[0] - exact[1]));
        CHECK(error <= 5 * estimates[1].less_error);
        squared_difference_errors += std::pow(error / estimates[1].less_error, 2);
        ++boards;
    }
    // The mean squared error agrees with the standard errors.
    CHECK(squared_errors < 1.3 * boards);
    CHECK(squared_difference_errors < 1.3 * boards);
}

void test_estimation_respects_limits() {
    Random random{3};
    MoveEstimator estimator;
    const Board board = random_board(random, 16, 30, 99, 0);
    const std::vector<Cells> moves{{0}};
    const auto reaches_limit = [&](const Position& position, Budget budget) {
        try {
            estimator.estimate(position, moves, 1u << 30, 0, 0, budget);
            return false;
        } catch (const LimitReached&) {
            return true;
        }
    };
    CHECK(reaches_limit(board.position(), {0, 1u << 30}));
    CHECK(reaches_limit(random_board(random, 40, 40, 200, 0).position(), ample_budget()));
    // An estimate is returned if the limit is reached after enough playouts.
    Budget little{1000, 500'000};
    const auto estimates = estimator.estimate(board.position(), moves, 1u << 30, 0, 0, little);
    CHECK(estimates[0].chance > 0.2 && estimates[0].chance < 0.6);
    // Playouts end when the standard error is small enough.
    Budget budget = ample_budget();
    CHECK(estimator.estimate(board.position(), moves, 1u << 30, 0.1, 0, budget)[0].chance_error < 0.1);
}

}  // namespace

int main() {
    test_move_values_are_sums_over_outcomes();
    test_estimates_agree_with_exact_values();
    test_estimation_respects_limits();
    return check::report();
}
