"""Analysis: what follows from a position. `analyse` is the one door to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from minesweeper import Cell
from sapper._backends import Backend, Chance, Findings, Limit, Question, backend
from sapper._clash import contradiction
from sapper.errors import BadPosition, LimitReached
from sapper.position import Position, describe_cell

__all__ = ["Analysis", "Chance", "Limit", "Move", "analyse"]


@dataclass(frozen=True)
class Move:
    """A cell to open, its risk, and where it was solved the chance to win with it."""

    cell: Cell
    risk: Chance
    win_chance: Fraction | None = None


class Analysis:
    """What follows from a position. Made by `analyse`.

    >>> analysis = analyse(Position.parse("# 1 # #", mines=2))
    >>> analysis.risk[0, 0], sorted(analysis.mines), analysis.layouts, analysis.exact
    (0.5, [(0, 3)], 2, True)
    """

    def __init__(
        self, position: Position, trust_flags: bool, findings: Findings, backend: Backend
    ) -> None:
        self.position = position
        self.trust_flags = trust_flags
        self.risk: Mapping[Cell, Chance] = findings.risk
        """For every hidden cell the chance that it is a mine."""
        self.exact = findings.exact
        """Whether the risks are exact; if not they are estimates, and only certain cells are proven."""
        self._certain = findings.certain
        self._backend = backend

    def __repr__(self) -> str:
        return f"<Analysis of {self.position!r}>"

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """The hidden cells that cannot be mines."""
        return self._cells_marked(1)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The hidden cells that must be mines."""
        return self._cells_marked(2)

    def _cells_marked(self, mark: int) -> frozenset[Cell]:
        width = self.position.width
        return frozenset(divmod(at, width) for at, found in enumerate(self._certain) if found == mark)

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
        return self._backend.shows(cell, 1 - self.risk[cell])

    @cached_property
    def dead(self) -> frozenset[Cell]:
        """The cells that may be safe, but whose number is certain: opening one tells nothing new."""
        return frozenset(cell for cell in self.risk if len(self.shows(cell)) == 1)

    @cached_property
    def best(self) -> Move | None:
        """The move that is most likely to be safe; None if no hidden cell can be safe.

        Of several, the one most likely to open others too, by showing that no mine is around it.

        >>> analyse(Position.parse("# # # # #", mines=1)).best
        Move(cell=(0, 0), risk=0.2, win_chance=None)
        """
        if self.safe:
            cell = min(self.safe)
        else:
            least = min(self.risk.values(), default=1)
            if least == 1:
                return None
            equal = [cell for cell, risk in self.risk.items() if risk <= least * (1 + 1e-9)]
            cell = equal[0] if len(equal) == 1 else max(equal, key=self._opening_chance)
        return Move(cell, self.risk[cell])

    def _opening_chance(self, cell: Cell) -> Chance:
        return self.shows(cell).get(0, 0)


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
    answering = backend(
        Question(position, trust_flags, limit or Limit()), exact_fractions=exact_fractions
    )
    findings = answering.find()
    if findings is None:
        raise contradiction(position, trust_flags)
    return Analysis(position, trust_flags, findings, answering)
