// Analysis: the exact chance of every hidden cell, and which cells are certain.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "budget.hpp"
#include "frontier.hpp"
#include "grid.hpp"
#include "kinds.hpp"
#include "propagate.hpp"
#include "structure.hpp"

namespace sapper {

enum class Certain : std::uint8_t { no = 0, safe = 1, mine = 2 };

// What an analysis found; a value for each cell, row by row.
struct Findings {
    bool possible = false;
    bool exact = true;
    std::vector<double> risk;  // not a number for opened cells
    std::vector<Certain> certain;
    double log_layouts = 0;  // the logarithm of their number, if exact
};

// What one wants to know of a position that may come next.
struct Outlook {
    bool possible = false;
    double log_layouts = 0;
    // The least risks of hidden cells that may tell something: those with an unknown cell beside them. If there
    // are fewer, the last stands for the rest; if there are none, those that tell nothing count.
    std::array<double, 4> risks{1, 1, 1, 1};
};

// With so many unknown cells or fewer, a sum of weights is zero only if there is no layout. Every cell
// weighs its chance of being as it is when the mines lie anywhere: then each layout with the right number
// of mines has the same weight, at least 2^-cells, no sum exceeds one, and doubles hold both.
inline constexpr std::uint32_t exact_cells = 900;

// Analyses positions one after the other, and keeps its memory from one to the next.
class Analyser {
public:
    // If the limit of the budget is reached, estimates are made within the spare one.
    const Findings& analyse(const Position& position, Budget& budget, Budget& spare);
    // The same of a position whose settled cells have just been asked for. No estimates without a spare budget.
    const Findings& analyse_settled(const Position& position, Budget& budget, Budget* spare);

    // Adds the hidden cells that single numbers settle as safe. Returns false if a number cannot be true.
    bool find_settled(const Position& position, std::vector<std::uint32_t>& safe);

    // Whether there is a toss-up, as in `Chances`, in the position analysed last.
    bool has_toss_ups();

    // Toss-ups count as in `Chances`: what is said of layouts and risks here is not of their number, but of
    // what they are worth. On boards of more than `exact_cells` unknown cells a very small risk may be called
    // none. Adds the risks of all hidden cells, if asked to.
    Outlook look(const Position& position, Budget& budget, std::vector<double>* risks = nullptr);

    // What was found last, and what the position was made into for it.
    const Findings& findings() const { return findings_; }
    const Grid& grid() const { return grid_; }
    const Frontier& frontier() const { return frontier_; }
    const Structure& structure() const { return structure_; }
    const Propagation<Chances>& chances() const { return chances_; }
    double density() const { return density_; }
    // What the ways to lay the free cells weigh, if the components together hold each number of mines from
    // `chances().low()` on.
    std::span<const double> outside() const { return outside_; }

    // Whether there is a layout, with the right number of mines or with any.
    bool is_possible(const Position& position, bool any_mines, Budget& budget);

    // The logarithm of the number of layouts; minus infinity if there is none.
    double log_layouts(const Position& position, Budget& budget);

    // The chance of each number from 0 to 8 that a hidden cell may show, given that of being safe.
    std::array<double, 9> shows(const Position& position, std::uint32_t cell, Budget& budget);

    // The chance that none of these hidden cells is a mine.
    double safety(const Position& position, std::span<const std::uint32_t> cells, Budget& budget);

    // The number of layouts in parts: how many ways the components together can use each number of mines
    // from `low` on, modulo each prime; the rest of the mines lie on the free cells.
    struct Counted {
        std::int64_t low = 0;
        std::int64_t free = 0;
        std::int64_t mines_left = 0;
        std::vector<std::vector<std::uint64_t>> ways;  // for each prime
    };
    Counted count(const Position& position, std::span<const std::uint64_t> primes, Budget& budget);
    // How many cells the components have: a bound for the bits of each number of ways.
    std::size_t frontier_size(const Position& position);

private:
    struct Outside {
        double total = 0;              // what all layouts weigh
        double mine = 0, none = 0;     // what those with a mine, and with none, on a free cell weigh
        std::int64_t middle = 0;       // the number of mines in the components whose ways weigh one
    };

    const Findings& analyse_loaded(const Position& position, Budget& budget, Budget* spare);
    bool lay_out(Budget& budget, bool mark_toss_ups = false);
    void find_toss_ups();
    bool may_tell(std::uint32_t place) const;
    std::array<double, 4> least_risks(double free_risk) const;
    void find(const Position& position, Budget& budget);
    void estimate(const Position& position, Budget& budget);
    double balance(std::vector<double>& risk, Budget& budget) const;
    void weigh_sample(double density, Budget& budget);
    bool is_large() const { return grid_.unknown_count() > exact_cells; }
    bool find_certain(Budget& budget);
    Outside weigh_outside();
    double log_layouts(const Outside& outside) const;
    double better_density() const;
    void write(const Position& position, double free_risk);

    Grid grid_;
    Frontier frontier_;
    Structure structure_;
    std::int64_t free_ = 0;
    double density_ = 0;
    Certain free_certain_ = Certain::no;
    Propagation<Chances> chances_;
    Propagation<Possibilities> possibilities_;
    Propagation<Remainders> remainders_;
    std::vector<double> outside_, with_mine_, with_none_;
    std::vector<std::uint8_t> may_outside_, may_be_mine_, may_be_none_;
    std::vector<std::uint8_t> toss_ups_;  // for each box, if they are marked
    std::vector<std::uint8_t> codes_;
    std::vector<std::uint32_t> settled_;  // safe cells that may tell something
    Findings findings_;
};

}  // namespace sapper
