"""No-guess minefields: found among random ones or, if those are rare, made by moving mines."""

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

UNCHANGED_CELLS: Final = 30_000
"""Random boards with this many cells in total are tried before mines are moved."""
MOST_DRAWS: Final = 10_000
"""The search gives up after this many random boards."""
NEAR_TRIES: Final = 40
"""The number of exchanges that are tried between a frontier cell and a cell beyond the frontier."""
FAR_TRIES: Final = 80
"""The number of exchanges that are then tried between a frontier cell and any other cell."""


def draw(setup: Setup, seed: int) -> bytes:
    """Return the minefield of a seed: one byte per cell, 1 for a mine."""
    level = setup.level
    size = (level.height, level.width, level.mines)
    return engine.draw_mines(*size, setup.first_index, REACH[setup.promise], seed)


def walk(setup: Setup, minefield: bytes, budget: Budget, *, codes: bytes | None = None) -> Walk:
    """Return how much of the board opens without guessing; cells that are open in `codes` stay open.

    >>> from sapper import Limit
    >>> setup = Setup.of("6x1/1", first=(0, 0))
    >>> walk(setup, bytes([0, 0, 1, 0, 0, 0]), Limit().start()).is_done
    True
    """
    level = setup.level
    codes = codes or bytes([HIDDEN]) * (level.height * level.width)
    position = Position(level.height, level.width, level.mines, codes)
    return engine.walk(position, minefield, setup.first, budget)


class NoGuessSearch:
    """A search for minefields that need no guess after their first click."""

    def __init__(self, setup: Setup, budget: Budget, *, unchanged_tries: int | None = None) -> None:
        """`unchanged_tries` is the number of random boards that are tried before mines are moved."""
        if unchanged_tries is None:
            unchanged_tries = UNCHANGED_CELLS // (setup.level.height * setup.level.width) + 1
        self.drawn = b""
        """The last random minefield, before any of its mines was moved."""
        self._unchanged_tries = unchanged_tries
        self._setup = setup
        self._budget = budget
        self._kept_free = {i * setup.level.width + j for i, j in setup.kept_free}

    def minefields(self, seed: int) -> Iterator[bytes]:
        """Yield different minefields that need no guess, always the same ones for a seed.

        Random boards that need no guess are taken unchanged, so that all of them are equally likely.
        If none of the first boards is suitable, mines are moved in later ones.
        """
        found_unchanged = False
        for number in range(MOST_DRAWS):
            own_seed = board_seed(seed, number)
            minefield = self.drawn = draw(self._setup, own_seed)
            is_unchanged = number < self._unchanged_tries
            if is_unchanged and self._has_twins(minefield):
                continue  # It needs a guess.
            try:
                walked = self._walk(minefield)
                if walked.is_done:
                    found_unchanged |= is_unchanged
                    yield minefield
                elif not is_unchanged and not found_unchanged:
                    repaired = self._repair(bytearray(minefield), walked, board_seed(own_seed, 0))
                    if repaired is not None:
                        yield repaired
            except LimitReached:
                self._budget.check()  # If only the states ran out, the next board may need fewer.
        raise LimitReached(f"none of {MOST_DRAWS:,} random boards was suitable")

    def _has_twins(self, minefield: bytes) -> bool:
        size = (self._setup.level.height, self._setup.level.width)
        return engine.has_twins(*size, minefield, self._setup.first_index)

    def _walk(self, minefield: bytes | bytearray, codes: bytes | None = None) -> Walk:
        self._budget.check()
        return walk(self._setup, bytes(minefield), self._budget.renew(), codes=codes)

    def _repair(self, minefield: bytearray, walked: Walk, seed: int) -> bytes | None:
        """Move mines one by one until the board needs no guess; return None if that fails.

        A move may change numbers that were used before, so the board is checked once more from the
        first click in the end.
        """
        halves = random_halves(seed)
        is_whole = True  # Whether the walk started from the first click, with these mines.
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
        """Exchange a frontier cell with one beyond, only one of them a mine; continue the walk."""
        frontier = _indices(walked.unknown, FRONTIER)
        beyond: tuple[list[int], list[int]] = ([], [])
        for index in _indices(walked.unknown, BEYOND):
            beyond[minefield[index]].append(index)
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
        """Exchange a frontier cell with any other, only one of them a mine; restart the walk."""
        near = _indices(walked.unknown, FRONTIER) or [
            index for index, mine in enumerate(minefield) if mine and not walked.unknown[index]
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


def _indices(unknown: bytes, kind: int) -> list[int]:
    return [index for index, each in enumerate(unknown) if each == kind]


def _pick(indices: Sequence[int], halves: Iterator[int]) -> int:
    return indices[below(len(indices), halves)]


def _exchange(minefield: bytearray, here: int, there: int) -> None:
    minefield[here], minefield[there] = minefield[there], minefield[here]
