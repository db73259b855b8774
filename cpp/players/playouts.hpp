// Playouts: games played to the end on sampled layouts, to estimate the values of moves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "counting/analyser.hpp"
#include "counting/layout_sampler.hpp"
#include "players/contest.hpp"
#include "players/opener.hpp"
#include "players/player.hpp"

namespace sapper {

class Playouts {
public:
    // After the first move, `player` continues the game. It must open all safe cells; some of these are opened without
    // asking it. If it solves the endgame, its winning probability is used as the result. In positions that many
    // playouts visit, the slower `careful` player, if given, is asked once and its guess is used from then on.
    explicit Playouts(std::unique_ptr<Player> player, std::unique_ptr<Player> careful = nullptr)
        : player_{std::move(player)}, careful_{std::move(careful)} {}

    // Loads a position and its analysis, which must not change during the playouts. The layouts depend only on the
    // position and the seed.
    void load(const Position& position, const LayoutCounter& counter, std::uint64_t seed = 0);
    // The work done since `load`, in units of about the time it takes to open one cell.
    std::uint64_t work() const { return work_; }
    void draw_layout();
    // Plays a game on the last drawn layout, in which these cells are opened first, all at once. The result has the
    // number that the first of them shows.
    Playout play(std::span<const std::uint32_t> cells, Budget& budget);
    Playout play(std::uint32_t cell, Budget& budget) { return play({&cell, 1}, budget); }

private:
    // A player's decision in a position, cached.
    struct Plan {
        std::vector<std::uint32_t> cells;  // cells to open
        double risk = 0;                   // 0 unless it is a guess in an unsolved position
        bool is_solved = false;
        double win_chance = 0;
        std::uint32_t visits = 0;
        // Sum and number of the results of playouts that survived the guess.
        double sum = 0, count = 0;
    };
    struct SurvivedGuess {
        Plan* plan;
        double control_variate;  // the control variate of this guess, added to the results of all earlier guesses
    };

    Plan& plan(Budget& budget);
    void consult(Player& player, Plan& plan, Budget& budget);
    double expected_value(const Plan& plan) const;

    std::unique_ptr<Player> player_, careful_;
    LayoutSampler sampler_;
    Random random_{0};
    Position position_{};
    std::vector<std::uint8_t> mines_;  // by place in the grid
    Opener opener_;
    std::unordered_map<std::uint64_t, Plan> plans_;
    std::vector<SurvivedGuess> survived_guesses_;
    double total_ = 0, total_count_ = 0;  // over all plans
    std::uint64_t work_ = 0;
};

}  // namespace sapper
