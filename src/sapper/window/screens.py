"""Screens: what the window may show, and the first of them, the start screen."""

from __future__ import annotations

from enum import Enum, auto

import pygame

from sapper.position import Cell
from sapper.session.session import Session
from sapper.window.canvas import Canvas
from sapper.window.keys import Key as Key
from sapper.window.keys import Keys
from sapper.window.layout import Point, Rect, StartLayout, arrange_start
from sapper.window.theme import Look

Target = str | Cell
"""What can be clicked: a button, by its name, or a cell."""

LEFT, MIDDLE, RIGHT = 1, 2, 3
"""The mouse's buttons, as pygame numbers them."""


class Go(Enum):
    """Where the window goes after a click or a key."""

    STAY = auto()
    BOARD = auto()
    MENU = auto()
    HELP = auto()
    REVIEW = auto()
    STATISTICS = auto()
    SETTINGS = auto()
    BACK = auto()
    LEAVE = auto()


class Screen:
    """One of the window's screens: it knows where its targets are, and what they do.

    The window gives it its look and its keys before it arranges it.
    """

    look = Look()
    keys = Keys()

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def buttons(self) -> dict[str, Rect]:
        """Where its buttons are."""
        raise NotImplementedError

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay everything out for a window of this size."""
        raise NotImplementedError

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw it all."""
        raise NotImplementedError

    def target_at(self, point: Point) -> Target | None:
        """Return what a click at this point would be on."""
        return next((name for name, rect in self.buttons.items() if rect.contains(point)), None)

    def click(self, target: Target, button: int) -> Go:
        """Do what a click on the target does."""
        return self.press(target) if button == LEFT and isinstance(target, str) else Go.STAY

    def press(self, name: str) -> Go:
        """Do what the button does."""
        raise NotImplementedError

    def key(self, key: Key) -> Go:
        """Do what the key does."""
        raise NotImplementedError

    def chord(self, cell: Cell) -> None:
        """Do what a click with both buttons on a cell does."""

    def slide(self, name: str, point: Point) -> None:
        """Do what the mouse at this point does, pressed on something that slides."""

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:
        """Move what is seen by so many pixels, where there is more than is seen.

        `point` is where the wheel was turned.
        """

    def zoom(self, steps: int, about: Point | None = None) -> None:
        """Make the cells larger or smaller, where there are cells."""

    def prepare(self) -> None:
        """Take in what the session has become: what is under the mouse may change by it."""

    def tick(self) -> bool:
        """Let time pass; return whether it is to be seen."""
        return False

    def leave(self) -> None:
        """End what goes on for this screen only: it is not shown again."""


class StartScreen(Screen):
    """The title, the three rules and the button that begins the game."""

    layout: StartLayout

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay everything out for a window of this size."""
        scale = self.look.text_scale
        self.layout = arrange_start(width, height, density=density, text_scale=scale)

    @property
    def buttons(self) -> dict[str, Rect]:
        """Where its buttons are."""
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

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw it all."""
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
        for name, label in (("play", "Play Game"), ("level", f"Level: {level}")):
            canvas.button(
                layout.buttons[name],
                label,
                round(1.3 * unit) if name == "play" else unit,
                main=name == "play",
                hovered=hovered == name,
                pressed=pressed == name,
            )

    def press(self, name: str) -> Go:
        """Do what the button does."""
        return {"play": Go.BOARD, "level": Go.MENU}[name]

    def key(self, key: Key) -> Go:
        """Do what the key does."""
        keys = {
            pygame.K_RETURN: Go.BOARD,
            pygame.K_KP_ENTER: Go.BOARD,
            pygame.K_SPACE: Go.BOARD,
            pygame.K_m: Go.MENU,
            pygame.K_F1: Go.HELP,
            pygame.K_ESCAPE: Go.LEAVE,
        }
        return Go.STAY if key.repeated else keys.get(key.code, Go.STAY)
