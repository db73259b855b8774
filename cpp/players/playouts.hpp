// Playouts: a position played to its end on drawn layouts, to see what its moves are worth.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "counting/analyser.hpp"
#include "players/contest.hpp"
#include "players/opener.hpp"
#include "players/player.hpp"
#include "base/random.hpp"
#include "counting/layout_sampler.hpp"

namespace sapper {

class Playouts {
public:
    // After the first move this player goes on, which is to open all that is safe; some of it is opened without
    // asking. Where it solves the endgame, its chance to win counts. Where playouts come by often, another one is asked
    // what to risk, if there is one: it may think longer.
    explicit Playouts(std::unique_ptr<Player> player, std::unique_ptr<Player> careful = nullptr)
        : player_{std::move(player)}, careful_{std::move(careful)} {}

    // Takes a position and its analysis, which is to stay as it is during the playouts. The same position is
    // always tried on the same layouts, but on others with another seed.
    void load(const Position& position, const LayoutCounter& counter, std::uint64_t seed = 0);
    // How much has been done since: about so many cells might have been opened in the same time.
    std::uint64_t work() const { return work_; }
    void draw_layout();
    // A game on the layout drawn last, with these cells opened first, all at once. What it shows is the number
    // of the first of them.
    Playout play(std::span<const std::uint32_t> cells, Budget& budget);
    Playout play(std::uint32_t cell, Budget& budget) { return play({&cell, 1}, budget); }

private:
    // What a player does in a position; each is asked once at most.
    struct Plan {
        std::vector<std::uint32_t> cells;  // to open
        double risk = 0;                   // if it is a guess, and nothing is solved
        bool is_solved = false;
        double win_chance = 0;
        std::uint32_t visits = 0;
        // What playouts came to after they survived the guess.
        double sum = 0, count = 0;
    };
    struct Passed {
        Plan* plan;
        double change;  // what the guess adds to the chance to win, for all that went before
    };

    Plan& plan(Budget& budget);
    void ask(Player& player, Plan& plan, Budget& budget);
    double expected(const Plan& plan) const;

    std::unique_ptr<Player> player_, careful_;
    LayoutSampler sampler_;
    Random random_{0};
    Position position_{};
    std::vector<std::uint8_t> mines_;  // by places in the grid
    Opener opener_;
    std::unordered_map<std::uint64_t, Plan> plans_;
    std::vector<Passed> passed_;
    double sum_ = 0, count_ = 0;  // of all plans
    std::uint64_t work_ = 0;
};

}  // namespace sapper
