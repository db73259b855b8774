"""Analysis: what follows from a position. `analyse` is the one door to the engine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from minesweeper import Cell

from sapper import _reference
from sapper.errors import InconsistentPosition
from sapper.position import Position, describe_cell

Chance = float | Fraction
"""A probability: a `Fraction` where exact fractions were asked for, else a `float`."""


@dataclass(frozen=True)
class Limit:
    """How much work an answer may take: seconds on the clock, and states that the engine looks at."""

    seconds: float | None = 10.0
    states: int | None = 20_000_000


@dataclass(frozen=True)
class Move:
    """A cell to open, the chance that it is a mine, and the chance to win with it where it was solved."""

    cell: Cell
    risk: Chance
    win_chance: Fraction | None = None


@dataclass(frozen=True, eq=False)
class Analysis:
    """What follows from a position. Made by `analyse`.

    >>> analysis = analyse(Position.parse("# 1 # #", mines=2))
    >>> sorted(analysis.mines), analysis.layouts
    ([(0, 3)], 2)
    """

    position: Position
    trust_flags: bool
    exact: bool
    """Whether the risks are exact; if not, they are estimates, and only certain cells are proven."""
    risk: Mapping[Cell, Chance]
    """For every hidden cell the chance that it is a mine."""
    safe: frozenset[Cell]
    """The hidden cells that cannot be mines."""
    mines: frozenset[Cell]
    """The hidden cells that must be mines."""
    layouts: int = field(repr=False)
    """In how many ways the mines can lie."""

    def shows(self, cell: Cell) -> dict[int, Chance]:
        """Return the chance of each number that the cell may show if it is opened.

        Together they are the chance that it is safe.

        >>> analyse(Position.parse("# # #", mines=1), exact_fractions=True).shows((0, 1))
        {1: Fraction(2, 3)}
        """
        chances: dict[int, Chance] = {}
        for number in range(9):
            after = _reference.count_layouts(
                self.position.opened(cell, number), trust_flags=self.trust_flags
            ).layouts
            if after:
                chances[number] = Fraction(after, self.layouts)
        return chances

    @cached_property
    def dead(self) -> frozenset[Cell]:
        """The cells that may be safe, but whose number is certain: opening one tells nothing new."""
        return frozenset(cell for cell in self.position.hidden if len(self.shows(cell)) == 1)

    @cached_property
    def best(self) -> Move | None:
        """The move that is most likely to be safe; None if no hidden cell can be safe."""
        cell = min(self.risk, key=lambda cell: (self.risk[cell], cell), default=None)
        if cell is None or cell in self.mines:
            return None
        return Move(cell, self.risk[cell])


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
    count = _reference.count_layouts(position, trust_flags=trust_flags)
    if not count.layouts:
        raise _contradiction(position, trust_flags)
    risk = {cell: Fraction(mines, count.layouts) for cell, mines in sorted(count.mines.items())}
    return Analysis(
        position,
        trust_flags,
        True,
        risk if exact_fractions else {cell: float(chance) for cell, chance in risk.items()},
        frozenset(cell for cell, chance in risk.items() if chance == 0),
        frozenset(cell for cell, chance in risk.items() if chance == 1),
        count.layouts,
    )


def _contradiction(position: Position, trust_flags: bool) -> InconsistentPosition:
    """Return the error that names numbers which cannot all be true, as few as were found."""
    flags = position.flags if trust_flags else frozenset()

    def possible(numbers: Collection[Cell], use_mine_count: bool) -> bool:
        return _reference.is_possible(position, numbers, flags, use_mine_count)

    numbers = sorted(number for number in position.numbers)
    uses_mine_count = possible(numbers, False)
    for number in numbers:  # One alone, or two that share hidden cells, if there are such.
        if not possible([number], uses_mine_count):
            return _clash(position, [number], uses_mine_count)
    for number in numbers:
        for other in numbers:
            near = max(abs(number[0] - other[0]), abs(number[1] - other[1])) <= 2
            if number < other and near and not possible([number, other], uses_mine_count):
                return _clash(position, [number, other], uses_mine_count)
    needed = numbers
    for number in numbers:  # Leave out whatever can be left out.
        fewer = [other for other in needed if other != number]
        if not possible(fewer, uses_mine_count):
            needed = fewer
    return _clash(position, needed, uses_mine_count)


def _clash(
    position: Position, numbers: Collection[Cell], uses_mine_count: bool
) -> InconsistentPosition:
    named = [f"the {position[number]} at {describe_cell(number)}" for number in numbers]
    if uses_mine_count:
        named.append(f"the number of mines, {position.mines}")
    if len(named) == 1:
        message = f"{named[0]} cannot be true"
    else:
        message = f"{', '.join(named[:-1])} and {named[-1]} cannot all be true"
    return InconsistentPosition(message, frozenset(numbers), uses_mine_count)
