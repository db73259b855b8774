"""Layout of the review and the statistics. Pure geometry, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sapper.window.layout import Rect, cell_size, frame

BUTTONS: Final = ("previous", "next", "faults", "back")


@dataclass(frozen=True)
class ReviewLayout:
    """The board above the graph, and beside or below them the text and the list of moves."""

    unit: int
    size: int
    """The text size of the text and the list."""
    title: Rect
    summary: Rect
    """Next to the title: the progress, then the accuracy."""
    board: Rect
    """The visible part of the board; a larger board scrolls."""
    cell: int
    graph: Rect
    """The whole graph, with its labels."""
    plot: Rect
    """The plot area of the graph."""
    words: Rect
    moves: Rect
    buttons: dict[str, Rect]

    @property
    def row(self) -> int:
        """The height of a row of the list."""
        return round(self.size * 1.5)


def arrange_review(
    width: int,
    height: int,
    rows: int,
    columns: int,
    *,
    density: float = 1.0,
    text_scale: float = 1.0,
    zoom: float = 1.0,
) -> ReviewLayout:
    """Return the layout of the review of a game on a board of this size.

    >>> layout = arrange_review(1200, 660, 16, 30)
    >>> layout.board.right < layout.words.x, layout.board.bottom < layout.graph.y
    (True, True)
    """
    room, unit, gap = frame(width, height, density, text_scale)
    size = max(round(0.8 * unit), round(10 * density * min(text_scale, 1)))
    small = max(gap // 2, 3)
    head = Rect(room.x, room.y, room.width, round(1.5 * unit))
    foot_height = round(2.2 * unit)
    foot = Rect(room.x, room.bottom - foot_height, room.width, foot_height)
    body = Rect(room.x, head.bottom + small, room.width, foot.y - head.bottom - small - gap)
    if room.width >= room.height:
        left_width = _left_width(body, rows, columns, unit)
        left = body._replace(width=left_width)
        right = Rect(left.right + gap, body.y, body.right - left.right - gap, body.height)
        graph_height = max(body.height * 3 // 10, 4 * unit)
        words_height = (body.height - gap) // 2
    else:
        left = body._replace(height=body.height * 11 // 20)
        right = Rect(body.x, left.bottom + gap, body.width, body.bottom - left.bottom - gap)
        graph_height = max(left.height // 4, 4 * unit)
        words_height = (right.height - gap) // 2
    space = left._replace(height=left.height - graph_height - gap)
    graph = left._replace(y=space.bottom + gap, height=graph_height)
    words = right._replace(height=words_height)
    moves = right._replace(y=words.bottom + gap, height=right.height - words_height - gap)
    fitting = min(space.width // columns, space.height // rows, 6 * unit)
    cell = min(cell_size(fitting, density, zoom, unit), space.width, space.height)
    board = _centred(space, min(cell * columns, space.width), min(cell * rows, space.height))
    return ReviewLayout(
        unit, size, head.column(0, 2, gap), head.column(1, 2, gap), board, cell, graph,
        _plot(graph, size), words, moves, _buttons(foot, unit, gap),
    )  # fmt: skip


def _left_width(body: Rect, rows: int, columns: int, unit: int) -> int:
    """Return the width of the board and the graph. It grows with the board but leaves room for text."""
    wanted = round(body.height * 0.7 * columns / rows)
    return min(max(wanted, body.width // 2), body.width - max(body.width * 3 // 10, 13 * unit))


def _centred(space: Rect, width: int, height: int) -> Rect:
    x = space.x + (space.width - width) // 2
    return Rect(x, space.y + (space.height - height) // 2, width, height)


def _plot(graph: Rect, size: int) -> Rect:
    """Return the plot area: the graph without labels and margins."""
    beside, margin = round(3.2 * size), max(round(0.8 * size), 10)
    return Rect(
        graph.x + beside + margin,
        graph.y + margin,
        graph.width - beside - 2 * margin,
        graph.height - 2 * margin,
    )


def _buttons(foot: Rect, unit: int, gap: int) -> dict[str, Rect]:
    wide = min(foot.width, len(BUTTONS) * 11 * unit)
    row = foot._replace(x=foot.center[0] - wide // 2, width=wide)
    return {name: row.column(number, len(BUTTONS), gap) for number, name in enumerate(BUTTONS)}


@dataclass(frozen=True)
class StatisticsLayout:
    """A title, the table, details of the selected row, and the Back button."""

    unit: int
    size: int
    title: Rect
    head: Rect
    """The column headings, if there is room for columns."""
    table: Rect
    """The scrolling rows below it."""
    details: Rect
    back: Rect


def arrange_statistics(
    width: int, height: int, *, density: float = 1.0, text_scale: float = 1.0
) -> StatisticsLayout:
    """Return the layout of the statistics.

    >>> layout = arrange_statistics(900, 660)
    >>> layout.head.bottom == layout.table.y, layout.table.bottom < layout.details.y
    (True, True)
    """
    room, unit, gap = frame(width, height, density, text_scale)
    size = max(round(0.85 * unit), round(10 * density * min(text_scale, 1)))
    title = Rect(room.x, room.y, room.width, round(1.8 * unit))
    back_height = round(2.2 * unit)
    back = Rect(room.x, room.bottom - back_height, min(8 * unit, room.width), back_height)
    details_height = round(3.9 * size)
    details = Rect(room.x, back.y - gap - details_height, room.width, details_height)
    head = Rect(room.x, title.bottom, room.width, round(1.6 * size))
    table = Rect(room.x, head.bottom, room.width, details.y - gap - head.bottom)
    return StatisticsLayout(unit, size, title, head, table, details, back)
