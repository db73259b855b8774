"""The window itself: it waits for events, hands them to the screen it shows, and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import pygame

from sapper.errors import SapperError
from sapper.levels import Level
from sapper.position import Cell
from sapper.profile.scores import FinishedGame, statistics
from sapper.profile.settings import Settings
from sapper.session.session import Session
from sapper.window.actions import Actions
from sapper.window.board import BoardScreen
from sapper.window.canvas import Canvas, asset
from sapper.window.choices import Choices
from sapper.window.guide import GuideScreen
from sapper.window.keys import Key, Keys, KeyTable
from sapper.window.layout import SMALLEST_WINDOW, Point, Rect
from sapper.window.menu import MenuScreen
from sapper.window.preferences import SettingsScreen
from sapper.window.review import review_of
from sapper.window.screens import LEFT, MIDDLE, RIGHT, Go, Screen, StartScreen, Target
from sapper.window.stats import StatisticsScreen
from sapper.window.theme import Look

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

    def __init__(
        self,
        session: Session,
        size: tuple[int, int] | None = None,
        *,
        look: Look | None = None,
        keys: KeyTable | None = None,
        first_run: bool = False,
        history: Iterable[FinishedGame] = (),
        save: Callable[[Settings], str | None] = lambda _: None,
    ) -> None:
        """Show a session; `save` keeps settings that were changed, and returns what did not work."""
        self.session = session
        self.running = True
        choices = Choices()
        self.makers: dict[Go, Callable[[Session], Screen]] = {
            Go.MENU: lambda session: MenuScreen(session, choices),
            Go.HELP: GuideScreen,
            Go.REVIEW: review_of,
            Go.STATISTICS: lambda session: StatisticsScreen(session, statistics(history)),
            Go.SETTINGS: lambda session: SettingsScreen(session, keys, save),
        }
        """What makes the screens that lie over another one, until `Go.BACK` leads back to it.

        None of them may hold the window: a window is to go when nobody holds it, not some time later.
        """
        self._look = Look() if look is None else look
        self._keys = Keys(keys)
        level = session.game.level
        self._window = pygame.Window(
            caption(level), size or first_size(level), resizable=True, allow_high_dpi=True
        )
        self._window.minimum_size = SMALLEST_WINDOW
        self._window.set_icon(pygame.image.load_sized_svg(asset("mine.svg"), (128, 128)))
        pygame.key.set_repeat(*HELD_KEY)

        self.surface = self._window.get_surface()
        self._canvas = Canvas(self.surface, self._look.theme)
        self._actions = Actions(session)
        self.board = BoardScreen(session)
        self._below: list[Screen] = []
        self._level = level
        self._point: Point = (-1, -1)
        self._pressed: dict[int, Target] = {}
        self._dragging = False
        self._held_keys: set[int] = set()
        self.stale = True
        self.screen: Screen = StartScreen(session)
        if first_run:
            self._below, self.screen = [self.screen], GuideScreen(session)
        self._arrange()

    def close(self) -> None:
        """Take the window off the screen."""
        for screen in {self.screen, *self._below}:
            screen.leave()
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

    @property
    def look(self) -> Look:
        """Its theme and the size of its text; another one may be given at any time."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        self._look = look
        self._canvas = Canvas(self.surface, look.theme)
        self._arrange()

    def cell_rect(self, cell: Cell) -> Rect:
        """Return where the cell of the board is."""
        return self.board.view.rect(cell)

    def button_rect(self, name: str) -> Rect:
        """Return where a button of the screen is that is shown now."""
        return self.screen.buttons[name]

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self._window.size = width, height
        self._arrange()

    def _arrange(self) -> None:
        size = self.surface.get_size()
        for screen in {self.screen, self.board, *self._below}:
            screen.look, screen.keys = self._look, self._keys
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
            self.tick()
            if self.stale:
                self.draw()
            clock.tick(FRAMES)

    def tick(self) -> None:
        """Let time pass: take in what was worked out meanwhile, and let the clock go on."""
        changed = self.session.tick()
        self.stale = self.screen.tick() or changed or self.stale
        self._follow_level()

    def _follow_level(self) -> None:
        """Take in that the session has a board of another size: one was loaded or made."""
        level = self.session.game.level
        if level != self._level:
            self._level = level
            self._window.title = caption(level)
            self._arrange()

    def draw(self) -> None:
        """Draw the screen that is shown now."""
        self.screen.prepare()
        self.surface.fill(self._look.theme.page)
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
                held = getattr(event, "mod", pygame.KMOD_NONE)
                control = bool(held & (pygame.KMOD_CTRL | pygame.KMOD_META))
                shift, alt = bool(held & pygame.KMOD_SHIFT), bool(held & pygame.KMOD_LALT)
                key = Key(event.key, event.unicode, repeated, control, shift, alt)
                self._go(self.screen.key(key))
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
            case pygame.DROPFILE:
                self.open(event.file)
            case pygame.WINDOWLEAVE:
                self._point = (-1, -1)
                self.stale = True
            case pygame.WINDOWFOCUSLOST:
                self._held_keys.clear()
            case pygame.WINDOWSIZECHANGED | pygame.WINDOWRESIZED | pygame.WINDOWDISPLAYCHANGED:
                self._arrange()
            case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN | pygame.WINDOWRESTORED:
                self.stale = True
        self._follow_level()

    def open(self, source: str) -> None:
        """Show what a file holds, or the board of a code; what is wrong with it, the message says."""
        self._actions.load(source)
        self._go(Go.BOARD)

    def _pixel(self, position: tuple[int, int]) -> Point:
        return position[0] * self.density, position[1] * self.density

    def _move_mouse(self, event: pygame.Event) -> None:
        before = self._hovered()
        self._point = self._pixel(event.pos)
        if self._dragging:
            right, down = self._pixel(event.rel)
            self.screen.scroll(-round(right), -round(down))
        sliding = self._slide()
        self.stale = self.stale or self._dragging or sliding or self._hovered() != before

    def _slide(self) -> bool:
        """Let what the left button is down on follow the mouse; return whether there is any."""
        target = self._pressed.get(LEFT)
        if isinstance(target, str):
            self.screen.slide(target, self._point)
        return isinstance(target, str)

    def _press_mouse(self, event: pygame.Event) -> None:
        self._point = self._pixel(event.pos)
        self._dragging = self._dragging or event.button == MIDDLE
        target = self.screen.target_at(self._point)
        if target is not None and event.button != MIDDLE:
            self._pressed[event.button] = target
            self._slide()
        self.stale = True

    def _release_mouse(self, event: pygame.Event) -> None:
        """Act on what the button was pressed on, if it is released there too.

        With both buttons down on a cell, the first that is released acts for both.
        """
        self._point = self._pixel(event.pos)
        self._dragging = self._dragging and event.button != MIDDLE
        target = self._pressed.pop(event.button, None)
        if target is not None and target == self.screen.target_at(self._point):
            other = {LEFT: RIGHT, RIGHT: LEFT}.get(event.button, 0)
            if not isinstance(target, str) and self._pressed.get(other) == target:
                del self._pressed[other]
                self.screen.chord(target)
            else:
                self._go(self.screen.click(target, event.button))
        self.stale = True

    def _turn_wheel(self, event: pygame.Event) -> None:
        modifiers = pygame.key.get_mods()
        if modifiers & pygame.KMOD_CTRL:
            self.screen.zoom(event.y, self._point)
        else:
            step = WHEEL * self.board.view.cell
            right, down = event.x * step, -event.y * step
            if modifiers & pygame.KMOD_SHIFT:
                right, down = down, right
            self.screen.scroll(right, down, self._point)
        self.stale = True

    def _go(self, where: Go) -> None:
        """Show the next screen, and in the look that was chosen on the last."""
        self.stale = True
        if self.screen.look != self._look:
            self.look = self.screen.look
        if where is Go.STAY:
            return
        self._pressed.clear()
        before = {self.screen, *self._below}
        if where is Go.LEAVE:
            self.running = False
        elif where is Go.BACK:
            self.screen = self._below.pop() if self._below else self.board
        elif where is Go.BOARD:
            self._below.clear()
            self.screen = self.board
        elif where in self.makers:
            self._show(self.makers[where])
        for screen in before - {self.screen, *self._below}:
            screen.leave()
        self._arrange()

    def _show(self, maker: Callable[[Session], Screen]) -> None:
        """Lay a screen over the one that is shown; the agent does not play on unseen."""
        try:
            screen = maker(self.session)
        except SapperError as error:
            self.session.show_error(error)
            return
        if self.session.autoplay:
            self.session.toggle_autoplay()
        self._below.append(self.screen)
        self.screen = screen


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
