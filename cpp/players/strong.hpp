// The strong player: perfect endgames, and one-move lookahead before them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "counting/analyser.hpp"
#include "endgame/endgame.hpp"
#include "endgame/layouts.hpp"
#include "players/contest.hpp"
#include "players/outlook.hpp"
#include "players/player.hpp"
#include "players/playouts.hpp"
#include "players/squares.hpp"
#include "players/toss_ups.hpp"

namespace sapper {

// How much work a strong player does. docs/strength.md has the experiments that decided these figures.
struct Effort {
    // The endgame is solved if there are at most this many layouts, and if it takes at most this many states.
    std::uint32_t layouts = 1500;
    std::uint64_t states = 10'000;
    // The number of candidates, and how much their risk may exceed the least risk. With one candidate there is no
    // lookahead.
    std::uint32_t candidates = 20;
    double window = 0.1;
    // Whether to use estimated risks if the exact analysis reaches a limit.
    bool estimates = true;
    // Whether to look for undecidable squares (see squares.hpp).
    bool squares = true;
    // Playouts are run if at most `playout_unknown` cells are unknown and at least `playout_known` are known. They
    // compare the `playout_candidates` best candidates, and end after `playout_work` units of work (see
    // `Playouts::work`), after `playout_states` states, or when no other choice is expected to gain `min_gain` of
    // winning probability.
    std::uint32_t playout_unknown = 0;
    std::uint32_t playout_known = 35;
    std::uint32_t playout_candidates = 16;
    std::uint64_t playout_work = 1'000'000;
    std::uint64_t playout_states = 250'000;
    double min_gain = 0.0004;

    static Effort fast();
    static Effort normal() { return {}; }
    static Effort high();
    // The policies used within playouts: the default, and the slower one used in positions that many playouts visit.
    static Effort quick();
    static Effort careful();
};

class StrongPlayer : public Player {
public:
    explicit StrongPlayer(const Effort& effort);
    const Decision& decide(const Position& position, Budget& budget) override;

private:
    struct Candidate {
        std::uint32_t cell;
        double risk;
        double bonus;           // the part of the risk that is forgiven
        std::uint32_t unknown;  // number of unknown cells at and around it
        double score;
    };

    bool solve(const Position& position, Budget& budget);
    void guess(const Position& position, Budget& budget);
    void adjust_risks(const Position& position, Budget& budget);
    void find_candidates(const Position& position, Budget& budget);
    double score(const Position& position, const Candidate& candidate, double best, Budget& budget);
    void compare_by_playouts(const Position& position, Budget& budget);
    void choose(const Candidate& candidate);

    Effort effort_;
    Analyser analyser_, next_analyser_;
    OutlookCounter outlook_;
    Layouts layouts_;
    Endgame endgame_;
    Squares squares_;
    std::unique_ptr<Playouts> playouts_;
    Contest contest_;
    std::vector<ContestEntry> entries_;
    std::vector<Playout> results_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint8_t> codes_;
    std::vector<double> risks_, bonuses_;
    Vector<std::uint8_t> toss_ups_;
    double log_weight_ = 0;  // logarithm of the layouts' total weight, in which toss-ups count half
    Decision decision_;
};

}  // namespace sapper
