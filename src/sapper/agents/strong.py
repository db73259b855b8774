"""The agents `strong-fast`, `strong` and `strong-high`: look ahead, and solve endgames."""

from __future__ import annotations

from typing import Final

from sapper.agents.agent import Choice, chosen_cell
from sapper.agents.safest import least_risk
from sapper.analysis import Limit, analyse, contradiction
from sapper.engine import engine
from sapper.errors import LimitReached, SapperError
from sapper.position import Cell, Position, position_of
from sapper.text import format_percent, quoted

EFFORTS: Final = {"fast": "strong-fast", "normal": "strong", "high": "strong-high"}
"""How hard `Strong` may think, and the name of the engine's player that does so."""


class Strong:
    """Opens a cell that is certainly safe, else the one with which it is most likely to win the game.

    Where few layouts are left it plays perfectly. Before that it looks ahead: at the numbers that cells
    of little risk may show, and at how safe the next move is then. It needs the compiled engine.

    `effort` is `fast`, `normal` or `high`, which also plays candidates out on layouts drawn at random.
    `seconds` bounds a move, 10 if not given; then it takes the best cell found so far.

    >>> Strong().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='endgame solved: wins 80.0 %, perfect play')
    >>> Strong(effort="fast").decide(Position.blank(9, 9, 10)).reason
    'no safe cell: risks 12.3 %, the most promising'
    >>> Strong(effort="heroic")
    Traceback (most recent call last):
    sapper.errors.SapperError: 'heroic' is not an effort: fast, normal, high
    """

    def __init__(self, *, effort: str = "normal", seconds: float | None = None) -> None:
        if not isinstance(effort, str) or effort not in EFFORTS:
            raise SapperError(f"{quoted(effort)} is not an effort: {', '.join(EFFORTS)}")
        self._player = EFFORTS[effort]
        if self._player not in engine.players:
            raise SapperError("the agent strong needs the compiled engine")
        self._limit = Limit() if seconds is None else Limit(seconds=seconds)

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        return chosen_cell(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why; None if the hidden cells are all mines."""
        position, budget = position_of(position), self._limit.start()
        try:
            decision = engine.decide(self._player, position, budget)
        except LimitReached:  # Then a cell of least risk, with what time is left, or by an estimate.
            return least_risk(analyse(position, limit=self._limit))
        if decision is None:
            raise contradiction(position, budget)
        if decision.safe:
            cell = divmod(decision.safe[0], position.width)
            return Choice(cell, True, "safe: no layout has a mine there")
        if decision.cell is None:
            return None
        if decision.win_chance is None:
            reason = (
                f"no safe cell: risks {format_percent(decision.risk, digits=1)} %, the most promising"
            )
        else:
            reason = (
                f"endgame solved: wins {format_percent(decision.win_chance, digits=1)} %, perfect play"
            )
        return Choice(decision.cell, False, reason, decision.risk, decision.win_chance)

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines."""
        return analyse(position, limit=self._limit).mines
