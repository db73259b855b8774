"""Contradictions: the numbers that make a position impossible, alone or with the mine count."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import chain, combinations
from operator import itemgetter

from sapper.arguments import boolean
from sapper.engine import Budget, engine
from sapper.engine.limits import check_budget
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import Cell, Position, describe_cell, position_of
from sapper.text import plural

_TRIES = 4
"""The number of random orders that are tried to find a smaller contradiction."""
_MANY = 1000
"""With more numbers than this, the search starts with a small impossible part of the board."""
_MOST_NAMED = 20
"""If the search was not finished, at most this many numbers are named individually."""

Possible = Callable[[Sequence[Cell]], bool]
"""Returns whether a layout may satisfy these numbers."""


def contradiction(
    position: Position, budget: Budget, *, trust_flags: bool = False
) -> InconsistentPosition:
    """Return an error that names conflicting numbers, and no unnecessary ones.

    If one number or two are impossible by themselves, it names those. Otherwise it names the smallest
    of several minimal sets. When the budget runs out, it names the smallest set so far, and says so.
    """
    check_budget(budget)
    position, trust_flags = position_of(position), boolean(trust_flags, "trust_flags")
    asker = _Asker(position, budget, trust_flags)
    try:
        asker.try_any_mine_count()
        _look_for_fewer(asker)
    except LimitReached:
        asker.complete = False
    return _error(position, asker, trust_flags)


class _Asker:
    """Asks which sets of numbers are possible, and keeps the smallest impossible one."""

    def __init__(self, position: Position, budget: Budget, trust_flags: bool) -> None:
        self.fewest: Sequence[Cell] = list(position.numbers)
        self.uses_mine_count = True
        self.complete = True  # Whether every question was answered.
        self._position = position
        self._budget = budget
        self._mines = position.flags if trust_flags else frozenset()

    def try_any_mine_count(self) -> None:
        """Ignore the mine count if the numbers are impossible without it."""
        self.uses_mine_count = self._is_possible(self.fewest, use_mine_count=False)

    def possible(self, numbers: Sequence[Cell]) -> bool:
        """Return whether a layout may satisfy these numbers.

        False is proven; True may also mean that the question reached its limit. Raises `LimitReached`
        if the time is up.
        """
        found = self._is_possible(numbers, use_mine_count=self.uses_mine_count)
        if not found and len(numbers) < len(self.fewest):
            self.fewest = numbers
        return found

    def _is_possible(self, numbers: Sequence[Cell], *, use_mine_count: bool) -> bool:
        self._budget.check()
        try:
            return engine.is_possible(
                self._position,
                numbers,
                self._budget.renew(),
                mines=self._mines,
                use_mine_count=use_mine_count,
            )
        except LimitReached:
            self.complete = False
            return True


def _look_for_fewer(asker: _Asker) -> None:
    """Reduce the set of impossible numbers until it has one or two numbers, or all was tried."""
    numbers = list(asker.fewest)
    if len(numbers) > _MANY:
        numbers = _within_a_part(numbers, asker.possible)
    _leave_out(numbers, asker.possible)
    every = sorted(numbers)
    for attempt in range(_TRIES):
        if len(asker.fewest) > 2:
            random.Random(attempt).shuffle(numbers)
            _leave_out(numbers, asker.possible)
    if len(every) <= _MANY:
        _try_one_and_two(every, asker)


def _within_a_part(numbers: list[Cell], possible: Possible) -> list[Cell]:
    """Return the numbers of a small part of the board that is impossible by itself, if there is one.

    First by rows, then by columns, it halves the numbers again and again: the first half, the middle
    half or the last half. They overlap, so a small contradiction lies within one of them.
    """
    for side in (0, 1):
        numbers = sorted(numbers, key=itemgetter(side))
        while len(numbers) > _MANY:
            half = len(numbers) // 2
            parts = [numbers[start : start + half] for start in (0, half // 2, len(numbers) - half)]
            impossible = next((part for part in parts if not possible(part)), None)
            if impossible is None:
                break
            numbers = impossible
    return numbers


def _leave_out(numbers: Sequence[Cell], possible: Possible) -> None:
    """Find a minimal set of impossible numbers.

    It finds the numbers from last to first: the next one needed is the last of the shortest prefix that
    is impossible together with the numbers found so far.
    """
    found: list[Cell] = []
    while numbers and possible(found):
        end = _first_impossible(numbers, found, possible)
        found = [*found, numbers[end - 1]]
        numbers = numbers[: end - 1]


def _first_impossible(numbers: Sequence[Cell], found: list[Cell], possible: Possible) -> int:
    """Return the length of the shortest impossible prefix, by binary search."""
    low, high = (
        0,
        len(numbers),
    )
    while high - low > 1:
        middle = (low + high) // 2
        if possible([*numbers[:middle], *found]):
            low = middle
        else:
            high = middle
    return high


def _try_one_and_two(every: Sequence[Cell], asker: _Asker) -> None:
    """Try each number alone, and then pairs of close numbers, until an impossible set is found."""
    ones = ([number] for number in every)
    twos = ([one, other] for one, other in combinations(every, 2) if _distance(one, other) <= 2)
    for few in chain(ones, twos):
        if len(asker.fewest) <= len(few) or not asker.possible(few):
            return


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _error(position: Position, asker: _Asker, trust_flags: bool) -> InconsistentPosition:
    numbers = sorted(asker.fewest)
    if asker.complete or len(numbers) <= _MOST_NAMED:
        named = [f"the {position[number]} at {describe_cell(number)}" for number in numbers]
    else:
        named = [f"{len(numbers)} of the numbers"]
    if asker.uses_mine_count:
        named.append(f"the number of mines, {position.mines}")
    if len(named) > 1:
        named = [", ".join(named[:-1]), named[-1]]
    alone = len(numbers) + asker.uses_mine_count == 1
    message = f"{' and '.join(named)} cannot {'be' if alone else 'all be'} true"
    if alone and numbers:
        message += _reason(position, numbers[0])
    if trust_flags and position.flags:
        message += " (if the flags are right)"
    if not asker.complete:
        message += "; the limit was reached before a smaller contradiction was found"
    return InconsistentPosition(message, frozenset(numbers), asker.uses_mine_count)


def _reason(position: Position, number: Cell) -> str:
    """Return why a number is impossible by itself, if it is because it has too few neighbours."""
    hidden = len(position.neighbours(number) & position.hidden)
    if position[number] <= hidden:
        return ""
    count = plural(hidden, "hidden neighbour") if hidden else "no hidden neighbours"
    return f": it has {'only ' if hidden else ''}{count}"
