"""The agent `safest`: opens a cell with the least risk."""

from __future__ import annotations

from sapper.agents.agent import Choice, chosen_cell
from sapper.analysis import Analyser, Analysis, Limit
from sapper.position import Cell, Position
from sapper.text import format_percent


class Safest:
    """Opens a cell that is certainly safe, else one with the least risk.

    It knows the exact chance of every cell. Of several with the same risk it takes the one most likely
    to open others too.

    >>> Safest().decide(Position.parse("# 1 # #", mines=1)).reason
    'safe: no layout has a mine there'
    >>> Safest().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='no safe cell: the least risk, 20.0 %')
    """

    def __init__(self, *, limit: Limit | None = None) -> None:
        self._analyser = Analyser(limit=limit)

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        return chosen_cell(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why; None if the hidden cells are all mines."""
        return least_risk(self._analyser.feed(position))

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines.

        >>> Safest().known_mines(Position.parse("# 1 .", mines=1))
        frozenset({(0, 0)})
        """
        return self._analyser.feed(position).mines


def least_risk(analysis: Analysis) -> Choice | None:
    """Return the cell with the least risk and what it is; None if the hidden cells are all mines."""
    safest = analysis.safest
    if safest is None:
        return None
    if safest.risk == 0:
        return Choice(safest.cell, True, "safe: no layout has a mine there")
    reason = f"no safe cell: the least risk, {format_percent(safest.risk, digits=1)} %"
    return Choice(safest.cell, False, reason, safest.risk)
