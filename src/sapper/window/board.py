"""The board screen: the board, its bar and help, and its mouse and keyboard input."""

from __future__ import annotations

from typing import Final

import pygame

from sapper.advice.overlay import Overlay
from sapper.levels import Level
from sapper.position import HIDDEN, Cell, Position
from sapper.session.session import SPEEDS, Session
from sapper.window import panel
from sapper.window.actions import Actions
from sapper.window.canvas import SMALLEST_SIZE, Canvas
from sapper.window.gestures import Gesture, GestureKind, Pointer
from sapper.window.layout import BoardLayout, Point, Rect, arrange_board
from sapper.window.marks import (
    CROWDED,
    CURSOR,
    LAST,
    NO_MARK,
    QUESTION,
    HelpMarks,
    Mark,
    crowded_numbers,
)
from sapper.window.picture import BoardPicture
from sapper.window.play_layout import PlayLayout, arrange_play
from sapper.window.screens import Destination, Key, Screen, Target
from sapper.window.view import View

PAGE: Final = 10
"""The number of rows that Page Up and Page Down move the cursor."""
MESSAGE_LINES: Final = 2
"""The most lines of a message. A longer one is cut off."""
SMALLEST_MESSAGE: Final = 0.75
"""The smallest size of a message that would otherwise not fit, relative to its usual size."""
ZOOM: Final = 1.25
MOST_ZOOM_STEPS: Final = 12
STEPS: Final = {
    pygame.K_UP: (-1, 0),
    pygame.K_DOWN: (1, 0),
    pygame.K_LEFT: (0, -1),
    pygame.K_RIGHT: (0, 1),
    pygame.K_PAGEUP: (-PAGE, 0),
    pygame.K_PAGEDOWN: (PAGE, 0),
    pygame.K_HOME: (0, -1_000_000),
    pygame.K_END: (0, 1_000_000),
}
"""The keys that move the cursor, with the rows and columns by which they move it."""
HELD: Final = ("zoom_in", "zoom_out", "undo", "redo", "next_step", "previous_step", "faster", "slower")
"""The actions that repeat while a key is held down."""


class BoardScreen(Screen):
    """The game. On the course level this is the course's window; otherwise it has a bar and help."""

    layout: BoardLayout | PlayLayout
    view: View

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.cursor: Cell = (0, 0)
        """The cell of the keyboard cursor."""
        self.cursor_shown = False
        """Whether keys apply to the cursor. Otherwise they apply to the cell under the mouse."""
        self._mouse: Point | None = None
        self.focus: str | None = None
        """The button with the keyboard focus; None if the board has it."""
        self.help_top = 0
        """The number of pixels by which the help text is scrolled."""
        self._actions = Actions(session)
        self._zoom_steps = 0
        self._level: Level | None = None
        self.picture: BoardPicture | None = None
        self._overlay: Overlay | None = None
        self.help_marks = HelpMarks()
        self.help_room = 0
        self._second = 0
        self._crowded_in: Position | None = None
        self._crowded_cells: frozenset[Cell] = frozenset()

    # Geometry --------------------------------------------------------------------------------

    @property
    def plain(self) -> bool:
        """Whether this is the course's window, with three buttons and nothing else.

        A student whose agent is examined needs the other buttons, too.
        """
        return self.session.game.level.course_rules and not self.session.is_examined

    def arrange(self, width: int, height: int, density: float, about: Point | None = None) -> None:
        """Lay out the screen for a window of this size; a zoom keeps the point `about` fixed."""
        self._size = width, height, density
        level = self.session.game.level
        same = level == self._level
        if not same:
            self._zoom_steps = 0
            self.focus = None
            self.cursor = level.height // 2, level.width // 2
        zoom, scale = ZOOM**self._zoom_steps, self.look.text_scale
        board = (width, height, level.height, level.width)
        if self.plain:
            self.layout = arrange_board(*board, density=density, zoom=zoom, text_scale=scale)
        else:
            shown = self._words_shown()
            self.layout = arrange_play(
                *board, density=density, zoom=zoom, text_scale=scale, help_shown=shown
            )
        if same:
            self.view = self.view.fitted(self.layout.board, self.layout.cell, about)
        else:
            view = View(self.layout.board, self.layout.cell, level.height, level.width)
            self.view = view.centred_on(self.cursor)
        self._level = level

    def _words_shown(self) -> bool:
        overlay = self.session.overlay
        return overlay is not None and bool(overlay.title or overlay.lines)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons."""
        return self.layout.buttons

    @property
    def help_rect(self) -> Rect | None:
        """The rectangle of the help text; None if there is no room for it."""
        return self.layout.keys if isinstance(self.layout, BoardLayout) else self.layout.help

    def target_at(self, point: Point) -> Target | None:
        """Return the target at a point."""
        return super().target_at(point) or self.view.cell_at(point)

    # Input -----------------------------------------------------------------------------------

    def pointer(self, point: Point) -> Pointer:
        """Return the position of the mouse for gestures."""
        if super().target_at(point) is not None:  # A button may cover the board in a tiny window.
            return Pointer(point, None, None)
        return Pointer(point, self.view.cell_at(point), self.view.core_at(point))

    def hover(self, point: Point) -> bool:
        """Let keys apply to the cell under the mouse, and hide the cursor."""
        was_shown, self.cursor_shown = self.cursor_shown, False
        self._mouse = point
        return was_shown

    def perform(self, gesture: Gesture) -> None:
        """Perform a mouse gesture."""
        cell = gesture.cell
        if cell is None:
            super().perform(gesture)
            return
        self.focus, self.cursor = None, cell
        match gesture.kind:
            case GestureKind.OPEN if pygame.key.get_mods() & pygame.KMOD_SHIFT:
                self.session.why(cell)
            case GestureKind.OPEN:
                self.session.open(cell)
            case GestureKind.CHORD:
                self.chord(cell)
            case GestureKind.MARK:
                self._mark(cell)
            case GestureKind.FLAG:
                self.session.flag(cell)

    def _key_cell(self) -> Cell | None:
        """Return the cell to which keys apply; if there is none, show the cursor."""
        cell = self.cursor
        if not self.cursor_shown:
            under_mouse = None if self._mouse is None else self.pointer(self._mouse).cell
            if under_mouse is None:
                self.cursor_shown = True
                return None
            cell = under_mouse
        return cell

    def _mark(self, cell: Cell) -> None:
        """Cycle the mark of a cell; the course level has only flags."""
        if self.plain:
            self.session.flag(cell)
        else:
            self.session.mark(cell)

    def chord(self, cell: Cell) -> None:
        """Chord on a number."""
        if self.session.game.position[cell] < HIDDEN:
            self.session.open(cell)

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        if name == "speed":
            return Destination.STAY
        return self.act(name if self.plain else panel.instead(name, self.session))

    def act(self, action: str) -> Destination:
        """Perform an action by its name."""
        session = self.session
        match action:
            case "open" | "flag" | "chord":
                if (cell := self._key_cell()) is not None:
                    {"open": session.open, "flag": self._mark, "chord": self.chord}[action](cell)
            case "zoom_in" | "zoom_out":
                self.zoom(1 if action == "zoom_in" else -1)
            case "leave" if session.overlay is not None and self._words_shown():
                session.clear_help()  # The first press closes only the help.
            case _:
                where = self._actions.do(action)
                if action == "ai" and session.last is not None:
                    self.view = self.view.showing(session.last)
                return where
        return Destination.STAY

    def key(self, key: Key) -> Destination:
        """Handle a key press; only keys that move, zoom or step repeat."""
        if not self.plain and (key.code == pygame.K_TAB or self.focus is not None):
            if self._move_focus(key):
                return Destination.STAY
            if self.focus is not None and key.code in (
                pygame.K_RETURN,
                pygame.K_KP_ENTER,
                pygame.K_SPACE,
            ):
                return Destination.STAY if key.repeated else self.press(self.focus)
        if not key.control and (self._turn_page(key.code) or self._move_cursor(key.code)):
            return Destination.STAY
        action = self.keys.action(key)
        if action is None or (key.repeated and action not in HELD):
            return Destination.STAY
        if action == "why" and key.shift:
            if (cell := self._key_cell()) is not None:
                self.session.why(cell)
            return Destination.STAY
        return self.act(action)

    def _move_focus(self, key: Key) -> bool:
        """Move the focus; return whether the key does that."""
        names = list(self.buttons)
        if self.focus is None:
            self.focus = names[-1 if key.shift else 0]
            return True
        place = names.index(self.focus)
        if self.focus == "speed" and key.code in (pygame.K_LEFT, pygame.K_RIGHT):
            self._actions.do("faster" if key.code == pygame.K_RIGHT else "slower")
            return True
        if key.code == pygame.K_ESCAPE or key.code in (pygame.K_UP, pygame.K_DOWN):
            self.focus = None
            return True
        forward = key.code == pygame.K_RIGHT or (key.code == pygame.K_TAB and not key.shift)
        if not forward and key.code not in (pygame.K_LEFT, pygame.K_TAB):
            return False
        place += 1 if forward else -1
        self.focus = names[place] if 0 <= place < len(names) else None
        return True

    def _move_cursor(self, code: int) -> bool:
        """Move the cursor and scroll to it; return whether the key does that."""
        if code not in STEPS:
            return False
        down, right = STEPS[code]
        self.cursor = self._key_cell() or self.cursor
        self.cursor_shown = True
        row = min(max(0, self.cursor[0] + down), self.view.rows - 1)
        self.cursor = row, min(max(0, self.cursor[1] + right), self.view.columns - 1)
        self.view = self.view.showing(self.cursor)
        return True

    def _turn_page(self, code: int) -> bool:
        """Scroll a long help text; return whether the key does that."""
        rect = self.help_rect
        if rect is None or not self.help_room or code not in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            return False
        step = rect.height * 3 // 4
        self._scroll_help(step if code == pygame.K_PAGEDOWN else -step)
        return True

    def _scroll_help(self, down: int) -> None:
        self.help_top = min(max(0, self.help_top + down), self.help_room)

    def slide(self, name: str, point: Point) -> None:
        """Set the speed by the position of the mouse."""
        if name == "speed":
            rail = panel.rail(self.buttons["speed"])
            share = min(max(0.0, (point[0] - rail.x) / rail.width), 1.0)
            self.session.set_speed(SPEEDS[0] * (SPEEDS[1] / SPEEDS[0]) ** share)

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:
        """Scroll the board or the help text by a number of pixels."""
        rect = self.help_rect
        if point is not None and rect is not None and rect.contains(point):
            self._scroll_help(down)
        else:
            self.view = self.view.scrolled(right, down)

    def zoom(self, steps: int, about: Point | None = None) -> None:
        """Zoom in or out, but not below the size that fits."""
        self._zoom_steps = min(max(0, self._zoom_steps + steps), MOST_ZOOM_STEPS)
        if about is not None and not self.view.area.contains(about):
            about = None
        self.arrange(*self._size, about)

    def wheel_zooms(self, point: Point) -> bool:
        """Return whether the wheel zooms at this point; over the help text, it scrolls."""
        rect = self.help_rect
        return rect is None or not rect.contains(point)

    def tick(self) -> bool:
        """Return whether the clock shows a new second."""
        second = int(self.session.seconds)
        changed, self._second = second != self._second and not self.plain, second
        return changed

    # Drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        self._draw_board(canvas, hovered)
        focus = self.focus
        if isinstance(self.layout, BoardLayout):
            panel.draw_course_panel(canvas, self.layout, self.session, hovered, pressed)
        else:
            panel.draw_bar(canvas, self.layout, self.session, hovered, pressed, focus)
        self._draw_words(canvas)
        size = max(round(self.layout.unit * 0.95), 10)
        ink = canvas.theme.ink
        canvas.paragraph(
            *(self.layout.status, self.session.message, size, ink, "center"),
            most_lines=MESSAGE_LINES,
            smallest=max(round(size * SMALLEST_MESSAGE), SMALLEST_SIZE),
        )

    def _draw_words(self, canvas: Canvas) -> None:
        """Draw the help text, and the list of keys where there is room."""
        rect: Rect | None = self.help_rect
        if rect is None:
            return
        unit, shown = self.layout.unit, self._words_shown()
        if shown and self._overlay is not None:
            self.help_room, rect = panel.draw_help(
                canvas, rect, unit, self._overlay, self.help_top, self.keys
            )
            self._scroll_help(0)
        if not isinstance(self.layout, BoardLayout):
            panel.draw_keys(canvas, rect, unit, self.keys, examined=self.session.is_examined)
        elif not shown:
            panel.draw_course_keys(canvas, self.layout, rect)

    def prepare(self) -> None:
        """Update the help. Its marks are rebuilt only if it has changed."""
        overlay = self.session.overlay
        if overlay is self._overlay or overlay == self._overlay:
            return
        had_words = self._overlay is not None and bool(self._overlay.title or self._overlay.lines)
        self._overlay, self.help_marks = overlay, HelpMarks(overlay)
        self.help_top = self.help_room = 0
        if had_words != self._words_shown():
            self.arrange(*self._size)
        if overlay is not None and overlay.target is not None:
            self.view = self.view.showing(overlay.target)

    def own_marks(self) -> dict[Cell, Mark]:
        """Return the marks other than help.

        These are question marks, numbers with too many flags, the last move and the cursor.
        """
        marks = dict.fromkeys(self.session.questions, Mark(QUESTION))
        marks.update(dict.fromkeys(self._crowded(), Mark(CROWDED)))
        rings = [(LAST, self.session.last)]
        if self.focus is None and self.cursor_shown:
            rings.append((CURSOR, self.cursor))
        for ring, cell in rings:
            if cell is not None:
                marks[cell] = marks.get(cell, NO_MARK).with_ring(ring)
        return marks

    def _crowded(self) -> frozenset[Cell]:
        """Return the numbers with too many flags. The course's window and finished games show none."""
        position = self.session.game.position
        if position is not self._crowded_in:
            hide = self.plain or self.session.game.over
            self._crowded_cells = frozenset() if hide else crowded_numbers(position)
            self._crowded_in = position
        return self._crowded_cells

    def _draw_board(self, canvas: Canvas, hovered: Target | None) -> None:
        if self.picture is None or self.picture.canvas is not canvas:
            self.picture = BoardPicture(canvas)
        cell = None if isinstance(hovered, str) else hovered
        self.picture.update(
            self.view, self.session.game, self.help_marks, self.own_marks(), cell, self.gestures.sunken
        )
        area, unit = self.view.area, self.layout.unit
        edge = max(2, unit // 5)
        canvas.box(area.inset(-edge), edge * 2, canvas.theme.frame)
        canvas.surface.blit(self.picture.surface, area)
        thickness = max(3, unit // 4)
        for bar in self.view.scroll_bars(thickness, away=edge + 1):
            canvas.box(bar, thickness / 2, canvas.theme.scroll_bar)
