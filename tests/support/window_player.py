"""A simulated player for the window tests, who clicks and types."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.importorskip("pygame", reason="the window needs pygame-ce")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from sapper.game.game import Game
from sapper.position import Cell
from sapper.session.session import Session
from sapper.window.app import Window
from sapper.window.board import BoardScreen
from sapper.window.keys import KeyTable
from sapper.window.layout import Rect
from sapper.window.menu import MenuScreen
from sapper.window.theme import Look

LEFT, MIDDLE, RIGHT = 1, 2, 3


def display() -> Iterator[None]:
    """Open a display during a test. Modules turn this into a fixture."""
    pygame.display.init()
    pygame.font.init()
    yield
    pygame.font.quit()
    pygame.display.quit()


class Player:
    """A simulated player, who clicks and types."""

    def __init__(
        self,
        level: str = "course",
        seed: int = 27,
        size: tuple[int, int] = (900, 660),
        *,
        look: Look | None = None,
        keys: KeyTable | None = None,
    ) -> None:
        self.window = Window(Session(level, seed=seed), size, look=look, keys=keys)
        self.held: set[int] = set()
        """The mouse buttons that are down."""

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def mines(self) -> set[Cell]:
        assert self.game.minefield is not None
        return self.game.minefield.mines

    def chordable_number(self) -> tuple[Cell, frozenset[Cell]]:
        """Return an open number with hidden safe cells and mines around it, and its neighbours."""
        position = self.game.position
        return next(
            (cell, position.neighbours(cell))
            for cell in position.numbers
            if position.neighbours(cell) & position.hidden - self.mines
            and position.neighbours(cell) & self.mines
        )

    @property
    def board(self) -> BoardScreen:
        assert isinstance(self.window.screen, BoardScreen)
        return self.window.screen

    @property
    def menu(self) -> MenuScreen:
        assert isinstance(self.window.screen, MenuScreen)
        return self.window.screen

    def press(self, rect: Rect, button: int = LEFT) -> None:
        self.held.add(button)
        self.window.handle(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=rect.center, button=button))

    def release(self, rect: Rect, button: int = LEFT) -> None:
        self.held.discard(button)
        self.window.handle(pygame.Event(pygame.MOUSEBUTTONUP, pos=rect.center, button=button))

    def click(self, target: str | Cell, button: int = LEFT) -> None:
        rect = self.rect(target)
        self.press(rect, button)
        self.release(rect, button)

    def rect(self, target: str | Cell) -> Rect:
        if isinstance(target, str):
            return self.window.button_rect(target)
        return self.window.cell_rect(target)

    def hover(self, point: tuple[int, int]) -> None:
        buttons = tuple(int(button in self.held) for button in (LEFT, MIDDLE, RIGHT))
        event = pygame.Event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=buttons)
        self.window.handle(event)

    def key(self, code: int, character: str = "", times: int = 1, held: int = 0) -> None:
        for _ in range(times):
            event = pygame.Event(pygame.KEYDOWN, key=code, unicode=character, mod=held)
            self.window.handle(event)
            self.window.handle(pygame.Event(pygame.KEYUP, key=code))

    def type(self, text: str) -> None:
        for character in text:
            self.key(ord(character), character)

    def pixels(self) -> bytes:
        self.window.draw()
        return pygame.image.tobytes(self.window.surface, "RGB")


def beginner() -> Player:
    """Return a player on a beginner's board, one cell opened."""
    player = Player("beginner", seed=7)
    player.click("play")
    player.click((4, 4))
    player.window.draw()
    return player
