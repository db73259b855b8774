// Finds toss-ups by comparing the neighbourhoods of the two cells of a box.
#include "players/toss_ups.hpp"

#include <cstdlib>

namespace sapper {
namespace {

class Neighbourhood {
public:
    explicit Neighbourhood(const Grid& grid)
        : unknown_{grid.unknown()}, stride_{static_cast<std::int64_t>(grid.stride())} {}

    // Whether every unknown cell that touches the first place, other than the second, also touches the second.
    bool covers(std::int64_t first, std::int64_t second) const {
        for (const std::int64_t row : {first - stride_, first, first + stride_}) {
            for (std::int64_t at = row - 1; at <= row + 1; ++at) {
                if (at != first && at != second && unknown_[at] && !are_adjacent(at, second)) return false;
            }
        }
        return true;
    }

private:
    bool are_adjacent(std::int64_t a, std::int64_t b) const {
        const std::int64_t distance = std::abs(a - b);
        return distance <= 1 || (distance >= stride_ - 1 && distance <= stride_ + 1);
    }

    const std::uint8_t* unknown_;
    std::int64_t stride_;
};

}  // namespace

void mark_toss_ups(const LayoutCounter& counter, Vector<std::uint8_t>& marks) {
    const auto boxes = counter.frontier().boxes();
    const Neighbourhood around{counter.grid()};
    marks.assign(boxes.size(), 0);
    Vector<std::uint32_t> first(boxes.size(), 0);  // place of the first cell of each box of two
    for (const FrontierCell& each : counter.frontier().cells()) {
        if (boxes[each.box].size != 2) {
            continue;
        }
        if (first[each.box] == 0) {
            first[each.box] = each.place;
        } else {
            marks[each.box] = around.covers(first[each.box], each.place) && around.covers(each.place, first[each.box]);
        }
    }
}

}  // namespace sapper
