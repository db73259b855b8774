// The strong player: perfect endgames, and before them the cell that promises most for the next move.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis.hpp"
#include "endgame.hpp"
#include "layouts.hpp"
#include "player.hpp"
#include "trials.hpp"

namespace sapper {

struct Effort {
    std::uint32_t layouts = 1000;       // with so many or fewer the endgame is solved,
    std::uint64_t states = 100'000;     // if this many sets of layouts are enough
    double window = 0.05;               // how much riskier than the safest a candidate may be
    std::uint32_t candidates = 12;      // that are looked at
    double progress = 0.05;             // what a chance to go on without risk is worth
    std::uint32_t trials = 0;           // games played out for each of the best candidates at most,
    std::uint32_t tried = 5;            // of which there are so many,
    std::uint32_t trial_unknown = 110;  // with so many unknown cells or fewer
    std::uint32_t trial_layouts = 100;
    std::uint32_t trial_candidates = 4;
    double trial_window = 0.03;
    double give_up = 2;
    double trust = 1;                   // by how many standard errors another must be better
};

class StrongPlayer : public Player {
public:
    explicit StrongPlayer(const Effort& effort);
    const Decision& decide(const Position& position, Budget& budget) override;

private:
    struct Candidate {
        std::uint32_t cell;
        double risk;
        std::uint32_t unknown;  // neighbours
        bool is_free;
        double promise;
    };

    void try_out(const Position& position, Budget& budget);
    bool solve(const Position& position, Budget& budget);
    void guess(const Position& position, Budget& budget);
    void find_candidates(const Position& position);
    double promise(const Position& position, const Candidate& candidate, double best, Budget& budget);

    Effort effort_;
    Analyser analyser_, next_;
    Layouts layouts_;
    Endgame endgame_;
    Decision decision_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint8_t> codes_;
    double log_layouts_ = 0;
    std::unique_ptr<Trials> trials_;
};

}  // namespace sapper
