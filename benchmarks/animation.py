"""Make docs/images/demo.gif, the animation in the README: `python -m benchmarks.animation [FILE]`.

It needs Pillow. A game is played in the window: the first click, moves of the AI, and a proof.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
from PIL import Image

from benchmarks.screenshots import IMAGES, begin, let_ai_move, press
from sapper.window.app import Window

SIZE = (900, 600)
COLOURS = 64
"""The window has few colours, so a palette of its own colours needs no dithering."""


def frames() -> Iterator[tuple[Window, int]]:
    """Generate the states of the window, and for how many milliseconds each is shown."""
    window = begin("intermediate", 7, SIZE)
    yield window, 700
    window.session.open((8, 8))
    yield window, 900
    for _ in range(19):
        let_ai_move(window, 1)
        yield window, 180
    let_ai_move(window, 1)
    yield window, 900
    press(window, pygame.K_w)
    yield window, 4500
    press(window, pygame.K_e)
    yield window, 3000


def picture(window: Window) -> Image.Image:
    """Return what the window shows."""
    window.draw()
    pixels = pygame.image.tobytes(window.surface, "RGB")
    return Image.frombytes("RGB", window.surface.get_size(), pixels)


def main() -> None:
    """Write the animation."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES / "demo.gif"
    pygame.display.init()
    pygame.font.init()
    pictures, times = [], []
    for window, milliseconds in frames():
        pictures.append(picture(window))
        times.append(milliseconds)
    palette = pictures[-1].quantize(COLOURS, dither=Image.Dither.NONE)
    first, *rest = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    first.save(file, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    print(f"{file}: {len(pictures)} frames, {file.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
