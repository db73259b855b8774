// The parts of the Python module, one per subject.
#pragma once

#include <nanobind/nanobind.h>

namespace sapper::python {

void bind_boards(nanobind::module_& module);
void bind_counting(nanobind::module_& module);
void bind_endgame(nanobind::module_& module);
void bind_players(nanobind::module_& module);
void bind_games(nanobind::module_& module);

}  // namespace sapper::python
