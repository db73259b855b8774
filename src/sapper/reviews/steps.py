"""Steps of a record: what each entry opened, what was certain then, and what it risked."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.analysis import Analysis, Budget, Chance, Limit, analyse_within
from sapper.errors import LimitReached
from sapper.game.record import Entry, Moment, Record
from sapper.levels import Promise
from sapper.position import FLAG, HIDDEN, Position
from sapper.reviews.worth import Cells, unflagged

_MOST_UNKNOWN = 900
"""Positions with more unknown cells are not judged, nor kept: they are large."""
_LOOK = Limit(seconds=5)


@dataclass(frozen=True)
class Facts:
    """What an analysis says of a move before it is made."""

    is_certain: bool
    """All its cells were certainly safe."""
    is_mine: bool
    """Some of its cells were certainly mines."""
    safe_cells: int
    missed: tuple[int, int] | None
    """The first cell that was certainly safe, if the move was not."""
    risk: Chance
    least_risk: Chance
    exact: bool


@dataclass
class Step:
    """An entry of a record, looked at."""

    number: int
    entry: Entry
    cells: Cells = ()
    """What it opened, or would have: none if it opened nothing."""
    lost: bool = False
    is_first: bool = False
    """It was promised to be safe."""
    undone: bool = False
    facts: Facts | None = None
    before: Position | None = None
    """The position without flags, where it may be judged."""
    after: Position | None = None

    @property
    def is_guess(self) -> bool:
        """Whether it opened what was not certainly safe."""
        return self.facts is not None and not self.facts.is_certain


def steps_of(record: Record, budget: Budget) -> list[Step]:
    """Return the entries of a record; those that the budget does not cover have no facts.

    >>> from sapper import Entry, Level
    >>> entries = (Entry(0.0, "open", (0, 0)), Entry(1.0, "flag", (0, 2)), Entry(2.0, "chord", (0, 1)))
    >>> record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries)
    >>> [(step.cells, step.is_first) for step in steps_of(record, Limit().start())]
    [(((0, 0),), True), ((), False), ((), False)]
    """
    steps = [_step(record, number, moment, budget) for number, moment in enumerate(record.moments(), 1)]
    done: list[Step] = []
    for step in steps:
        if step.entry.kind == "undo":
            done.pop().undone = True
        elif step.cells or step.entry.kind == "flag":
            done.append(step)
    return steps


def _step(record: Record, number: int, moment: Moment, budget: Budget) -> Step:
    entry, before = moment.entry, moment.before
    step = Step(number, entry, _opens(moment))
    if not step.cells:
        return step
    step.lost = not record.mines.isdisjoint(step.cells)
    is_promised = record.promise is not Promise.NONE or entry.cell == record.first
    step.is_first = is_promised and min(before.codes) >= HIDDEN
    try:
        budget.check()
        analysis = analyse_within(before, _LOOK.start_within(budget))
    except LimitReached:
        return step
    if not step.is_first:
        step.facts = _facts(analysis, step.cells)
    hidden = before.codes.count(HIDDEN) + before.codes.count(FLAG)
    unknown = hidden - len(analysis.safe) - len(analysis.mines)
    if analysis.exact and unknown <= _MOST_UNKNOWN:
        step.before, step.after = unflagged(before), unflagged(moment.after)
    return step


def _opens(moment: Moment) -> Cells:
    """Return the cells that an entry opens at once, without those that follow from a 0."""
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
    except LimitReached:  # No less than that of each.
        return max(analysis.risk[cell] for cell in cells)
