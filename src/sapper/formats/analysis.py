"""An analysis as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sapper.errors import LimitReached
from sapper.text import format_digits

if TYPE_CHECKING:
    from sapper.analysis import Analysis


def analysis_to_json(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as an object for `json.dumps`; cells are `[row, column]`, counted from zero.

    `mines` is the number of mines on the board. `layouts` is a string of digits, since it may be too
    large for a JSON number, or None if the layouts could not be counted. `risk` has a list for each
    row, with None for opened cells; a cell is certain only if it is in `safe_cells` or `mine_cells`.
    `best` is None if no cell can be safe. Its `win_chance` is None if it was not computed.

    >>> from sapper import Position, analyse
    >>> facts = analysis_to_json(analyse(Position.parse("# 1 # #", mines=2)))
    >>> facts["mine_cells"], facts["risk"], facts["layouts"]
    ([[0, 3]], [[0.5, None, 0.5, 1.0]], '2')
    >>> facts["best"]
    {'cell': [0, 0], 'risk': 0.5, 'win_chance': 0.5}
    """
    position, best, layouts = analysis.position, analysis.best, known_layouts(analysis)
    risk: list[list[float | None]] = [[None] * position.width for _ in range(position.height)]
    for (row, column), chance in analysis.risk.items():
        risk[row][column] = float(chance)
    return {
        "width": position.width,
        "height": position.height,
        "mines": position.mines,
        "trust_flags": analysis.trust_flags,
        "exact": analysis.exact,
        "layouts": None if layouts is None else format_digits(layouts),
        "safe_cells": [list(cell) for cell in sorted(analysis.safe)],
        "mine_cells": [list(cell) for cell in sorted(analysis.mines)],
        "risk": risk,
        "best": best
        and {
            "cell": list(best.cell),
            "risk": float(best.risk),
            "win_chance": None if best.win_chance is None else float(best.win_chance),
        },
    }


def known_layouts(analysis: Analysis) -> int | None:
    """Return the number of layouts; None if they could not be counted within the limit."""
    try:
        return analysis.layouts
    except LimitReached:
        return None
