"""What cannot all be true: the numbers, or the mine count, that make a position impossible."""

from __future__ import annotations

from collections.abc import Collection

from minesweeper import Cell
from sapper import _reference
from sapper.errors import InconsistentPosition
from sapper.position import Position, describe_cell


def contradiction(position: Position, trust_flags: bool) -> InconsistentPosition:
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
