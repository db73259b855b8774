"""Regions of a minefield: openings, islands, and the numbers outside openings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from sapper.minesweeper import Minesweeper
from sapper.position import HIDDEN, Position

MINE: Final = 9
"""In `Regions.numbers`: a mine."""
EDGE: Final = 10
"""In `Regions.numbers`: not a cell, but the frame around the board."""


class Opening(NamedTuple):
    """A connected group of zeros and the numbers around it, which open together."""

    zeros: list[int]
    border: frozenset[int]


class Regions:
    """The regions of a minefield.

    A cell is represented by its index in a grid with a frame: a column between rows, and a row above
    and below. So the neighbours of a cell are its index plus each of `steps`. Indices are in reading
    order.

    >>> regions = Regions(Minesweeper.with_mines(2, 5, [(0, 2), (0, 4)]))  # 0 1 * 2 * over 0 1 1 2 1
    >>> len(regions.openings), len(regions.lone), regions.islands, regions.bbbv
    (1, 4, 1, 5)
    """

    def __init__(self, minefield: Minesweeper) -> None:
        self.height, self.width = minefield.height, minefield.width
        self.stride = stride = self.width + 1
        self.steps = (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1)
        self.numbers = self._count_mines(minefield)
        """The number at each index, or `MINE` or `EDGE`."""
        zeros = [index for index, number in enumerate(self.numbers) if number == 0]
        self.openings = [Opening(group, self._border(group)) for group in self._groups(zeros)]
        touching = frozenset[int]().union(*(opening.border for opening in self.openings))
        self.lone = [
            index
            for index, number in enumerate(self.numbers)
            if 0 < number < MINE and index not in touching
        ]
        """The numbers not next to a zero, in reading order."""
        self.islands = sum(1 for _ in self._groups(self.lone))

    @property
    def bbbv(self) -> int:
        """The fewest left clicks that open every safe cell, without flags."""
        return len(self.openings) + len(self.lone)

    def bbbv_done(self, position: Position) -> int:
        """Return how many of these clicks are done: begun openings and open lone numbers."""
        codes, width, stride = position.codes, self.width, self.stride

        def is_open(index: int) -> bool:
            row, column = divmod(index, stride)
            return codes[(row - 1) * width + column] < HIDDEN

        begun = sum(any(map(is_open, opening.zeros)) for opening in self.openings)
        return begun + sum(map(is_open, self.lone))

    def _count_mines(self, minefield: Minesweeper) -> list[int]:
        stride, width = self.stride, self.width
        numbers = [EDGE] * ((self.height + 2) * stride + 1)
        for row in range(1, self.height + 1):
            numbers[row * stride : row * stride + width] = [0] * width
        mines = [(row + 1) * stride + column for row, column in minefield.mines]
        for mine in mines:
            numbers[mine] = MINE
        for mine in mines:
            for step in self.steps:
                if numbers[mine + step] < MINE:
                    numbers[mine + step] += 1
        return numbers

    def _groups(self, indices: Collection[int]) -> Iterator[list[int]]:
        """Yield the connected groups of these cells; diagonals connect, too."""
        left = set(indices)
        for start in indices:
            if start not in left:
                continue
            left.remove(start)
            group = [start]
            for index in group:  # The group grows during the loop.
                for step in self.steps:
                    if index + step in left:
                        left.remove(index + step)
                        group.append(index + step)
            yield group

    def _border(self, zeros: list[int]) -> frozenset[int]:
        around = {zero + step for zero in zeros for step in self.steps}
        return frozenset(index for index in around if 0 < self.numbers[index] < MINE)
