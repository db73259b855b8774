"""Make docs/images/*.png, the same each time: `python benchmarks/screenshots.py [FOLDER]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from sapper.session import Session
from sapper.window.app import Window
from sapper.window.review import ReviewScreen

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (900, 660)
WIDE = (1200, 660)
SMALL = (660, 480)


def press(window: Window, code: int, character: str = "") -> None:
    window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=character))
    window.handle(pygame.Event(pygame.KEYUP, key=code))


def begin(level: str, seed: int, size: tuple[int, int] = SIZE) -> Window:
    window = Window(Session(level, seed=seed), size)
    press(window, pygame.K_RETURN)
    return window


def let_ai_move(window: Window, times: int) -> None:
    for _ in range(times):
        window.session.ai_move()


def flag_known_mines(window: Window, most: int) -> None:
    """Flag mines that the AI is sure of, but keep its last move the last."""
    session = window.session
    last, message = session.last, session.message
    for mine in sorted(session.agent.known_mines(session.game.position) - session.game.flags)[:most]:
        session.flag(mine)
    session.last, session.message = last, message


def start() -> Window:
    return Window(Session("course", seed=27), SIZE)


def game() -> Window:
    window = begin("course", 27)
    let_ai_move(window, 36)
    flag_known_mines(window, 4)
    return window


def won() -> Window:
    window = begin("course", 27)
    let_ai_move(window, 57)
    return window


def lost() -> Window:
    """A lost game: a flag on a mine, a flag on no mine, and a mine that was opened."""
    window = begin("course", 46)
    let_ai_move(window, 30)
    session = window.session
    minefield = session.game.minefield
    assert minefield is not None
    mines = sorted(minefield.mines)
    session.flag(mines[0])
    session.flag(min(session.game.position.hidden - minefield.mines))
    session.open(mines[4])
    return window


def menu() -> Window:
    window = begin("course", 27)
    press(window, pygame.K_m)
    press(window, pygame.K_RIGHT)
    for digit in "40":
        press(window, getattr(pygame, f"K_{digit}"), digit)
    return window


def expert() -> Window:
    window = begin("expert", 33, WIDE)
    window.session.open((8, 15))
    let_ai_move(window, 130)
    flag_known_mines(window, 60)
    return window


def window_review() -> Window:
    """A game with a needless guess, which is looked at."""
    window = begin("intermediate", 4, SMALL)
    session = window.session
    session.use_agent("safest")
    session.open((8, 8))
    for moves in (20, 40, 200):
        let_ai_move(window, moves)
        minefield = session.game.minefield
        assert minefield is not None
        guessed = sorted(session.game.position.hidden - minefield.mines)
        if guessed:
            session.open(guessed[len(guessed) // 2])
    press(window, pygame.K_v, "v")
    screen = window.screen
    assert isinstance(screen, ReviewScreen)
    screen.reading.wait()
    window.tick()
    press(window, pygame.K_UP)
    screen.reading.wait()
    window.tick()
    return window


def main() -> None:
    """Draw every screen and save it."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    pygame.display.init()
    pygame.font.init()
    for scene in (start, game, won, lost, menu, expert, window_review):
        window = scene()
        window.draw()
        path = folder / f"{scene.__name__.replace('_', '-')}.png"
        pygame.image.save(window.surface, path)
        print(path)
        window.close()


if __name__ == "__main__":
    main()
