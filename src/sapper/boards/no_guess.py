"""Minefields that need no guess: found among random ones or, where those are rare, mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sapper.engine import Budget, Walk, engine
from sapper.engine.interface import BEYOND, FRONTIER
from sapper.engine.seeds import below, board_seed, random_halves
from sapper.errors import LimitReached
from sapper.game.game import REACH
from sapper.game.setup import Setup
from sapper.position import HIDDEN, Position

PLAIN_CELLS: Final = 30_000
"""Boards of so many cells together are drawn before any is mended."""
MOST_DRAWS: Final = 10_000
"""So many boards are drawn before it is said that there is none."""
NEAR_TRIES: Final = 40
"""How many moves are tried between a cell where a guess is due and one that touches no number."""
FAR_TRIES: Final = 80
"""And after that between a cell where a guess is due and any other."""


def draw(setup: Setup, seed: int) -> bytes:
    """Return the minefield of a seed: a byte for each cell, 1 for a mine."""
    level = setup.level
    size = (level.height, level.width, level.mines)
    return engine.draw_mines(*size, setup.place, REACH[setup.promise], seed)


def walk(setup: Setup, minefield: bytes, budget: Budget, *, codes: bytes | None = None) -> Walk:
    """Return how far certainty alone leads from the first click; what is open in `codes` stays open.

    >>> from sapper import Limit
    >>> setup = Setup.of("6x1/1", first=(0, 0))
    >>> walk(setup, bytes([0, 0, 1, 0, 0, 0]), Limit().start()).is_done
    True
    """
    level = setup.level
    codes = codes or bytes([HIDDEN]) * (level.height * level.width)
    position = Position(level.height, level.width, level.mines, codes)
    return engine.walk(position, minefield, setup.first, budget)


class Search:
    """A search for minefields that need no guess after their first click."""

    def __init__(self, setup: Setup, budget: Budget, *, plain: int | None = None) -> None:
        """`plain` is how many boards are drawn before any is mended."""
        if plain is None:
            plain = PLAIN_CELLS // (setup.level.height * setup.level.width) + 1
        self.drawn = b""
        """The last minefield that was drawn, before any mine of it was moved."""
        self._plain = plain
        self._setup = setup
        self._budget = budget
        self._kept_free = {i * setup.level.width + j for i, j in setup.kept_free}

    def minefields(self, seed: int) -> Iterator[bytes]:
        """Generate different minefields that need no guess, always the same ones for a seed.

        Boards are drawn, and those that need no guess taken as they are: any of them is as likely as
        any other. If there is none among the first, those that follow are mended.
        """
        some_are_plain = False
        for number in range(MOST_DRAWS):
            own_seed = board_seed(seed, number)
            minefield = self.drawn = draw(self._setup, own_seed)
            is_plain = number < self._plain
            if is_plain and self._has_twins(minefield):
                continue  # There is no need to walk.
            try:
                walked = self._walk(minefield)
                if walked.is_done:
                    some_are_plain |= is_plain
                    yield minefield
                elif not is_plain and not some_are_plain:
                    mended = self._mend(bytearray(minefield), walked, board_seed(own_seed, 0))
                    if mended is not None:
                        yield mended
            except LimitReached:
                self._budget.check()  # Otherwise it took too many states: the next may take fewer.
        raise LimitReached(f"there was none among {MOST_DRAWS:,} draws")

    def _has_twins(self, minefield: bytes) -> bool:
        size = (self._setup.level.height, self._setup.level.width)
        return engine.has_twins(*size, minefield, self._setup.place)

    def _walk(self, minefield: bytes | bytearray, codes: bytes | None = None) -> Walk:
        self._budget.check()
        return walk(self._setup, bytes(minefield), self._budget.renew(), codes=codes)

    def _mend(self, minefield: bytearray, walked: Walk, seed: int) -> bytes | None:
        """Move mines, one by one, so that certainty leads further; return None if that comes to no end.

        A move changes numbers that were used before, and what they proved may not follow any more: so
        in the end all is walked once more from the first click.
        """
        halves = random_halves(seed)
        is_whole = True  # The walk began at the first click, with these mines.
        for _ in range(self._setup.level.mines + 20):
            if walked.is_done and is_whole:
                return bytes(minefield)
            if walked.is_done:
                walked, is_whole = self._walk(minefield), True
                continue
            further = self._move_near(minefield, walked, halves)
            is_whole = further is None
            further = further or self._move_far(minefield, walked, halves)
            if further is None:
                return None
            walked = further
        return None

    def _move_near(self, minefield: bytearray, walked: Walk, halves: Iterator[int]) -> Walk | None:
        """Exchange a mine of the frontier for a cell beyond it, or the reverse, and walk on."""
        frontier = _places(walked.unknown, FRONTIER)
        beyond: tuple[list[int], list[int]] = ([], [])
        for place in _places(walked.unknown, BEYOND):
            beyond[minefield[place]].append(place)
        if not frontier:
            return None
        for _ in range(NEAR_TRIES):
            here = _pick(frontier, halves)
            others = beyond[1 - minefield[here]]
            if others:
                there = _pick(others, halves)
                _exchange(minefield, here, there)
                further = self._walk(minefield, walked.codes)
                if further.hidden_count < walked.hidden_count:
                    return further
                _exchange(minefield, here, there)
        return None

    def _move_far(self, minefield: bytearray, walked: Walk, halves: Iterator[int]) -> Walk | None:
        """Exchange a mine where the walk ended for any other cell, or the reverse, and walk anew."""
        near = _places(walked.unknown, FRONTIER) or [
            place for place, mine in enumerate(minefield) if mine and not walked.unknown[place]
        ]
        for _ in range(FAR_TRIES):
            here, there = _pick(near, halves), below(len(minefield), halves)
            if minefield[here] != minefield[there] and there not in self._kept_free:
                _exchange(minefield, here, there)
                further = self._walk(minefield)
                if further.hidden_count < walked.hidden_count:
                    return further
                _exchange(minefield, here, there)
        return None


def _places(unknown: bytes, kind: int) -> list[int]:
    return [place for place, each in enumerate(unknown) if each == kind]


def _pick(places: Sequence[int], halves: Iterator[int]) -> int:
    return places[below(len(places), halves)]


def _exchange(minefield: bytearray, here: int, there: int) -> None:
    minefield[here], minefield[there] = minefield[there], minefield[here]
