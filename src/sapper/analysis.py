"""Analysis: what follows from a position. `analyse` is the one door to the engine."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from minesweeper import Cell
from sapper._backends import (
    LARGE,
    Backend,
    Chance,
    Findings,
    Follower,
    Limit,
    Question,
    backend,
    can_follow,
)
from sapper._clash import contradiction
from sapper._reference_endgame import Endgame
from sapper.errors import BadPosition, LimitReached
from sapper.position import FLAG, HIDDEN, Position, cells_where, describe_cell

_TRIED, _TRIED_ON_LARGE = 200, 8  # How many equal cells are compared.
_MOST_LAYOUTS, _MOST_UNKNOWN = 1000, 64  # With more, the endgame is not tried: it has not begun.
_BLINK = Limit(seconds=1, states=10_000)
_ONLY_SAFE, _ONLY_MINES = bytes.maketrans(b"\2", b"\0"), bytes.maketrans(b"\1", b"\0")
_ALIKE = 1e-9  # By how much of itself a chance may differ from one that is the same.

__all__ = ["Analyser", "Analysis", "Chance", "Limit", "Move", "analyse"]


@dataclass(frozen=True)
class Move:
    """A cell to open, its risk, and where it was solved the exact chance to win with perfect play."""

    cell: Cell
    risk: Chance
    win_chance: Fraction | None = None


class Analysis:
    """What follows from a position. Made by `analyse`.

    >>> analysis = analyse(Position.parse("# 1 # #", mines=2))
    >>> analysis.risk[0, 0], sorted(analysis.mines), analysis.layouts, analysis.exact
    (0.5, [(0, 3)], 2, True)
    """

    def __init__(self, question: Question, backend: Backend) -> None:
        self.position = question.position
        self.trust_flags = question.trust_flags
        self._question = question
        self._backend = backend

    def __repr__(self) -> str:
        return f"<Analysis of {self.position!r}>"

    @cached_property
    def _findings(self) -> Findings:
        end = time.monotonic() + self._question.limit.countable[0]
        findings = self._backend.find()
        if findings is None:
            raise contradiction(self._question, end)
        return findings

    @property
    def risk(self) -> Mapping[Cell, Chance]:
        """For every hidden cell the chance that it is a mine."""
        return self._findings.risk

    @property
    def exact(self) -> bool:
        """Whether the risks are exact; if not they are estimates, and only certain cells are proven."""
        return self._findings.exact

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """The hidden cells that cannot be mines."""
        return self._cells_marked(_ONLY_SAFE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The hidden cells that must be mines."""
        return self._cells_marked(_ONLY_MINES)

    def _cells_marked(self, kept: bytes) -> frozenset[Cell]:
        return frozenset(cells_where(self._findings.certain.translate(kept), self.position.width))

    @cached_property
    def layouts(self) -> int:
        """In how many ways the mines can lie: the exact number, however large."""
        if not self.exact:
            raise LimitReached("the number of layouts is not known: the analysis reached its limit")
        return self._backend.layouts()

    def shows(self, cell: Cell) -> dict[int, Chance]:
        """Return the chance of each number that the cell may show if it is opened.

        Together they are the chance that it is safe.

        >>> analyse(Position.parse("# # #", mines=1), exact_fractions=True).shows((0, 1))
        {1: Fraction(2, 3)}
        """
        if not self.position.is_hidden(cell):
            raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
        if cell in self.mines:
            return {}
        return self._backend.shows(cell, 1 - self.risk[cell])

    def safety(self, cells: Iterable[Cell]) -> Chance:
        """Return the chance that none of these hidden cells is a mine.

        >>> analyse(Position.parse("# # # #", mines=1), exact_fractions=True).safety([(0, 0), (0, 1)])
        Fraction(1, 2)
        """
        cells = sorted(set(cells))
        for cell in cells:
            if not self.position.is_hidden(cell):
                raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
        if len(cells) <= 1 or self.safe.issuperset(cells):
            return 1 - max((self.risk[cell] for cell in cells), default=0)
        return self._backend.safety(cells)

    @cached_property
    def dead(self) -> frozenset[Cell]:
        """The cells that may be safe, but whose number is certain: opening one tells nothing new."""
        return frozenset(cell for cell in self.risk if len(self.shows(cell)) == 1)

    @cached_property
    def best(self) -> Move | None:
        """The move most likely to win, where few layouts are left and the endgame can be solved.

        Elsewhere it is the `safest`; a cell that is certainly safe always comes first. None if no
        hidden cell can be safe.

        >>> analyse(Position.parse("# # # # #", mines=1)).best
        Move(cell=(0, 0), risk=0.2, win_chance=Fraction(4, 5))
        """
        endgame = self._endgame
        if endgame is None or not endgame.moves:
            return self.safest
        cell = self._least_risky({cell: self.risk[cell] for cell in sorted(endgame.moves)})
        return Move(cell, self.risk[cell], Fraction(endgame.won, endgame.layouts))

    @cached_property
    def safest(self) -> Move | None:
        """The move that is most likely to be safe; None if no hidden cell can be safe.

        Of several, the one most likely to open others too, by showing that no mine is around it.

        >>> analyse(Position.parse("# # # # #", mines=1)).safest
        Move(cell=(0, 0), risk=0.2, win_chance=None)
        """
        if not self.safe and min(self.risk.values(), default=1) == 1:
            return None
        cell = self._least_risky(self.risk)
        return Move(cell, self.risk[cell])

    @cached_property
    def _endgame(self) -> Endgame | None:
        """What perfect play makes of the position, None where that is not known in a blink."""
        codes, certain = self.position.codes, self._findings.certain
        hidden = codes.count(HIDDEN) + codes.count(FLAG)
        if not self.exact or hidden - certain.count(1) - certain.count(2) > _MOST_UNKNOWN:
            return None
        try:
            if self.layouts > _MOST_LAYOUTS:
                return None
            question = Question(self.position, self.trust_flags, _BLINK)
            return backend(question, exact_fractions=False).endgame()
        except LimitReached:
            return None

    def _least_risky(self, risks: Mapping[Cell, Chance]) -> Cell:
        """Return one of these cells: one that is certainly safe if any is, else with the least risk."""
        if self.safe:
            return min(self.safe)
        least = min(risks.values())
        equal = [cell for cell, risk in risks.items() if risk <= least * (1 + _ALIKE)]
        return self._most_opening(equal)

    def _most_opening(self, cells: list[Cell]) -> Cell:
        """Return the cell that is most likely to show that no mine is around it."""
        alike: dict[object, Cell] = {}
        for cell in cells:
            alike.setdefault(self.surroundings(cell), cell)
        if len(alike) == 1 or not self.exact:
            return cells[0]
        few = list(alike.values())[: _TRIED if len(self.position) < LARGE else _TRIED_ON_LARGE]
        best, most = few[0], 0.0
        for cell in few:
            chance = float(self.shows(cell).get(0, 0))
            if chance > most * (1 + _ALIKE):
                best, most = cell, chance
        return best

    def surroundings(self, cell: Cell) -> object:
        """Return what tells apart the chances to show a 0: little, for cells far from all numbers.

        >>> analysis = analyse(Position.blank(1, 5, mines=1))
        >>> analysis.surroundings((0, 1)) == analysis.surroundings((0, 2))
        True
        """
        i, j = cell
        position = self.position
        for row in range(max(i - 2, 0), min(i + 3, position.height)):
            start = row * position.width
            near = position.codes[start + max(j - 2, 0) : start + min(j + 3, position.width)]
            if min(near) < HIDDEN:
                return cell
        return len(position.neighbours(cell))

    def _repr_svg_(self) -> str:
        return self.position.svg(self)


def analyse(
    position: Position,
    *,
    trust_flags: bool = False,
    exact_fractions: bool = False,
    limit: Limit | None = None,
) -> Analysis:
    """Return what follows from a position: certain cells, chances, how many layouts there are.

    Flags are the player's opinion, and count for nothing unless they are to be trusted. A position that
    no minefield can produce is an `InconsistentPosition`.

    >>> analysis = analyse(Position.parse("# # # / 1 2 1".replace(" / ", chr(10)), mines=2))
    >>> sorted(analysis.mines), sorted(analysis.safe)
    ([(0, 0), (0, 2)], [(0, 1)])
    """
    question = Question(position, trust_flags, limit or Limit())
    analysis = Analysis(question, backend(question, exact_fractions=exact_fractions))
    analysis._findings  # noqa: B018 - An impossible position is an error at once.
    return analysis


class Analyser:
    """Analyses the positions of a game one after the other.

    On large boards it remembers what it found, and looks again only at the parts of the board that a
    move has touched. An answer is the same as that of `analyse`, but comes bit by bit: the `best` move
    at once where a cell is known to be safe, the chances when they are asked for.

    >>> analyser = Analyser()
    >>> analyser.feed(Position.parse("# 1 # #", mines=1)).best
    Move(cell=(0, 3), risk=0.0, win_chance=Fraction(1, 1))
    """

    def __init__(self, *, trust_flags: bool = False, limit: Limit | None = None) -> None:
        self._trust_flags = trust_flags
        self._limit = limit or Limit()
        self._follower = Follower() if can_follow() else None

    def feed(self, position: Position) -> Analysis:
        """Return the analysis of the next position, or of the first position of another game."""
        question = Question(position, self._trust_flags, self._limit)
        if self._follower is None or len(position) < LARGE:
            return analyse(position, trust_flags=self._trust_flags, limit=self._limit)
        analysis = Analysis(question, backend(question, exact_fractions=False))
        safe = self._follower.find_safe(question)
        if safe is not None:
            analysis.best = analysis.safest = Move(safe, 0.0)
        return analysis
