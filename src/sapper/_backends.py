"""The two ways to answer an analysis: with the compiled engine, and in plain Python with fractions."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import compress
from math import comb, isnan, prod
from typing import Protocol

from minesweeper import Cell
from sapper import _engine, _reference, _reference_endgame
from sapper._reference_endgame import Endgame
from sapper.errors import LimitReached, SapperError
from sapper.position import HIDDEN, IS_HIDDEN, Position, cells_where

Chance = float | Fraction

_MOST_SECONDS, _MOST_STATES = 1e9, 2**64 - 1


@dataclass(frozen=True)
class Limit:
    """How much work an answer may take: seconds on the clock, and states that the engine looks at.

    Seconds may be infinite, and states as many as you like.

    >>> Limit(seconds=0.5)
    Limit(seconds=0.5, states=2000000)
    """

    seconds: float = 10.0
    states: int = 2_000_000

    def __post_init__(self) -> None:
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)):
            raise TypeError(f"the seconds of a limit are a number, not {self.seconds!r}")
        if isinstance(self.states, bool) or not isinstance(self.states, int):
            raise TypeError(f"the states of a limit are a whole number, not {self.states!r}")
        if not (self.seconds >= 0 and self.states >= 0):
            raise SapperError(f"a limit is not less than nothing: {self}")

    @property
    def countable(self) -> tuple[float, int]:
        """Seconds and states, but no more than the engine can count: that is as good as no limit."""
        return float(min(self.seconds, _MOST_SECONDS)), min(self.states, _MOST_STATES)


@dataclass(frozen=True)
class Question:
    """A position, whether its flags are to be trusted, and how much work an answer may take."""

    position: Position
    trust_flags: bool
    limit: Limit


@dataclass(frozen=True)
class Findings:
    """The chance of a mine on each hidden cell, and for every cell 1 if it is safe, 2 if a mine."""

    exact: bool
    risk: Mapping[Cell, Chance]
    certain: bytes


class Backend(Protocol):
    """Answers a question; each answer is None or empty where no minefield fits the position."""

    def find(self) -> Findings | None:
        """Return the risks and the certain cells, None if the position is impossible."""
        ...

    def layouts(self) -> int:
        """Return the number of layouts."""
        ...

    def shows(self, cell: Cell, safety: Chance) -> dict[int, Chance]:
        """Return the chances of the numbers that a hidden cell of this safety may show."""
        ...

    def safety(self, cells: Sequence[Cell]) -> Chance:
        """Return the chance that none of these hidden cells is a mine."""
        ...

    def endgame(self) -> Endgame | None:
        """Return what perfect play makes of the position, None if the position is impossible."""
        ...

    def endgame_after(self, cells: Sequence[Cell]) -> tuple[int, int]:
        """Return how many layouts are won after these are opened at once, and how many there are."""
        ...


# Plain Python ------------------------------------------------------------------------------------


class Plain:
    """Answers by `_reference`: with true fractions, or with floats made from them."""

    def __init__(self, question: Question, *, exact_fractions: bool) -> None:
        self._question = question
        self._exact_fractions = exact_fractions

    @cached_property
    def _count(self) -> _reference.Count:
        return self._count_layouts(self._question.position)

    def _count_layouts(self, position: Position) -> _reference.Count:
        trust_flags, limit = self._question.trust_flags, self._question.limit
        return _reference.count_layouts(position, trust_flags=trust_flags, spend=spender(limit))

    def _chance(self, layouts: int) -> Chance:
        chance = Fraction(layouts, self._count.layouts)
        return chance if self._exact_fractions else float(chance)

    def find(self) -> Findings | None:
        """Return the risks and the certain cells, None if the position is impossible."""
        if not self._count.layouts:
            return None
        position, mines = self._question.position, self._count.mines
        certain = bytearray(len(position))
        for cell, times in mines.items():
            if times in (0, self._count.layouts):
                certain[cell[0] * position.width + cell[1]] = 2 if times else 1
        risk = {cell: self._chance(mines[cell]) for cell in sorted(mines)}
        return Findings(True, risk, bytes(certain))

    def layouts(self) -> int:
        """Return the number of layouts."""
        return self._count.layouts

    def shows(self, cell: Cell, safety: Chance) -> dict[int, Chance]:  # noqa: ARG002
        """Return the chances of the numbers that a hidden cell may show."""
        position = self._question.position
        after = {n: self._count_layouts(position.opened(cell, n)).layouts for n in range(9)}
        return {number: self._chance(layouts) for number, layouts in after.items() if layouts}

    def safety(self, cells: Sequence[Cell]) -> Chance:
        """Return the chance that none of these hidden cells is a mine."""
        position, trust_flags = self._question.position, self._question.trust_flags
        spend = spender(self._question.limit)
        return self._chance(
            _reference.count_safe(position, cells, trust_flags=trust_flags, spend=spend)
        )

    def endgame(self) -> Endgame | None:
        """Return what perfect play makes of the position, None if the position is impossible."""
        position, trust_flags = self._question.position, self._question.trust_flags
        spend = spender(self._question.limit)
        with _followed():
            found = _reference_endgame.solve(position, trust_flags=trust_flags, spend=spend)
        return found if found.layouts else None

    def endgame_after(self, cells: Sequence[Cell]) -> tuple[int, int]:
        """Return how many layouts are won after these are opened at once, and how many there are."""
        position, trust_flags = self._question.position, self._question.trust_flags
        spend = spender(self._question.limit)
        with _followed():
            return _reference_endgame.solve_move(position, cells, trust_flags=trust_flags, spend=spend)


@contextmanager
def _followed() -> Iterator[None]:
    """Refuse a game that is too long; it has more states than it would pay to look at."""
    try:
        yield
    except RecursionError:
        raise LimitReached("the game may take more moves than plain Python can follow") from None


def spender(limit: Limit) -> Callable[[int], None]:
    """Return a function that counts states, and raises `LimitReached` when there were too many."""
    seconds, left = limit.countable
    end = time.monotonic() + seconds

    def spend(states: int) -> None:
        nonlocal left
        left -= states
        if left < 0:
            raise LimitReached(f"the limit of {limit.states} states was reached")
        if time.monotonic() > end:
            raise LimitReached(f"the limit of {limit.seconds:g} seconds was reached")

    return spend


# Compiled ----------------------------------------------------------------------------------------


class Risks(Mapping[Cell, float]):
    """The risk of every hidden cell, read where the engine wrote it."""

    def __init__(self, position: Position, risks: bytes) -> None:
        self._position = position
        self._risks = array("d", risks)  # For every cell; not a number where it is open.

    @cached_property
    def _mapping(self) -> dict[Cell, float]:
        hidden = self._position.codes.translate(IS_HIDDEN)
        cells = cells_where(hidden, self._position.width)
        return dict(zip(cells, compress(self._risks, hidden), strict=True))

    def __getitem__(self, cell: Cell) -> float:
        """Return the chance that the hidden cell is a mine."""
        i, j = cell
        if 0 <= i < self._position.height and 0 <= j < self._position.width:
            risk = self._risks[i * self._position.width + j]
            if not isnan(risk):
                return risk
        raise KeyError(cell)

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the hidden cells, row by row."""
        return iter(self._mapping)

    def __len__(self) -> int:
        return len(self._mapping)

    def items(self) -> ItemsView[Cell, float]:
        """Return the hidden cells and their risks, row by row."""
        return self._mapping.items()

    def values(self) -> ValuesView[float]:
        """Return the risks of the hidden cells, row by row."""
        return self._mapping.values()

    def __repr__(self) -> str:
        return repr(self._mapping)


class Compiled:
    """Answers by the compiled engine."""

    def __init__(self, question: Question) -> None:
        self._question = question

    @property
    def _asked(self) -> tuple[int, int, int, bytes, bool]:
        position = self._question.position
        size = (position.height, position.width, position.mines)
        return (*size, position.codes, self._question.trust_flags)

    @property
    def _limit(self) -> tuple[float, int]:
        return self._question.limit.countable

    def find(self) -> Findings | None:
        """Return the risks and the certain cells, None if the position is impossible."""
        from sapper import _core

        possible, exact, risks, certain = _core.analyse(*self._asked, *self._limit)
        if not possible:
            return None
        return Findings(exact, Risks(self._question.position, risks), certain)

    def layouts(self) -> int:
        """Return the number of layouts: counted modulo some primes, and put together from those."""
        from sapper import _core

        bits = _core.frontier_size(*self._asked) + 1  # So many cells have at most 2**bits layouts.
        primes = [prime for prime, _ in zip(large_primes(), range(bits // 60 + 1), strict=False)]
        try:
            low, free, mines, ways = _core.count(*self._asked, primes, *self._limit)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None
        together = (from_remainders(remainders, primes) for remainders in zip(*ways, strict=True))
        return sum(
            times * comb(free, mines - used)
            for used, times in enumerate(together, start=low)
            if used <= mines
        )

    def shows(self, cell: Cell, safety: Chance) -> dict[int, Chance]:
        """Return the chances of the numbers that a hidden cell of this safety may show."""
        from sapper import _core

        place = cell[0] * self._question.position.width + cell[1]
        try:
            chances = _core.shows(*self._asked, place, *self._limit)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None
        return {number: chance * safety for number, chance in enumerate(chances) if chance}

    def _places(self, cells: Sequence[Cell]) -> list[int]:
        return [row * self._question.position.width + column for row, column in cells]

    def safety(self, cells: Sequence[Cell]) -> Chance:
        """Return the chance that none of these hidden cells is a mine."""
        from sapper import _core

        try:
            return _core.safety(*self._asked, self._places(cells), *self._limit)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None

    def endgame_after(self, cells: Sequence[Cell]) -> tuple[int, int]:
        """Return how many layouts are won after these are opened at once, and how many there are."""
        from sapper import _core

        try:
            won, layouts = _core.solve_moves(*self._asked, [self._places(cells)], *self._limit)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None
        return sum(won), layouts

    def endgame(self) -> Endgame | None:
        """Return what perfect play makes of the position, None if the position is impossible."""
        from sapper import _core

        try:
            won, layouts, moves = _core.solve(*self._asked, *self._limit)
        except _core.LimitReached as reason:
            raise LimitReached(str(reason)) from None
        width = self._question.position.width
        return Endgame(won, layouts, frozenset(divmod(at, width) for at in moves)) if layouts else None


LARGE = 4096
"""With so many cells or more, following a game is faster than analysing each of its positions."""


class Follower:
    """Follows the positions of a game, and knows the safe cells without analysing all of the board."""

    def __init__(self) -> None:
        from sapper import _core

        self._tracker = _core.Tracker()
        self._safe: list[int] = []  # A heap of places, some perhaps opened meanwhile.

    def find_safe(self, question: Question) -> Cell | None:
        """Return the first hidden cell that is known to be safe, None if an analysis has to tell."""
        from sapper import _core

        position = question.position
        size = (position.height, position.width, position.mines)
        try:
            _, began, safe, _ = self._tracker.update(
                *size, position.codes, question.trust_flags, *question.limit.countable
            )
        except _core.LimitReached:
            self._safe.clear()
            return None
        if began:
            self._safe.clear()
        for place in safe:
            heappush(self._safe, place)
        while self._safe and position.codes[self._safe[0]] < HIDDEN:
            heappop(self._safe)
        return divmod(self._safe[0], position.width) if self._safe else None


def can_follow() -> bool:
    """Return whether the engine in use can follow a game."""
    return _engine.name == "compiled"


_primes: list[int] = []


def large_primes() -> Iterator[int]:
    """Generate the primes below 2**61, the largest first.

    >>> 2**61 - next(large_primes())
    1
    """
    yield from _primes
    candidate = (_primes[-1] if _primes else 2**61 + 1) - 2
    while True:
        if is_prime(candidate):
            _primes.append(candidate)
            yield candidate
        candidate -= 2


def is_prime(number: int) -> bool:
    """Return whether an odd number below 2**64 is prime: Miller and Rabin's test, with enough bases."""
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        if not any((power := power * power % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True


def from_remainders(remainders: tuple[int, ...], primes: list[int]) -> int:
    """Return the least number that leaves these remainders when divided by the primes.

    >>> from_remainders((2, 3, 2), [3, 5, 7])
    23
    """
    product = prod(primes)
    total = 0
    for remainder, prime in zip(remainders, primes, strict=True):
        rest = product // prime
        total += remainder * rest * pow(rest, -1, prime)
    return total % product


def backend(question: Question, *, exact_fractions: bool) -> Backend:
    """Return who answers: the engine in use, unless true fractions are wanted."""
    if exact_fractions or _engine.name == "python":
        return Plain(question, exact_fractions=exact_fractions)
    return Compiled(question)
