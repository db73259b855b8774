"""The board screen: the board, the panel beside it, and the line that says what happened."""

from __future__ import annotations

from typing import Final

import pygame

from minesweeper import Cell
from sapper.game import Outcome
from sapper.levels import Level
from sapper.position import FLAG
from sapper.session import Session
from sapper.window import theme
from sapper.window.canvas import Canvas
from sapper.window.layout import BoardLayout, Point, Rect, arrange_board
from sapper.window.screens import LEFT, RIGHT, Go, Key, Screen, Target
from sapper.window.tiles import Tiles, draw_cells
from sapper.window.view import View

LABELS: Final = {"ai": "AI Move", "reset": "Reset", "level": "Level"}
KEYS: Final = (
    ("Arrows", "move"),
    ("Space", "open"),
    ("F", "flag"),
    ("A", "AI move"),
    ("R", "reset"),
    ("M", "level"),
    ("Esc", "leave"),
)
OPENING_KEYS: Final = (pygame.K_SPACE, pygame.K_RETURN, pygame.K_KP_ENTER)
PAGE: Final = 10
"""How many rows the cursor jumps by Page Up and Page Down."""
ZOOM: Final = 1.25
MOST_ZOOM_STEPS: Final = 12


class BoardScreen(Screen):
    """The game itself."""

    layout: BoardLayout
    view: View

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.cursor: Cell = (0, 0)
        self._zoom_steps = 0
        self._level: Level | None = None
        self._tiles: Tiles | None = None

    # Where things are ------------------------------------------------------------------------

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay everything out for a window of this size."""
        self._size = width, height, density
        level = self.session.game.level
        same = level == self._level
        if not same:
            self._zoom_steps = 0
            self.cursor = level.height // 2, level.width // 2
        zoom = ZOOM**self._zoom_steps
        self.layout = arrange_board(
            width, height, level.height, level.width, density=density, zoom=zoom
        )
        board, cell = self.layout.board, self.layout.cell
        if same:
            self.view = self.view.fitted(board, cell)
        else:
            self.view = View(board, cell, level.height, level.width).centred_on(self.cursor)
        self._level = level

    @property
    def buttons(self) -> dict[str, Rect]:
        """Where its buttons are."""
        return self.layout.buttons

    def target_at(self, point: Point) -> Target | None:
        """Return what a click at this point would be on."""
        return super().target_at(point) or self.view.cell_at(point)

    # What the player does --------------------------------------------------------------------

    def click(self, target: Target, button: int) -> Go:
        """Do what a click on the target does."""
        if isinstance(target, str):
            return super().click(target, button)
        if button in (LEFT, RIGHT):
            self.cursor = target
        if button == LEFT:
            self.session.open(target)
        elif button == RIGHT:
            self.session.flag(target)
        return Go.STAY

    def press(self, name: str) -> Go:
        """Do what the button does."""
        if name == "level":
            return Go.MENU
        if name == "ai":
            self._let_ai_move()
        elif name == "reset":
            self.session.reset()
        return Go.STAY

    def _let_ai_move(self) -> None:
        announcement = self.session.ai_move()
        if announcement is not None:
            print(announcement, flush=True)
        if self.session.last is not None:
            self.view = self.view.showing(self.session.last)

    def key(self, key: Key) -> Go:
        """Do what the key does; only keys that move the cursor or zoom may be held down."""
        if self._move_cursor(key.code):
            return Go.STAY
        if key.character and key.character in "+=-":
            self.zoom(-1 if key.character == "-" else 1)
        if key.repeated:
            return Go.STAY
        buttons = {pygame.K_a: "ai", pygame.K_r: "reset", pygame.K_m: "level"}
        if key.code in buttons:
            return self.press(buttons[key.code])
        if key.code in OPENING_KEYS:
            self.session.open(self.cursor)
        elif key.code == pygame.K_f:
            self.session.flag(self.cursor)
        return Go.LEAVE if key.code == pygame.K_ESCAPE else Go.STAY

    def _move_cursor(self, code: int) -> bool:
        """Move the cursor, and scroll to it; return whether the key does that."""
        rows, columns = self.view.rows, self.view.columns
        steps = {
            pygame.K_UP: (-1, 0),
            pygame.K_DOWN: (1, 0),
            pygame.K_LEFT: (0, -1),
            pygame.K_RIGHT: (0, 1),
            pygame.K_PAGEUP: (-PAGE, 0),
            pygame.K_PAGEDOWN: (PAGE, 0),
            pygame.K_HOME: (0, -columns),
            pygame.K_END: (0, columns),
        }
        if code not in steps:
            return False
        down, right = steps[code]
        row = min(max(0, self.cursor[0] + down), rows - 1)
        self.cursor = row, min(max(0, self.cursor[1] + right), columns - 1)
        self.view = self.view.showing(self.cursor)
        return True

    def scroll(self, right: int, down: int) -> None:
        """Move what is seen of the board by so many pixels."""
        self.view = self.view.scrolled(right, down)

    def zoom(self, steps: int) -> None:
        """Make the cells larger or smaller, never smaller than fits."""
        self._zoom_steps = min(max(0, self._zoom_steps + steps), MOST_ZOOM_STEPS)
        self.arrange(*self._size)

    # What it looks like ----------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw it all."""
        if self._tiles is None or self._tiles.size != self.view.cell:
            self._tiles = Tiles(canvas, self.view.cell)
        self._draw_board(canvas, self._tiles, hovered)
        self._draw_panel(canvas, hovered, pressed)
        size = max(round(self.layout.unit * 0.95), 10)
        canvas.paragraph(self.layout.status, self.session.message, size, theme.INK, "center")

    def _draw_board(self, canvas: Canvas, tiles: Tiles, hovered: Target | None) -> None:
        surface, area = canvas.surface, self.view.area
        edge = max(2, self.layout.unit // 5)
        canvas.box(area.inset(-edge), edge * 2, theme.FRAME)
        surface.set_clip(area)
        cell = None if isinstance(hovered, str) else hovered
        draw_cells(surface, tiles, self.view, self.session.game, cell)
        if self.session.last is not None:
            surface.blit(tiles.last_mark, self.view.rect(self.session.last))
        surface.blit(tiles.cursor_mark, self.view.rect(self.cursor))
        surface.set_clip(None)
        thickness = max(3, self.layout.unit // 4)
        for bar in self.view.scroll_bars(thickness, away=edge + 1):
            canvas.box(bar, thickness / 2, theme.SCROLL_BAR)

    def _draw_panel(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        layout, unit = self.layout, self.layout.unit
        self._draw_counter(canvas)
        for name, rect in layout.buttons.items():
            canvas.button(
                rect,
                LABELS[name],
                round(1.15 * unit),
                main=name == "ai",
                hovered=hovered == name,
                pressed=pressed == name,
            )
        outcome = self.session.game.outcome
        if outcome is not Outcome.PLAYING:
            won = outcome is Outcome.WON
            word, colour = ("Won", theme.WON) if won else ("Lost", theme.LOST)
            canvas.text(layout.word, word, 2 * unit, colour)
        if layout.keys is not None:
            self._draw_keys(canvas, layout.keys)

    def _draw_counter(self, canvas: Canvas) -> None:
        rect, unit = self.layout.counter, self.layout.unit
        left = self.session.game.level.mines - self.session.game.position.codes.count(FLAG)
        picture = canvas.picture("mine.svg", round(1.6 * unit))
        canvas.surface.blit(picture, (rect.x, rect.center[1] - picture.get_height() // 2))
        beside = 2 * unit
        words = Rect(rect.x + beside, rect.y, rect.width - beside, rect.height)
        mines = "mine" if left == 1 else "mines"
        canvas.text(words, f"{left} {mines} left", round(1.15 * unit), theme.INK, "left")

    def _draw_keys(self, canvas: Canvas, rect: Rect) -> None:
        size = max(round(self.layout.unit * 0.8), 9)
        if not self.layout.beside:
            listed = ",  ".join(f"{key}: {what}" for key, what in KEYS)
            canvas.paragraph(rect, listed, size, theme.MUTED, "center")
            return
        for number, (key, what) in enumerate(KEYS):
            row = rect.row(number, len(KEYS), 0)
            canvas.text(row.column(0, 2, 0), key, size, theme.INK, "left")
            canvas.text(row.column(1, 2, 0), what, size, theme.MUTED, "left")
