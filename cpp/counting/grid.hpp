// Grid: a position laid out for fast work on whole rows, and what follows from single numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"

namespace sapper {

inline constexpr std::uint8_t hidden_code = 9;
inline constexpr std::uint8_t flag_code = 10;
inline constexpr std::uint8_t mute_code = 11;

inline constexpr bool is_hidden(std::uint8_t code) { return code == hidden_code || code == flag_code; }

// What a player may see: codes 0 to 8 are opened cells, then hidden ones and flags, row by row. A mute cell
// is opened, but its number is not to be heard.
struct Position {
    std::uint32_t height;
    std::uint32_t width;
    std::uint32_t mines;
    std::span<const std::uint8_t> codes;
    bool trust_flags = false;
};

// The arrays of a grid that settling works on.
struct Rows {
    std::uint8_t *unknown, *mine, *room, *need, *row_unknown, *row_mine, *verdict, *row_verdict;
    const std::uint8_t *opened, *number;
};

// The cells lie in one array with a margin of nothing between and around the rows, so that the
// neighbours of any place are at the same distances. Every array has a byte for each place.
class Grid {
public:
    // Takes the position, and settles what single numbers settle until they settle nothing more.
    // Returns false if a number cannot be true.
    bool load(const Position& position, Budget& budget);
    // The same in two parts: the second finds the frontier, which takes as long as the first.
    bool load_settled(const Position& position, Budget& budget);
    void mark();

    // Takes a later position of the same game: works only on the bands of rows in which `codes` differ
    // from those of the position before, and on what follows from them.
    bool update(const Position& position, std::span<const std::uint8_t> codes_before, Budget& budget);
    // Settles a cell that is certain for other reasons; `resettle` draws the conclusions.
    void settle(std::uint32_t place, bool is_mine);
    bool resettle(Budget& budget);
    // What has changed since `forget_changes`: numbers that say something else now, and cells that are
    // unknown no more.
    std::span<const std::uint32_t> changed_numbers() const { return changed_numbers_; }
    std::span<const std::uint32_t> settled_cells() const { return settled_cells_; }
    void forget_changes();

    // Adds the hidden cells that are settled as safe.
    void find_safe(std::vector<std::uint32_t>& safe) const;

    std::uint32_t stride() const { return stride_; }
    // The cells are at the places from begin() to before end(), with a margin after each row.
    std::uint32_t begin() const { return 2 * stride_ + 3; }
    std::uint32_t end() const { return begin() + height_ * stride_ - 1; }
    std::uint32_t size() const { return (height_ + 4) * stride_ + 160; }
    // Where a cell is, which are counted row by row, and back.
    std::uint32_t place_at(std::uint32_t cell) const { return begin() + cell + cell / (stride_ - 1); }
    std::uint32_t cell_at(std::uint32_t place) const {
        const std::uint32_t at = place - begin();
        return at - at / stride_;
    }

    // Whether there is a cell at a place, and not the margin.
    bool is_cell(std::uint32_t place) const {
        return place >= begin() && place < end() && (place - begin()) % stride_ != stride_ - 1;
    }

    const std::uint8_t* unknown() const { return unknown_.data(); }  // hidden, not settled
    const std::uint8_t* mine() const { return mine_.data(); }        // settled as a mine
    // For any place: the unknown cells there and around it; for a number, how many of them are mines.
    const std::uint8_t* room() const { return room_.data(); }
    const std::uint8_t* need() const { return need_.data(); }
    const std::uint8_t* active() const { return active_.data(); }      // numbers with room
    const std::uint8_t* frontier() const { return frontier_.data(); }  // unknown cells around those
    // Which of the eight neighbours are active numbers: a bit each, in reading order.
    const std::uint8_t* touching() const { return touching_.data(); }

    std::uint32_t unknown_count() const { return unknown_count_; }
    std::uint32_t frontier_count() const { return frontier_count_; }  // kept by `update` only
    std::int64_t mines_left() const { return mines_left_; }  // below 0 if too many are settled

private:
    using Bytes = Vector<std::uint8_t>;

    static constexpr std::uint32_t band_height = 16;
    std::uint32_t band_count() const { return (height_ + band_height - 1) / band_height; }

    Rows rows();
    void load_rows(const Position& position, std::uint32_t first, std::uint32_t last);
    bool settle_bands(Budget& budget);
    void note_changes();

    std::uint32_t height_ = 0;
    std::uint32_t stride_ = 0;
    std::uint32_t unknown_count_ = 0;
    std::int64_t mines_left_ = 0;
    Bytes unknown_, mine_, room_, need_, touching_;
    Bytes codes_, active_, frontier_, opened_, number_;
    Bytes row_unknown_, row_mine_, verdict_, row_verdict_;
    Bytes dirty_;    // for each band of rows, whether it has to be looked at
    Bytes touched_;  // and whether it was, since changes were noted last
    // What was noted last, for `update` only: of every place, and of every band.
    Bytes known_, noted_unknown_, noted_active_, noted_need_, noted_room_;
    Vector<std::uint32_t> band_unknown_, band_mines_, band_frontier_;
    Vector<std::uint32_t> changed_numbers_, settled_cells_;
    std::uint32_t frontier_count_ = 0;
    std::uint32_t mines_ = 0;
};

}  // namespace sapper
