"""Positions that take long to analyse."""

from __future__ import annotations

import random
from collections.abc import Callable

from sapper import (
    HIDDEN,
    Position,
)
from sapper.minesweeper import Minesweeper

Pattern = Callable[[int, int], bool]

HOSTILE: dict[str, tuple[int, int, Pattern]] = {
    "scattered": (50, 50, lambda i, j: random.Random(1000 * i + j).random() < 0.3),
    "checkerboard": (50, 50, lambda i, j: (i + j) % 2 == 0),
    "every second": (50, 50, lambda i, j: i % 2 == j % 2 == 1),
    "chain": (3, 1000, lambda i, _: i == 1),
    "one row": (1, 1000, lambda _, j: j % 3 == 1),
}


def opened_by(pattern: Pattern, field: Minesweeper) -> Position:
    """Return the position in which the safe cells of a pattern are open."""
    codes = bytearray(
        field.nearby_mines((i, j)) if pattern(i, j) and not field.board[i][j] else HIDDEN
        for i in range(field.height)
        for j in range(field.width)
    )
    return Position(field.height, field.width, len(field.mines), bytes(codes))


def unsettled(position: Position) -> Position:
    """Return the position without numbers that settle cells by themselves, which is quick work."""
    codes = bytearray(position.codes)
    for (i, j), number in position.numbers.items():
        room = len(position.neighbours((i, j)) & position.hidden)
        if number in (0, room):
            codes[i * position.width + j] = HIDDEN
    rest = Position(position.height, position.width, position.mines, bytes(codes))
    return rest if rest == position else unsettled(rest)
