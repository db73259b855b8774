"""Lines in a diagram: what the plots of docs/boards.md are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, MARGIN = 640, 360, 60
COLOURS = ("#444444", "#1f6fb4", "#c2571a", "#2b8a3e")

Points = Sequence[tuple[float, float]]


def step_for(span: float) -> float:
    """Return the distance of round marks of which a span holds four to ten.

    >>> step_for(70), step_for(0.3)
    (10.0, 0.05)
    """
    power = 10.0 ** math.floor(math.log10(span / 4))
    step: float = next(power * by for by in (1, 2, 2.5, 5, 10) if span / (power * by) <= 10)
    return round(step, 12)


def draw_lines(title: str, across: str, lines: Mapping[str, Points]) -> str:
    """Return a drawing of shares as lines, each in its own colour and named below the title."""
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    x_step, y_step = step_for(max(xs) - min(xs)), step_for(max(ys) - min(0, *ys))
    left, right = math.floor(min(xs) / x_step) * x_step, math.ceil(max(xs) / x_step) * x_step
    top = math.ceil(max(ys) / y_step) * y_step

    def place(x: float, y: float) -> str:
        over = MARGIN + (x - left) / (right - left) * (WIDTH - 2 * MARGIN)
        down = HEIGHT - MARGIN - y / top * (HEIGHT - 2 * MARGIN)
        return f"{over:.1f} {down:.1f}"

    def text(x: float, y: float, words: str, anchor: str = "middle", fill: str = "#000000") -> str:
        at = f'x="{x:.1f}" y="{y:.1f}"'
        return f'<text {at} text-anchor="{anchor}" fill="{fill}">{words}</text>'

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(WIDTH / 2, 20, title),
        text(WIDTH / 2, HEIGHT - 12, across),
    ]
    for mark in range(round((right - left) / x_step) + 1):
        x = left + mark * x_step
        drawn.append(f'<path d="M{place(x, 0)}L{place(x, top)}" stroke="#dddddd"/>')
        drawn.append(text(float(place(x, 0).split()[0]), HEIGHT - MARGIN + 18, f"{x:g}"))
    for mark in range(round(top / y_step) + 1):
        y = mark * y_step
        drawn.append(f'<path d="M{place(left, y)}L{place(right, y)}" stroke="#dddddd"/>')
        drawn.append(text(MARGIN - 8, float(place(left, y).split()[1]) + 4, f"{100 * y:g} %", "end"))
    for index, (name, points) in enumerate(lines.items()):
        colour = COLOURS[index]
        path = "L".join(place(x, y) for x, y in points)
        drawn.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        across_at = MARGIN + (index + 0.5) * (WIDTH - 2 * MARGIN) / len(lines)
        drawn.append(text(across_at, 42, name, fill=colour))
    return "\n".join([*drawn, "</svg>\n"])
