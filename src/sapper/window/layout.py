"""Layout: the geometry of the screens, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

Point = tuple[float, float]

SMALLEST_WINDOW: Final = (320, 260)
"""The smallest window with a layout of its own. In smaller ones, part of the layout is hidden."""
SMALLEST_TEXT: Final = 11
SMALLEST_CELL: Final = 14
LEVEL_ITEMS: Final = ("course", "beginner", "intermediate", "expert")
FIELDS: Final = ("width", "height", "mines")
OPTIONS: Final = ("promise", "guesses", "difficulty")
MENU_ITEMS: Final = (*LEVEL_ITEMS, *OPTIONS[:2], *FIELDS, "custom", "difficulty", "settings")
"""The items of the menu, in keyboard order."""
SETTINGS: Final = ("theme", "text_scale", "question_marks", "strict_chords", "agent", "autoplay_speed")
"""The settings, in the order of the screen."""


class Rect(NamedTuple):
    """A rectangle of pixels, accepted wherever pygame accepts a rectangle.

    >>> Rect(10, 10, 20, 20).contains((29, 10)), Rect(10, 10, 20, 20).contains((30, 10))
    (True, False)
    """

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column of pixels to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.y + self.height

    @property
    def center(self) -> tuple[int, int]:
        """The pixel at its centre."""
        return self.x + self.width // 2, self.y + self.height // 2

    def contains(self, point: Point) -> bool:
        """Return whether a point is inside."""
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom

    def overlaps(self, other: Rect) -> bool:
        """Return whether two rectangles overlap."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def inset(self, margin: int) -> Rect:
        """Return the rectangle reduced by a margin on every side."""
        return Rect(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def row(self, number: int, count: int, gap: int) -> Rect:
        """Return one of `count` equal rows, with gaps between them."""
        height = (self.height - (count - 1) * gap) // count
        return Rect(self.x, self.y + number * (height + gap), self.width, height)

    def column(self, number: int, count: int, gap: int) -> Rect:
        """Return one of `count` equal columns, with gaps between them."""
        width = (self.width - (count - 1) * gap) // count
        return Rect(self.x + number * (width + gap), self.y, width, self.height)


class Frame(NamedTuple):
    """The basis of every layout: the space inside the margins, and the units."""

    room: Rect
    unit: int
    """The height of normal text. Everything except the cells is measured in it."""
    gap: int


def frame(width: int, height: int, density: float, text_scale: float = 1.0, across: int = 46) -> Frame:
    """Return the frame of a window; `density` is the number of pixels per point of the screen.

    A typical window is `across` units wide. Scaled text grows only while everything still fits.
    """
    width = max(width, round(SMALLEST_WINDOW[0] * density))
    height = max(height, round(SMALLEST_WINDOW[1] * density))
    wanted = min(width / across, height / 36) * text_scale
    fitting = min(wanted, width / 29, height / 23.6)
    unit = max(round(fitting), round(SMALLEST_TEXT * density * min(text_scale, 1)))
    gap = round(unit * 0.8)
    return Frame(Rect(0, 0, width, height).inset(gap), unit, gap)


@dataclass(frozen=True)
class StartLayout:
    """The start screen: a picture, the title, the rules, the buttons."""

    unit: int
    picture: Rect
    title: Rect
    rules: Rect
    buttons: dict[str, Rect]


def arrange_start(
    width: int, height: int, *, density: float = 1.0, text_scale: float = 1.0
) -> StartLayout:
    """Return the layout of the start screen."""
    room, unit, _ = frame(width, height, density, text_scale)
    heights = {"picture": round(3.6 * unit), "title": 4 * unit, "rules": 6 * unit, "play": 3 * unit}
    heights["level"] = round(2.4 * unit)
    spare = room.height - sum(heights.values())
    gap = min(spare // (len(heights) - 1), unit)
    y = room.y + (spare - (len(heights) - 1) * gap) // 2
    rects = {}
    for name, tall in heights.items():
        rects[name] = Rect(room.x, y, room.width, tall)
        y += tall + gap
    buttons = {}
    for name, wide in (("play", 12 * unit), ("level", 12 * unit)):
        buttons[name] = rects[name]._replace(x=room.center[0] - wide // 2, width=wide)
    return StartLayout(unit, rects["picture"], rects["title"], rects["rules"], buttons)


@dataclass(frozen=True)
class BoardLayout:
    """The board with its panel beside it, or below it in a tall window."""

    unit: int
    board: Rect
    """The visible part of the board; a larger board scrolls."""
    cell: int
    """The side length of a cell."""
    panel: Rect
    beside: bool
    """Whether the panel is to the right of the board."""
    counter: Rect
    buttons: dict[str, Rect]
    word: Rect
    keys: Rect | None
    """The list of keys; None if there is no room for it."""
    status: Rect


def arrange_board(
    width: int,
    height: int,
    rows: int,
    columns: int,
    *,
    density: float = 1.0,
    zoom: float = 1.0,
    text_scale: float = 1.0,
) -> BoardLayout:
    """Return the layout of a game on a board of this size."""
    room, unit, gap = frame(width, height, density, text_scale)
    beside = room.width >= room.height
    status_height = round(1.3 * unit) * (2 if room.width >= 30 * unit else 3)
    status = Rect(room.x, room.bottom - status_height, room.width, status_height)
    room = room._replace(height=room.height - status_height - gap)

    has_keys = beside or room.height - room.width > 12 * unit
    panel_width = 10 * unit if beside else room.width
    panel_height = room.height if beside else round((7.6 if has_keys else 5) * unit)
    space = Rect(
        room.x,
        room.y,
        room.width - (panel_width + 2 * gap if beside else 0),
        room.height - (0 if beside else panel_height + gap),
    )
    fitting = min(space.width // columns, space.height // rows, 8 * unit)
    cell = cell_size(fitting, density, zoom, unit)
    board_width, board_height = min(cell * columns, space.width), min(cell * rows, space.height)

    if beside:
        x = room.x + (space.width - board_width) // 2
        board = Rect(x, room.y + (space.height - board_height) // 2, board_width, board_height)
        panel = Rect(board.right + 2 * gap, room.y, panel_width, panel_height)
        return _fill_side_panel(unit, gap, board, cell, panel, status)
    y = room.y + (space.height - board_height) // 2
    board = Rect(room.x + (room.width - board_width) // 2, y, board_width, board_height)
    panel = Rect(room.x, board.bottom + gap, panel_width, panel_height)
    return _fill_lower_panel(unit, gap, board, cell, panel, status, has_keys)


def cell_size(fitting: int, density: float, zoom: float, unit: int) -> int:
    """Return the side length of a cell: at least what fits, more if zoomed."""
    cell = max(fitting, round(SMALLEST_CELL * density))
    return max(cell, min(round(cell * zoom), max(8 * unit, round(64 * density))))


def _fill_side_panel(
    unit: int, gap: int, board: Rect, cell: int, panel: Rect, status: Rect
) -> BoardLayout:
    tall, step = round(2.6 * unit), round(3.2 * unit)
    needed = 3 * step + round(5.4 * unit)
    top = min(board.y, panel.bottom - needed)
    counter = Rect(panel.x, top, panel.width, 2 * unit)
    first = counter.bottom + round(0.6 * unit)
    buttons = {
        name: Rect(panel.x, first + number * step, panel.width, tall)
        for number, name in enumerate(("ai", "reset", "level"))
    }
    word = Rect(panel.x, first + 3 * step, panel.width, round(2.8 * unit))
    keys_height = round(7.6 * unit)
    bottom = min(max(board.bottom, word.bottom + gap + keys_height), panel.bottom)
    keys = Rect(panel.x, bottom - keys_height, panel.width, keys_height)
    return BoardLayout(
        unit, board, cell, panel, True, counter, buttons, word,
        keys if keys.y >= word.bottom else None, status,
    )  # fmt: skip


def _fill_lower_panel(
    unit: int, gap: int, board: Rect, cell: int, panel: Rect, status: Rect, has_keys: bool
) -> BoardLayout:
    top = panel._replace(height=2 * unit)
    row = Rect(panel.x, top.bottom + unit // 3, panel.width, round(2.6 * unit))
    names = ("ai", "reset", "level")
    buttons = {name: row.column(number, 3, gap) for number, name in enumerate(names)}
    keys = Rect(panel.x, panel.bottom - round(2.2 * unit), panel.width, round(2.2 * unit))
    return BoardLayout(
        unit, board, cell, panel, False, top.column(0, 2, gap), buttons, top.column(1, 2, gap),
        keys if has_keys else None, status,
    )  # fmt: skip


@dataclass(frozen=True)
class MenuLayout:
    """The menu: the named levels, a custom board, and a line for errors."""

    unit: int
    title: Rect
    subtitle: Rect | None
    """The title of the second column, if there is one."""
    items: dict[str, Rect]
    """A rectangle for each of `MENU_ITEMS`."""
    steps: dict[str, Rect]
    """The buttons `width-`, `width+` and so on inside the fields."""
    error: Rect
    back: Rect


def arrange_menu(
    width: int, height: int, *, density: float = 1.0, text_scale: float = 1.0
) -> MenuLayout:
    """Return the layout of the menu: two columns, or one in a window taller than wide."""
    room, unit, gap = frame(width, height, density, text_scale)
    columns = 2 if room.width >= room.height else 1
    rows = len(MENU_ITEMS) // columns
    wide = min(room.width, (42 if columns == 2 else 30) * unit)
    small = gap // 2
    ends = round(2.2 * unit) + round(2.6 * unit) + round(2.2 * unit) + 3 * gap
    row_height = min((room.height - ends - (rows - 1) * small) // rows, round(3.6 * unit))
    list_height = rows * row_height + (rows - 1) * small
    x, y = room.center[0] - wide // 2, room.y + (room.height - ends - list_height) // 2
    title = Rect(x, y, wide, round(2.2 * unit))
    grid = Rect(x, title.bottom + gap, wide, list_height)
    items = {
        name: grid.column(number // rows, columns, 2 * gap).row(number % rows, rows, small)
        for number, name in enumerate(MENU_ITEMS)
    }
    steps = {}
    for name in FIELDS:
        field = items[name].inset(max(2, unit // 4))
        side = max(1, min(field.height, round(2.4 * unit)))
        middle = field.center[1] - side // 2
        steps[f"{name}+"] = Rect(field.right - side, middle, side, side)
        steps[f"{name}-"] = Rect(field.right - 2 * side - round(3.6 * unit), middle, side, side)
    error = Rect(x, grid.bottom + gap, wide, round(2.6 * unit))
    back = Rect(x, error.bottom + gap, min(wide, 8 * unit), round(2.2 * unit))
    subtitle = title.column(1, 2, 2 * gap) if columns == 2 else None
    title = title.column(0, columns, 2 * gap)
    return MenuLayout(unit, title, subtitle, items, steps, error, back)


@dataclass(frozen=True)
class SettingsLayout:
    """The settings: a title, a row for each of `SETTINGS`, a note and the Back button."""

    unit: int
    title: Rect
    rows: dict[str, Rect]
    note: Rect
    back: Rect


def arrange_settings(
    width: int, height: int, *, density: float = 1.0, text_scale: float = 1.0
) -> SettingsLayout:
    """Return the layout of the settings."""
    room, unit, gap = frame(width, height, density, text_scale)
    wide, small = min(room.width, 36 * unit), gap // 2
    note_height, back_height = round(2.6 * unit), round(2.4 * unit)
    ends = round(2.2 * unit) + note_height + back_height + 3 * gap
    row_height = min((room.height - ends) // len(SETTINGS) - small, 3 * unit)
    list_height = len(SETTINGS) * (row_height + small) - small
    x, y = room.center[0] - wide // 2, room.y + (room.height - ends - list_height) // 2
    title = Rect(x, y, wide, round(2.2 * unit))
    grid = Rect(x, title.bottom + gap, wide, list_height)
    rows = {name: grid.row(place, len(SETTINGS), small) for place, name in enumerate(SETTINGS)}
    note = Rect(x, grid.bottom + gap, wide, note_height)
    back = Rect(x, note.bottom + gap, min(wide, 8 * unit), back_height)
    return SettingsLayout(unit, title, rows, note, back)
