// Layouts: every way to lay the mines on the unknown cells of a position, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "counting/layout_counter.hpp"

namespace sapper {

// Whether a mask says that this one of the unknown cells is a mine.
inline bool has(const std::uint64_t* mask, std::uint32_t bit) { return mask[bit / 64] >> (bit % 64) & 1; }

class Layouts {
public:
    // Lists all layouts. Returns false if there are more than `most`.
    bool list(const LayoutCounter& counter, std::uint64_t most, Budget& budget);

    std::size_t size() const { return words_ == 0 ? count_ : masks_.size() / words_; }
    // The places of the unknown cells; in a mask the bit of each says whether it is a mine.
    std::span<const std::uint32_t> places() const { return places_; }
    std::size_t words() const { return words_; }
    std::span<const std::uint64_t> mask(std::size_t layout) const {
        return {masks_.data() + layout * words_, words_};
    }

private:
    // The ways to lay one component, or the free cells.
    struct Part {
        Vector<std::uint64_t> masks;
        Vector<std::int64_t> mines;
        std::int64_t least = 0, most = 0;  // mines
    };

    struct Fits {
        std::int64_t least, most;  // mines that leave the other parts the rest
    };

    bool list_component(const Structure& structure, const Component& component, Part& part,
                        const Fits& fits, std::uint64_t& left, Budget& budget);
    bool list_free(Part& part, const Fits& fits, std::uint64_t& left, Budget& budget);
    void release_parts();
    bool join(std::size_t part, std::int64_t mines, std::uint64_t most, Budget& budget);
    bool lay(std::span<const std::uint32_t> cells, std::size_t mines, auto&& then);

    std::size_t words_ = 0;
    std::size_t count_ = 0;
    Vector<std::uint32_t> places_;
    Vector<std::uint64_t> masks_;
    std::vector<std::uint64_t> mask_;  // the one being laid
    std::vector<Part> parts_;
    std::vector<std::vector<std::uint32_t>> box_cells_;
    std::vector<std::uint32_t> free_cells_;
};

}  // namespace sapper
