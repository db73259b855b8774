"""The review screen: a game move by move, with a graph, a list of moves, and comments."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import pygame

from sapper.advice.overlay import Overlay
from sapper.errors import SapperError
from sapper.game.record import Record
from sapper.position import Cell, describe_cell
from sapper.reviews.labels import Label
from sapper.reviews.review import Review
from sapper.session.session import Session
from sapper.text import format_percent
from sapper.window.board import MOST_ZOOM_STEPS, ZOOM
from sapper.window.canvas import Canvas, draw_svg
from sapper.window.graph import Dot, Graph, dots_of, draw_graph
from sapper.window.label_marks import colour_of, mark_svg
from sapper.window.layout import Point, Rect
from sapper.window.marks import LAST, NO_MARK, HelpMarks
from sapper.window.picture import BoardPicture
from sapper.window.reading import ENDINGS, Insight, Reading
from sapper.window.review_layout import ReviewLayout, arrange_review
from sapper.window.rows import Rows
from sapper.window.screens import Destination, Key, Screen, Target
from sapper.window.view import View

PARTS: Final = ("moves", "words", "board", "graph")
"""The parts that can have the focus, in Tab order."""
PAGE: Final = 10
"""The number of moves that Page Up and Page Down skip in the graph."""
PLACE: Final = 20
"""The list shows the cell of each move if the list is at least this many text heights wide."""


def review_of(session: Session) -> ReviewScreen:
    """Return the review of a session's game; raise `SapperError` if it has no moves yet."""
    record = session.record
    if record is None or not record.entries:
        raise SapperError("there is nothing to review yet")
    session.note_help()  # The review shows the risks and the best moves.
    return ReviewScreen(session, record)


class ReviewScreen(Screen):
    """A recorded game, finished or not. The player can step through it during the review."""

    layout: ReviewLayout
    view: View

    def __init__(self, session: Session, record: Record, *, reading: Reading | None = None) -> None:
        """Start the review; raise `BadRecord` if the game cannot have been played."""
        super().__init__(session)
        self.reading = reading or Reading(record)
        self.focus = PARTS[0]
        self.heat_is_on = True
        self._zoom_steps = 0
        self._dots: list[Dot] = []
        self._known: Review | None = None
        self._list = Rows(Rect(0, 0, 1, 1), 1, 0)
        self._lines = Rows(Rect(0, 0, 1, 1), 1, 0)
        self._picture: BoardPicture | None = None
        self._shown: tuple[Insight | None, bool, Cell | None, View | None] = None, False, None, None
        self._help = HelpMarks(None)
        self._progress = self.reading.progress

    # Geometry --------------------------------------------------------------------------------

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        self._size = width, height, density
        level = self.reading.record.level
        self.layout = arrange_review(
            width,
            height,
            level.height,
            level.width,
            density=density,
            text_scale=self.look.text_scale,
            zoom=ZOOM**self._zoom_steps,
        )
        self.view = View(self.layout.board, self.layout.cell, level.height, level.width)
        self._lines = Rows(self.layout.words, round(self.layout.size * 1.3), 0)
        self._show_move()

    @property
    def graph(self) -> Graph:
        """The coordinates of the graph."""
        return Graph(self.layout.plot, self.reading.end - 1)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons, the graph and the visible rows of the list."""
        listed = self.reading.listed
        rows = {f"move {listed[row]}": self._list.seen(row) for row in self._list.visible()}
        return {**self.layout.buttons, "graph": self.layout.graph, **rows}

    def _show_move(self) -> None:
        """Scroll to the current move."""
        # Show the better cell too, if there is room for both.
        for cell in (self.reading.better, *self.reading.cells[:1]):
            self.view = self.view if cell is None else self.view.showing(cell)
        self._lines = self._lines.scrolled(-self._lines.top)
        self._fill_list()
        listed = self.reading.listed
        if self.reading.number in listed:
            self._list = self._list.showing(listed.index(self.reading.number))

    def _fill_list(self) -> None:
        count = len(self.reading.listed)
        area, top = self.layout.moves.inset(max(2, self.layout.unit // 5)), self._list.top
        self._list = Rows(area, self.layout.row, count, top).scrolled(0)

    # Input -------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Collect results; return whether the screen must be redrawn."""
        changed = self.reading.tick() or self.reading.progress != self._progress
        self._progress = self.reading.progress
        if self.reading.review is not self._known:
            self._known = self.reading.review
            self._dots = dots_of(self._known) if self._known is not None else []
            self._fill_list()
        return changed

    def leave(self) -> None:
        """Cancel the review."""
        self.reading.close()

    def slide(self, name: str, point: Point) -> None:
        """Go to the move under the mouse while the graph is dragged."""
        if name == "graph":
            self.focus = "graph"
            self._choose(self.graph.number_at(point))

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        reading = self.reading
        match name.split():
            case ["back"]:
                return Destination.BACK
            case ["previous"]:
                self._choose(reading.number - 1)
            case ["next"]:
                self._choose(reading.number + 1)
            case ["faults"]:
                reading.faults_only = not reading.faults_only
                self._show_move()
            case ["move", number]:
                self.focus = "moves"
                self._choose(int(number))
        return Destination.STAY

    def _choose(self, number: int) -> None:
        self.reading.choose(number)
        self._show_move()

    def key(self, key: Key) -> Destination:
        """Handle a key press; keys that go from move to move repeat."""
        steps = {
            pygame.K_LEFT: -1,
            pygame.K_RIGHT: 1,
            pygame.K_HOME: -self.reading.end,
            pygame.K_END: self.reading.end,
        }
        if key.code in steps:
            self._choose(self.reading.number + steps[key.code])
        elif key.code in (pygame.K_UP, pygame.K_DOWN):
            self.reading.find_fault(-1 if key.code == pygame.K_UP else 1)
            self._show_move()
        elif key.code in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            self._turn_page(-1 if key.code == pygame.K_PAGEUP else 1)
        elif key.code == pygame.K_TAB:
            step = -1 if key.shift else 1
            self.focus = PARTS[(PARTS.index(self.focus) + step) % len(PARTS)]
        elif (action := self.keys.action(key)) in ("zoom_in", "zoom_out"):
            self.zoom(1 if action == "zoom_in" else -1)
        elif key.repeated:
            return Destination.STAY
        elif key.code == pygame.K_f:
            return self.press("faults")
        elif action == "leave":
            return Destination.BACK
        elif action == "heat":
            self.heat_is_on = not self.heat_is_on
        return Destination.STAY

    def _turn_page(self, direction: int) -> None:
        if self.focus == "graph":
            self._choose(self.reading.number + direction * PAGE)
            return
        tall = {"moves": self._list.area, "words": self._lines.area, "board": self.view.area}
        self._scroll_part(self.focus, 0, direction * tall[self.focus].height)

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:
        """Scroll the part at this point, or the focused part."""
        parts = {"moves": self.layout.moves, "words": self.layout.words, "board": self.layout.board}
        for name, rect in parts.items():
            if name == self.focus if point is None else rect.contains(point):
                self._scroll_part(name, right, down)

    def _scroll_part(self, name: str, right: int, down: int) -> None:
        if name == "moves":
            self._list = self._list.scrolled(down)
        elif name == "words":
            self._lines = self._lines.scrolled(down)
        else:
            self.view = self.view.scrolled(right, down)

    def zoom(self, steps: int, about: Point | None = None) -> None:
        """Zoom in or out, but not below the size that fits."""
        self._zoom_steps = min(max(0, self._zoom_steps + steps), MOST_ZOOM_STEPS)
        before = self.view
        self.arrange(*self._size)
        if about is not None and before.area.contains(about):
            self.view = before.fitted(self.view.area, self.view.cell, about)

    # Drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        layout, reading = self.layout, self.reading
        canvas.text(layout.title, reading.title, round(1.15 * layout.unit), canvas.theme.ink, "left")
        self._draw_summary(canvas)
        self._draw_board(canvas)
        draw_graph(canvas, self.graph, self._dots, reading.number, max(layout.size * 4 // 5, 9))
        if not self._dots and reading.review is not None:
            canvas.paragraph(
                layout.plot, "The win probability is unknown.", layout.size, canvas.theme.muted
            )
        self._draw_words(canvas)
        self._draw_list(canvas, hovered)
        self._draw_focus(canvas)
        labels = {"previous": "Previous", "next": "Next", "back": "Back"}
        labels["faults"] = "All moves" if reading.faults_only else "Faults only"
        for name, rect in layout.buttons.items():
            canvas.button(
                rect,
                labels[name],
                layout.unit,
                hovered=hovered == name,
                pressed=pressed == name,
            )

    def _draw_summary(self, canvas: Canvas) -> None:
        rect, reading = self.layout.summary, self.reading
        bar_height = max(3, rect.height // 6)
        words = rect._replace(height=rect.height - bar_height - 1)
        canvas.text(words, reading.summary, self.layout.unit, canvas.theme.ink, "right")
        done, total = reading.progress
        if reading.review is None and reading.trouble is None:
            bar = Rect(rect.x, rect.bottom - bar_height, rect.width, bar_height)
            canvas.box(bar, bar_height / 2, canvas.theme.button_edge)
            if total and done:
                part = bar._replace(width=max(bar.width * done // total, bar_height))
                canvas.box(part, bar_height / 2, canvas.theme.accent)

    def _draw_board(self, canvas: Canvas) -> None:
        if self._picture is None or self._picture.canvas is not canvas:
            self._picture = BoardPicture(canvas)
        reading = self.reading
        shown = reading.insight, self.heat_is_on, reading.better, self.view
        if shown != self._shown:
            insight, heat, better, view = shown
            risks = _risks_seen(insight.risks, view) if insight is not None and heat else {}
            numbers = insight.proof.numbers if insight and insight.proof else frozenset()
            self._shown = shown
            self._help = HelpMarks(Overlay(risks=risks, numbers=numbers, target=better))
        rings = {cell: NO_MARK.with_ring(LAST) for cell in reading.cells}
        edge = max(2, self.layout.unit // 5)
        canvas.box(self.view.area.inset(-edge), edge * 2, canvas.theme.frame)
        self._picture.update(self.view, reading.game, self._help, rings)
        canvas.surface.blit(self._picture.surface, self.view.area)
        thickness = max(3, self.layout.unit // 4)
        for bar in self.view.scroll_bars(thickness, away=edge + 1):
            canvas.box(bar, thickness / 2, canvas.theme.scroll_bar)

    def _draw_words(self, canvas: Canvas) -> None:
        layout, reading, theme = self.layout, self.reading, canvas.theme
        label = None if reading.move is None else reading.move.label
        side, thickness = round(layout.size * 1.2), max(3, layout.unit // 4)
        wide = layout.words.width - 2 * thickness
        lines = [reading.heading, *([str(label)] if label else [])]
        for sentence in reading.words:
            lines += canvas.wrap(sentence, layout.size, wide)
        rows = Rows(layout.words, self._lines.height, len(lines), self._lines.top).scrolled(0)
        self._lines = rows
        canvas.surface.set_clip(rows.area)
        for row in rows.visible():
            rect = rows.rect(row)._replace(width=wide)
            colour = theme.ink if row else theme.muted
            if row == 1 and label is not None:
                self._draw_mark(canvas, label, Rect(rect.x, rect.y, side, rect.height))
                rect = Rect(rect.x + side + 2, rect.y, wide - side - 2, rect.height)
                colour = colour_of(label, theme)
            canvas.text(rect, lines[row], layout.size, colour, "left")
        bar = rows.scroll_bar(thickness)
        if bar is not None:
            canvas.box(bar, thickness / 2, theme.scroll_bar)
        canvas.surface.set_clip(None)

    def _draw_list(self, canvas: Canvas, hovered: Target | None) -> None:
        layout, theme, rows = self.layout, canvas.theme, self._list
        canvas.box(layout.moves, layout.unit * 0.4, theme.button, theme.button_edge, 1)
        listed = self.reading.listed
        if not listed:
            sentence = "No faults." if self.reading.review is not None else "No faults found yet."
            canvas.paragraph(rows.area, sentence, layout.size, theme.muted, "center")
        canvas.surface.set_clip(rows.area)
        thickness = max(3, layout.unit // 4)
        for row in rows.visible():
            number = listed[row]
            rect = rows.rect(row)._replace(width=rows.area.width - 2 * thickness)
            if number == self.reading.number:
                canvas.box(rect, layout.unit * 0.3, "none", theme.ink, max(1, layout.unit // 9))
            elif hovered == f"move {number}":
                canvas.box(rect, layout.unit * 0.3, theme.button_hover)
            self._draw_row(canvas, number, rect.inset(max(2, layout.unit // 4)))
        bar = rows.scroll_bar(thickness)
        if bar is not None:
            canvas.box(bar, thickness / 2, theme.scroll_bar)
        canvas.surface.set_clip(None)

    def _draw_row(self, canvas: Canvas, number: int, rect: Rect) -> None:
        """Draw a move of the list: its number, mark, label and loss."""
        size, theme = self.layout.size, canvas.theme
        wide = canvas.text_width(str(self.reading.end), size)
        if number < self.reading.end:
            canvas.text(rect._replace(width=wide), str(number), size, theme.muted, "right")
        mark = Rect(rect.x + wide + 3, rect.y, size, rect.height)
        move = self.reading.move_at(number)
        if move is not None and move.label is not None:
            self._draw_mark(canvas, move.label, mark)
        words = Rect(mark.right + 3, rect.y, rect.right - mark.right - 3, rect.height)
        if number == self.reading.end:
            label = ENDINGS[self.reading.outcome]
        elif move is not None and move.label is not None:
            label = str(move.label)
        else:
            label = self.reading.record.entries[number - 1].kind
        lost = ""
        if move is not None and move.loss is not None and move.loss.chance > 0:
            percent = format_percent(move.loss.chance, digits=1)
            lost = percent if percent.startswith("<") else f"-{percent}"
        canvas.text(words, lost, size, theme.ink, "right")
        words = words._replace(width=words.width - canvas.text_width("-100.0", size))
        if words.width >= PLACE * size and number < self.reading.end:
            cell = self.reading.record.entries[number - 1].cell
            where = words.column(1, 2, size)
            words = words.column(0, 2, size)
            canvas.text(where, "" if cell is None else describe_cell(cell), size, theme.muted, "left")
        canvas.text(words, label, size, theme.ink, "left")

    def _draw_mark(self, canvas: Canvas, label: Label, rect: Rect) -> None:
        side = min(rect.width, rect.height)
        body = mark_svg(label, (side / 2, side / 2), side * 0.38, canvas.theme)
        mark = draw_svg(body, (side, side), (side, side))
        x, y = rect.center
        canvas.surface.blit(mark, (x - side // 2, y - side // 2))

    def _draw_focus(self, canvas: Canvas) -> None:
        """Draw a frame around the focused part."""
        layout = self.layout
        parts = {
            "moves": layout.moves,
            "words": layout.words,
            "board": layout.board,
            "graph": layout.graph,
        }
        around = parts[self.focus].inset(-max(2, layout.unit // 6))
        canvas.box(around, layout.unit * 0.4, "none", canvas.theme.cursor, max(1, layout.unit // 12))


def _risks_seen(risks: Mapping[Cell, float], view: View) -> dict[Cell, float]:
    """Return the risks of the visible cells only, because a board may be very large."""
    cells = product(view.visible_rows(), view.visible_columns())
    return {cell: risks[cell] for cell in cells if cell in risks}
