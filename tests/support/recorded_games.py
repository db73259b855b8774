"""Recorded games on small boards."""

from __future__ import annotations

from sapper import (
    Entry,
    Level,
    Promise,
    Record,
)
from tests.support.minefields import field_of

SIDE = """
1 1 1 0
1 * 1 0
1 1 1 0
"""


def record_of(text: str, *entries: Entry, level: Level | None = None) -> Record:
    field = field_of(text)
    level = level or Level.custom(field.height, field.width, len(field.mines))
    return Record(level, Promise.NONE, frozenset(field.mines), entries)


WON = record_of(
    SIDE,
    Entry(0.0, "open", (0, 3)),  # The opening: 1.
    Entry(1.0, "flag", (1, 1)),
    Entry(2.0, "chord", (1, 2)),  # Top and bottom edge: 3.
    Entry(2.5, "click", (1, 1)),
    Entry(3.0, "chord", (0, 3)),  # No cell around it is hidden.
    Entry(4.0, "chord", (0, 1)),  # A corner and the left edge: 5.
    Entry(5.0, "chord", (1, 0)),  # The other corner: 6.
)
