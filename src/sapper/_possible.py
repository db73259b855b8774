"""Whether some of a position's numbers can be true together, whatever the others say."""

from __future__ import annotations

from collections.abc import Collection

from minesweeper import Cell
from sapper import _engine, _reference
from sapper._backends import Limit, spender
from sapper.errors import LimitReached
from sapper.position import FLAG, HIDDEN, Position

_UNHEARD = HIDDEN + 2
"""The engine's code of an opened cell whose number is not to be heard."""
_MUTED = bytes([_UNHEARD] * HIDDEN + [HIDDEN, HIDDEN] + list(range(HIDDEN + 2, 256)))
"""Turns every number into that code, and takes every flag away."""


def is_possible(
    position: Position,
    numbers: Collection[Cell],
    *,
    mines: Collection[Cell] = (),
    safe: Cell | None = None,
    use_mine_count: bool,
    limit: Limit,
) -> bool:
    """Return whether there is a layout in which these numbers are true.

    It has mines on these cells, none on that which is to be safe, and if the mine count is used as many
    as the position says.

    >>> position = Position.parse("# 1 # 1 #", mines=2)
    >>> def can_be(numbers, **supposed):
    ...     return is_possible(position, numbers, use_mine_count=False, limit=Limit(), **supposed)
    >>> can_be([(0, 1)], mines=[(0, 0)]), can_be([(0, 1)], mines=[(0, 0), (0, 2)])
    (True, False)
    >>> can_be([(0, 1)], mines=[(0, 0)], safe=(0, 2)), can_be([(0, 1), (0, 3)], safe=(0, 2))
    (True, True)
    """
    if _engine.name == "python":
        if safe is not None:
            position = position.opened(safe, 0)  # Its number is not among those that are heard.
        return _reference.is_possible(
            position, numbers, frozenset(mines), use_mine_count, spender(limit)
        )
    core = _engine.engine
    width, codes = position.width, bytearray(position.codes.translate(_MUTED))
    for i, j in numbers:
        codes[i * width + j] = position.codes[i * width + j]
    for i, j in mines:
        codes[i * width + j] = FLAG
    if safe is not None:
        codes[safe[0] * width + safe[1]] = _UNHEARD
    top, bottom = 0, position.height
    if numbers and not use_mine_count:  # Only the cells around the numbers matter.
        top = max(min(numbers)[0] - 1, 0)
        bottom = min(max(numbers)[0] + 2, bottom)
    heard = bytes(codes[top * width : bottom * width])
    asked = (bottom - top, width, position.mines, heard, True, not use_mine_count)
    try:
        return bool(core.is_possible(*asked, *limit.countable))
    except core.LimitReached as reason:
        raise LimitReached(str(reason)) from None
