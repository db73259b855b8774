// Tracker: follows a game on a board of any size, and counts again only what a move has touched.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "counting/frontier.hpp"
#include "counting/grid.hpp"
#include "counting/values.hpp"
#include "counting/propagation.hpp"
#include "counting/structure.hpp"

namespace sapper {

class Tracker {
public:
    enum class Outcome : std::uint8_t {
        followed,     // the certain cells are all known
        count_needed, // the number of mines may make more cells certain: an analysis must tell
        impossible,
    };

    // Takes the next position of a game, or the first of another.
    Outcome update(const Position& position, Budget& budget);

    // Whether the last update began another game: then nothing that was found before holds.
    bool began() const { return began_; }
    // The cells that have become certain with the last update.
    const std::vector<std::uint32_t>& new_safe() const { return new_safe_; }
    const std::vector<std::uint32_t>& new_mines() const { return new_mines_; }
    // How many unknown cells the components had that were counted by the last update.
    std::size_t counted_cells() const { return counted_cells_; }

private:
    Outcome follow(const Position& position, Budget& budget);
    bool goes_on(const Position& position) const;
    bool settle_components(Budget& budget);
    void collect_components(std::size_t from, Budget& budget);

    std::uint32_t height_ = 0, width_ = 0, mines_ = 0;
    bool trust_flags_ = false;
    Vector<std::uint8_t> codes_;
    Grid grid_;
    Frontier frontier_;
    Structure structure_;
    Propagation<Possibilities> possibilities_;
    Vector<std::uint8_t> may_be_mine_, may_be_none_;
    Vector<std::uint32_t> numbers_, cells_;  // the places of the components to be counted
    Vector<std::uint8_t> seen_;              // for each place
    std::vector<std::uint32_t> new_safe_, new_mines_;
    std::size_t counted_cells_ = 0;
    bool began_ = true;
};

}  // namespace sapper
