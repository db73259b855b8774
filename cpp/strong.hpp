// The strong player: perfect endgames, and before them the cell that promises most for the next move.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis.hpp"
#include "endgame.hpp"
#include "layouts.hpp"
#include "player.hpp"

namespace sapper {

struct Effort {
    std::uint32_t layouts = 1000;       // with so many or fewer the endgame is solved,
    std::uint64_t states = 100'000;     // if this many sets of layouts are enough
    double window = 0.05;               // how much riskier than the safest a candidate may be
    std::uint32_t candidates = 12;      // that are looked at
    double progress = 0.05;             // what a chance to go on without risk is worth
};

class StrongPlayer : public Player {
public:
    explicit StrongPlayer(const Effort& effort) : effort_{effort} {}
    const Decision& decide(const Position& position, Budget& budget) override;

private:
    struct Candidate {
        std::uint32_t cell;
        double risk;
        std::uint32_t unknown;  // neighbours
        bool is_free;
    };

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
};

}  // namespace sapper
