// The strong player: perfect endgames, and before them the cell that promises most.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "counting/analyser.hpp"
#include "players/contest.hpp"
#include "endgame/endgame.hpp"
#include "endgame/layouts.hpp"
#include "players/player.hpp"
#include "players/outlook.hpp"
#include "players/squares.hpp"
#include "players/toss_ups.hpp"
#include "players/playouts.hpp"

namespace sapper {

// How hard it thinks. docs/strength.md has the games that decided these figures.
struct Effort {
    // With so many layouts or fewer the endgame is solved, if so many states are enough.
    std::uint32_t layouts = 1500;
    std::uint64_t states = 10'000;
    // So many of the safest cells are looked at, of those whose risk is not more than this above the least. If it
    // is one, there is no look ahead.
    std::uint32_t candidates = 20;
    double window = 0.1;
    // Whether to make do with estimates where the limit is reached.
    bool estimates = true;
    // Whether to look for squares that will never be told.
    bool squares = true;
    // With so many unknown cells or fewer, and so many known ones or more, the most promising candidates are
    // tried out in games, until so much was done (as in `Playouts`), or so many states followed, or another choice
    // is not expected to win so much more.
    std::uint32_t playout_unknown = 0;
    std::uint32_t playout_known = 35;
    std::uint32_t tried = 16;
    std::uint64_t playout_work = 1'000'000;
    std::uint64_t playout_states = 250'000;
    double enough = 0.0004;

    static Effort fast();
    static Effort normal() { return {}; }
    static Effort high();
    // Of the players that go on in playouts: the one that is asked first, and the one that is asked where playouts come
    // by often.
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
        double bonus;           // how much of the risk counts for nothing
        std::uint32_t unknown;  // cells around it
        double promise;
    };

    bool solve(const Position& position, Budget& budget);
    void guess(const Position& position, Budget& budget);
    void weigh(const Position& position, Budget& budget);
    void find_candidates(const Position& position, Budget& budget);
    double promise(const Position& position, const Candidate& candidate, double best, Budget& budget);
    void try_out(const Position& position, Budget& budget);
    void choose(const Candidate& candidate);

    Effort effort_;
    Analyser analyser_, next_;
    OutlookCounter outlook_;
    Layouts layouts_;
    Endgame endgame_;
    Squares squares_;
    std::unique_ptr<Playouts> playouts_;
    Contest contest_;
    std::vector<Entry> entries_;
    std::vector<Playout> results_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint8_t> codes_;
    std::vector<double> risks_, bonuses_;
    Vector<std::uint8_t> toss_ups_;
    double worth_ = 0;  // the logarithm of what the layouts are worth
    Decision decision_;
};

}  // namespace sapper
