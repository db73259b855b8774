"""The window itself: it passes events to the current screen and draws it."""

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
from sapper.window.gestures import LEFT, MIDDLE, RIGHT, Gesture
from sapper.window.guide import GuideScreen
from sapper.window.keys import Key, Keys, KeyTable
from sapper.window.layout import SMALLEST_WINDOW, Point, Rect
from sapper.window.menu import MenuScreen
from sapper.window.preferences import SettingsScreen
from sapper.window.review import review_of
from sapper.window.screens import Destination, Screen, StartScreen, Target
from sapper.window.stats import StatisticsScreen
from sapper.window.theme import Look

FRAMES: Final = 60
"""Frames per second: how often the main loop runs."""
BUTTON_FRAMES: Final = 240
"""Frames per second while a mouse button is down: a click then takes effect at once."""
BUTTONS: Final = (LEFT, MIDDLE, RIGHT)
"""The mouse buttons, in the order of the `buttons` of a motion event."""
WHEEL: Final = 3
"""The number of cells that one step of the wheel scrolls."""
HELD_KEY: Final = (300, 40)
"""Milliseconds until a held key repeats, and between repeats."""


class Window:
    """A window on a session.

    `run` shows it until the player closes it. Tests call `handle` and `draw` instead.
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
        """Show a session; `save` stores changed settings and returns an error message if it fails."""
        self.session = session
        self.running = True
        choices = Choices()
        self.makers: dict[Destination, Callable[[Session], Screen]] = {
            Destination.MENU: lambda session: MenuScreen(session, choices),
            Destination.HELP: GuideScreen,
            Destination.REVIEW: review_of,
            Destination.STATISTICS: lambda session: StatisticsScreen(session, statistics(history)),
            Destination.SETTINGS: lambda session: SettingsScreen(session, keys, save),
        }
        """Factories of the screens that cover another screen until `Destination.BACK`.

        None of them may refer to the window: a reference cycle would delay its deletion.
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
        self._held_keys: set[int] = set()
        self.stale = True
        self.screen: Screen = StartScreen(session)
        if first_run:
            self._below, self.screen = [self.screen], GuideScreen(session)
        self._arrange()

    def close(self) -> None:
        """Close the window."""
        for screen in {self.screen, *self._below}:
            screen.leave()
        self._window.destroy()

    # Geometry, in pixels of `surface` --------------------------------------------------------

    @property
    def title(self) -> str:
        """The text of the title bar."""
        return self._window.title

    @property
    def density(self) -> float:
        """Pixels per point of the screen: 2 on many high-density screens."""
        return self.surface.get_width() / max(1, self._window.size[0])

    @property
    def look(self) -> Look:
        """The theme and the text size; it can be set at any time."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        self._look = look
        self._canvas = Canvas(self.surface, look.theme)
        self._arrange()

    def cell_rect(self, cell: Cell) -> Rect:
        """Return the rectangle of a cell."""
        return self.board.view.rect(cell)

    def button_rect(self, name: str) -> Rect:
        """Return the rectangle of a button of the current screen."""
        return self.screen.buttons[name]

    def resize(self, width: int, height: int) -> None:
        """Resize the window."""
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
        """Show the window until the player closes it. Redraw only when something has changed.

        Between frames the process sleeps. `pygame.event.wait` would poll every millisecond instead.
        """
        clock = pygame.time.Clock()
        while self.running:
            for event in pygame.event.get():
                self.handle(event)
            self.tick()
            if self.stale:
                self.draw()
            clock.tick(self.frames_per_second)

    @property
    def frames_per_second(self) -> int:
        """How often to look for events: more often while a mouse button is down."""
        return BUTTON_FRAMES if self._pressed or self.screen.gestures.is_active else FRAMES

    def tick(self) -> None:
        """Advance time: collect results of background tasks and update the clock."""
        changed = self.session.tick()
        self.stale = self.screen.tick() or changed or self.stale
        self._follow_level()

    def _follow_level(self) -> None:
        """Adapt to a new board size after a board was loaded or generated."""
        level = self.session.game.level
        if level != self._level:
            self._level = level
            self._window.title = caption(level)
            self._arrange()

    def draw(self) -> None:
        """Draw the current screen."""
        self.screen.prepare()
        self.surface.fill(self._look.theme.page)
        hovered = self._hovered()
        self.screen.draw(self._canvas, hovered, hovered if self._pressed else None)
        self._window.flip()
        self.stale = False

    def _hovered(self) -> Target | None:
        """Return the target under the mouse; while a mouse button is down, only the pressed target."""
        target = self.screen.target_at(self._point)
        if isinstance(target, str) and self.screen.gestures.is_active:
            return None
        return target if not self._pressed or target in self._pressed.values() else None

    # Events ----------------------------------------------------------------------------------

    def handle(self, event: pygame.Event) -> None:
        """Handle an event."""
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
                self.screen.hover(self._point)
                self.stale = True
            case pygame.WINDOWFOCUSLOST:
                self._held_keys.clear()
                self.screen.gestures.cancel()
                self.stale = True
            case pygame.WINDOWSIZECHANGED | pygame.WINDOWRESIZED | pygame.WINDOWDISPLAYCHANGED:
                self._arrange()
            case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN | pygame.WINDOWRESTORED:
                self.stale = True
        self._follow_level()

    def open(self, source: str) -> None:
        """Open a file or a board code; show an error as the session's message."""
        self._actions.load(source)
        self._go(Destination.BOARD)

    def _pixel(self, position: tuple[int, int]) -> Point:
        return position[0] * self.density, position[1] * self.density

    def _move_mouse(self, event: pygame.Event) -> None:
        before = self._hovered()
        self._point_at(event.pos)
        held = [button for button, is_down in zip(BUTTONS, event.buttons, strict=True) if is_down]
        self.screen.gestures.keep_only(held)
        gestures = self.screen.gestures.move(self.screen.pointer(self._point))
        self._perform(gestures)
        self.stale = self._slide() or bool(gestures) or self._hovered() != before or self.stale

    def _point_at(self, position: tuple[int, int]) -> None:
        """Remember where the mouse is; tell the screen if it has moved."""
        point = self._pixel(position)
        if point != self._point:
            self._point = point
            self.stale = self.screen.hover(point) or self.stale

    def _perform(self, gestures: Iterable[Gesture]) -> None:
        for gesture in gestures:
            self.screen.perform(gesture)

    def _slide(self) -> bool:
        """Move the slider that is being dragged; return whether there is one."""
        target = self._pressed.get(LEFT)
        if isinstance(target, str):
            self.screen.slide(target, self._point)
        return isinstance(target, str)

    def _press_mouse(self, event: pygame.Event) -> None:
        """Begin a click on a button, or a gesture on the board. Middle drags begin anywhere."""
        self._point_at(event.pos)
        pointer = self.screen.pointer(self._point)
        target = self.screen.target_at(self._point)
        if pointer.cell is not None or event.button == MIDDLE:
            self._perform(self.screen.gestures.press(event.button, pointer))
        elif target is not None:
            self._pressed[event.button] = target
            self._slide()
        self.stale = True

    def _release_mouse(self, event: pygame.Event) -> None:
        """Click a button if the mouse is released where it was pressed, or complete a gesture."""
        self._point_at(event.pos)
        self._perform(self.screen.gestures.release(event.button, self.screen.pointer(self._point)))
        target = self._pressed.pop(event.button, None)
        if target is not None and target == self.screen.target_at(self._point):
            self._go(self.screen.click(target, event.button))
            self.screen.hover(self._point)
        self.stale = True

    def _turn_wheel(self, event: pygame.Event) -> None:
        modifiers = pygame.key.get_mods()
        sideways = bool(modifiers & pygame.KMOD_SHIFT)
        zooms = self.screen.wheel_zooms(self._point) and not sideways
        if event.y and (zooms or modifiers & pygame.KMOD_CTRL):
            self.screen.zoom(event.y, self._point)
        else:
            step = WHEEL * self.board.view.cell
            right, down = event.x * step, -event.y * step
            if sideways:
                right, down = down, right
            self.screen.scroll(right, down, self._point)
        self.stale = True

    def _go(self, where: Destination) -> None:
        """Show another screen, with the current look."""
        self.stale = True
        if self.screen.look != self._look:
            self.look = self.screen.look
        if where is Destination.STAY:
            return
        self._pressed.clear()
        self.screen.gestures.cancel()
        before = {self.screen, *self._below}
        if where is Destination.HOME:
            self._go_home()
        elif where is Destination.BACK:
            self.screen = self._below.pop() if self._below else self.board
        elif where is Destination.BOARD:
            self._below.clear()
            self.screen = self.board
        elif where in self.makers:
            self._show(self.makers[where])
        for screen in before - {self.screen, *self._below}:
            screen.leave()
        self._arrange()

    def _go_home(self) -> None:
        """Show the start screen; the game can be continued from there."""
        self._stop_autoplay()
        self._below.clear()
        self.screen = StartScreen(self.session)

    def _stop_autoplay(self) -> None:
        if self.session.autoplay:
            self.session.toggle_autoplay()

    def _show(self, maker: Callable[[Session], Screen]) -> None:
        """Cover the current screen with another one, and stop autoplay."""
        try:
            screen = maker(self.session)
        except SapperError as error:
            self.session.show_error(error)
            return
        self._stop_autoplay()
        self._below.append(self.screen)
        self.screen = screen


def caption(level: Level) -> str:
    """Return the title of a window on this level.

    >>> caption(Level.named("course")), caption(Level.named("expert"))
    ('Minesweeper', 'Minesweeper — expert')
    """
    return "Minesweeper" if level.name == "course" else f"Minesweeper — {level.name}"


def first_size(level: Level) -> tuple[int, int]:
    """Return the initial window size: most of the screen, in the shape of the board."""
    screen_width, screen_height = pygame.display.get_desktop_sizes()[0]
    height = max(screen_height * 65 // 100, SMALLEST_WINDOW[1])
    shape = min(max(level.width / level.height, 1), 2)
    width = min(round(height * (0.35 + 0.95 * shape)), screen_width * 85 // 100)
    return max(width, SMALLEST_WINDOW[0]), height
