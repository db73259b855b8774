"""Drawings: valid pictures of any position, that say of each cell what the analysis says."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import cast
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from sapper import FLAG, HIDDEN, Analysis, BadPosition, Move, Position, analyse
from sapper.drawing.board import draw_marked, draw_svg, heat_colour, ink_on_heat
from sapper.position import Cell
from sapper.window.theme import LIGHT
from tests.support.strategies import Told, positions, possible_positions, told_analyses

SVG = "{http://www.w3.org/2000/svg}"
SIDE = 32
PERCENTS = [percent / 100 for percent in range(101)]


def cell_at(x: float, y: float) -> Cell:
    return int(y // SIDE), int(x // SIDE)


def texts(picture: str) -> dict[Cell, str]:
    """Return what is written on the cells, and check that it is on one cell each."""
    found: dict[Cell, str] = {}
    for text in ElementTree.fromstring(picture).iter(f"{SVG}text"):
        cell = cell_at(float(text.attrib["x"]), float(text.attrib["y"]))
        assert cell not in found
        assert text.text
        found[cell] = text.text
    return found


def cells_with(picture: str, shape: str) -> set[Cell]:
    """Return the cells that have a shape, which is told by how its path begins."""
    begins = re.findall(rf"M(\d+) (\d+){re.escape(shape)}", picture)
    return {cell_at(int(x), int(y)) for x, y in begins}


def luminance(colour: str) -> float:
    """Return how light a colour is, as WCAG defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(positions())
def test_any_position_is_a_valid_picture(position: Position) -> None:
    picture = position.svg()
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title")
    assert root.attrib["viewBox"].split()[2:] == [root.attrib["width"], root.attrib["height"]]
    assert texts(picture) == {cell: str(n) for cell, n in position.numbers.items() if n}
    assert cells_with(picture, "m16 5l11 6") == position.flags
    assert cells_with(picture, "m4 4h24") == set(position)


@given(told_analyses())
def test_a_heat_map_shows_the_analysis(analysis: Analysis) -> None:
    position = analysis.position
    picture = position.svg(analysis)
    written = texts(picture)
    for cell in position:
        certain = cell in analysis.safe or cell in analysis.mines
        assert (cell in written) == (not certain and position[cell] != 0)
        if position[cell] >= HIDDEN and not certain:
            assert re.fullmatch(r"<1|[1-9]\d?|>99", written[cell])
    assert cells_with(picture, "m9 17l5 5") == analysis.safe
    assert cells_with(picture, "m16 5v22") == analysis.mines
    assert cells_with(picture, "m6 3l8 4") == position.flags
    ringed = cells_with(picture, "m2.5 2.5h27")
    assert ringed == ({analysis.best.cell} if analysis.best else set())


@settings(deadline=None)
@given(possible_positions())
def test_real_analyses_are_drawn_too(position: Position) -> None:
    picture = position.svg(analyse(position))
    assert picture == draw_svg(position, analyse(position))
    ElementTree.fromstring(picture)


@given(told_analyses())
def test_pictures_are_self_contained(analysis: Analysis) -> None:
    """Nothing is fetched or run, and two pictures on one page do not disturb each other."""
    root = ElementTree.fromstring(analysis.position.svg(analysis))
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "rect", "g", "path", "text"}
    for element in root.iter():
        assert not {"id", "class", "href"} & element.attrib.keys()
        assert not any("url(" in value for value in element.attrib.values())


def test_notebooks_show_the_picture() -> None:
    position = Position.parse("# 1 .", mines=1)
    assert position._repr_svg_() == position.svg()


def test_the_analysis_of_another_position_is_refused() -> None:
    with pytest.raises(BadPosition, match="another position"):
        Position.blank(2, 2, 1).svg(analyse(Position.blank(2, 3, 1)))


def test_greater_risks_are_darker() -> None:
    colours = [heat_colour(risk) for risk in PERCENTS]
    assert all(luminance(first) > luminance(second) for first, second in pairwise(colours))


@pytest.mark.parametrize("risk", PERCENTS)
def test_percentages_are_readable_on_their_colour(risk: float) -> None:
    darker, lighter = sorted(map(luminance, (heat_colour(risk), ink_on_heat(risk))))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_the_colours_are_those_of_the_window() -> None:
    picture = Position.parse(".12345678#", mines=1).svg()
    for colour in (*LIGHT.numbers.values(), LIGHT.hidden_cell, LIGHT.opened_cell, LIGHT.frame):
        assert colour in picture


def test_large_boards_are_drawn_as_small_files() -> None:
    assert len(Position.blank(1000, 1000, 9).svg()) < 30_000
    striped = Position(300, 300, 9, bytes([0, 3, HIDDEN, FLAG, 8]) * 18_000)
    picture = striped.svg()
    assert len(picture) < 12 * len(striped)
    root = ElementTree.fromstring(picture)
    assert int(root.attrib["width"]) <= 2000
    assert not texts(picture)


def test_large_heat_maps_have_every_cell_and_the_best_move() -> None:
    position = Position.blank(101, 100, 900)
    risk = {(i, j): i / 100 for i, j in position}
    told = Told(position, True, risk, frozenset(), frozenset(), Move((3, 7), 0.03))
    picture = position.svg(cast(Analysis, told))
    lines = re.findall(r"M(\d+) (\d+)h(\d+)", picture)
    assert sum(int(length) for _, _, length in lines) == len(position)
    assert all(picture.count(f'stroke="{heat_colour(chance)}"') == 1 for chance in PERCENTS)
    assert cells_with(picture, "m2.5 2.5h27") == {(3, 7)}


def marked(position: Position, mines: list[Cell], target: Cell | None) -> str:
    return draw_marked(
        position, title="Mines", numbers=(), about=(), safe=(), mines=mines, target=target
    )


def test_the_mine_inside_the_ring_is_smaller() -> None:
    """Its spikes would otherwise run into the white edge of the ring, which is 6 pixels wide."""
    picture = marked(Position.blank(1, 2, 1), [(0, 0), (0, 1)], (0, 1))
    tops = re.findall(r"M(\d+) 0m16 (\d+)v(\d+)", picture)
    spikes = {int(x) // SIDE: (int(top), int(top) + int(length)) for x, top, length in tops}
    assert spikes.keys() == {0, 1}
    assert spikes[0][0] < spikes[1][0]
    assert spikes[1][0] >= 6 + 2
    assert spikes[1][1] <= SIDE - 6 - 2


def test_no_number_is_written_under_a_mine() -> None:
    picture = marked(Position.parse("1 1 #", mines=1), [(0, 0)], (0, 0))
    assert texts(picture) == {(0, 1): "1"}
