// Toss-ups: pairs of cells that no number can ever tell apart.
#pragma once

#include <cstdint>

#include "counting/layout_counter.hpp"

namespace sapper {

// Marks each box that is a toss-up: it has two cells, and every other unknown cell touches both or neither.
void mark_toss_ups(const LayoutCounter& counter, Vector<std::uint8_t>& marks);

}  // namespace sapper
