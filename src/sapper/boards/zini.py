"""ZiNi: the clicks that win a known minefield, with flags and chords."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final

from sapper.boards.regions import MINE, Regions

_NEVER: Final = -100
"""The premium of cells that are never chorded: mines, zeros and the frame. It stays negative."""


def greedy_zini(regions: Regions) -> int:
    """Return the number of clicks of the greedy method, which may chord anywhere.

    It makes the chord with the highest premium (ties: the first in reading order) until no premium is 0
    or more. Then it clicks the rest of the 3BV, which never raises a premium.
    """
    solver = _Solver(regions, at_closed=True)
    for index in solver.chords():
        solver.chord(index)
    return solver.clicks + solver.bbbv_left


def human_zini(regions: Regions) -> int:
    """Return the number of clicks of the human method: openings first, chords only on open numbers.

    If no chord has a premium of 0 or more, it clicks the first closed cell in reading order.
    """
    solver = _Solver(regions, at_closed=False)
    for number in range(len(regions.openings)):
        solver.clicks += 1
        solver.open_opening(number)
    for index in regions.lone:
        for best in solver.chords():
            solver.chord(best)
        if solver.closed[index]:
            solver.clicks += 1
            solver.open(index)
    return solver.clicks


class _Solver:
    """A known minefield that is being opened.

    The premium of a number is the 3BV that a chord on it opens, minus its cost: one click to open the
    number if it is closed, one for each unflagged mine around it, and one for the chord. The 3BV counts
    openings and lone numbers, including the number itself.
    """

    def __init__(self, regions: Regions, *, at_closed: bool) -> None:
        self.clicks = 0
        self.bbbv_left = regions.bbbv
        self._regions = regions
        self._at_closed = at_closed  # Whether closed numbers may be chorded: opened, then chorded.
        self._steps, self._numbers = regions.steps, regions.numbers
        self.closed = bytearray(number < MINE for number in regions.numbers)
        self._flagged = bytearray(len(regions.numbers))
        self._opening_at: dict[int, int] = {}
        self._premium = [-number - 2 if 0 < number < MINE else _NEVER for number in regions.numbers]
        self._lone = frozenset(regions.lone)
        for number, opening in enumerate(regions.openings):
            self._opening_at.update(dict.fromkeys(opening.zeros, number))
            for index in opening.border:
                self._premium[index] += 1
        for index in regions.lone:
            self._premium[index] += 1
            for step in self._steps:
                self._premium[index + step] += 1
        # Each number that may be chorded and has a premium of 0 or more is in the heap, with that
        # premium or a higher one: a premium that has fallen is corrected when it is popped.
        self._heap: list[tuple[int, int]] = []
        for index, premium in enumerate(self._premium):
            if premium >= 0:
                self._offer(index)

    def chords(self) -> Iterator[int]:
        """Yield the indices of the cells to chord, best first, while the premium is 0 or more."""
        while self._heap:
            negated, index = heappop(self._heap)
            premium = self._premium[index]
            if premium == -negated:
                yield index
            elif premium >= 0:
                heappush(self._heap, (-premium, index))

    def chord(self, index: int) -> None:
        """Open the number if it is closed, flag the mines around it, and chord."""
        self.clicks += self.closed[index] + 1
        self.open(index)
        for step in self._steps:
            if self._numbers[index + step] < MINE:
                self.open(index + step)
            elif self._numbers[index + step] == MINE and not self._flagged[index + step]:
                self.clicks += 1
                self._flag(index + step)

    def open(self, index: int) -> None:
        """Open a safe cell and its opening, if any; do nothing if it is open."""
        if not self.closed[index]:
            return
        if self._numbers[index] == 0:
            self.open_opening(self._opening_at[index])
            return
        self.closed[index] = False
        self._premium[index] += 1
        if index in self._lone:
            self.bbbv_left -= 1
            self._premium[index] -= 1
            for step in self._steps:
                self._premium[index + step] -= 1
        self._offer(index)

    def open_opening(self, number: int) -> None:
        """Open the zeros and the border of an opening."""
        self.bbbv_left -= 1
        opening = self._regions.openings[number]
        for index in opening.zeros:
            self.closed[index] = False
        for index in opening.border:
            self._premium[index] -= 1
            self.open(index)

    def _flag(self, mine: int) -> None:
        self._flagged[mine] = True
        for step in self._steps:
            self._premium[mine + step] += 1
            self._offer(mine + step)

    def _offer(self, index: int) -> None:
        """Add the number to the heap if it may be chorded and its premium is 0 or more."""
        premium = self._premium[index]
        if premium >= 0 and (self._at_closed or not self.closed[index]):
            heappush(self._heap, (-premium, index))
