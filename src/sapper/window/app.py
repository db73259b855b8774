"""The window itself: it waits for events, hands them to the screen it shows, and draws."""

from __future__ import annotations

from typing import Final

import pygame

from minesweeper import Cell
from sapper.levels import Level
from sapper.session import Session
from sapper.window import theme
from sapper.window.board import BoardScreen
from sapper.window.canvas import Canvas, asset
from sapper.window.layout import SMALLEST_WINDOW, Point, Rect
from sapper.window.menu import MenuScreen
from sapper.window.screens import MIDDLE, Go, Key, Screen, StartScreen, Target

FRAMES: Final = 60
"""How often in a second the loop looks for events."""
WHEEL: Final = 3
"""How many cells a step of the wheel scrolls."""
HELD_KEY: Final = (300, 40)
"""The milliseconds before a key that is held down comes again, and between the next times."""


class Window:
    """A window on a session.

    `run` shows it until the player leaves. Without `run`, `handle` takes one event and `draw` draws:
    that is how the tests use it.
    """

    def __init__(self, session: Session, size: tuple[int, int] | None = None) -> None:
        self.session = session
        self.running = True
        level = session.game.level
        self._window = pygame.Window(
            caption(level), size or first_size(level), resizable=True, allow_high_dpi=True
        )
        self._window.minimum_size = SMALLEST_WINDOW
        self._window.set_icon(pygame.image.load_sized_svg(asset("mine.svg"), (128, 128)))
        pygame.key.set_repeat(*HELD_KEY)

        self.surface = self._window.get_surface()
        self._canvas = Canvas(self.surface)
        self._board = BoardScreen(session)
        self._before_menu: Screen = self._board
        self._point: Point = (-1, -1)
        self._pressed: dict[int, Target] = {}
        self._dragging = False
        self._held_keys: set[int] = set()
        self.stale = True
        self.screen: Screen = StartScreen(session)
        self._arrange()

    def close(self) -> None:
        """Take the window off the screen."""
        self._window.destroy()

    # Where things are, in pixels of `surface` ------------------------------------------------

    @property
    def title(self) -> str:
        """What the window's frame says."""
        return self._window.title

    @property
    def density(self) -> float:
        """How many pixels a point of the screen has: 2 on many a screen of high density."""
        return self.surface.get_width() / max(1, self._window.size[0])

    def cell_rect(self, cell: Cell) -> Rect:
        """Return where the cell of the board is."""
        return self._board.view.rect(cell)

    def button_rect(self, name: str) -> Rect:
        """Return where a button of the screen is that is shown now."""
        return self.screen.buttons[name]

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self._window.size = width, height
        self._arrange()

    def _arrange(self) -> None:
        size = self.surface.get_size()
        for screen in {self.screen, self._board, self._before_menu}:
            screen.arrange(*size, self.density)
        self.stale = True

    # The loop --------------------------------------------------------------------------------

    def run(self) -> None:
        """Show the window until the player leaves. What has not changed is not drawn again.

        At rest the clock sleeps. `pygame.event.wait` would not: it looks for events every millisecond.
        """
        clock = pygame.time.Clock()
        while self.running:
            for event in pygame.event.get():
                self.handle(event)
            if self.stale:
                self.draw()
            clock.tick(FRAMES)

    def draw(self) -> None:
        """Draw the screen that is shown now."""
        self.surface.fill(theme.PAGE)
        hovered = self._hovered()
        self.screen.draw(self._canvas, hovered, hovered if self._pressed else None)
        self._window.flip()
        self.stale = False

    def _hovered(self) -> Target | None:
        """Return what is under the mouse; while a button is down, only what it was pressed on."""
        target = self.screen.target_at(self._point)
        return target if not self._pressed or target in self._pressed.values() else None

    # Events ----------------------------------------------------------------------------------

    def handle(self, event: pygame.Event) -> None:
        """Do what the event asks for."""
        match event.type:
            case pygame.QUIT:
                self.running = False
            case pygame.KEYDOWN:
                repeated = event.key in self._held_keys
                self._held_keys.add(event.key)
                self._go(self.screen.key(Key(event.key, event.unicode, repeated)))
            case pygame.KEYUP:
                self._held_keys.discard(event.key)
            case pygame.MOUSEMOTION:
                self._move_mouse(event)
            case pygame.MOUSEBUTTONDOWN:
                self._press_mouse(event)
            case pygame.MOUSEBUTTONUP:
                self._release_mouse(event)
            case pygame.MOUSEWHEEL:
                self._turn_wheel(event)
            case pygame.WINDOWLEAVE:
                self._point = (-1, -1)
                self.stale = True
            case pygame.WINDOWFOCUSLOST:
                self._held_keys.clear()
            case pygame.WINDOWSIZECHANGED | pygame.WINDOWRESIZED | pygame.WINDOWDISPLAYCHANGED:
                self._arrange()
            case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN | pygame.WINDOWRESTORED:
                self.stale = True

    def _pixel(self, position: tuple[int, int]) -> Point:
        return position[0] * self.density, position[1] * self.density

    def _move_mouse(self, event: pygame.Event) -> None:
        before = self._hovered()
        self._point = self._pixel(event.pos)
        if self._dragging:
            right, down = self._pixel(event.rel)
            self.screen.scroll(-round(right), -round(down))
        self.stale = self.stale or self._dragging or self._hovered() != before

    def _press_mouse(self, event: pygame.Event) -> None:
        self._point = self._pixel(event.pos)
        self._dragging = self._dragging or event.button == MIDDLE
        target = self.screen.target_at(self._point)
        if target is not None and event.button != MIDDLE:
            self._pressed[event.button] = target
        self.stale = True

    def _release_mouse(self, event: pygame.Event) -> None:
        """Act on what the button was pressed on, if it is released there too."""
        self._point = self._pixel(event.pos)
        self._dragging = self._dragging and event.button != MIDDLE
        target = self._pressed.pop(event.button, None)
        if target is not None and target == self.screen.target_at(self._point):
            self._go(self.screen.click(target, event.button))
        self.stale = True

    def _turn_wheel(self, event: pygame.Event) -> None:
        modifiers = pygame.key.get_mods()
        if modifiers & pygame.KMOD_CTRL:
            self.screen.zoom(event.y)
        else:
            step = WHEEL * self._board.view.cell
            right, down = event.x * step, -event.y * step
            if modifiers & pygame.KMOD_SHIFT:
                right, down = down, right
            self.screen.scroll(right, down)
        self.stale = True

    def _go(self, where: Go) -> None:
        """Show the next screen."""
        self.stale = True
        if where is Go.STAY:
            return
        self._pressed.clear()
        if where is Go.LEAVE:
            self.running = False
        elif where is Go.MENU:
            self._before_menu, self.screen = self.screen, MenuScreen(self.session)
        elif where is Go.BACK:
            self.screen = self._before_menu
        elif where is Go.BOARD:
            self.screen = self._board
            self._window.title = caption(self.session.game.level)
        self._arrange()


def caption(level: Level) -> str:
    """Return what the frame of a window on this level says.

    >>> caption(Level.named("course")), caption(Level.named("expert"))
    ('Minesweeper', 'Minesweeper — expert')
    """
    return "Minesweeper" if level.name == "course" else f"Minesweeper — {level.name}"


def first_size(level: Level) -> tuple[int, int]:
    """Return a window's size at first: a good part of the screen, of the board's shape."""
    screen_width, screen_height = pygame.display.get_desktop_sizes()[0]
    height = max(screen_height * 65 // 100, SMALLEST_WINDOW[1])
    shape = min(max(level.width / level.height, 1), 2)
    width = min(round(height * (0.35 + 0.95 * shape)), screen_width * 85 // 100)
    return max(width, SMALLEST_WINDOW[0]), height
