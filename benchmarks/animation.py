"""Make docs/images/demo.gif, the animation in the README: `python -m benchmarks.animation [FILE]`.

It shows a game that the AI wins in the window, with a hint, a proof and the risks.
Needs Pillow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
from PIL import Image

from benchmarks.screenshots import flag_known_mines, let_ai_move, press
from benchmarks.support import IMAGES, command_line
from sapper.session.session import Session
from sapper.window.app import Window
from sapper.window.theme import Look

SIZE = (900, 600)
COLOURS = 64
"""The window has few colours, so a small palette without dithering reproduces them."""


MOVES_BEFORE_HELP = 20


class Animation:
    """A game in the window. Its clock advances by the time for which each frame is shown."""

    def __init__(self) -> None:
        self.now = 0.0
        session = Session("intermediate", seed=16, clock=lambda: self.now)
        self.window = Window(session, SIZE, look=Look.named("light"))
        press(self.window, pygame.K_RETURN)

    def frames(self) -> Iterator[tuple[Image.Image, int]]:
        """Yield the images, and how many milliseconds to show each of them."""
        session = self.window.session
        yield self.show(700)
        session.open((11, 9))
        yield self.show(900)
        for _ in range(MOVES_BEFORE_HELP):
            yield self.move()
        for key, milliseconds in ((pygame.K_h, 1800), (pygame.K_w, 4500), (pygame.K_e, 3000)):
            press(self.window, key)
            yield self.show(milliseconds)
        press(self.window, pygame.K_e)
        press(self.window, pygame.K_ESCAPE)
        while not session.game.over:
            yield self.move()
        yield self.show(4000)

    def move(self) -> tuple[Image.Image, int]:
        """Let the AI move, flag the mines that it knows, and return the image."""
        let_ai_move(self.window, 1)
        if not self.window.session.game.over:
            flag_known_mines(self.window, most=40)
        return self.show(180)

    def show(self, milliseconds: int) -> tuple[Image.Image, int]:
        """Return an image of the window, and let the time pass for which it is shown."""
        image = picture(self.window)
        self.now += milliseconds / 1000
        return image, milliseconds


def picture(window: Window) -> Image.Image:
    """Return an image of the window."""
    window.draw()
    pixels = pygame.image.tobytes(window.surface, "RGB")
    return Image.frombytes("RGB", window.surface.get_size(), pixels)


def most_colourful(pictures: list[Image.Image]) -> Image.Image:
    """Return the picture with the most colours, which has those of the others as well."""
    return max(pictures, key=lambda each: len(each.getcolors(each.width * each.height) or []))


def main() -> None:
    """Write the animation."""
    parser = command_line(__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=IMAGES / "demo.gif", help="GIF to write")
    file: Path = parser.parse_args().file
    pygame.display.init()
    pygame.font.init()
    pictures, times = [], []
    for image, milliseconds in Animation().frames():
        pictures.append(image)
        times.append(milliseconds)
    palette = most_colourful(pictures).quantize(COLOURS, dither=Image.Dither.NONE)
    first, *rest = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    first.save(file, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    print(f"{file}: {len(pictures)} frames, {file.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
