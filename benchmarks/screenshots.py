"""Make the screenshots of the window in docs/images: `python -m benchmarks.screenshots [FOLDER]`.

The images are the same each time.
"""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from benchmarks.support import image_folder
from sapper.session.session import Session
from sapper.window.app import Window
from sapper.window.layout import SMALLEST_WINDOW
from sapper.window.review import ReviewScreen
from sapper.window.theme import Look

SIZE = (900, 660)
WIDE = (1200, 660)
SMALL = (660, 480)


def press(window: Window, code: int, character: str = "") -> None:
    window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=character))
    window.handle(pygame.Event(pygame.KEYUP, key=code))


def begin(level: str, seed: int, size: tuple[int, int] = SIZE, theme: str = "light") -> Window:
    """Return a window past the start screen. Its clock stands still, so that images can be repeated."""
    session = Session(level, seed=seed, clock=lambda: 0.0)
    window = Window(session, size, look=Look.named(theme))
    press(window, pygame.K_RETURN)
    return window


def let_ai_move(window: Window, times: int) -> None:
    for _ in range(times):
        window.session.ai_move()


def flag_known_mines(window: Window, most: int) -> None:
    """Flag mines that the AI knows, but keep showing its last move."""
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
    """A lost game with a correct flag, a wrong flag and the mine that was opened."""
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


def proof() -> Window:
    """The proof that a cell is safe, in the dark theme."""
    window = begin("intermediate", 7, theme="dark")
    window.session.open((8, 8))
    let_ai_move(window, 20)
    press(window, pygame.K_w)
    return window


def risks() -> Window:
    """The risk of every cell, in high contrast."""
    window = begin("intermediate", 5, theme="high contrast")
    window.session.open((8, 8))
    let_ai_move(window, 40)
    press(window, pygame.K_e)
    return window


def hint() -> Window:
    """A hint, in the smallest window."""
    window = begin("beginner", 7, SMALLEST_WINDOW)
    window.session.open((4, 4))
    press(window, pygame.K_h)
    return window


def guide() -> Window:
    window = begin("beginner", 7, (640, 480))
    press(window, pygame.K_F1)
    return window


def window_review() -> Window:
    """The review of a game, at a needless guess."""
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
    folder = image_folder(__doc__)
    pygame.display.init()
    pygame.font.init()
    scenes = (start, game, won, lost, menu, expert, proof, risks, hint, guide, window_review)
    for scene in scenes:
        window = scene()
        window.draw()
        path = folder / f"{scene.__name__.replace('_', '-')}.png"
        pygame.image.save(window.surface, path)
        print(path)
        window.close()


if __name__ == "__main__":
    main()
