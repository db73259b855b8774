"""Label marks: the shape and colour of each review label, in the graph and the list."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from sapper.reviews.labels import Label
from sapper.window.theme import Theme

Shape = tuple[tuple[float, float], ...]
"""The corners of a mark around (0, 0), within the unit circle."""


def _corners(count: int, *, turn: float = 0.0, inner: float = 1.0) -> Shape:
    """Return corners at equal angles, clockwise from the top; every second one at radius `inner`."""
    return tuple(
        ((inner if number % 2 else 1) * sin(angle), -(inner if number % 2 else 1) * cos(angle))
        for number in range(count)
        for angle in [2 * pi * number / count + turn]
    )


SHAPES: Final[dict[Label, Shape]] = {
    Label.FIRST_CLICK: ((-0.9, -0.3), (0.9, -0.3), (0.9, 0.3), (-0.9, 0.3)),
    Label.ONLY_MOVE: ((-0.3, -0.9), (0.3, -0.9), (0.3, 0.9), (-0.3, 0.9)),
    Label.BEST: tuple((0.75 * x, 0.75 * y) for x, y in _corners(24)),
    Label.FORCED_GUESS: ((-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)),
    Label.FINE: _corners(4),
    Label.INACCURACY: _corners(3),
    Label.MISTAKE: _corners(3, turn=pi),
    Label.BLUNDER: tuple((x, y) for x, y in _corners(8, turn=pi / 4, inner=0.35)),
    Label.NEEDLESS_GUESS: _corners(10, inner=0.42),
}
"""Bars and a circle for good moves, squares for guesses, triangles and stars for faults."""


def colour_of(label: Label | None, theme: Theme) -> str:
    """Return the colour of a label in a theme; a missing label is grey.

    >>> from sapper.window.theme import LIGHT
    >>> colour_of(Label.BEST, LIGHT) == LIGHT.won, colour_of(None, LIGHT) == LIGHT.muted
    (True, True)
    """
    match label:
        case Label.ONLY_MOVE | Label.BEST:
            return theme.won
        case Label.FORCED_GUESS | Label.FINE:
            return theme.accent
        case Label.INACCURACY:
            return theme.numbers[5]
        case Label.MISTAKE:
            return theme.numbers[4]
        case Label.BLUNDER | Label.NEEDLESS_GUESS:
            return theme.lost
    return theme.muted


def mark_svg(
    label: Label, middle: tuple[float, float], radius: float, theme: Theme, *, hollow: bool = False
) -> str:
    """Return the mark of a label as SVG; marks of estimates are hollow.

    >>> from sapper.window.theme import LIGHT
    >>> mark_svg(Label.FORCED_GUESS, (10, 20), 10, LIGHT)[:51]
    '<polygon points="3.00,13.00 17.00,13.00 17.00,27.00'
    """
    x, y = middle
    points = " ".join(f"{x + radius * a:.2f},{y + radius * b:.2f}" for a, b in SHAPES[label])
    colour = colour_of(label, theme)
    return (
        f'<polygon points="{points}" fill="{theme.page if hollow else colour}" stroke="{colour}"'
        f' stroke-width="{max(1.0, radius / 4):.2f}" stroke-linejoin="round"/>'
    )
