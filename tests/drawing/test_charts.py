"""Charts: round marks, everything inside the picture, pictures that stand alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.strength import RULES, Row, plot
from sapper.drawing.charts import PALETTE, Line, Picture, Point, draw_lines
from sapper.drawing.scales import Scale, round_step
from sapper.errors import SapperError
from tests.support.svg import SVG, luminance

values = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
shares = st.floats(0, 1)


@given(st.floats(1e-3, 1e9), st.sampled_from([(5, 2), (10, 4)]))
def test_a_span_has_few_round_marks(span: float, bounds: tuple[int, int]) -> None:
    most, least = bounds
    step = round_step(span, most)
    assert span / step >= least * (1 - 1e-9)
    assert span / step <= most * (1 + 1e-9)
    assert f"{step:.0e}"[0] in "125"


@given(st.lists(values, min_size=1), st.booleans())
def test_a_scale_contains_its_values(held: list[float], is_tight: bool) -> None:
    scale = Scale.around(held, is_tight=is_tight)
    assert all(-1e-6 <= scale.share(value) <= 1 + 1e-6 for value in held)
    assert scale.low < scale.high
    assert 1 <= len(scale.marks) <= 8
    assert list(scale.marks) == sorted(set(scale.marks))
    assert all(scale.low <= mark <= scale.high for mark in scale.marks)
    if not is_tight:
        assert (scale.low, scale.high) == (scale.marks[0], scale.marks[-1])


@given(st.lists(st.floats(1e-6, 1e6), min_size=1))
def test_powers_of_ten_are_evenly_spaced(held: list[float]) -> None:
    scale = Scale.powers(held)
    assert all(-1e-9 <= scale.share(value) <= 1 + 1e-9 for value in held)
    steps = len(scale.marks) - 1
    assert [scale.share(mark) for mark in scale.marks] == pytest.approx(
        [number / steps for number in range(steps + 1)]
    )


@pytest.mark.parametrize("colour", PALETTE)
def test_line_colours_are_readable_on_white(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5


@st.composite
def lines(draw: st.DrawFn) -> Line:
    points = [
        Point(
            x, y, max(0.0, y - 0.1), min(1.0, y + 0.1), draw(st.sampled_from(["", "a <word> & more"]))
        )
        for x, y in draw(st.lists(st.tuples(values, shares), min_size=1, max_size=8))
    ]
    return Line(
        draw(st.text(st.characters(codec="ascii", min_codepoint=32), max_size=8)), sorted(points)
    )


@given(st.lists(lines(), min_size=1, max_size=20), st.booleans(), values)
@settings(deadline=None, max_examples=60)
def test_everything_drawn_is_inside_the_picture(
    drawn: list[Line], from_zero: bool, marked: float
) -> None:
    options = {"across": "so many", "marked": (marked, "here")}
    text = draw_lines("Shares", drawn, from_zero=from_zero, **options)  # type: ignore[arg-type]
    picture = ElementTree.fromstring(text)
    width, height = (float(str(picture.get(side))) for side in ("width", "height"))
    for word in picture.iter(f"{SVG}text"):
        if word.get("x") is not None:
            assert 0 <= float(str(word.get("x"))) <= width
            assert 0 <= float(str(word.get("y"))) <= height
    for path in picture.iter(f"{SVG}path"):
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d", "")):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height
    assert "href" not in text
    assert "url(" not in text


def test_a_chart_without_points_is_refused() -> None:
    with pytest.raises(SapperError, match="nothing to draw"):
        draw_lines("Shares", [Line("none", [])], across="x")


def test_labels_of_points_do_not_overlap() -> None:
    close = [
        Point(0.1, 0.5, word="a long word"),
        Point(0.11, 0.5, word="another word"),
        Point(1.0, 0.6),
    ]
    picture = ElementTree.fromstring(draw_lines("Shares", [Line("one", close)], across="x"))
    places = {
        text.text: (float(str(text.get("x"))), float(str(text.get("y"))))
        for text in picture.iter(f"{SVG}text")
    }
    (x, y), (other_x, other_y) = places["a long word"], places["another word"]
    assert abs(y - other_y) > 12 or abs(x - other_x) > 70


def test_special_characters_in_labels_are_escaped() -> None:
    picture = Picture(10, 10, "<title> & more")
    picture.text(1, 1, "x < y & z")
    drawn = ElementTree.fromstring(picture.svg())
    assert [text.text for text in drawn.iter(f"{SVG}text")] == ["x < y & z"]
    assert drawn.findtext(f"{SVG}title") == "<title> & more"


def test_the_plot_of_strength_names_every_player_once() -> None:
    rows = [
        Row("expert", promise, agent, 100, rate, rate - 1, rate + 1, milliseconds, 1.0, 2.0)
        for promise, rate in zip(RULES, (51.0, 38.0), strict=True)
        for agent, milliseconds in (("safest", 0.2), ("strong", 0.6), ("strong", 0.9))
    ]
    assert [Row.parse(str(row)) for row in rows] == rows
    picture = plot(rows)
    assert picture.count("safest 51.0") == picture.count("strong 38.0") == 1
