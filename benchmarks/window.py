"""How long a frame of the window takes: `python benchmarks/window.py [FRAMES]`.

Frames are drawn into memory (SDL's dummy driver), sixty a second, so that what thinks beside has
the time it has in a game. What is measured is the work of a frame, without the pause after it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from sapper.session.background import BackgroundTasks
from sapper.session.session import Session
from sapper.window.app import Window

SIZE = (1600, 1000)
AT_SIXTY = 1000 / 60
"""The milliseconds of a frame when there are sixty a second."""


def begin(level: str) -> Window:
    window = Window(Session(level, seed=33, tasks=BackgroundTasks(threads=1)), SIZE)
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode=""))
    window.handle(pygame.Event(pygame.KEYUP, key=pygame.K_RETURN))
    rows, columns = window.session.game.level.height, window.session.game.level.width
    window.session.open((rows // 2, columns // 2))
    return window


def press(window: Window, code: int) -> None:
    window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=""))
    window.handle(pygame.Event(pygame.KEYUP, key=code))


def rest(window: Window) -> Iterator[None]:
    """Nothing happens; still every frame is drawn."""
    while True:
        window.stale = True
        yield


def move_mouse(window: Window) -> Iterator[None]:
    """The mouse wanders over the board, to another cell in every frame."""
    step = 0
    while True:
        x, y = 200 + 37 * step % 1200, 150 + 41 * step % 550
        window.handle(pygame.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(0, 0, 0)))
        step += 1
        yield


def autoplay(window: Window) -> Iterator[None]:
    """The AI opens cells as fast as it may, with every risk shown; a new board follows every game."""
    window.session.toggle_heat()
    while True:
        if window.session.game.over:
            press(window, pygame.K_n)
        if not window.session.autoplay:
            window.session.speed = 100.0
            press(window, pygame.K_p)
        window.stale = True
        yield


def scroll(window: Window) -> Iterator[None]:
    """The board is dragged to and fro."""
    step = 0
    while True:
        right, down = (23, 17) if step % 240 < 120 else (-23, -17)
        window.screen.scroll(right, down)
        window.stale = True
        step += 1
        yield


def zoom(window: Window) -> Iterator[None]:
    """Every sixth frame the cells become larger or smaller."""
    step = 0
    while True:
        if step % 6 == 0:
            window.screen.zoom(1 if step % 48 < 24 else -1, (700, 500))
        window.stale = True
        step += 1
        yield


CASES: tuple[tuple[str, str, Callable[[Window], Iterator[None]]], ...] = (
    ("expert at rest", "expert", rest),
    ("expert, the mouse moving", "expert", move_mouse),
    ("expert, autoplay with risks shown", "expert", autoplay),
    ("200x200, autoplay with risks shown", "200x200/8000", autoplay),
    ("200x200, scrolling", "200x200/8000", scroll),
    ("200x200, zooming", "200x200/8000", zoom),
)


def measure(level: str, happen: Callable[[Window], Iterator[None]], frames: int) -> list[float]:
    """Return the milliseconds that frames take, the first ten left out."""
    window = begin(level)
    times = []
    clock = pygame.time.Clock()
    events = happen(window)
    for _ in range(frames + 10):
        begun = time.perf_counter()
        next(events)
        window.tick()
        window.draw()
        times.append(1000 * (time.perf_counter() - begun))
        clock.tick(60)
    window.session.close()
    window.close()
    return times[10:]


def main() -> None:
    """Print a table of all cases."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    pygame.display.init()
    pygame.font.init()
    print(f"{frames} frames each, {SIZE[0]} x {SIZE[1]} pixels, milliseconds\n")
    print("| | median | 99 % | worst | under 16.7 ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, level, happen in CASES:
        times = sorted(measure(level, happen, frames))
        late = times[min(len(times) * 99 // 100, len(times) - 1)]
        share = sum(taken < AT_SIXTY for taken in times) / len(times)
        print(f"| {name} | {median(times):.1f} | {late:.1f} | {times[-1]:.1f} | {share:.1%} |")


if __name__ == "__main__":
    main()
