// What moves are worth: exactly, against going through everything; and estimated, against that.
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

// One hidden cell, or two.
Cells any_move(Random& random, const Board& board) {
    Cells hidden;
    for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
        if (is_hidden(board.codes[cell])) hidden.push_back(cell);
    }
    Cells move{hidden[random.below(static_cast<std::uint32_t>(hidden.size()))]};
    const std::uint32_t other = hidden[random.below(static_cast<std::uint32_t>(hidden.size()))];
    if (other != move.front()) move.push_back(other);
    return move;
}

// How many layouts perfect play wins after a move, and of how many.
struct Worth {
    double won, layouts;
};

Worth worth(const Board& board, const Cells& move) {
    Analyser analyser;
    Layouts layouts;
    Endgame endgame;
    Budget budget = enough();
    analyser.is_possible(board.position(), false, budget);
    layouts.list(analyser.counter(), 1u << 20, budget);
    endgame.load(analyser.grid(), board.position(), layouts, budget);
    const double won = move.empty() ? endgame.won(budget) : endgame.won_after(move, budget);
    return {won, static_cast<double>(layouts.size())};
}

// What a move wins is what is won of each position that it may lead to.
void test_moves_are_worth_what_they_lead_to() {
    Random random{1};
    for (int i = 0; i < 300; ++i) {
        const std::uint32_t height = 1 + random.below(4), width = 2 + random.below(3);
        const std::uint32_t mines = random.below(std::min(height * width, 4u));
        const Board board = any_board(random, height, width, mines, random.below(80));
        if (std::count_if(board.codes.begin(), board.codes.end(), is_hidden) <= mines) continue;
        const Cells move = any_move(random, board);
        double won = 0, layouts = 0;
        std::vector<Board> before{board};
        for (const std::uint32_t cell : move) {
            std::vector<Board> after;
            for (Board each : before) {
                for (std::uint8_t number = 0; number < 9; ++number) {
                    each.codes[cell] = number;
                    Analyser analyser;
                    Budget budget = enough();
                    if (analyser.is_possible(each.position(), false, budget)) after.push_back(each);
                }
            }
            before = after;
        }
        for (const Board& each : before) {
            const Worth then = worth(each, {});
            won += then.won;
            layouts += then.layouts;
        }
        const Worth found = worth(board, move);
        CHECK(found.won == won);
        Analyser analyser;
        Budget budget = enough();
        CHECK(std::abs(analyser.safety(board.position(), move, budget) - layouts / found.layouts) < 1e-9);
    }
}

// With so few layouts the player that goes on is perfect: nothing but luck is between the two.
void test_estimates_are_right() {
    Random random{2};
    MoveEstimator estimator;
    double off = 0, off_less = 0, times = 0;
    for (int i = 0; i < 60; ++i) {
        const Board board = any_board(random, 4, 4, 3, 5 + random.below(20));
        const std::vector<Cells> moves{any_move(random, board), any_move(random, board)};
        Budget budget = enough();
        const auto estimates = estimator.estimate(board.position(), moves, 1000, 0, 7, budget);
        CHECK(estimates.size() == 2 && estimates[0].less == 0 && estimates[0].less_error == 0);
        std::vector<double> exact;
        for (std::size_t k = 0; k < moves.size(); ++k) {
            const Worth truth = worth(board, moves[k]);
            exact.push_back(truth.won / truth.layouts);
            const double away = std::abs(estimates[k].chance - exact[k]);
            CHECK(away <= 5 * estimates[k].chance_error);
            if (estimates[k].chance_error > 0) off += std::pow(away / estimates[k].chance_error, 2) / 2;
        }
        const double away = std::abs(estimates[1].less - (exact[0] - exact[1]));
        CHECK(away <= 5 * estimates[1].less_error);
        off_less += std::pow(away / estimates[1].less_error, 2);
        ++times;
    }
    // Errors are no larger than is said.
    CHECK(off < 1.3 * times);
    CHECK(off_less < 1.3 * times);
}

void test_limits_are_kept() {
    Random random{3};
    MoveEstimator estimator;
    const Board board = any_board(random, 16, 30, 99, 0);
    const std::vector<Cells> moves{{0}};
    const auto refuses = [&](const Position& position, Budget budget) {
        try {
            estimator.estimate(position, moves, 1u << 30, 0, 0, budget);
            return false;
        } catch (const LimitReached&) {
            return true;
        }
    };
    CHECK(refuses(board.position(), {0, 1u << 30}));
    CHECK(refuses(any_board(random, 40, 40, 200, 0).position(), enough()));
    // What there is when the limit is reached is good for an answer.
    Budget little{1000, 500'000};
    const auto estimates = estimator.estimate(board.position(), moves, 1u << 30, 0, 0, little);
    CHECK(estimates[0].chance > 0.2 && estimates[0].chance < 0.6);
    // And when it is good enough, no more is played.
    Budget budget = enough();
    CHECK(estimator.estimate(board.position(), moves, 1u << 30, 0.1, 0, budget)[0].chance_error < 0.1);
}

}  // namespace

int main() {
    test_moves_are_worth_what_they_lead_to();
    test_estimates_are_right();
    test_limits_are_kept();
    return check::report();
}
