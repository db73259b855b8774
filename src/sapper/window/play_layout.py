"""Layout of the board screen with a bar and help. Pure geometry, in pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sapper.window.layout import SMALLEST_CELL, Rect, cell_size, frame

ACROSS: Final = 68
"""The width of a typical window in units. The bar then fits in one row."""
BAR: Final[Mapping[str, float]] = {
    "counter": 4.2,
    "clock": 5.0,
    "word": 4.0,
    "new": 3.2,
    "again": 3.9,
    "undo": 3.8,
    "hint": 3.6,
    "why": 3.3,
    "heat": 4.0,
    "ai": 5.0,
    "autoplay": 5.2,
    "speed": 5.0,
    "agent": 5.4,
    "level": 3.8,
}
"""The items of the bar, in order, with their widths in units."""
TOLD: Final = ("counter", "clock", "word")
"""The items of the bar that are not buttons."""
COUNTER_DIGITS: Final = 3
"""The number of digits for which the counter has room; a board with more cells gets a wider counter."""
DIGIT: Final = 0.75
"""The width of a digit of the counter in units."""


@dataclass(frozen=True)
class PlayLayout:
    """The bar, the board, the help text beside or below it, and the message."""

    unit: int
    bar: Rect
    counter: Rect
    clock: Rect
    word: Rect
    buttons: dict[str, Rect]
    board: Rect
    """The visible part of the board; a larger board scrolls."""
    cell: int
    """The side length of a cell."""
    help: Rect | None
    """The help text; None in a small window without help."""
    status: Rect


def arrange_play(
    width: int,
    height: int,
    rows: int,
    columns: int,
    *,
    density: float = 1.0,
    zoom: float = 1.0,
    text_scale: float = 1.0,
    help_shown: bool = False,
) -> PlayLayout:
    """Return the layout of a game; a small window reserves space for help only if it is shown."""
    room, unit, gap = frame(width, height, density, text_scale, ACROSS)
    bar, places = _fill_bar(room, unit, len(str(rows * columns)) - COUNTER_DIGITS)
    lines = 1 if room.width >= 60 * unit else 2
    status = Rect(
        room.x, room.bottom - round(1.4 * unit * lines), room.width, round(1.4 * unit * lines)
    )
    top = bar.bottom + gap
    space = Rect(room.x, top, room.width, status.y - gap - top)

    roomy = space.width >= 44 * unit and space.height >= 20 * unit
    taken = (0, 0)
    if roomy or help_shown:
        taken = _help_size(space, rows, columns, unit, gap, roomy)
    inside = Rect(space.x, space.y, space.width - taken[0], space.height - taken[1])
    fitting = min(inside.width // columns, inside.height // rows, 8 * unit)
    # At any zoom, at least one whole cell is visible.
    cell = max(min(cell_size(fitting, density, zoom, unit), inside.width, inside.height), fitting)
    cell = max(cell, round(SMALLEST_CELL * density))
    wide, tall = min(cell * columns, inside.width), min(cell * rows, inside.height)
    words: Rect | None = None
    if taken[0]:
        beside = min(space.width - wide - 2 * gap, 26 * unit)
        x = space.x + (space.width - wide - 2 * gap - beside) // 2
        board = Rect(x, space.y + (space.height - tall) // 2, wide, tall)
        words = Rect(board.right + 2 * gap, space.y, beside, space.height)
    elif taken[1]:
        board = Rect(space.x + (space.width - wide) // 2, space.y, wide, tall)
        words = Rect(space.x, board.bottom + gap, space.width, space.bottom - board.bottom - gap)
    else:
        y = space.y + (space.height - tall) // 2
        board = Rect(space.x + (space.width - wide) // 2, y, wide, tall)
    told = {name: places.pop(name) for name in TOLD}
    return PlayLayout(unit=unit, bar=bar, buttons=places, board=board, cell=cell, help=words,
                      status=status, **told)  # fmt: skip


def _fill_bar(room: Rect, unit: int, more_digits: int) -> tuple[Rect, dict[str, Rect]]:
    """Return the bar and its items, in as few rows as possible."""
    tall, gap = round(2.2 * unit), max(2, unit // 3)
    shares = {**BAR, "counter": BAR["counter"] + DIGIT * max(0, more_digits)}
    widths = {name: min(round(share * unit), room.width) for name, share in shares.items()}
    rows = _break_rows(widths, room.width, gap)
    narrowest = max(widths.values())
    # With this number of rows, the narrowest arrangement is the most even.
    for limit in range(narrowest, room.width, max(1, unit // 2)):
        evener = _break_rows(widths, limit, gap)
        if len(evener) == len(rows):
            rows = evener
            break
    places = {}
    for number, row in enumerate(rows):
        y = room.y + number * (tall + gap)
        spare = room.width - sum(widths[name] + gap for name in row) + gap
        several = len(rows) > 1
        x = room.x
        for place, name in enumerate(row):
            more = (place + 1) * spare // len(row) - place * spare // len(row) if several else 0
            places[name] = Rect(x, y, widths[name] + more, tall)
            x = places[name].right + gap
            if not several and name == TOLD[-1]:
                x += spare  # In one row, the buttons are aligned right.
    return room._replace(height=len(rows) * (tall + gap) - gap), places


def _break_rows(widths: Mapping[str, int], most: int, gap: int) -> list[list[str]]:
    """Return the items in rows of limited width."""
    rows: list[list[str]] = [[]]
    for name, wide in widths.items():
        if rows[-1] and sum(widths[each] + gap for each in rows[-1]) + wide > most:
            rows.append([])
        rows[-1].append(name)
    return rows


def _help_size(
    space: Rect, rows: int, columns: int, unit: int, gap: int, roomy: bool
) -> tuple[int, int]:
    """Return the space for the help text, beside the board or below it.

    It goes where the cells remain larger.
    """
    beside = (16 if roomy else 9) * unit + 2 * gap
    below = round((7 if roomy else 3.6) * unit) + gap
    cell_beside = min((space.width - beside) / columns, space.height / rows)
    cell_below = min(space.width / columns, (space.height - below) / rows)
    return (beside, 0) if cell_beside >= cell_below else (0, below)
