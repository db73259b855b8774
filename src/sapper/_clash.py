"""What cannot all be true: the numbers, or the mine count, that make a position impossible."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from minesweeper import Cell
from sapper import _engine, _reference
from sapper.errors import InconsistentPosition, LimitReached
from sapper.position import HIDDEN, Position, describe_cell

_MUTED = bytes([HIDDEN + 2] * HIDDEN + list(range(HIDDEN, 256)))
"""Turns every number into the engine's code of an opened cell that is not to be heard."""
_TRIES = 4

Possible = Callable[[Sequence[Cell]], bool]
"""Whether there is a layout in which these numbers are true."""


def contradiction(position: Position, trust_flags: bool) -> InconsistentPosition:
    """Return the error that names numbers which cannot all be true, and none that can be left out.

    If one number alone or two together cannot be true, it names those. Else it names the fewest of
    some sets from which none can be left out.
    """
    numbers = list(position.numbers)
    uses_mine_count = _asker(position, trust_flags, use_mine_count=False)(numbers)
    possible = _asker(position, trust_flags, use_mine_count=uses_mine_count)
    best = _needed(numbers, possible)
    for attempt in range(_TRIES):
        if len(best) > 2:
            random.Random(attempt).shuffle(numbers)
            best = min(best, _needed(numbers, possible), key=len)
    best = _pair_or_one(best, position, possible)
    return _named(position, sorted(best), uses_mine_count, trust_flags)


def _asker(position: Position, trust_flags: bool, *, use_mine_count: bool) -> Possible:
    flags = position.flags if trust_flags else frozenset()

    def ask_reference(numbers: Sequence[Cell]) -> bool:
        return _reference.is_possible(position, numbers, flags, use_mine_count)

    def ask_engine(numbers: Sequence[Cell]) -> bool:
        codes = bytearray(position.codes.translate(_MUTED))
        for number in numbers:
            codes[number[0] * position.width + number[1]] = position.numbers[number]
        size = (position.height, position.width, position.mines)
        core = _engine.engine
        try:
            return bool(
                core.is_possible(*size, bytes(codes), trust_flags, not use_mine_count, 10.0, 2_000_000)
            )
        except core.LimitReached:
            raise LimitReached("the position is impossible; why was not found in time") from None

    return ask_reference if _engine.name == "python" else ask_engine


def _needed(numbers: Sequence[Cell], possible: Possible) -> list[Cell]:
    """Return some of the numbers that cannot all be true, none of which can be left out.

    Numbers are found from the last to the first: the next that is needed is where those before it,
    with what was found so far, become impossible. That place is found by halving.
    """
    found: list[Cell] = []
    while possible(found):
        low, high = 0, len(numbers)  # numbers[:high] and those found are impossible, numbers[:low] not
        while high - low > 1:
            middle = (low + high) // 2
            if possible([*numbers[:middle], *found]):
                low = middle
            else:
                high = middle
        found.append(numbers[high - 1])
        numbers = numbers[: high - 1]
    return found


def _pair_or_one(numbers: list[Cell], position: Position, possible: Possible) -> list[Cell]:
    """Return one number or two that cannot be true, if there are such on the board, else these."""
    if len(numbers) < 2 or len(position.numbers) > 1000:
        return numbers
    every = sorted(position.numbers)
    for number in every:
        if not possible([number]):
            return [number]
    if len(numbers) > 2:
        for number in every:
            near = [
                other
                for other in every
                if number < other and max(abs(number[0] - other[0]), abs(number[1] - other[1])) <= 2
            ]
            for other in near:
                if not possible([number, other]):
                    return [number, other]
    return numbers


def _named(
    position: Position, numbers: Sequence[Cell], uses_mine_count: bool, trust_flags: bool
) -> InconsistentPosition:
    named = [f"the {position[number]} at {describe_cell(number)}" for number in numbers]
    if uses_mine_count:
        named.append(f"the number of mines, {position.mines}")
    if len(named) == 1:
        message = f"{named[0]} cannot be true"
    else:
        message = f"{', '.join(named[:-1])} and {named[-1]} cannot all be true"
    if trust_flags and position.flags:
        message += " (the flags being trusted)"
    return InconsistentPosition(message, frozenset(numbers), uses_mine_count)
