"""Marks: what is drawn over each cell, such as risks and rings. This module draws nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final, NamedTuple

from sapper.advice.overlay import Overlay
from sapper.caching import cached_property
from sapper.position import FLAG, Cell, Position

SAFE: Final = "safe"
MINE: Final = "mine"
QUESTION: Final = "question"
MISSED: Final = "missed"
WRONG: Final = "wrong"
CROWDED: Final = "crowded"
Sign = str | int
"""Safe, a mine, a question mark, a mistake, a number with too many flags, nothing (an empty string), or
the risk in percent."""

LAST: Final = "last"
CURSOR: Final = "cursor"
TARGET: Final = "target"
USED: Final = "used"

SIDES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The neighbours above, to the right, below and to the left of a cell."""


class Mark(NamedTuple):
    """What is drawn over a cell.

    >>> Mark(sign=37).with_ring("cursor")
    Mark(sign=37, rings=('cursor',), edges=())
    """

    sign: Sign = ""
    rings: tuple[str, ...] = ()
    edges: tuple[int, ...] = ()
    """The indices of the `SIDES` that have a frame."""

    def with_ring(self, ring: str) -> Mark:
        """Return the mark with one more ring."""
        return self._replace(rings=(*self.rings, ring))

    def under(self, top: Mark) -> Mark:
        """Return both marks as one. This mark's sign takes precedence: the player asked for help."""
        return Mark(self.sign or top.sign, self.rings + top.rings, self.edges + top.edges)


NO_MARK: Final = Mark()


class _MarksOfRisks(dict[float | None, Mark]):
    """The marks of risks; cells without a risk have no mark. Equal signs share one mark."""

    def __missing__(self, risk: float | None) -> Mark:
        mark = NO_MARK if risk is None else _MARKS_OF_SIGNS[sign_of(risk)]
        self[risk] = mark
        return mark


class HelpMarks:
    """The marks of an overlay. Each is created when its cell becomes visible.

    >>> marks = HelpMarks(Overlay(risks={(0, 0): 0.25, (0, 1): 0.0}, target=(0, 1)))
    >>> marks.at((0, 0)), marks.at((0, 1))
    (Mark(sign=25, rings=(), edges=()), Mark(sign='safe', rings=('target',), edges=()))
    """

    def __init__(self, overlay: Overlay | None = None) -> None:
        self.overlay = Overlay() if overlay is None else overlay
        self._rim = outline(self.overlay.area)
        self._made: dict[Cell, Mark] = {}
        self._of_risk = _MarksOfRisks()
        self._last_cells: Sequence[Cell] = ()
        self._last_marks: list[Mark] = []

    def at(self, cell: Cell) -> Mark:
        """Return the mark of a cell."""
        made = self._made.get(cell)
        if made is None:
            made = self._made[cell] = self._make(cell)
        return made

    def of(self, cells: Sequence[Cell]) -> list[Mark]:
        """Return the marks of many cells. This is much faster than `at` for each of them.

        >>> marks = HelpMarks(Overlay(risks={(0, 0): 0.25}, safe=frozenset({(0, 1)})))
        >>> [mark.sign for mark in marks.of([(0, 0), (0, 1), (0, 2)])]
        [25, 'safe', '']
        """
        if cells is self._last_cells:
            return self._last_marks
        marks = list(map(self._of_risk.__getitem__, map(self.overlay.risks.get, cells)))
        for place in compress(range(len(cells)), map(self._special.__contains__, cells)):
            marks[place] = self.at(cells[place])
        self._last_cells, self._last_marks = cells, marks
        return marks

    @cached_property
    def _special(self) -> frozenset[Cell]:
        """The cells whose mark depends on more than their risk."""
        overlay = self.overlay
        target = () if overlay.target is None else (overlay.target,)
        sets = (overlay.safe, overlay.mines, overlay.wrong, overlay.missed, overlay.numbers)
        return frozenset(self._rim).union(target, *sets)

    def _make(self, cell: Cell) -> Mark:
        overlay = self.overlay
        mark = NO_MARK
        if cell in overlay.safe:
            mark = Mark(SAFE)
        elif cell in overlay.mines:
            mark = Mark(MINE)
        elif cell in overlay.wrong:
            mark = Mark(WRONG)
        elif cell in overlay.missed:
            mark = Mark(MISSED)
        else:
            mark = self._of_risk[overlay.risks.get(cell)]
        rings = ((USED,) if cell in overlay.numbers else ()) + (
            (TARGET,) if cell == overlay.target else ()
        )
        edges = self._rim.get(cell, ())
        return mark._replace(rings=rings, edges=edges) if rings or edges else mark


def sign_of(risk: float) -> Sign:
    """Return the sign for a risk; only 0 and 1 are shown as certain.

    >>> sign_of(0), sign_of(0.001), sign_of(0.996), sign_of(1)
    ('safe', 1, 99, 'mine')
    """
    if risk <= 0:
        return SAFE
    return MINE if risk >= 1 else min(max(round(100 * risk), 1), 99)


_MARKS_OF_SIGNS: Final = {sign: Mark(sign) for sign in (SAFE, MINE, *range(1, 100))}


def outline(area: Iterable[Cell]) -> dict[Cell, tuple[int, ...]]:
    """Return the outer sides of each cell at the edge of an area.

    >>> outline([(0, 0), (0, 1)])
    {(0, 0): (0, 2, 3), (0, 1): (0, 1, 2)}
    """
    cells = set(area)
    rim = {}
    for row, column in sorted(cells):
        edges = tuple(
            side
            for side, (down, right) in enumerate(SIDES)
            if (row + down, column + right) not in cells
        )
        if edges:
            rim[row, column] = edges
    return rim


def crowded_numbers(position: Position) -> frozenset[Cell]:
    """Return the numbers with more flags around them than they show.

    >>> position = Position.parse("3x1/1\\nF 1 F")
    >>> crowded_numbers(position)
    frozenset({(0, 1)})
    """
    if FLAG not in position.codes:
        return frozenset()
    flags: Counter[Cell] = Counter()
    for cell in position.flags:
        flags.update(position.neighbours(cell))
    return frozenset(cell for cell, count in flags.items() if count > position[cell])
