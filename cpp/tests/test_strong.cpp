// Compares layouts, endgames and the strong player with brute force.
#include "players/strong.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "players/squares.hpp"
#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

// The most layouts that any policy wins, by trying every hidden cell.
std::uint32_t most_won(const Board& board, const std::vector<Minefield>& layouts,
                       std::map<std::pair<std::vector<std::uint8_t>, std::size_t>, std::uint32_t>& known) {
    if (layouts.empty()) {
        return 0;
    }
    const auto hidden =
        std::count_if(board.codes.begin(), board.codes.end(), [](std::uint8_t code) { return code >= hidden_code; });
    if (hidden == board.mines) {
        return 1;
    }
    const auto key = std::pair{board.codes, layouts.size()};
    if (const auto at = known.find(key); at != known.end()) {
        return at->second;
    }
    std::uint32_t best = 0;
    for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
        if (!board.is_hidden(cell)) continue;
        std::uint32_t won = 0;
        for (std::uint8_t number = 0; number < 9; ++number) {
            std::vector<Minefield> left;
            for (const Minefield& mines : layouts) {
                if (!mines[cell] && number_at(board, mines, cell) == number) left.push_back(mines);
            }
            Board after = board;
            after.codes[cell] = number;
            won += most_won(after, left, known);
        }
        best = std::max(best, won);
    }
    return known[key] = best;
}

// The listed layouts as minefields.
std::set<Minefield> listed_minefields(const Board& board, const Analyser& analyser, const Layouts& layouts) {
    const Grid& grid = analyser.grid();
    std::set<Minefield> found;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        Minefield mines(board.codes.size());
        for (std::uint32_t cell = 0; cell < mines.size(); ++cell) {
            const std::uint32_t place = grid.begin() + cell / board.width * grid.stride() + cell % board.width;
            const auto at = std::find(layouts.places().begin(), layouts.places().end(), place);
            const auto bit = static_cast<std::size_t>(at - layouts.places().begin());
            mines[cell] =
                at == layouts.places().end() ? grid.mine()[place] != 0 : layouts.mask(i)[bit / 64] >> (bit % 64) & 1;
        }
        found.insert(mines);
    }
    return found;
}

void test_layouts_and_endgames_match_brute_force() {
    Random random{1};
    Analyser analyser;
    Layouts layouts;
    Endgame endgame;
    Effort effort;
    effort.layouts = 100'000;
    effort.states = 1'000'000;
    StrongPlayer player{effort};
    for (int i = 0; i < 200; ++i) {
        const std::uint32_t height = 1 + random.below(3), width = 1 + random.below(4);
        const std::uint32_t cells = height * width, mines = random.below(std::min(cells, 4u) + 1);
        const Board board = random_board(random, height, width, mines, random.below(80));
        const auto truth = all_layouts(board);
        Budget budget = ample_budget();
        CHECK(analyser.is_possible(board.position(), false, budget));
        CHECK(layouts.list(analyser.counter(), 1 << 16, budget));
        CHECK(layouts.size() == truth.size());
        CHECK(listed_minefields(board, analyser, layouts) == std::set(truth.begin(), truth.end()));
        CHECK(!layouts.list(analyser.counter(), truth.size() - 1, budget));

        layouts.list(analyser.counter(), 1 << 16, budget);
        endgame.load(analyser.grid(), board.position(), layouts, budget);
        std::map<std::pair<std::vector<std::uint8_t>, std::size_t>, std::uint32_t> known;
        const std::uint32_t won = most_won(board, truth, known);
        CHECK(endgame.won(budget) == won);
        const auto hidden = std::count_if(board.codes.begin(), board.codes.end(),
                                          [](std::uint8_t code) { return code >= hidden_code; });
        const auto perfect = endgame.perfect_moves(budget);
        if (hidden == board.mines) {
            CHECK(perfect.empty());
            continue;
        }
        const auto is_perfect = [&](std::uint32_t cell) {
            return std::find(perfect.begin(), perfect.end(), cell) != perfect.end();
        };
        CHECK(is_perfect(endgame.solve(budget).cell.value()));
        const Decision& decision = player.decide(board.position(), budget);
        CHECK(decision.possible);
        for (const std::uint32_t cell : decision.safe) CHECK(is_perfect(cell));
        if (decision.safe.empty()) {
            CHECK(is_perfect(decision.cell.value()));
            CHECK(decision.win_chance == static_cast<double>(won) / static_cast<double>(truth.size()));
        }
    }
}

// On boards of many kinds, every decision is a cell that can be opened.
void test_every_decision_can_be_opened() {
    Random random{3};
    Effort less_work = Effort::high();
    less_work.playout_work = 50'000;
    StrongPlayer normal{Effort::normal()}, high{less_work};
    constexpr std::uint32_t sizes[][3] = {{1, 1, 0},    {1, 30, 7},    {30, 1, 3},    {9, 9, 10},   {9, 9, 40},
                                          {16, 30, 99}, {16, 30, 160}, {16, 30, 300}, {30, 30, 180}};
    for (const auto& [height, width, mines] : sizes) {
        for (const std::uint32_t open : {0u, 20u, 70u}) {
            Board board = random_board(random, height, width, mines, open);
            board.codes[0] = height * width == 1 ? hidden_code : board.codes[0];
            for (StrongPlayer* player : {&normal, &high}) {
                Budget budget{100, 200'000};
                const Decision decision = player->decide(board.position(), budget);
                CHECK(decision.possible);
                for (const std::uint32_t cell : decision.safe) CHECK(board.is_hidden(cell));
                CHECK(!decision.safe.empty() || board.is_hidden(decision.cell.value()));
                // The decision does not depend on earlier calls.
                StrongPlayer fresh{player == &normal ? Effort::normal() : less_work};
                Budget again{100, 200'000};
                const Decision& other = fresh.decide(board.position(), again);
                CHECK(other.safe == decision.safe);
                CHECK(!decision.safe.empty() || other.cell == decision.cell);
            }
        }
    }
}

// The share of layouts with mines on some cells and no mines on others.
double share(const std::vector<Minefield>& layouts, const std::vector<std::uint32_t>& mines,
             const std::vector<std::uint32_t>& others) {
    const auto found = std::ranges::count_if(layouts, [&](const Minefield& layout) {
        return std::ranges::all_of(mines, [&](std::uint32_t cell) { return layout[cell]; }) &&
               std::ranges::none_of(others, [&](std::uint32_t cell) { return layout[cell]; });
    });
    return static_cast<double>(found) / static_cast<double>(layouts.size());
}

void test_squares_match_brute_force() {
    Random random{5};
    Analyser analyser, counter;
    Squares squares;
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        const std::uint32_t height = 2 + random.below(3), width = 2 + random.below(3);
        const std::uint32_t mines = 1 + random.below(std::min(height * width, 6u));
        const Board board = random_board(random, height, width, mines, random.below(60));
        const auto truth = all_layouts(board);
        Budget budget = ample_budget();
        analyser.analyse(board.position(), budget, &budget);
        const Grid& grid = analyser.grid();
        std::vector<double> expected(board.codes.size(), 0);
        for (std::uint32_t row = 0; row + 1 < height; ++row) {
            for (std::uint32_t column = 0; column + 1 < width; ++column) {
                const std::uint32_t cell = row * width + column;
                const std::array square{cell, cell + 1, cell + width, cell + width + 1};
                if (!std::ranges::all_of(square, [&](auto at) { return grid.unknown()[grid.place_at(at)]; })) continue;
                std::vector<std::uint32_t> missing;
                bool is_decidable = false;
                for (const auto& [down, right] : {std::pair{-1, -1}, {-1, 2}, {2, -1}, {2, 2}}) {
                    const int at_row = static_cast<int>(row) + down, at_column = static_cast<int>(column) + right;
                    if (at_row < 0 || at_column < 0 || at_row >= static_cast<int>(height) ||
                        at_column >= static_cast<int>(width)) {
                        continue;
                    }
                    const auto at = static_cast<std::uint32_t>(at_row) * width + static_cast<std::uint32_t>(at_column);
                    is_decidable |= !grid.unknown()[grid.place_at(at)] && !grid.mine()[grid.place_at(at)];
                    if (grid.unknown()[grid.place_at(at)]) missing.push_back(at);
                }
                if (is_decidable || missing.size() > 1) continue;
                auto one = missing, other = missing;
                one.insert(one.end(), {square[0], square[3]});
                other.insert(other.end(), {square[1], square[2]});
                const double chance = share(truth, one, {square[1], square[2]});
                // The open numbers do not tell the diagonals apart.
                CHECK(chance == share(truth, other, {square[0], square[3]}));
                for (const std::uint32_t at : square) expected[at] += chance;
                found += chance > 0;
            }
        }
        const auto& chances = squares.find(board.position(), analyser, counter, budget);
        for (std::size_t cell = 0; cell < expected.size(); ++cell) {
            CHECK(std::abs(chances[cell] - expected[cell]) < 1e-9);
        }
    }
    CHECK(found > 100);
}

void test_least_risks_match_brute_force() {
    Random random{6};
    Analyser analyser;
    OutlookCounter counter;
    Vector<std::uint8_t> toss_ups;
    int compared = 0;
    for (int i = 0; i < 400; ++i) {
        const Board board = random_board(random, 3, 5, 1 + random.below(6), 10 + random.below(70));
        const auto truth = all_layouts(board);
        Budget budget = ample_budget();
        analyser.analyse(board.position(), budget, &budget);
        mark_toss_ups(analyser.counter(), toss_ups);
        if (std::ranges::find(toss_ups, 1) != toss_ups.end()) {
            continue;  // Layouts with toss-ups are weighted.
        }
        const Outlook outlook = counter.assess(board.position(), budget);
        CHECK(outlook.possible);
        CHECK(std::abs(std::exp(outlook.log_layouts) - static_cast<double>(truth.size())) < 1e-6);
        const Grid& grid = analyser.grid();
        std::vector<double> informative_risks;
        for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
            const double risk = share(truth, {cell}, {});
            const std::uint32_t place = grid.place_at(cell);
            bool is_informative = grid.unknown()[place] && !grid.frontier()[place];
            for (const std::uint32_t row : {place - grid.stride(), place, place + grid.stride()}) {
                for (std::uint32_t at = row - 1; at <= row + 1; ++at) {
                    is_informative |= at != place && grid.unknown()[at];
                }
            }
            if (board.is_hidden(cell) && is_informative && risk < 1) informative_risks.push_back(risk);
        }
        std::ranges::sort(informative_risks);
        for (std::size_t at = 0; at < outlook.risks.size() && !informative_risks.empty(); ++at) {
            CHECK(std::abs(outlook.risks[at] - informative_risks[std::min(at, informative_risks.size() - 1)]) < 1e-9);
            ++compared;
        }
    }
    CHECK(compared > 500);
}

}  // namespace

int main() {
    test_layouts_and_endgames_match_brute_force();
    test_squares_match_brute_force();
    test_least_risks_match_brute_force();
    test_every_decision_can_be_opened();
    return check::report();
}
