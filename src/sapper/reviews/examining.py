"""Examine a record: what each move opened, what was certain at the time, and the risk it took."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.analysis import Analysis, Budget, Chance, Limit, analyse_within
from sapper.errors import LimitReached
from sapper.game.record import Entry, Moment, Record
from sapper.levels import Promise
from sapper.position import FLAG, HIDDEN, Position
from sapper.reviews.worth import Cells, unflagged

_MOST_UNKNOWN = 900
"""Positions with more unknown cells are neither judged nor kept, to save memory."""
_ANALYSIS_LIMIT = Limit(seconds=5)


@dataclass(frozen=True)
class Facts:
    """What the analysis of the position before a move says about the move."""

    is_certain: bool
    """Whether all its cells were certainly safe."""
    is_mine: bool
    """Whether any of its cells was certainly a mine."""
    safe_cells: int
    missed: tuple[int, int] | None
    """The first certainly safe cell, if the move was not certainly safe."""
    risk: Chance
    least_risk: Chance
    exact: bool


@dataclass
class ExaminedMove:
    """An entry of a record, with the facts about it."""

    number: int
    entry: Entry
    cells: Cells = ()
    """The cells that it opened directly; empty if it opened nothing."""
    lost: bool = False
    is_first: bool = False
    """Whether it was a first click that was guaranteed to be safe."""
    undone: bool = False
    facts: Facts | None = None
    before: Position | None = None
    """The position before the move, without flags; None if it will not be judged."""
    after: Position | None = None

    @property
    def is_guess(self) -> bool:
        """Whether it opened a cell that was not certainly safe."""
        return self.facts is not None and not self.facts.is_certain


def examine(record: Record, budget: Budget) -> list[ExaminedMove]:
    """Return the entries of a record with their facts, which are missing once the budget is spent.

    >>> from sapper import Entry, Level
    >>> entries = (Entry(0.0, "open", (0, 0)), Entry(1.0, "flag", (0, 2)), Entry(2.0, "chord", (0, 1)))
    >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries)
    >>> [(move.cells, move.is_first) for move in examine(record, Limit().start())]
    [(((0, 0),), True), ((), False), ((), False)]
    """
    moves = [
        _examine_move(record, number, moment, budget)
        for number, moment in enumerate(record.moments(), start=1)
    ]
    done: list[ExaminedMove] = []  # The moves that can be undone.
    for move in moves:
        if move.entry.kind == "undo":
            done.pop().undone = True
        elif move.cells or move.entry.kind == "flag":
            done.append(move)
    return moves


def _examine_move(record: Record, number: int, moment: Moment, budget: Budget) -> ExaminedMove:
    entry, before = moment.entry, moment.before
    move = ExaminedMove(number, entry, _opens(moment))
    if not move.cells:
        return move
    move.lost = not record.mines.isdisjoint(move.cells)
    is_promised = record.promise is not Promise.NONE or entry.cell == record.first
    move.is_first = is_promised and min(before.codes) >= HIDDEN
    try:
        budget.check()
        analysis = analyse_within(before, _ANALYSIS_LIMIT.start_within(budget))
    except LimitReached:
        return move
    if not move.is_first:
        move.facts = _facts(analysis, move.cells)
    hidden = before.codes.count(HIDDEN) + before.codes.count(FLAG)
    unknown = hidden - len(analysis.safe) - len(analysis.mines)
    if analysis.exact and unknown <= _MOST_UNKNOWN:
        move.before, move.after = unflagged(before), unflagged(moment.after)
    return move


def _opens(moment: Moment) -> Cells:
    """Return the cells that an entry opens directly, without the cascade from a 0."""
    entry, before = moment.entry, moment.before
    if entry.cell is None or entry.kind not in ("open", "chord"):
        return ()
    if entry.kind == "open":
        return (entry.cell,)
    around = sorted(before.neighbours(entry.cell))
    if sum(before[cell] == FLAG for cell in around) != before[entry.cell]:
        return ()
    return tuple(cell for cell in around if before[cell] == HIDDEN)


def _facts(analysis: Analysis, cells: Cells) -> Facts:
    is_certain = analysis.safe.issuperset(cells)
    is_mine = not analysis.mines.isdisjoint(cells)
    least = 0.0 if analysis.safe else min(analysis.risk.values())
    return Facts(
        is_certain,
        is_mine,
        len(analysis.safe),
        None if is_certain else min(analysis.safe, default=None),
        0.0 if is_certain else 1.0 if is_mine else _risk(analysis, cells),
        least,
        analysis.exact,
    )


def _risk(analysis: Analysis, cells: Cells) -> Chance:
    try:
        return 1 - analysis.safety(cells)
    except LimitReached:  # The highest risk of any cell is a lower bound.
        return max(analysis.risk[cell] for cell in cells)
