// The player `safest`: opens the certainly safe cells, or else a cell of least risk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "counting/analyser.hpp"
#include "players/player.hpp"

namespace sapper {

// Chooses a cell of least risk.
class SafestChooser {
public:
    // Returns the cell of least risk, or none if every risk is 1. Ties go to the cell most likely to show a 0, then to
    // the first. An empty `candidates` means all hidden cells. Ties are not broken if the risks are estimates (`exact`
    // is false) or if the budget runs out: then the first cell is returned.
    std::optional<std::uint32_t> choose(const Position& position, std::span<const double> risks,
                                        std::span<const std::uint32_t> candidates, bool exact, Budget& budget);

private:
    void find_equal(const Position& position, std::span<const double> risks, std::span<const std::uint32_t> candidates,
                    Budget& budget);
    std::uint32_t most_opening(const Position& position, Budget& budget);

    Analyser analyser_;
    std::vector<std::uint32_t> equal_;
};

class SafestPlayer : public Player {
public:
    const Decision& decide(const Position& position, Budget& budget) override;

private:
    Analyser analyser_;
    SafestChooser chooser_;
    Decision decision_;
};

}  // namespace sapper
