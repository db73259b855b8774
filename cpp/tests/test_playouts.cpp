// Compares sampled layouts, playouts and contests with brute force.
#include "players/playouts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "counting/layout_sampler.hpp"
#include "players/contest.hpp"
#include "tests/boards.hpp"
#include "tests/check.hpp"

using namespace sapper;

namespace {

void test_sampled_layouts_are_uniform() {
    Random random{2};
    Analyser analyser;
    LayoutSampler sampler;
    for (int i = 0; i < 20; ++i) {
        const Board board = random_board(random, 3, 4, 2 + random.below(3), 30);
        const auto truth = all_layouts(board);
        Budget budget = ample_budget();
        analyser.analyse(board.position(), budget, &budget);
        sampler.load(analyser.counter());
        const Grid& grid = analyser.grid();
        std::vector<std::uint8_t> drawn(grid.mine(), grid.mine() + grid.size());
        std::map<Minefield, double> frequency;
        const std::size_t draws = 200 * truth.size();
        for (std::size_t k = 0; k < draws; ++k) {
            sampler.draw(random, drawn);
            Minefield mines(12);
            for (std::uint32_t cell = 0; cell < 12; ++cell) {
                mines[cell] = drawn[grid.begin() + cell / 4 * grid.stride() + cell % 4] != 0;
            }
            ++frequency[mines];
        }
        CHECK(frequency.size() == truth.size());
        double chi_square = 0;
        for (const Minefield& mines : truth) {
            CHECK(frequency.contains(mines));
            chi_square += (frequency[mines] - 200) * (frequency[mines] - 200) / 200;
        }
        const double freedom = static_cast<double>(truth.size()) - 1;
        CHECK(chi_square < freedom + 5 * std::sqrt(2 * freedom + 1));
    }
}

// Opens safe cells, or else the first or last hidden cell. Computes risks by brute force.
class EndCell : public Player {
public:
    explicit EndCell(bool is_last) : is_last_{is_last} {}

    const Decision& decide(const Position& position, Budget&) override {
        positions.emplace_back(position.codes.begin(), position.codes.end());
        const Board board{
            position.height, position.width, position.mines, {position.codes.begin(), position.codes.end()}};
        decision_ = {};
        const auto layouts = all_layouts(board);
        const auto cells = static_cast<std::uint32_t>(board.codes.size());
        for (std::uint32_t i = 0; i < cells; ++i) {
            const std::uint32_t cell = is_last_ ? i : cells - 1 - i;
            if (!board.is_hidden(cell)) continue;
            double risk = 0;
            for (const Minefield& mines : layouts) risk += mines[cell];
            if (risk == 0) decision_.safe.push_back(cell);
            decision_.cell = cell;
            decision_.risk = risk / static_cast<double>(layouts.size());
        }
        if (!decision_.safe.empty()) decision_.cell = decision_.safe.front();
        return decision_;
    }

    std::vector<std::vector<std::uint8_t>> positions;  // the positions in which it was consulted

private:
    bool is_last_;
    Decision decision_;
};

// The control variate does not change the mean of playouts. In positions that are visited often, the careful player
// continues.
void test_playouts_are_unbiased(bool with_careful) {
    constexpr int count = 4000;
    Random random{4};
    Analyser analyser;
    auto careful = std::make_unique<EndCell>(true);
    const EndCell& careful_player = *careful;
    Playouts playouts{std::make_unique<EndCell>(false), with_careful ? std::move(careful) : nullptr};
    std::size_t asked_before = 0;
    for (int i = 0; i < 10; ++i) {
        const Board board = random_board(random, 3, 3, 2, 10);
        const auto truth = all_layouts(board);
        Budget budget = ample_budget();
        analyser.analyse(board.position(), budget, &budget);
        playouts.load(board.position(), analyser.counter());
        std::uint32_t last = 8;
        while (!board.is_hidden(last)) --last;
        double won = 0;
        std::array<double, 10> shown{};
        EndCell player{with_careful};
        for (const Minefield& mines : truth) {
            Board after = board;
            std::uint32_t cell = last;
            std::int64_t hidden = std::count_if(board.codes.begin(), board.codes.end(), is_hidden);
            while (!mines[cell]) {
                std::vector<std::uint32_t> to_open{cell};
                while (!to_open.empty()) {
                    cell = to_open.back();
                    to_open.pop_back();
                    if (!after.is_hidden(cell)) continue;
                    after.codes[cell] = number_at(after, mines, cell);
                    --hidden;
                    if (after.codes[cell] == 0) {
                        visit_around(cell, 3, 3, [&](std::uint32_t near) { to_open.push_back(near); });
                    }
                }
                if (hidden == board.mines) break;
                cell = player.decide(after.position(), budget).cell.value();
            }
            won += hidden == board.mines;
            shown[mines[last] ? no_number : number_at(board, mines, last)] += 1;
        }
        for (int k = 0; with_careful && k < count; ++k) {
            if (k < 6) CHECK(careful_player.positions.size() == asked_before);
            playouts.draw_layout();
            playouts.play(last, budget);
        }
        double sum = 0, square = 0;
        std::array<double, 10> drawn{};
        for (int k = 0; k < count; ++k) {
            playouts.draw_layout();
            const Playout playout = playouts.play(last, budget);
            sum += playout.chance;
            square += playout.chance * playout.chance;
            drawn[playout.number] += 1;
        }
        const double mean = sum / count, exact = won / static_cast<double>(truth.size());
        CHECK(std::abs(mean - exact) < 5 * std::sqrt(std::max(square / count - mean * mean, 1e-6) / count));
        for (std::size_t number = 0; number < shown.size(); ++number) {
            CHECK((drawn[number] > 0) == (shown[number] > 0));
        }
        if (with_careful) {
            const auto first_new = careful_player.positions.begin() + static_cast<std::ptrdiff_t>(asked_before);
            const std::set now(first_new, careful_player.positions.end());
            CHECK(asked_before + now.size() == careful_player.positions.size());  // No position is asked about twice.
            asked_before = careful_player.positions.size();
        }
    }
    CHECK(!with_careful || asked_before > 10);
}

// In solved positions the careful player is not consulted.
void test_the_careful_player_is_not_asked_if_solved() {
    class Solver : public Player {
    public:
        const Decision& decide(const Position&, Budget&) override {
            decision_.cell = 0;
            decision_.risk = 0.5;
            decision_.win_chance = 0.25;
            return decision_;
        }

    private:
        Decision decision_;
    };
    auto careful = std::make_unique<EndCell>(true);
    const EndCell& careful_player = *careful;
    Playouts playouts{std::make_unique<Solver>(), std::move(careful)};
    const Board board{1, 4, 2, std::vector<std::uint8_t>(4, hidden_code)};
    Budget budget = ample_budget();
    Analyser analyser;
    analyser.analyse(board.position(), budget, &budget);
    playouts.load(board.position(), analyser.counter());
    int solved = 0;
    for (int k = 0; k < 100; ++k) {
        playouts.draw_layout();
        solved += playouts.play(0, budget).chance == 0.25;
    }
    CHECK(solved > 20);
    CHECK(careful_player.positions.empty());
}

// The best of several moves with equal scores is found.
void test_contests_find_the_best_move() {
    Random random{5};
    int right = 0;
    for (int i = 0; i < 50; ++i) {
        // With probability 0.4 each, the cell shows 1, and the game is won with this probability, or shows 2, and it is
        // won.
        const std::array<double, 4> chances{0.3, 0.5, 0.3, 0.3};
        std::vector<ContestEntry> entries;
        for (std::uint32_t cell = 0; cell < 4; ++cell) {
            entries.push_back({cell, 0.8, {0, 0.4, 0.4, 0, 0, 0, 0, 0, 0, 0.2}});
        }
        Contest contest{0.001};
        contest.start(entries, 60);
        std::size_t played = 0;
        for (; contest.size() > 1 && played < 2000; ++played) {
            std::vector<Playout> playouts;
            const double luck = random.fraction();
            for (std::size_t at = 0; at < contest.size(); ++at) {
                const double kind = random.fraction();
                playouts.push_back(kind < 0.2   ? Playout{0, no_number}
                                   : kind < 0.6 ? Playout{luck < chances[contest.cell(at)] ? 1.0 : 0.0, 1}
                                                : Playout{1, 2});
            }
            contest.record(playouts);
            if (played % 16 == 15) contest.update();
        }
        right += contest.leader() == 1;
        CHECK(played < 2000);  // All other candidates were dropped.
    }
    CHECK(right >= 48);

    // Numbers are weighted by their probability, not by how often they were seen.
    Contest contest{0};
    const std::array<ContestEntry, 2> entries{{{7, 0.5, {0.5, 0.5}}, {8, 0.5, {0.5, 0.5}}}};
    contest.start(entries, 400);
    for (int i = 0; i < 400; ++i) {
        const bool is_rare = i % 10 == 0;
        const std::array<Playout, 2> playouts{{{is_rare ? 0.9 : 0.4, is_rare}, {i % 2 == 0 ? 0.5 : 0.6, i % 2 == 0}}};
        contest.record(playouts);
    }
    contest.update();
    CHECK(contest.leader() == 7);  // 0.65 against 0.55, although the plain mean of its playouts is 0.45
}

}  // namespace

int main() {
    test_sampled_layouts_are_uniform();
    test_playouts_are_unbiased(false);
    test_playouts_are_unbiased(true);
    test_the_careful_player_is_not_asked_if_solved();
    test_contests_find_the_best_move();
    return check::report();
}
