"""How long the window takes to draw a frame: `python -m benchmarks.window [FRAMES]`.

Prints the table in docs/window.md. Frames are drawn into memory (SDL's dummy driver), sixty per second,
so that background threads get as much time as in a game. The pause between two frames does not count.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from statistics import median

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from benchmarks.support import command_line, percentile
from sapper.session.background import BackgroundTasks
from sapper.session.session import Session
from sapper.window.app import Window

SIZE = (1600, 1000)
FRAME_TIME = 1000 / 60
"""Milliseconds per frame at sixty frames per second."""


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
    """Nothing events_ofs, but every frame is drawn."""
    while True:
        window.stale = True
        yield


def move_mouse(window: Window) -> Iterator[None]:
    """The mouse moves to another cell in every frame."""
    step = 0
    while True:
        x, y = 200 + 37 * step % 1200, 150 + 41 * step % 550
        window.handle(pygame.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(0, 0, 0)))
        step += 1
        yield


def autoplay(window: Window) -> Iterator[None]:
    """The AI plays at top speed with all risks shown; a new game follows each finished one."""
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
    """The board is dragged back and forth."""
    step = 0
    while True:
        right, down = (23, 17) if step % 240 < 120 else (-23, -17)
        window.screen.scroll(right, down)
        window.stale = True
        step += 1
        yield


def zoom(window: Window) -> Iterator[None]:
    """Every sixth frame, the board is zoomed in or out."""
    step = 0
    while True:
        if step % 6 == 0:
            window.screen.zoom(1 if step % 48 < 24 else -1, (700, 500))
        window.stale = True
        step += 1
        yield


CASES: tuple[tuple[str, str, Callable[[Window], Iterator[None]]], ...] = (
    ("expert, idle", "expert", rest),
    ("expert, moving the mouse", "expert", move_mouse),
    ("expert, autoplay with risks shown", "expert", autoplay),
    ("200x200, autoplay with risks shown", "200x200/8000", autoplay),
    ("200x200, scrolling", "200x200/8000", scroll),
    ("200x200, zooming", "200x200/8000", zoom),
)


def measure(level: str, events_of: Callable[[Window], Iterator[None]], frames: int) -> list[float]:
    """Return the milliseconds per frame, without the first ten frames."""
    window = begin(level)
    times = []
    clock = pygame.time.Clock()
    events = events_of(window)
    for _ in range(frames + 10):
        start = time.perf_counter()
        next(events)
        window.tick()
        window.draw()
        times.append(1000 * (time.perf_counter() - start))
        clock.tick(60)
    window.session.close()
    window.close()
    return times[10:]


def main() -> None:
    """Print a table of all cases."""
    parser = command_line(__doc__)
    parser.add_argument("frames", nargs="?", type=int, default=600, help="frames per case")
    frames: int = parser.parse_args().frames
    pygame.display.init()
    pygame.font.init()
    print(f"{frames} frames per case, {SIZE[0]} x {SIZE[1]} pixels, milliseconds\n")
    print("| | median | p99 | longest | under 16.7 ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, level, events_of in CASES:
        times = measure(level, events_of, frames)
        slow, longest = percentile(times, 99), max(times)
        share = sum(taken < FRAME_TIME for taken in times) / len(times)
        print(f"| {name} | {median(times):.1f} | {slow:.1f} | {longest:.1f} | {share:.1%} |")


if __name__ == "__main__":
    main()
