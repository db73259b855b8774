"""The canvas: draws text, shapes and pictures on a surface, each rendered at its final size."""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import pygame

from sapper.window.layout import Rect
from sapper.window.theme import LIGHT, Theme

Align = Literal["left", "center", "right"]

OVERSAMPLING: Final = 4
"""Text is rendered larger by this factor and then scaled down, for even spacing."""
CAPITAL: Final = 0.73
"""The height of a capital letter at font size 1."""
SMALLEST_SIZE: Final = 6
MOST_LETTERS: Final = 1000
"""The most characters in a line. SDL crashes on lines of 100,000."""


def asset(name: str) -> Path:
    """Return the path of a picture: next to the code in a wheel, otherwise in `assets/`."""
    beside = Path(__file__).parent / "assets"
    folder = beside if beside.is_dir() else Path(__file__).resolve().parents[3] / "assets"
    return folder / name


class Canvas:
    """Draws on a surface in the colours of a theme, and caches what it renders."""

    def __init__(self, surface: pygame.Surface, theme: Theme = LIGHT) -> None:
        self.surface = surface
        self.theme = theme
        # The caches belong to this canvas: fonts and surfaces do not outlive pygame's `quit`.
        self._font_of = lru_cache(64)(self._load_font)
        self._width_of = lru_cache(4096)(self._measure_text)
        self._text_of = lru_cache(512)(self._render_text)
        self._shape_of = lru_cache(256)(self._render_shape)
        self._picture_of = lru_cache(64)(self._render_picture)

    # Rendering (cached) ----------------------------------------------------------------------

    def letters(self, text: str, size: int, colour: str) -> pygame.Surface:
        """Return a line of text in pygame's own font, at a size in pixels."""
        return self._text_of(readable(text), size, colour)

    def text_width(self, text: str, size: int) -> int:
        """Return the width of a line of text."""
        return self._width_of(readable(text), size)

    def picture(self, name: str, size: int, ink: str = "", glint: str = "") -> pygame.Surface:
        """Return an asset as a square picture; a mine may have its own colours."""
        return self._picture_of(name, size, ink or self.theme.mine, glint or self.theme.glint)

    def shape(
        self, width: int, height: int, radius: float, fill: str, edge: str = "none", line: float = 0
    ) -> pygame.Surface:
        """Return a rounded rectangle with smooth corners; an edge of `line` pixels is inside it."""
        return self._shape_of(width, height, radius, fill, edge, line)

    @staticmethod
    def _load_font(size: int) -> pygame.font.Font:
        # Load it by its path, because pygame draws the font `None` smaller than its size.
        path = Path(pygame.__file__).with_name(pygame.font.get_default_font())
        return pygame.font.Font(path, size * OVERSAMPLING)

    def _render_text(self, text: str, size: int, colour: str) -> pygame.Surface:
        large = self._font_of(size).render(text, True, colour)
        width, height = large.get_size()
        small = (-(-width // OVERSAMPLING), -(-height // OVERSAMPLING))
        return pygame.transform.smoothscale(large, small)

    def _measure_text(self, text: str, size: int) -> int:
        return -(-self._font_of(size).size(text)[0] // OVERSAMPLING)

    def _render_picture(self, name: str, size: int, ink: str, glint: str) -> pygame.Surface:
        """Render an asset with its colours replaced by those of the theme."""
        if name == "flag.svg":
            colours = {"#1d2733": self.theme.pole, "#c9301c": self.theme.cloth}
        else:
            colours = {"#1d2733": ink, "#ffffff": glint}
        drawing = asset(name).read_text(encoding="utf-8")
        drawing = re.sub("#[0-9a-f]{6}", lambda colour: colours[colour[0]], drawing)
        return _load_svg(drawing, (size, size))

    @staticmethod
    def _render_shape(
        width: int, height: int, radius: float, fill: str, edge: str, line: float
    ) -> pygame.Surface:
        half = line / 2
        return draw_svg(
            f'<rect x="{half}" y="{half}" width="{width - line}" height="{height - line}"'
            f' rx="{max(0.0, radius - half)}" fill="{fill}" stroke="{edge}" stroke-width="{line}"/>',
            (width, height),
            (width, height),
        )

    # Drawing ---------------------------------------------------------------------------------

    def box(self, rect: Rect, radius: float, fill: str, edge: str = "none", line: float = 0) -> None:
        """Draw a rounded rectangle."""
        self.surface.blit(self.shape(rect.width, rect.height, radius, fill, edge, line), rect)

    def text(self, rect: Rect, text: str, size: int, colour: str, align: Align = "center") -> None:
        """Write a line, centred vertically, and smaller if it would not fit."""
        while size > SMALLEST_SIZE and self.text_width(text, size) > rect.width:
            size -= 1
        self._write(rect, self.shortened(text, size, rect.width), size, colour, align, rect.center[1])

    def line(self, rect: Rect, text: str, size: int, colour: str) -> None:
        """Write a line at the left of the rectangle, at exactly this size."""
        self._write(rect, text, size, colour, "left", rect.center[1])

    def paragraph(
        self,
        rect: Rect,
        text: str,
        size: int,
        colour: str,
        align: Align = "left",
        *,
        most_lines: int | None = None,
        smallest: int = SMALLEST_SIZE,
    ) -> None:
        """Write text over several lines, smaller if it would not fit; cut off the rest."""
        lines = self.wrap(text, size, rect.width)
        while size > smallest and not (
            self._fits(rect, lines, size) and (most_lines is None or len(lines) <= most_lines)
        ):
            size -= 1
            lines = self.wrap(text, size, rect.width)
        step = _line_height(size)
        most = max(rect.height // step, 1)
        if most_lines is not None:
            most = min(most, most_lines)
        if len(lines) > most:
            lines = [*lines[: most - 1], self.shortened(f"{lines[most - 1]} …", size, rect.width)]
        first = rect.center[1] - step * (len(lines) - 1) // 2
        for number, line in enumerate(lines):
            self._write(rect, line, size, colour, align, first + number * step)

    def wrap(self, text: str, size: int, width: int) -> list[str]:
        """Return the text as lines of limited width; only words that are too long are broken."""
        lines = [""]
        for word in readable(text).split():
            longer = f"{lines[-1]} {word}".strip()
            if self.text_width(longer, size) <= width:
                lines[-1] = longer
            else:
                lines += self._broken(word, size, width)
        return lines if lines[0] or len(lines) == 1 else lines[1:]

    def _broken(self, word: str, size: int, width: int) -> list[str]:
        """Return a word in parts of limited width, with at least one letter each."""
        parts = []
        while self.text_width(word, size) > width and len(word) > 1:
            end = max(self._fitting(word, "", size, width), 1)
            parts.append(word[:end])
            word = word[end:]
        return [*parts, word]

    def shortened(self, text: str, size: int, width: int) -> str:
        """Return a line, shortened to a maximum width."""
        text = readable(text)
        if self.text_width(text, size) <= width:
            return text
        return f"{text[: self._fitting(text, '…', size, width)]}…"

    def _fitting(self, text: str, ending: str, size: int, width: int) -> int:
        """Return the number of letters that fit in a width together with an ending."""
        lengths = range(1, len(text) + 1)
        return bisect_right(
            lengths, width, key=lambda length: self.text_width(text[:length] + ending, size)
        )

    def _fits(self, rect: Rect, lines: list[str], size: int) -> bool:
        widest = max(self.text_width(line, size) for line in lines)
        return widest <= rect.width and len(lines) * _line_height(size) <= rect.height

    def _write(self, rect: Rect, text: str, size: int, colour: str, align: Align, middle: int) -> None:
        """Write a line whose capitals are centred at this height."""
        image = self.letters(text, size, colour)
        spare = rect.width - image.get_width()
        x = rect.x + {"left": 0, "center": spare // 2, "right": spare}[align]
        baseline = self._font_of(size).get_ascent() / OVERSAMPLING
        self.surface.blit(image, (x, round(middle + size * CAPITAL / 2 - baseline)))

    def button(
        self,
        rect: Rect,
        label: str,
        size: int,
        *,
        main: bool = False,
        hovered: bool = False,
        pressed: bool = False,
        focused: bool = False,
    ) -> None:
        """Draw a button: filled if it is the main one, with a ring if it has the focus."""
        if main:
            fill, edge, ink = self.theme.accent, self.theme.accent, self.theme.on_accent
            fill = self.theme.accent_hover if hovered else fill
            fill = self.theme.accent_pressed if pressed else fill
        else:
            fill, edge, ink = self.theme.button, self.theme.button_edge, self.theme.ink
            fill = self.theme.button_hover if hovered else fill
            fill = self.theme.button_pressed if pressed else fill
        line = max(1.0, size / 14)
        self.box(rect, size * 0.4, fill, edge, line)
        if focused:
            self.box(rect, size * 0.4, "none", self.theme.cursor, line * 2.5)
        if label:
            self.text(rect.inset(max(2, size // 4)), label, size, ink)


def readable(text: str) -> str:
    """Return text that can be drawn: not too long, and without control characters.

    >>> readable("a\\0b"), len(readable("x" * 10**6)) == MOST_LETTERS
    ('a b', True)
    """
    if len(text) > MOST_LETTERS:
        text = f"{text[: MOST_LETTERS - 1]}…"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _line_height(size: int) -> int:
    return round(size * 1.25)


def draw_svg(body: str, view: tuple[float, float], size: tuple[int, int]) -> pygame.Surface:
    """Render the body of an SVG picture, whose view box is `view`."""
    width, height = size
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {view[0]} {view[1]}">{body}</svg>'
    )
    return _load_svg(document, size)


def _load_svg(document: str, size: tuple[int, int]) -> pygame.Surface:
    return pygame.image.load_sized_svg(io.BytesIO(document.encode()), size).convert_alpha()
