// Tracker: finds certain cells move by move on boards of any size. Only components that a move changes are counted
// again.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "counting/frontier.hpp"
#include "counting/grid.hpp"
#include "counting/propagation.hpp"
#include "counting/structure.hpp"
#include "counting/values.hpp"

namespace sapper {

class Tracker {
public:
    enum class Outcome : std::uint8_t {
        complete,           // all certain cells are known
        mine_count_needed,  // the mine count may make more cells certain; an analysis can tell
        impossible,
    };

    // Takes the next position of a game, or the first position of another game.
    Outcome update(const Position& position, Budget& budget);

    // Whether the last update started another game, so that earlier results no longer hold.
    bool is_new_game() const { return is_new_game_; }
    // The cells that became certain in the last update.
    const std::vector<std::uint32_t>& new_safe() const { return new_safe_; }
    const std::vector<std::uint32_t>& new_mines() const { return new_mines_; }
    // The number of unknown cells in the components that the last update counted.
    std::size_t counted_cells() const { return counted_cells_; }

private:
    Outcome advance(const Position& position, Budget& budget);
    bool is_continuation(const Position& position) const;
    bool settle_changed_components(Budget& budget);
    void collect_changed_components(std::size_t from, Budget& budget);

    std::uint32_t height_ = 0, width_ = 0, mines_ = 0;
    bool trust_flags_ = false;
    Vector<std::uint8_t> codes_;
    Grid grid_;
    Frontier frontier_;
    Structure structure_;
    Propagation<Possibilities> possibilities_;
    Vector<std::uint8_t> may_be_mine_, may_be_safe_;
    Vector<std::uint32_t> numbers_, cells_;  // places of the components to count
    Vector<std::uint8_t> seen_;              // per place
    std::vector<std::uint32_t> new_safe_, new_mines_;
    std::size_t counted_cells_ = 0;
    bool is_new_game_ = true;
};

}  // namespace sapper
