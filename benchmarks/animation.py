"""Make docs/images/demo.gif, the animation in the README: `python -m benchmarks.animation [FILE]`.

It shows a game in the window: the first click, moves of the AI, a proof and the risks. Needs Pillow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
from PIL import Image

from benchmarks.screenshots import begin, let_ai_move, press
from benchmarks.support import IMAGES, command_line
from sapper.window.app import Window

SIZE = (900, 600)
COLOURS = 64
"""The window has few colours, so a small palette without dithering reproduces them."""


def frames() -> Iterator[tuple[Window, int]]:
    """Yield the window in each state, and how many milliseconds to show it."""
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
    """Return an image of the window."""
    window.draw()
    pixels = pygame.image.tobytes(window.surface, "RGB")
    return Image.frombytes("RGB", window.surface.get_size(), pixels)


def main() -> None:
    """Write the animation."""
    parser = command_line(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=IMAGES / "demo.gif", help="GIF to write")
    file: Path = parser.parse_args().file
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
