"""Drawing: a position as an SVG picture, with the risks of an analysis as a heat map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final

from sapper.errors import BadPosition, SapperError
from sapper.position import HIDDEN, Cell, Position, describe_cell, position_of
from sapper.text import format_percent, quoted

if TYPE_CHECKING:
    from sapper.analysis import Analysis, Chance

# The colours of the window.
_INK: Final = "#1d2733"
_FRAME: Final = "#cfd9e4"
_HIDDEN_TILE: Final = "#8ea6bf"
_OPENED_TILE: Final = "#f8fafc"
_NUMBER_TILE: Final = "#dde4ec"  # In an overview.
_FLAG_CLOTH: Final = "#c9301c"
_RING: Final = "#1f62b8"
_USED: Final = "#b25000"  # Around the numbers that an argument uses.
_ABOUT_TILE: Final = "#c3d6ea"
NUMBERS: Final = {
    1: "#1a56b0",
    2: "#00664a",
    3: "#b3261e",
    4: "#4b2a86",
    5: "#703a00",
    6: "#006374",
    7: "#111418",
    8: "#5a6168",
}
"""The colour of each number; each has a contrast of at least 4.5 on an opened cell."""

_HEAT: Final = (
    (0xA8, 0xEA, 0xE2),
    (0xE5, 0xCC, 0x8A),
    (0xE9, 0xAC, 0x5C),
    (0xD4, 0x7F, 0x33),
    (0xA9, 0x50, 0x1F),
    (0x6B, 0x24, 0x12),
)
"""Colours from safe to mine, evenly spaced; each is darker than the previous one."""

_CELL: Final = 32
_MARGIN: Final = 4
_MOST_PIXELS: Final = 2000
"""The longer side of a picture at its default size; a larger board is scaled down."""
_MOST_CELLS: Final = 10_000
"""Larger boards are drawn as an overview, in colours without digits and marks."""

# Shapes are paths that start from the upper left corner of a cell.
_TILE: Final = "m4 4h24v24h-24z"  # Its 6-pixel stroke rounds the corners.
_POLE: Final = "m13 5v18h-6v4h15v-4h-6v-18z"
_CLOTH: Final = "m16 5l11 6l-11 6z"
_SMALL_POLE: Final = "m4 3v12h2v-12z"
_SMALL_CLOTH: Final = "m6 3l8 4l-8 4z"
_MINE: Final = "m16 5v22m-11-11h22m-3-8l-16 16m0-16l16 16m-15-8a7 7 0 1 1 14 0a7 7 0 1 1-14 0z"
_SMALL_MINE: Final = (  # Inside the ring.
    "m16 9v14m-7-7h14m-2-5l-10 10m0-10l10 10m-9.5-5a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0z"
)
_SMALL_GLINT: Final = "m13 14.5a1.5 1.5 0 1 1 3 0a1.5 1.5 0 1 1-3 0z"
_GLINT: Final = "m12 14a2 2 0 1 1 4 0a2 2 0 1 1-4 0z"
_CHECK: Final = "m9 17l5 5l9-11"
_EDGE: Final = "m2.5 2.5h27v27h-27z"


def draw_svg(
    position: Position, analysis: Analysis | None = None, *, chosen: Cell | None = None
) -> str:
    """Return the position as the text of an SVG picture.

    With its analysis, hidden cells are coloured by risk: a check marks a safe cell, a mine is a mine,
    all others show the risk in percent, and a ring is around the best move, or the one that was chosen.
    The picture refers to nothing outside it, and no name in it can clash with another one on the page.

    >>> picture = draw_svg(Position.parse("# 1 .", mines=1))
    >>> picture.splitlines()[1]
    '<title>A position of 3 x 1 cells with 1 mine</title>'
    """
    position = position_of(position)
    if analysis is not None:
        if not hasattr(analysis, "risk"):
            raise TypeError(f"expected what analyse returns, not {quoted(analysis)}")
        if analysis.position != position:
            raise BadPosition("the analysis belongs to another position")
    if chosen is not None:
        chosen = position.check_cell(chosen)
    if chosen is None and analysis is not None and analysis.best is not None:
        chosen = analysis.best.cell
    parts: list[str] = []
    if len(position) > _MOST_CELLS:
        parts += _overview(position, analysis)
        parts += _ring(chosen)
    else:
        parts += _tiles(position, analysis)
        parts += _numbers(position)
        parts += _marks(analysis)
        parts += _ring(chosen)
        parts += _flags(position, in_corner=analysis is not None)
    return _framed(position, _title(position, analysis), parts)


def draw_marked(
    position: Position,
    *,
    title: str,
    numbers: Collection[Cell],
    about: Collection[Cell],
    safe: Collection[Cell],
    mines: Collection[Cell],
    target: Cell | None,
) -> str:
    """Return the position as an SVG picture with an argument marked in it.

    Rings are around the numbers it uses, the cells it is about are lighter, those it settles are marked
    as safe or as mines, and a ring is around the cell that matters, if one does.

    >>> position = Position.parse("# 1 .", mines=1)
    >>> nothing = frozenset()
    >>> picture = draw_marked(position, title="A mine", numbers=[(0, 1)], about=nothing, safe=nothing,
    ...                       mines=[(0, 0)], target=(0, 0))
    >>> picture.splitlines()[1]
    '<title>A mine</title>'
    """
    light, dark = ink_on_heat(0), ink_on_heat(1)
    ringed = [target] if target is not None and target in mines else []
    others = sorted(set(mines) - set(ringed))
    parts = [
        *_tiles(position, None),
        *_path(_TILE, sorted(about), fill=_ABOUT_TILE, stroke=_ABOUT_TILE, width=6),
        *_path(_TILE, sorted(safe), fill=heat_colour(0), stroke=heat_colour(0), width=6),
        *_path(_TILE, sorted(mines), fill=heat_colour(1), stroke=heat_colour(1), width=6),
        *_numbers(position, without=mines),  # An agent may take an open cell for a mine.
        *_path(_CHECK, sorted(safe), stroke=light, width=3.5),
        *_path(_MINE, others, fill=dark, stroke=dark, width=2),
        *_path(_GLINT, others, fill=heat_colour(1)),
        *_path(_SMALL_MINE, ringed, fill=dark, stroke=dark, width=2),
        *_path(_SMALL_GLINT, ringed, fill=heat_colour(1)),
        *_path(_EDGE, sorted(numbers), stroke=_USED, width=3),
        *_ring(target),
        *_flags(position, in_corner=True),
    ]
    return _framed(position, title, parts)


def _framed(position: Position, title: str, parts: Iterable[str]) -> str:
    """Return the SVG text of a picture with these parts."""
    width, height = (_CELL * cells + 2 * _MARGIN for cells in (position.width, position.height))
    scale = min(1, _MOST_PIXELS / max(width, height))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}" viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" role="img" '
        'style="max-width:100%;height:auto">',
        f"<title>{escape(title, quote=False)}</title>",
        f'<rect x="{-_MARGIN}" y="{-_MARGIN}" width="{width}" height="{height}" '
        f'rx="5" fill="{_FRAME}"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def heat_colour(risk: Chance) -> str:
    """Return the colour of a risk, from light blue (safe) to dark red (mine).

    It is the same for all risks of the same whole percent, and darker than that of any smaller one: it
    can be read without telling hues apart.

    >>> heat_colour(0), heat_colour(0.5), heat_colour(1)
    ('#a8eae2', '#de9648', '#6b2412')
    """
    if not 0 <= risk <= 1:
        raise SapperError(f"a risk must be a number from 0 to 1, not {quoted(risk)}")
    return _HEAT_COLOURS[round(100 * risk)]


def shades(stops: Sequence[tuple[int, int, int]]) -> tuple[str, ...]:
    """Return 101 colours, interpolated evenly between the given ones.

    >>> shades([(0, 0, 0), (0, 255, 100)])[50]
    '#008032'
    """
    colours = []
    for percent in range(101):
        place, between = divmod(percent * (len(stops) - 1), 100)
        parts = zip(stops[place], stops[min(place + 1, len(stops) - 1)], strict=True)
        mixed = (round(low + (high - low) * between / 100) for low, high in parts)
        colours.append("#" + "".join(f"{part:02x}" for part in mixed))
    return tuple(colours)


_HEAT_COLOURS: Final = shades(_HEAT)


def ink_on_heat(risk: Chance) -> str:
    """Return black or white, whichever is easier to read on the colour of this risk.

    >>> ink_on_heat(0.2), ink_on_heat(0.9)
    ('#000000', '#ffffff')
    """
    return "#000000" if risk < 0.745 else "#ffffff"


def _title(position: Position, analysis: Analysis | None) -> str:
    mines = "1 mine" if position.mines == 1 else f"{position.mines} mines"
    title = f"A position of {position.width} x {position.height} cells with {mines}"
    if analysis is None:
        return title
    title += f": {len(analysis.safe)} hidden cells are safe, {len(analysis.mines)} are mines"
    return title if analysis.best is None else f"{title}, best is {describe_cell(analysis.best.cell)}"


def _tile_colour(code: int, risk: Chance | None) -> str:
    if risk is not None:
        return heat_colour(risk)
    return _HIDDEN_TILE if code >= HIDDEN else _OPENED_TILE


def _tiles(position: Position, analysis: Analysis | None) -> Iterable[str]:
    cells = defaultdict(list)
    for cell in position:
        risk = None if analysis is None else analysis.risk.get(cell)
        cells[_tile_colour(position[cell], risk)].append(cell)
    for colour, alike in cells.items():
        yield from _path(_TILE, alike, fill=colour, stroke=colour, width=6)


def _overview(position: Position, analysis: Analysis | None) -> Iterable[str]:
    """Yield a path for each colour: lines as thick as a row, through its cells."""
    colours = [_OPENED_TILE, *[_NUMBER_TILE] * len(NUMBERS), _HIDDEN_TILE, _FLAG_CLOTH]
    painted = [colours[code] for code in position.codes]
    for (row, column), risk in () if analysis is None else analysis.risk.items():
        painted[row * position.width + column] = heat_colour(risk)
    lines: dict[str, list[str]] = defaultdict(list)
    for row in range(position.height):
        column = 0
        for colour, run in groupby(painted[row * position.width : (row + 1) * position.width]):
            length = sum(1 for _ in run)
            lines[colour].append(f"M{column} {row}h{length}")
            column += length
    yield f'<g fill="none" transform="translate(0 {_CELL // 2})scale({_CELL})">'
    for colour, drawn in lines.items():
        yield f'<path stroke="{colour}" d="{"".join(drawn)}"/>'
    yield "</g>"


def _numbers(position: Position, *, without: Collection[Cell] = ()) -> Iterable[str]:
    cells = defaultdict(list)
    for cell, number in position.numbers.items():
        if number and cell not in without:
            cells[number].append(cell)
    for number in sorted(cells):
        yield from _texts(NUMBERS[number], 22, ((cell, str(number)) for cell in cells[number]))


def _marks(analysis: Analysis | None) -> Iterable[str]:
    """Yield the marks of hidden cells: a tick, a mine, or the risk in percent."""
    if analysis is None:
        return
    mines, light = sorted(analysis.mines), ink_on_heat(1)
    yield from _path(_CHECK, sorted(analysis.safe), stroke=ink_on_heat(0), width=3.5)
    yield from _path(_MINE, mines, fill=light, stroke=light, width=2)
    yield from _path(_GLINT, mines, fill=heat_colour(1))
    texts = defaultdict(list)
    for cell, risk in sorted(analysis.risk.items()):
        if cell not in analysis.safe and cell not in analysis.mines:
            # An estimate of exactly 0 or 1 is still not certain.
            percent = {0.0: "<1", 1.0: ">99"}.get(float(risk)) or format_percent(risk)
            texts[ink_on_heat(risk)].append((cell, escape(percent, quote=False)))
    for ink in sorted(texts):
        yield from _texts(ink, 14, texts[ink])


def _ring(cell: Cell | None) -> Iterable[str]:
    if cell is not None:
        yield from _path(_EDGE, [cell], stroke="#ffffff", width=7)
        yield from _path(_EDGE, [cell], stroke=_RING, width=4)


def _flags(position: Position, *, in_corner: bool) -> Iterable[str]:
    """Yield the flags; with other marks, they are small and in a corner."""
    cells = sorted(position.flags)
    pole, cloth = (_SMALL_POLE, _SMALL_CLOTH) if in_corner else (_POLE, _CLOTH)
    if in_corner:  # An edge that is visible on any colour.
        yield from _path(pole, cells, stroke="#ffffff", width=3)
        yield from _path(cloth, cells, stroke="#ffffff", width=3)
    yield from _path(pole, cells, fill=_INK)
    yield from _path(cloth, cells, fill=_FLAG_CLOTH)


def _path(
    shape: str, cells: Iterable[Cell], *, fill: str = "none", stroke: str = "", width: float = 0
) -> Iterable[str]:
    """Yield one path with the shape on each cell; nothing if there are no cells."""
    moved = "".join(f"M{_CELL * column} {_CELL * row}{shape}" for row, column in cells)
    line = f' stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"'
    if moved:
        yield f'<path fill="{fill}"{line if stroke else ""} d="{moved}"/>'


def _texts(colour: str, size: int, texts: Iterable[tuple[Cell, str]]) -> Iterable[str]:
    yield (
        f'<g fill="{colour}" font-family="Helvetica,Arial,sans-serif" font-size="{size}" '
        'font-weight="bold" text-anchor="middle">'
    )
    for (row, column), text in texts:
        x, y = _CELL * column + _CELL // 2, _CELL * row + _CELL // 2 + round(0.36 * size)
        yield f'<text x="{x}" y="{y}">{text}</text>'
    yield "</g>"
