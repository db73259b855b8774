"""Charts as SVG pictures: scales with round marks, lines, bands, points and bars.

A picture refers to nothing outside it. Colours can be told apart by colour-blind eyes, and what they
say is also said by dashes, marks or words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

from sapper.drawing.scales import Scale, percent, plain
from sapper.errors import SapperError

INK: Final = "#1d2733"
MUTED: Final = "#56606b"
GRID: Final = "#dde4ec"
PALETTE: Final = ("#1f62b8", "#b54708", "#0b7a5e", "#7d2a86", "#4a5560")
"""The colours of lines, in order; each has a contrast of at least 4.5 on white."""
_DASHES: Final = ("", "8 3", "2 3", "10 3 2 3", "5 5")
_LEGEND_ROW: Final = 18
_LETTER: Final = 0.52
"""The average width of a letter, relative to the font size: an estimate, as fonts vary."""


class Point(NamedTuple):
    """A point of a line, with an optional interval and label."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    word: str = ""


class Line(NamedTuple):
    """A named series of points."""

    name: str
    points: Sequence[Point]


# Pictures ----------------------------------------------------------------------------------------


class Picture:
    """A picture being drawn, in pixels from its upper left corner.

    >>> picture = Picture(80, 40, "A word")
    >>> picture.text(10, 20, "x < y")
    >>> picture.svg().splitlines()[3]
    '<text x="10.0" y="20.0">x &lt; y</text>'
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = round(width), round(height)
        self._lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
            f' width="{self.width}" height="{self.height}" style="max-width:100%;height:auto"'
            f' role="img" font-family="Helvetica,Arial,sans-serif" font-size="12" fill="{INK}">',
            f"<title>{escape(title, quote=False)}</title>",
            f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>',
        ]

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "start",
        size: int = 12,
        fill: str = INK,
        is_bold: bool = False,
    ) -> None:
        """Write text that starts, ends or is centred at a point."""
        style = {
            "text-anchor": "" if anchor == "start" else anchor,
            "font-size": "" if size == 12 else str(size),
            "fill": "" if fill == INK else fill,
            "font-weight": "bold" if is_bold else "",
        }
        given = "".join(f' {name}="{value}"' for name, value in style.items() if value)
        self._lines.append(f'<text x="{x:.1f}" y="{y:.1f}"{given}>{escape(words, quote=False)}</text>')

    def words_up(self, x: float, y: float, words: str) -> None:
        """Write vertical text, centred at a point."""
        self._lines.append(
            f'<text transform="translate({x:.1f} {y:.1f})rotate(-90)" text-anchor="middle">'
            f"{escape(words, quote=False)}</text>"
        )

    def path(self, drawn: str, **style: str | float) -> None:
        """Draw an unfilled path; keywords such as `stroke_width` are its attributes."""
        given = {"fill": "none"} | {name.replace("_", "-"): value for name, value in style.items()}
        attributes = "".join(f' {name}="{value}"' for name, value in given.items() if value != "")
        self._lines.append(f'<path d="{drawn}"{attributes}/>')

    def rect(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Fill a rectangle."""
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:g}"'
        self._lines.append(f'<rect {place} fill="{fill}"/>')

    def svg(self) -> str:
        """Return the text of the picture."""
        return "\n".join([*self._lines, "</svg>\n"])


def text_width(words: str, size: int = 12) -> float:
    """Return the approximate width of a text.

    >>> text_width("ten letter") > 50
    True
    """
    return _LETTER * size * len(words)


def shortened(words: str, width: float, size: int = 12) -> str:
    """Return a text, cut to an approximate maximum width.

    >>> shortened("a long command", 70), shortened("short", 70)
    ('a long com…', 'short')
    """
    most = max(int(width / text_width("x", size)), 1)
    return words if len(words) <= most else words[: most - 1] + "…"


# Diagrams ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Diagram:
    """A part of a picture with a horizontal and a vertical scale.

    >>> picture = Picture(120, 120, "")
    >>> Diagram(picture, 10, 10, 100, 100, Scale(0, 1, ()), Scale(0, 4, ())).at(0.5, 1)
    (60.0, 85.0)
    """

    picture: Picture
    left: float
    top: float
    width: float
    height: float
    across: Scale
    up: Scale

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower edge."""
        return self.top + self.height

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the coordinates of these values."""
        over = self.left + self.across.share(x) * self.width
        return over, self.bottom - self.up.share(y) * self.height

    def draw_grid(
        self,
        *,
        across: Callable[[float], str] | None = plain,
        up: Callable[[float], str] = percent,
        is_upright: bool = True,
        below: float = 18,
    ) -> None:
        """Draw grid lines at the marks of both scales, and label them."""
        for y in self.up.marks:
            _, down = self.at(self.across.low, y)
            self.picture.path(f"M{self.left:g} {down:.1f}h{self.width:g}", stroke=GRID)
            self.picture.text(self.left - 8, down + 4, up(y), anchor="end")
        for x in self.across.marks:
            over, _ = self.at(x, self.up.low)
            if is_upright:
                self.picture.path(f"M{over:.1f} {self.top:g}v{self.height:g}", stroke=GRID)
            if across is not None:
                self.picture.text(over, self.bottom + below, across(x), anchor="middle")

    def name_axes(self, across: str = "", up: str = "", *, below: float = 38) -> None:
        """Write the names of the axes."""
        if across:
            over = self.left + self.width / 2
            self.picture.text(over, self.bottom + below, across, anchor="middle")
        if up:
            self.picture.words_up(self.left - 48, self.top + self.height / 2, up)

    def draw_band(self, points: Sequence[Point], colour: str) -> None:
        """Fill the band between the ends of the intervals."""
        upper = [self.at(point.x, point.y if point.high is None else point.high) for point in points]
        lower = [self.at(point.x, point.y if point.low is None else point.low) for point in points]
        self.picture.path(f"{_joined([*upper, *reversed(lower)])}z", fill=colour, fill_opacity=0.15)

    def draw_line(self, points: Sequence[Point], colour: str, dash: str = "") -> None:
        """Draw a line through points."""
        path = _joined([self.at(point.x, point.y) for point in points])
        self.picture.path(
            path, stroke=colour, stroke_width=2, stroke_linejoin="round", stroke_dasharray=dash
        )

    def draw_points(self, points: Sequence[Point], colour: str, size: float = 6) -> None:
        """Draw a dot for each point."""
        places = [self.at(point.x, point.y) for point in points]
        dots = "".join(f"M{over:.1f} {down:.1f}h0" for over, down in places)
        if dots:
            self.picture.path(dots, stroke=colour, stroke_width=size, stroke_linecap="round")

    def draw_intervals(self, points: Sequence[Point], colour: str, end: float = 4) -> None:
        """Draw an error bar for each point with an interval."""
        for point in points:
            if point.low is None or point.high is None:
                continue
            (over, high), (_, low) = self.at(point.x, point.high), self.at(point.x, point.low)
            ends = "".join(f"M{over - end:.1f} {down:.1f}h{2 * end:g}" for down in (high, low))
            self.picture.path(f"M{over:.1f} {high:.1f}V{low:.1f}{ends}", stroke=colour)

    def draw_bars(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a bar for each point, with its label above it."""
        for point in points:
            left, top = self.at(point.x - width / 2, point.y)
            right, _ = self.at(point.x + width / 2, point.y)
            self.picture.rect(left, top, right - left, round(self.bottom - top, 1), colour)
            if point.word:
                self.picture.text((left + right) / 2, top - 5, point.word, anchor="middle", size=11)


def _joined(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{over:.1f} {down:.1f}" for over, down in places)


def draw_legend(picture: Picture, left: float, top: float, names: Sequence[str]) -> None:
    """Draw the legend, in as many rows as it needs."""
    for number, (name, row, over) in enumerate(_legend(names, picture.width - left)):
        colour, dash = line_style(number)
        x, y = left + over, top + _LEGEND_ROW * row
        picture.path(f"M{x:.1f} {y:g}h26", stroke=colour, stroke_width=2, stroke_dasharray=dash)
        picture.path(f"M{x + 13:.1f} {y:g}h0", stroke=colour, stroke_width=6, stroke_linecap="round")
        picture.text(x + 32, y + 4, name, fill=colour)


def _legend(names: Sequence[str], width: float) -> list[tuple[str, int, float]]:
    """Return each name, cut if it is long, with its row and x coordinate."""
    places: list[tuple[str, int, float]] = []
    row, over = 0, 0.0
    for name in (shortened(name, width / 2) for name in names):
        wide = 32 + text_width(name) + 16
        if over and over + wide > width:
            row, over = row + 1, 0.0
        places.append((name, row, over))
        over += wide + 8
    return places


def line_style(number: int) -> tuple[str, str]:
    """Return the colour and the dash pattern of a line, counted from 0.

    >>> line_style(0), line_style(5)
    (('#1f62b8', ''), ('#1f62b8', '8 3'))
    """
    rounds, colour = divmod(number, len(PALETTE))
    return PALETTE[colour], _DASHES[(colour + rounds) % len(_DASHES)]


def draw_lines(
    title: str,
    lines: Sequence[Line],
    *,
    across: str,
    up: str = "",
    across_marks: Callable[[float], str] = plain,
    up_marks: Callable[[float], str] = percent,
    is_logarithmic: bool = False,
    from_zero: bool = True,
    marked: tuple[float, str] | None = None,
) -> str:
    """Return a line chart, with a legend below the title.

    Intervals are drawn as a band around their line. `marked` is a horizontal value and a label: it is
    shown as a vertical line. With `from_zero`, the vertical scale begins at zero.

    >>> picture = draw_lines("Growth", [Line("it", [Point(0, 0.1), Point(5, 0.3)])], across="years")
    >>> picture.count("<path") > 5, "years" in picture
    (True, True)
    """
    points = [point for line in lines for point in line.points]
    if not points:
        raise SapperError("there is nothing to draw: no line has any points")
    names = [line.name for line in lines]
    extra = _LEGEND_ROW * _legend(names, 640 - 72)[-1][1]
    picture = Picture(640, 380 + extra, title)
    picture.text(72, 26, title, size=15, is_bold=True)
    draw_legend(picture, 72, 46, names)
    values = [
        value for point in points for value in (point.y, point.low, point.high) if value is not None
    ]
    places = [point.x for point in points]
    diagram = Diagram(
        picture,
        *(72, 66 + extra, 544, 256),
        Scale.powers(places) if is_logarithmic else Scale.around(places, most=8, is_tight=True),
        Scale.around([0.0, *values] if from_zero else values, most=6),
    )
    diagram.draw_grid(across=across_marks, up=up_marks)
    diagram.name_axes(across, up)
    if marked is not None and 0 <= diagram.across.share(marked[0]) <= 1:
        _draw_marked(diagram, *marked)
    for number, line in enumerate(lines):
        colour, dash = line_style(number)
        if any(point.low is not None for point in line.points):
            diagram.draw_band(line.points, colour)
        diagram.draw_line(line.points, colour, dash)
        if len(line.points) <= 40:
            diagram.draw_points(line.points, colour)
    _draw_words(diagram, lines)
    return picture.svg()


def _draw_marked(diagram: Diagram, value: float, word: str) -> None:
    over, _ = diagram.at(value, diagram.up.low)
    path = f"M{over:.1f} {diagram.top:g}v{diagram.height:g}"
    diagram.picture.path(path, stroke=MUTED, stroke_dasharray="3 3")
    fits = over + 6 + text_width(word) < diagram.left + diagram.width
    anchor, beside = ("start", 6) if fits else ("end", -6)
    diagram.picture.text(over + beside, diagram.bottom - 8, word, anchor=anchor, fill=MUTED)


def _draw_words(diagram: Diagram, lines: Sequence[Line]) -> None:
    """Write the labels of points where there is room, above or below them."""
    taken = [_box_at(*diagram.at(point.x, point.y), 8, 8) for line in lines for point in line.points]
    for line in lines:
        places = [diagram.at(point.x, point.y) for point in line.points]
        for (over, down), (next_over, next_down) in pairwise(places):
            for part in range(1, 16):  # Labels also avoid the line.
                x, y = (over + (next_over - over) * part / 16, down + (next_down - down) * part / 16)
                taken.append(_box_at(x, y, 4, 4))
    for number, line in enumerate(lines):
        for point in line.points:
            if point.word:
                taken.append(_draw_word(diagram, point, line_style(number)[0], taken))


def _draw_word(diagram: Diagram, point: Point, colour: str, taken: Sequence[_Box]) -> _Box:
    over, down = diagram.at(point.x, point.y)
    width = text_width(point.word)
    middle = min(max(over, diagram.left + width / 2), diagram.left + diagram.width - width / 2)
    boxes = [
        _box_at(middle + aside * width, down + beside, width, 13)
        for beside in (-15, 15, -29, 29)
        for aside in (0, 0.4, -0.4)
    ]
    box = next((box for box in boxes if not any(_overlap(box, other) for other in taken)), boxes[0])
    left, top, right, _ = box
    diagram.picture.text((left + right) / 2, top + 11, point.word, anchor="middle", fill=colour)
    return box


_Box = tuple[float, float, float, float]


def _box_at(x: float, y: float, width: float, height: float) -> _Box:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
