"""Screens: the base class of the window's screens, and the start screen."""

from __future__ import annotations

from enum import Enum, auto

import pygame

from sapper.position import Cell
from sapper.session.session import Session
from sapper.window.canvas import Canvas
from sapper.window.faces import Faces
from sapper.window.gestures import LEFT as LEFT
from sapper.window.gestures import MIDDLE as MIDDLE
from sapper.window.gestures import RIGHT as RIGHT
from sapper.window.gestures import Gesture, GestureKind, Gestures, Pointer
from sapper.window.keys import Key as Key
from sapper.window.keys import Keys
from sapper.window.layout import Point, Rect, StartLayout, arrange_start
from sapper.window.theme import Look

Target = str | Cell
"""Something that can be clicked: a button, by name, or a cell."""


class Destination(Enum):
    """The screen to show after a click or a key press."""

    STAY = auto()
    BOARD = auto()
    MENU = auto()
    HELP = auto()
    REVIEW = auto()
    STATISTICS = auto()
    SETTINGS = auto()
    BACK = auto()
    HOME = auto()


class Screen:
    """A screen of the window: its layout, its targets and what they do.

    The window sets `look` and `keys` before it calls `arrange`.
    """

    look = Look()
    keys = Keys()
    gestures: Gestures
    """The mouse gestures on the screen's board, or on its background."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.gestures = Gestures(Faces(session))

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons."""
        raise NotImplementedError

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        raise NotImplementedError

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        raise NotImplementedError

    def target_at(self, point: Point) -> Target | None:
        """Return the target at a point."""
        return next((name for name, rect in self.buttons.items() if rect.contains(point)), None)

    def click(self, target: Target, button: int) -> Destination:
        """Handle a click on a target."""
        return self.press(target) if button == LEFT and isinstance(target, str) else Destination.STAY

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        raise NotImplementedError

    def key(self, key: Key) -> Destination:
        """Handle a key press."""
        raise NotImplementedError

    def hover(self, point: Point) -> bool:  # noqa: ARG002 - for screens with a board.
        """Handle a move of the mouse; return whether the screen must be redrawn."""
        return False

    def pointer(self, point: Point) -> Pointer:
        """Return the position of the mouse for gestures: on which cell of the board in play it is."""
        return Pointer(point, None, None)

    def perform(self, gesture: Gesture) -> None:
        """Perform a mouse gesture. A screen without a board in play only scrolls."""
        if gesture.kind is GestureKind.PAN:
            self.scroll(-round(gesture.right), -round(gesture.down))

    def slide(self, name: str, point: Point) -> None:
        """Handle a drag that started on a slider and is now at this point."""

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:
        """Scroll by a number of pixels, if there is anything to scroll.

        `point` is the position of the mouse when the wheel was turned.
        """

    def zoom(self, steps: int, about: Point | None = None) -> None:
        """Zoom, if the screen has a board."""

    def wheel_zooms(self, point: Point) -> bool:  # noqa: ARG002 - for screens with a board.
        """Return whether the wheel zooms at this point; otherwise it scrolls."""
        return False

    def prepare(self) -> None:
        """Update the screen from the session, before the mouse target is determined."""

    def tick(self) -> bool:
        """Advance time; return whether the screen must be redrawn."""
        return False

    def leave(self) -> None:
        """Release the resources of this screen. It is not shown again."""


class StartScreen(Screen):
    """The title, the three rules and the button that starts the game."""

    layout: StartLayout

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        scale = self.look.text_scale
        self.layout = arrange_start(width, height, density=density, text_scale=scale)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons."""
        return self.layout.buttons

    @property
    def rules(self) -> list[str]:
        """The rules of the level."""
        course = self.session.game.level.course_rules
        return [
            "Click a cell to reveal it.",
            "Right-click a cell to mark it as a mine.",
            "Mark all mines successfully to win!"
            if course
            else "Reveal every cell that is not a mine to win!",
        ]

    @property
    def play_label(self) -> str:
        """The label of the button that shows the board."""
        game = self.session.game
        return "Continue" if game.actions and not game.over else "Play Game"

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        layout, unit = self.layout, self.layout.unit
        middle = layout.picture.center[0]
        for name, shift in (("flag.svg", -1.15), ("mine.svg", 0.15)):
            picture = canvas.picture(name, layout.picture.height)
            canvas.surface.blit(
                picture, (middle + round(shift * layout.picture.height), layout.picture.y)
            )
        canvas.text(layout.title, "Play Minesweeper", 3 * unit, canvas.theme.ink)
        for number, rule in enumerate(self.rules):
            canvas.text(layout.rules.row(number, 3, 0), rule, round(1.2 * unit), canvas.theme.muted)
        level = self.session.game.level.name
        for name, label in (("play", self.play_label), ("level", f"Level: {level}")):
            canvas.button(
                layout.buttons[name],
                label,
                round(1.3 * unit) if name == "play" else unit,
                main=name == "play",
                hovered=hovered == name,
                pressed=pressed == name,
            )

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        return {"play": Destination.BOARD, "level": Destination.MENU}[name]

    def key(self, key: Key) -> Destination:
        """Handle a key press."""
        keys = {
            pygame.K_RETURN: Destination.BOARD,
            pygame.K_KP_ENTER: Destination.BOARD,
            pygame.K_SPACE: Destination.BOARD,
            pygame.K_m: Destination.MENU,
            pygame.K_F1: Destination.HELP,
        }
        return Destination.STAY if key.repeated else keys.get(key.code, Destination.STAY)
