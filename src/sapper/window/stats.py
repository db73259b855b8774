"""The statistics screen: the finished games by level and kind of board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from sapper.levels import Level
from sapper.profile.scores import LevelStatistics
from sapper.session.session import Session
from sapper.text import format_percent
from sapper.window.canvas import Canvas
from sapper.window.layout import Point, Rect
from sapper.window.review_layout import StatisticsLayout, arrange_statistics
from sapper.window.rows import Rows
from sapper.window.screens import Destination, Key, Screen, Target

COLUMNS: Final = (
    *("level", "board", "games", "won", "win rate", "streak", "longest", "best time", "mean"),
    *("helped", "practice"),
)
"""The column headings. Games with help and practice games are counted only in the last two columns."""
NOTHING: Final = "–"  # noqa: RUF001 - A dash, for people.
CARD: Final = 3
"""The number of lines per row if there is no room for columns."""


def format_time(seconds: float | None) -> str:
    """Return a duration as people read it.

    >>> format_time(9.25), format_time(83.2), format_time(3723.4), format_time(None) == NOTHING
    ('9.2 s', '1:23.2', '1:02:03', True)
    """
    if seconds is None:
        return NOTHING
    tenths = int(10 * seconds)  # Rounded down, as a clock shows it.
    minutes, rest = divmod(tenths, 600)
    if minutes < 1:
        return f"{tenths / 10:.1f} s"
    if minutes < 60:
        return f"{minutes}:{rest // 10:02}.{rest % 10}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest // 10:02}"


def cells_of(row: LevelStatistics) -> tuple[str, ...]:
    """Return the text for each of `COLUMNS`."""
    share = NOTHING if row.share is None else f"{format_percent(row.share)} %"
    return (
        *(row.level, row.kind, str(row.games), str(row.wins), share),
        *(str(row.streak), str(row.longest_streak)),
        *(format_time(row.best_seconds), format_time(row.mean_seconds)),
        *(str(row.helped), str(row.practice)),
    )


def card_of(row: LevelStatistics) -> tuple[str, ...]:
    """Return the same texts in a few lines, for windows without room for columns."""
    _, _, games, wins, share, streak, longest, best, mean, helped, practice = cells_of(row)
    return (
        f"{row.level}, {row.kind}: {wins} of {games} won, {share}",
        f"Best {best}, mean {mean}",
        f"Streak {streak}, longest {longest}; helped {helped}, practice {practice}",
    )


def details_of(row: LevelStatistics) -> list[str]:
    """Return the details of a row: the best times and their dates."""
    if not row.best:
        return [f"{row.level}, {row.kind}: no games won without help yet."]
    best = ", ".join(f"{format_time(game.seconds)} ({game.finished[:10]})" for game in row.best)
    speed = row.best_bbbv_per_second
    lines = [f"{row.level}, {row.kind}, best times: {best}."]
    return lines if speed is None else [*lines, f"Best speed: {speed:.2f} 3BV/s."]


def row_of(session: Session, rows: Sequence[LevelStatistics]) -> int:
    """Return the row of the level being played, if possible with the same kind of board; or 0."""
    level = session.game.level
    named = Level.of_size(level.height, level.width, level.mines, course_rules=level.course_rules)
    same = [place for place, row in enumerate(rows) if row.level == named.name]
    return next((place for place in same if rows[place].kind == session.kind), same[0] if same else 0)


class StatisticsScreen(Screen):
    """A table of all levels played, with details of the selected row."""

    layout: StatisticsLayout

    def __init__(self, session: Session, rows: Sequence[LevelStatistics]) -> None:
        super().__init__(session)
        self.rows = tuple(rows)
        self.chosen = row_of(session, self.rows)
        self.in_columns = True
        """Whether there is room for columns. This is known only after the first drawing."""
        self._table = Rows(Rect(0, 0, 1, 1), 1, 0)

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        scale = self.look.text_scale
        self.layout = arrange_statistics(width, height, density=density, text_scale=scale)
        self._fill()

    def _fill(self) -> None:
        size, layout = self.layout.size, self.layout
        area = layout.table
        if not self.in_columns:
            area = Rect(area.x, layout.head.y, area.width, area.bottom - layout.head.y)
        height = round(size * (1.7 if self.in_columns else 1.35 * CARD + 0.5))
        self._table = Rows(area, height, len(self.rows), self._table.top).scrolled(0)
        if self.rows:
            self._table = self._table.showing(self.chosen)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons and of the visible rows."""
        rows = {f"row {row}": self._table.seen(row) for row in self._table.visible()}
        return {"back": self.layout.back, **rows}

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        if name == "back":
            return Destination.BACK
        self._choose(int(name.split()[1]))
        return Destination.STAY

    def key(self, key: Key) -> Destination:
        """Handle a key press."""
        page = max(1, self._table.area.height // self._table.height)
        steps = {
            pygame.K_UP: -1,
            pygame.K_DOWN: 1,
            pygame.K_PAGEUP: -page,
            pygame.K_PAGEDOWN: page,
            pygame.K_HOME: -len(self.rows),
            pygame.K_END: len(self.rows),
        }
        if key.code in steps:
            self._choose(self.chosen + steps[key.code])
        leaves = self.keys.action(key) == "leave" and not key.repeated
        return Destination.BACK if leaves else Destination.STAY

    def _choose(self, row: int) -> None:
        if self.rows:
            self.chosen = min(max(0, row), len(self.rows) - 1)
            self._table = self._table.showing(self.chosen)

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:  # noqa: ARG002
        """Scroll the table."""
        self._table = self._table.scrolled(down)

    # Drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        layout, theme = self.layout, canvas.theme
        canvas.text(layout.title, "Statistics", round(1.5 * layout.unit), theme.ink, "left")
        canvas.button(
            layout.back, "Back", layout.unit, hovered=hovered == "back", pressed=pressed == "back"
        )
        if not self.rows:
            said = "No finished games yet."
            canvas.paragraph(layout.table, said, layout.unit, theme.muted, "center")
            return
        widths = self._widths(canvas)
        if self.in_columns != (widths is not None):
            self.in_columns = widths is not None
            self._fill()
        if widths is not None:
            self._write_columns(canvas, COLUMNS, widths, layout.head, theme.muted)
        self._draw_rows(canvas, widths, hovered)
        details = " ".join(details_of(self.rows[self.chosen]))
        canvas.paragraph(layout.details, details, layout.size, theme.ink)

    def _widths(self, canvas: Canvas) -> list[int] | None:
        """Return the widths of the columns, or None if they do not fit."""
        size = self.layout.size
        table = [COLUMNS, *(cells_of(row) for row in self.rows)]
        needed = [
            max(canvas.text_width(text, size) for text in column) for column in zip(*table, strict=True)
        ]
        spare = self.layout.table.width - 2 * size - sum(needed)
        gap = spare // len(needed)
        return None if gap < size // 2 else [width + gap for width in needed]

    def _draw_rows(self, canvas: Canvas, widths: list[int] | None, hovered: Target | None) -> None:
        layout, theme, rows = self.layout, canvas.theme, self._table
        canvas.surface.set_clip(rows.area)
        for number in rows.visible():
            rect, row = rows.rect(number), self.rows[number]
            if number == self.chosen:
                canvas.box(rect, layout.unit * 0.3, "none", theme.ink, max(1, layout.unit // 9))
            elif hovered == f"row {number}":
                canvas.box(rect, layout.unit * 0.3, theme.button_hover)
            if widths is not None:
                self._write_columns(canvas, cells_of(row), widths, rect, theme.ink)
                continue
            inside = rect.inset(max(2, layout.size // 4))
            for line, text in enumerate(card_of(row)):
                colour = theme.ink if line == 0 else theme.muted
                canvas.text(inside.row(line, CARD, 0), text, layout.size, colour, "left")
        thickness = max(3, layout.unit // 4)
        bar = rows.scroll_bar(thickness)
        if bar is not None:
            canvas.box(bar, thickness / 2, theme.scroll_bar)
        canvas.surface.set_clip(None)

    def _write_columns(
        self, canvas: Canvas, texts: Sequence[str], widths: Sequence[int], rect: Rect, colour: str
    ) -> None:
        """Write a row: words aligned left, numbers aligned right."""
        size = self.layout.size
        x = rect.x + size // 2
        for column, (text, width) in enumerate(zip(texts, widths, strict=True)):
            place = Rect(x, rect.y, width - size // 2, rect.height)
            canvas.text(place, text, size, colour, "left" if column < 2 else "right")
            x += width
