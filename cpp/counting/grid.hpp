// Grid: a position in padded arrays for vectorised work on whole rows, and the deductions from single numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"

namespace sapper {

inline constexpr std::uint8_t hidden_code = 9;
inline constexpr std::uint8_t flag_code = 10;
inline constexpr std::uint8_t ignored_code = 11;

inline constexpr bool is_hidden(std::uint8_t code) { return code == hidden_code || code == flag_code; }

// What a player can see, row by row: codes 0 to 8 are open numbers, followed by the codes above. An ignored cell is
// open, but its number is not used.
struct Position {
    std::uint32_t height;
    std::uint32_t width;
    std::uint32_t mines;
    std::span<const std::uint8_t> codes;
    bool trust_flags = false;
};

// Pointers to the arrays of a grid that the vectorised loops use.
struct Rows {
    std::uint8_t *unknown, *mine, *room, *need, *row_unknown, *row_mine, *verdict, *row_verdict;
    const std::uint8_t *opened, *number;
};

// All rows lie in one array with a margin between and around them, so that the eight neighbours of any place are at
// fixed offsets. A place is an index into this array. Every array has one byte per place.
//
// A cell is settled if it is known to be safe or a mine. A hidden cell that is not settled is unknown.
class Grid {
public:
    // Loads a position, settles everything that follows from single numbers, and marks the frontier. Returns false if a
    // number cannot be satisfied.
    bool load(const Position& position, Budget& budget);
    // The two parts of `load`. They take about the same time, and the first is enough to find safe cells.
    bool load_and_settle(const Position& position, Budget& budget);
    void mark_frontier();

    // Loads a later position of the same game. Only bands of rows in which `codes` differ from `codes_before`, and what
    // follows from them, are processed.
    bool update(const Position& position, std::span<const std::uint8_t> codes_before, Budget& budget);
    // Settles a cell that was deduced elsewhere. Call `settle_changes` afterwards to draw the conclusions.
    void set_settled(std::uint32_t place, bool is_mine);
    bool settle_changes(Budget& budget);
    // Changes since `clear_changes`: active numbers whose need or room changed, and cells that became settled.
    std::span<const std::uint32_t> changed_numbers() const { return changed_numbers_; }
    std::span<const std::uint32_t> settled_cells() const { return settled_cells_; }
    void clear_changes();

    // Appends the hidden cells that are settled as safe.
    void find_safe(std::vector<std::uint32_t>& safe) const;

    std::uint32_t stride() const { return stride_; }
    // The cells are at the places from begin() to end(), with one margin byte after each row.
    std::uint32_t begin() const { return 2 * stride_ + 3; }
    std::uint32_t end() const { return begin() + height_ * stride_ - 1; }
    std::uint32_t size() const { return (height_ + 4) * stride_ + 160; }
    // Conversion between cells, numbered row by row, and places.
    std::uint32_t place_at(std::uint32_t cell) const { return begin() + cell + cell / (stride_ - 1); }
    std::uint32_t cell_at(std::uint32_t place) const {
        const std::uint32_t at = place - begin();
        return at - at / stride_;
    }

    // Whether a place is a cell rather than margin.
    bool is_cell(std::uint32_t place) const {
        return place >= begin() && place < end() && (place - begin()) % stride_ != stride_ - 1;
    }

    const std::uint8_t* unknown() const { return unknown_.data(); }  // hidden and not settled
    const std::uint8_t* mine() const { return mine_.data(); }        // settled as a mine
    // For any place, `room` is the number of unknown cells there and around it. For a number, `need` is how many of
    // these are mines.
    const std::uint8_t* room() const { return room_.data(); }
    const std::uint8_t* need() const { return need_.data(); }
    const std::uint8_t* active() const { return active_.data(); }      // open numbers that touch unknown cells
    const std::uint8_t* frontier() const { return frontier_.data(); }  // unknown cells that touch active numbers
    // A bit for each of the eight neighbours, in reading order: whether it is an active number.
    const std::uint8_t* touching() const { return touching_.data(); }

    std::uint32_t unknown_count() const { return unknown_count_; }
    std::uint32_t frontier_count() const { return frontier_count_; }  // only maintained by `update`
    std::int64_t mines_left() const { return mines_left_; }           // negative if too many mines are settled

private:
    using Bytes = Vector<std::uint8_t>;

    static constexpr std::uint32_t band_height = 16;
    std::uint32_t band_count() const { return (height_ + band_height - 1) / band_height; }

    Rows rows();
    void load_rows(const Position& position, std::uint32_t first, std::uint32_t last);
    bool settle_bands(Budget& budget);
    void record_changes();

    std::uint32_t height_ = 0;
    std::uint32_t stride_ = 0;
    std::uint32_t unknown_count_ = 0;
    std::int64_t mines_left_ = 0;
    Bytes unknown_, mine_, room_, need_, touching_;
    Bytes codes_, active_, frontier_, opened_, number_;
    Bytes row_unknown_, row_mine_, verdict_, row_verdict_;
    Bytes dirty_;      // per band of rows: whether it must be processed
    Bytes processed_;  // per band: whether it was processed since the last `record_changes`
    // The state at the last `record_changes`, for `update` only: per place, and per band.
    Bytes settled_as_, recorded_unknown_, recorded_active_, recorded_need_, recorded_room_;
    Vector<std::uint32_t> band_unknown_, band_mines_, band_frontier_;
    Vector<std::uint32_t> changed_numbers_, settled_cells_;
    std::uint32_t frontier_count_ = 0;
    std::uint32_t mines_ = 0;
};

}  // namespace sapper
