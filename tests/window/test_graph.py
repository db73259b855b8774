"""The graph of a review: positions of moves and probabilities, and the mark of each label."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("pygame", reason="the window needs pygame-ce")

from sapper.game.record import Entry, Record
from sapper.levels import Level, Promise
from sapper.reviews.review import FAULTS, Label, Worth, review
from sapper.window.graph import Dot, Graph, dots_of, marked
from sapper.window.label_marks import SHAPES, colour_of
from sapper.window.layout import Rect
from sapper.window.theme import THEMES, Theme

areas = st.builds(
    Rect, st.integers(-50, 500), st.integers(-50, 500), st.integers(2, 2000), st.integers(2, 1000)
)
graphs = st.builds(Graph, areas, st.integers(0, 3000))
chances = st.floats(0, 1)
points = st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))


@given(graphs, st.data(), chances, st.floats(-1e4, 1e4))
def test_each_point_of_the_graph_maps_back_to_its_move(
    graph: Graph, data: st.DataObject, chance: float, y: float
) -> None:
    number = data.draw(st.integers(1, graph.moves + 1))
    x, _ = graph.point(number, chance)
    assert graph.number_at((x, y)) == number


@given(graphs, points)
def test_every_point_maps_to_the_nearest_move(graph: Graph, point: tuple[float, float]) -> None:
    found = graph.number_at(point)
    assert 1 <= found <= graph.moves + 1
    away = abs(graph.point(found, 0)[0] - point[0])
    for other in {1, max(1, found - 1), min(found + 1, graph.moves + 1), graph.moves + 1}:
        assert away <= abs(graph.point(other, 0)[0] - point[0]) + 1e-6


@given(graphs, st.data(), chances, chances)
def test_points_are_inside_and_higher_probabilities_are_higher(
    graph: Graph, data: st.DataObject, lower: float, higher: float
) -> None:
    assume(lower <= higher)
    number = data.draw(st.integers(1, graph.moves + 1))
    x, y = graph.point(number, higher)
    assert graph.area.x <= x <= graph.area.right - 1 + 1e-6
    assert graph.area.y <= y <= graph.area.bottom - 1 + 1e-6
    assert y <= graph.point(number, lower)[1]


@given(graphs, st.data())
def test_a_later_move_is_further_right(graph: Graph, data: st.DataObject) -> None:
    assume(graph.moves > 0)
    number = data.draw(st.integers(1, graph.moves))
    assert graph.point(number, 0)[0] < graph.point(number + 1, 0)[0]


@given(graphs, st.lists(st.sampled_from([None, *Label]), max_size=30))
def test_faults_are_always_marked(graph: Graph, labels: list[Label | None]) -> None:
    dots = [Dot(number, Worth(0.5), label) for number, label in enumerate(labels, start=1)]
    shown = marked(graph, dots)
    assert [dot for dot in shown if dot.label in FAULTS] == [dot for dot in dots if dot.label in FAULTS]
    assert all(dot.label is not None for dot in shown)
    assert [dot.number for dot in shown] == sorted(dot.number for dot in shown)


def test_dots_show_the_win_probability_before_each_move_and_at_the_end() -> None:
    """A mine at the second of four cells, taken back; the 1 leaves two cells, and the first is safe."""
    entries = (
        Entry(0.0, "open", (0, 2)),
        Entry(1.0, "open", (0, 1)),
        Entry(2.0, "undo"),
        Entry(3.0, "open", (0, 3)),
        Entry(4.0, "open", (0, 0)),
    )
    game = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), entries)
    found = [(dot.number, dot.worth.chance, dot.label) for dot in dots_of(review(game))]
    assert found == [(4, 1, Label.NEEDLESS_GUESS), (5, 1, Label.ONLY_MOVE), (6, 1, None)]


# How labels are marked ------------------------------------------------------------------------------


def area_of(shape: tuple[tuple[float, float], ...]) -> float:
    """The area inside the corners."""
    turned = (*shape[1:], shape[0])
    return abs(sum(a * d - b * c for (a, b), (c, d) in zip(shape, turned, strict=True))) / 2


def test_each_label_has_its_own_shape() -> None:
    assert set(SHAPES) == set(Label)
    for shape in SHAPES.values():
        assert all(x * x + y * y <= 1 + 1e-9 for x, y in shape)
        assert area_of(shape) > 0.5
    for first, second in combinations(SHAPES.values(), 2):
        assert len(first) != len(second) or first != second


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    weights = (0.2126, 0.7152, 0.0722)
    return sum(weight * channel for weight, channel in zip(weights, linear, strict=True))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_labels_are_readable_on_the_page_and_in_the_list(theme: Theme) -> None:
    for label in (None, *Label):
        for ground, least in ((theme.page, 4.5), (theme.button, 3), (theme.button_hover, 3)):
            dark, light = sorted((luminance(colour_of(label, theme)), luminance(ground)))
            assert (light + 0.05) / (dark + 0.05) >= least, (label, ground)
