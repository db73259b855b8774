// Trials: a position played to its end on drawn layouts, to see what its moves are worth.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis.hpp"
#include "contest.hpp"
#include "player.hpp"
#include "random.hpp"
#include "sampler.hpp"

namespace sapper {

class Trials {
public:
    // After the first move this player goes on. Where it solves the endgame, its chance to win counts.
    explicit Trials(std::unique_ptr<Player> player) : player_{std::move(player)} {}

    // Takes a position and its analysis, which is to stay as it is during the trials. The same position is
    // always tried on the same layouts, but on others with another seed.
    void load(const Position& position, const Analyser& analyser, std::uint64_t seed = 0);
    // How often the player has been asked since.
    std::size_t decisions() const { return plans_.size(); }
    void draw_layout();
    // A game on the layout drawn last, with these cells opened first, all at once. What it shows is the number
    // of the first of them.
    Trial play(std::span<const std::uint32_t> cells, Budget& budget);
    Trial play(std::uint32_t cell, Budget& budget) { return play({&cell, 1}, budget); }

private:
    // What the player does in a position; it is asked once.
    struct Plan {
        std::vector<std::uint32_t> cells;  // to open
        double risk;                       // if it is a guess
        bool is_solved;
        double win_chance;
        // What trials came to after they survived the guess.
        double sum, count;
    };
    struct Passed {
        Plan* plan;
        double change;  // what the guess adds to the chance to win, for all that went before
    };

    Plan& plan(Budget& budget);
    double expected(const Plan& plan) const;
    bool open(std::uint32_t cell);

    std::unique_ptr<Player> player_;
    Sampler sampler_;
    Random random_{0};
    Position position_{};
    const Grid* grid_ = nullptr;
    std::vector<std::uint8_t> mines_;  // by places in the grid
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint32_t> waiting_, opened_;
    std::uint32_t safe_ = 0, left_ = 0;  // cells to open, in the position and in the game
    std::uint64_t hash_ = 0;
    std::unordered_map<std::uint64_t, Plan> plans_;
    std::vector<Passed> passed_;
    double sum_ = 0, count_ = 0;  // of all plans
};

}  // namespace sapper
