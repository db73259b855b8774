"""The agents `strong-fast`, `strong` and `strong-high`: look ahead, and solve endgames."""

from __future__ import annotations

from typing import Final

from sapper.agents.agent import Choice, chosen_cell
from sapper.agents.engine_player import decide_within
from sapper.agents.safest import SAFE, lowest_risk
from sapper.analysis import Budget, Limit, analyse, analyse_within
from sapper.engine import Decision, engine
from sapper.errors import SapperError
from sapper.position import Cell, Position, position_of
from sapper.text import percent, quoted

EFFORTS: Final = {"fast": "strong-fast", "normal": "strong", "high": "strong-high"}
"""The efforts of `Strong`, and the engine's player for each of them."""


class Strong:
    """Opens a cell that is certainly safe, or else the cell that is most likely to win the game.

    When few layouts are left, it plays perfectly. Before that, it looks one move ahead: at the numbers
    that low-risk cells may show, and at how safe the next move is then. It needs the compiled engine.

    `effort` is `fast`, `normal` or `high`; `high` also runs playouts on sampled layouts. `seconds`
    limits the time for a move (default: 10). When the time is up, it takes the best cell found so far.

    >>> Strong().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='endgame solved: perfect play wins 80.0 %')
    >>> Strong(effort="fast").decide(Position.blank(9, 9, 10)).reason
    'no safe cell: best guess, risk 12.3 %'
    >>> Strong(effort="heroic")
    Traceback (most recent call last):
    sapper.errors.SapperError: unknown effort 'heroic': choose fast, normal or high
    """

    def __init__(self, *, effort: str = "normal", seconds: float | None = None) -> None:
        if not isinstance(effort, str) or effort not in EFFORTS:
            raise SapperError(f"unknown effort {quoted(effort)}: choose fast, normal or high")
        self._player = EFFORTS[effort]
        if self._player not in engine.players:
            raise SapperError(
                "the agent strong needs the compiled engine: install a C++20 compiler and run"
                " pip install -e . again, or choose safest"
            )
        self._limit = Limit() if seconds is None else Limit(seconds=seconds)
        self._repr = f"effort={effort!r}" + ("" if seconds is None else f", seconds={seconds!r}")

    def __repr__(self) -> str:
        return f"Strong({self._repr})"

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        position = position_of(position)
        budget = self._limit.start()
        decision = decide_within(self._player, position, budget)
        if decision is not None and decision.cell is not None:
            return decision.cell
        return chosen_cell(self._explain(position, decision, budget))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and the reason; None if every hidden cell is a mine."""
        position, budget = position_of(position), self._limit.start()
        return self._explain(position, decide_within(self._player, position, budget), budget)

    def _explain(self, position: Position, decision: Decision | None, budget: Budget) -> Choice | None:
        """Return a decision with its reason; without a decision, a cell with the lowest risk."""
        if decision is None:
            return lowest_risk(analyse_within(position, budget.renew()))
        if decision.cell is None:
            return None
        if decision.is_safe:
            return Choice(decision.cell, True, SAFE)
        if decision.win_chance is None:
            reason = f"no safe cell: best guess, risk {percent(decision.risk)}"
        else:
            reason = f"endgame solved: perfect play wins {percent(decision.win_chance)}"
        return Choice(decision.cell, False, reason, decision.risk, decision.win_chance)

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines."""
        return analyse(position, limit=self._limit).mines
