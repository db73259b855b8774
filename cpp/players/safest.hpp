// The player "safest": opens what is certainly safe, or else a cell of least risk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "counting/analyser.hpp"
#include "players/player.hpp"

namespace sapper {

// Chooses among cells of equal risk.
class SafestChooser {
public:
    // Returns the cell of least risk; none if every risk is 1. Of several, the one most likely to show a 0; of several
    // such, the first. If there are no candidates, all hidden cells are. Risks that are estimates are not compared
    // further. If the budget does not suffice to compare cells, the first one is taken.
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
