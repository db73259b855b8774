"""ZiNi: how few clicks win a minefield that one sees through, if flags and chords may be used."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final

from sapper.boards.regions import MINE, Regions

_NEVER: Final = -100
"""The premium of what is never chorded: mines, zeros and the frame. What is added to it is small."""


def greedy_zini(regions: Regions) -> int:
    """Return the clicks of the greedy method, which chords anywhere.

    The chord with the highest premium is made, in reading order the first of several, until none has a
    premium of 0 or more. Then what is left of the 3BV is clicked: that never raises a premium.
    """
    solver = _Solver(regions, at_closed=True)
    for place in solver.chords():
        solver.chord(place)
    return solver.clicks + solver.bbbv_left


def human_zini(regions: Regions) -> int:
    """Return the clicks of the human method: open all openings first, and chord only at open numbers.

    Where no chord has a premium of 0 or more, the first closed cell in reading order is clicked.
    """
    solver = _Solver(regions, at_closed=False)
    for index in range(len(regions.openings)):
        solver.clicks += 1
        solver.open_opening(index)
    for place in regions.lone:
        for best in solver.chords():
            solver.chord(best)
        if solver.closed[place]:
            solver.clicks += 1
            solver.open(place)
    return solver.clicks


class _Solver:
    """A minefield being opened by someone who knows it.

    The premium of a number is how much 3BV a chord there opens, less what it costs: a click to open the
    number if it is closed, one for each mine around it that has no flag, and the chord. The 3BV is lone
    numbers, among them the number itself, and openings.
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
        for index, opening in enumerate(regions.openings):
            self._opening_at.update(dict.fromkeys(opening.zeros, index))
            for place in opening.border:
                self._premium[place] += 1
        for place in regions.lone:
            self._premium[place] += 1
            for step in self._steps:
                self._premium[place + step] += 1
        # Each number that may be chorded and has a premium of 0 or more is in the heap, with that or a
        # higher one: a premium that has fallen is put right when it comes up.
        self._heap: list[tuple[int, int]] = []
        for place, premium in enumerate(self._premium):
            if premium >= 0:
                self._offer(place)

    def chords(self) -> Iterator[int]:
        """Generate where to chord, the best first, for as long as it pays."""
        while self._heap:
            negated, place = heappop(self._heap)
            premium = self._premium[place]
            if premium == -negated:
                yield place
            elif premium >= 0:
                heappush(self._heap, (-premium, place))

    def chord(self, place: int) -> None:
        """Open the number if it is closed, flag the mines around it, and chord."""
        self.clicks += self.closed[place] + 1
        self.open(place)
        for step in self._steps:
            if self._numbers[place + step] < MINE:
                self.open(place + step)
            elif self._numbers[place + step] == MINE and not self._flagged[place + step]:
                self.clicks += 1
                self._flag(place + step)

    def open(self, place: int) -> None:
        """Open a safe cell and what opens with it; nothing happens if it is open."""
        if not self.closed[place]:
            return
        if self._numbers[place] == 0:
            self.open_opening(self._opening_at[place])
            return
        self.closed[place] = False
        self._premium[place] += 1
        if place in self._lone:
            self.bbbv_left -= 1
            self._premium[place] -= 1
            for step in self._steps:
                self._premium[place + step] -= 1
        self._offer(place)

    def open_opening(self, index: int) -> None:
        """Open the zeros and the border of an opening."""
        self.bbbv_left -= 1
        opening = self._regions.openings[index]
        for place in opening.zeros:
            self.closed[place] = False
        for place in opening.border:
            self._premium[place] -= 1
            self.open(place)

    def _flag(self, mine: int) -> None:
        self._flagged[mine] = True
        for step in self._steps:
            self._premium[mine + step] += 1
            self._offer(mine + step)

    def _offer(self, place: int) -> None:
        """Take the number as one to chord, if that pays."""
        premium = self._premium[place]
        if premium >= 0 and (self._at_closed or not self.closed[place]):
            heappush(self._heap, (-premium, place))
