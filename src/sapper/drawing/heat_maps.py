"""Heat maps as parts of charts: a board whose cells are coloured by a value, with a legend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sapper.drawing.board import shades
from sapper.drawing.charts import GRID, INK, MUTED, PALETTE, Picture, text_width
from sapper.drawing.scales import Scale
from sapper.position import Cell

WINS: Final = shades(
    [(0xFB, 0xF3, 0xD5), (0xB4, 0xDB, 0xC5), (0x58, 0xAD, 0xBC), (0x2D, 0x70, 0xA6), (0x1A, 0x2F, 0x6B)]
)
"""Colours from few to many games won; each is darker than the previous one."""
LOSSES: Final = shades(
    [(0xFB, 0xF3, 0xE4), (0xF3, 0xCF, 0x95), (0xE0, 0x8F, 0x45), (0xB0, 0x4C, 0x22), (0x5E, 0x17, 0x20)]
)
"""Colours from few to many games lost; each is darker than the previous one."""

EDGE: Final = 30
"""The space for the numbers of rows and columns, above and to the left."""
LEGEND: Final = 54
"""The space for the legend below."""
_WIDEST: Final = 1000
_LARGEST_CELL: Final = 42
_UNKNOWN: Final = GRID


def cell_size(height: int, width: int) -> float:
    """Return the side length of a cell in pixels.

    >>> cell_size(9, 9), cell_size(16, 30), cell_size(500, 500)
    (42, 33, 2.0)
    """
    fitting = _WIDEST / max(height, width)
    return min(_LARGEST_CELL, int(fitting)) if fitting >= 4 else fitting


@dataclass(frozen=True)
class HeatMap:
    """A board whose cells are coloured by value; cells without a value are grey.

    >>> picture = Picture(200, 200, "")
    >>> HeatMap(picture, 30, 30, 1, 2, {(0, 0): 0.25}, Scale(0, 1, (0, 1)), WINS).draw("{:.2f}".format)
    >>> picture.svg().count("0.25")
    1
    """

    picture: Picture
    left: float
    top: float
    height: int
    width: int
    values: Mapping[Cell, float]
    scale: Scale
    colours: tuple[str, ...]

    @property
    def cell(self) -> float:
        """The side length of a cell in pixels."""
        return cell_size(self.height, self.width)

    @property
    def bottom(self) -> float:
        """The y coordinate of the lower edge of the board."""
        return self.top + self.cell * self.height

    def draw(self, figure: Callable[[float], str]) -> None:
        """Draw the board, with the values as numbers if there is room."""
        for colour, path in self._paths():
            self.picture.path(path, stroke=colour, stroke_width=self.cell)
        if self.cell >= 8:
            self._draw_lines()
            self._draw_numbers()
        words = {cell: figure(value) for cell, value in self.values.items()}
        longest = max((len(word) for word in words.values()), default=1)
        size = min(14, int(0.8 * self.cell / text_width("0" * longest, 1)))
        if size >= 8:
            for (row, column), word in sorted(words.items()):
                self.picture.text(
                    self.left + self.cell * (column + 0.5),
                    self.top + self.cell * (row + 0.5) + 0.36 * size,
                    word,
                    anchor="middle",
                    size=size,
                    fill=ink_on(self._colour(self.values[row, column])),
                )

    def draw_ring(self, cell: Cell) -> None:
        """Draw a ring around a cell."""
        row, column = cell
        place = f"M{self.left + self.cell * column:g} {self.top + self.cell * row:g}"
        side = f"{self.cell:g}"
        self.picture.path(f"{place}h{side}v{side}h-{side}z", stroke=PALETTE[0], stroke_width=3)

    def _colour(self, value: float) -> str:
        return self.colours[round(100 * min(max(self.scale.share(value), 0.0), 1.0))]

    def _paths(self) -> Iterator[tuple[str, str]]:
        """Yield a path for each colour: lines as thick as a row, through its cells."""
        lines: dict[str, list[str]] = defaultdict(list)
        for row in range(self.height):
            y = self.top + self.cell * (row + 0.5)
            for column in range(self.width):
                value = self.values.get((row, column))
                colour = _UNKNOWN if value is None else self._colour(value)
                lines[colour].append(f"M{self.left + self.cell * column:g} {y:g}h{self.cell:g}")
        for colour, drawn in lines.items():
            yield colour, "".join(drawn)

    def _draw_lines(self) -> None:
        """Draw white lines between the cells."""
        wide, high = self.cell * self.width, self.cell * self.height
        rows = (
            f"M{self.left:g} {self.top + self.cell * row:g}h{wide:g}" for row in range(self.height + 1)
        )
        columns = (
            f"M{self.left + self.cell * column:g} {self.top:g}v{high:g}"
            for column in range(self.width + 1)
        )
        self.picture.path("".join((*rows, *columns)), stroke="#ffffff", stroke_width=1.5)

    def _draw_numbers(self) -> None:
        """Write the numbers of rows and columns, counted from 1; on small cells, every fifth."""
        for row in self._numbered(self.height):
            y = self.top + self.cell * (row - 0.5) + 4
            self.picture.text(self.left - 7, y, str(row), anchor="end", size=11, fill=MUTED)
        for column in self._numbered(self.width):
            x = self.left + self.cell * (column - 0.5)
            self.picture.text(x, self.top - 7, str(column), anchor="middle", size=11, fill=MUTED)

    def _numbered(self, count: int) -> list[int]:
        every = 1 if self.cell >= 20 else 5
        return [number for number in range(1, count + 1) if number == 1 or number % every == 0]

    def draw_legend(self, name: str, mark: Callable[[float], str]) -> None:
        """Draw the colour legend below the board."""
        top, wide = self.bottom + 16, min(320.0, max(200.0, self.cell * self.width))
        for number, colour in enumerate(self.colours):
            left = self.left + wide * number / len(self.colours)
            self.picture.rect(left, top, wide / len(self.colours) + 1.5, 12, colour)
        for value in self.scale.marks:
            x = self.left + self.scale.share(value) * wide
            self.picture.path(f"M{x:.1f} {top + 12:g}v4", stroke=INK)
            self.picture.text(x, top + 28, mark(value), anchor="middle", size=11)
        if self.left + wide + 24 + text_width(name) < self.picture.width:
            self.picture.text(self.left + wide + 24, top + 11, name)
        else:
            self.picture.text(self.left, top + 44, name)


def ink_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour.

    >>> ink_on(WINS[0]), ink_on(WINS[100])
    ('#000000', '#ffffff')
    """
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"
