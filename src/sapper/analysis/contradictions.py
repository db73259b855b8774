"""Contradictions: the numbers, or the mine count, that make a position impossible."""

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

_TRIES = 4
"""How many random orders of the numbers are tried to find a smaller contradiction."""
_MANY = 1000
"""With more numbers than this, a small part of the board that is impossible is looked for first."""
_NAMED = 20
"""If the search for fewer was not finished, at most this many numbers are named one by one."""

Possible = Callable[[Sequence[Cell]], bool]
"""Whether there may be a layout in which these numbers are true."""


def contradiction(
    position: Position, budget: Budget, *, trust_flags: bool = False
) -> InconsistentPosition:
    """Return an error that names numbers which cannot all be true, and no number too many.

    If one number alone or two together cannot be true, it names those. Otherwise it names the smallest
    of several sets from which no number can be left out. When the budget runs out, it names the fewest
    that were found so far, and says so.
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
    """Asks whether numbers of an impossible position can be true, and keeps the fewest that cannot."""

    def __init__(self, position: Position, budget: Budget, trust_flags: bool) -> None:
        self.fewest: Sequence[Cell] = list(position.numbers)
        self.uses_mine_count = True
        self.complete = True  # Whether every question had an answer.
        self._position = position
        self._budget = budget
        self._mines = position.flags if trust_flags else frozenset()

    def try_any_mine_count(self) -> None:
        """Leave the mine count out if the numbers are impossible without it."""
        self.uses_mine_count = self._may_be(self.fewest, use_mine_count=False)

    def possible(self, numbers: Sequence[Cell]) -> bool:
        """Return whether there may be a layout in which these numbers are true.

        False is proven; True may also mean that the question took too much. Raises `LimitReached` if
        the time is over.
        """
        found = self._may_be(numbers, use_mine_count=self.uses_mine_count)
        if not found and len(numbers) < len(self.fewest):
            self.fewest = numbers
        return found

    def _may_be(self, numbers: Sequence[Cell], *, use_mine_count: bool) -> bool:
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
    """Ask until one number or two are found that cannot be true, or nothing else is left to try."""
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

    By rows and then by columns, half of the numbers is taken again and again: the first, those in the
    middle, or the last. They overlap, so that a small contradiction lies within one of them.
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
    """Find some of the numbers that cannot all be true, none of which can be left out.

    Numbers are found from the last to the first: the next that is needed is where those before it,
    with what was found so far, become impossible.
    """
    found: list[Cell] = []
    while numbers and possible(found):
        end = _first_impossible(numbers, found, possible)
        found = [*found, numbers[end - 1]]
        numbers = numbers[: end - 1]


def _first_impossible(numbers: Sequence[Cell], found: list[Cell], possible: Possible) -> int:
    """Return how many of the numbers it takes to be impossible with those found, by halving."""
    low, high = 0, len(numbers)  # numbers[:high] and those found are impossible, numbers[:low] not
    while high - low > 1:
        middle = (low + high) // 2
        if possible([*numbers[:middle], *found]):
            low = middle
        else:
            high = middle
    return high


def _try_one_and_two(every: Sequence[Cell], asker: _Asker) -> None:
    """Ask about each number alone and about neighbouring ones, until some cannot be true."""
    ones = ([number] for number in every)
    twos = ([one, other] for one, other in combinations(every, 2) if _distance(one, other) <= 2)
    for few in chain(ones, twos):
        if len(asker.fewest) <= len(few) or not asker.possible(few):
            return


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _error(position: Position, asker: _Asker, trust_flags: bool) -> InconsistentPosition:
    numbers = sorted(asker.fewest)
    if asker.complete or len(numbers) <= _NAMED:
        named = [f"the {position[number]} at {describe_cell(number)}" for number in numbers]
    else:
        named = [f"{len(numbers)} of the numbers"]
    if asker.uses_mine_count:
        named.append(f"the number of mines, {position.mines}")
    if len(named) > 1:
        named = [", ".join(named[:-1]), named[-1]]
    alone = len(numbers) + asker.uses_mine_count == 1
    message = f"{' and '.join(named)} cannot {'be' if alone else 'all be'} true"
    if trust_flags and position.flags:
        message += " (if the flags are right)"
    if not asker.complete:
        message += "; the limit was reached before a smaller contradiction was found"
    return InconsistentPosition(message, frozenset(numbers), asker.uses_mine_count)
