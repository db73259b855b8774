"""The agent `safest`: opens a cell with the lowest risk."""

from __future__ import annotations

from typing import Final

from sapper.agents.agent import Choice, chosen_cell
from sapper.agents.engine_player import decide_within
from sapper.analysis import LARGE, Analyser, Analysis, Limit, analyse_within
from sapper.engine import engine
from sapper.position import Cell, Position, position_of
from sapper.text import percent

SAFE: Final = "safe: no layout has a mine there"
"""The reason for a move that is certainly safe."""
_PLAYER: Final = "safest"
"""The engine's player that makes the same moves."""


class Safest:
    """Opens a cell that is certainly safe, or else one with the lowest risk.

    It knows the exact risk of every cell. Among cells of equal risk, it takes the one most likely to
    show a 0, which opens its neighbours.

    >>> Safest().decide(Position.parse("# 1 # #", mines=1)).reason
    'safe: no layout has a mine there'
    >>> Safest().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='no safe cell: lowest risk, 20.0 %')
    """

    def __init__(self, *, limit: Limit | None = None) -> None:
        self._limit = Limit.given(limit)
        self._analyser = Analyser(limit=limit)
        self._has_player = _PLAYER in engine.players

    def __repr__(self) -> str:
        return "Safest()"

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        position = position_of(position)
        if self._has_player and len(position) < LARGE:  # Twice as fast as a full analysis.
            budget = self._limit.start()
            decision = decide_within(_PLAYER, position, budget)
            if decision is None:
                return chosen_cell(lowest_risk(analyse_within(position, budget.renew())))
            if decision.cell is not None:
                return decision.cell
        return chosen_cell(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and the reason; None if every hidden cell is a mine."""
        return lowest_risk(self._analyser.feed(position))

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines.

        >>> Safest().known_mines(Position.parse("# 1 .", mines=1))
        frozenset({(0, 0)})
        """
        return self._analyser.feed(position).mines


def lowest_risk(analysis: Analysis) -> Choice | None:
    """Return a cell with the lowest risk, with the reason; None if every hidden cell is a mine."""
    safest = analysis.safest
    if safest is None:
        return None
    if safest.risk == 0:
        return Choice(safest.cell, True, SAFE)
    reason = f"no safe cell: lowest risk, {percent(safest.risk)}"
    return Choice(safest.cell, False, reason, safest.risk)
