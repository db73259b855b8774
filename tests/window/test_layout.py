"""The layout of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.window.canvas import Canvas
from sapper.window.layout import (
    SMALLEST_CELL,
    SMALLEST_WINDOW,
    Rect,
    arrange_board,
    arrange_menu,
    arrange_settings,
    arrange_start,
    frame,
)
from sapper.window.play_layout import ACROSS, arrange_play
from sapper.window.view import View

sizes = st.tuples(st.integers(SMALLEST_WINDOW[0], 4000), st.integers(SMALLEST_WINDOW[1], 3000))
sides = st.one_of(st.integers(1, 40), st.integers(1, 1000))
densities = st.sampled_from([1.0, 1.5, 2.0])
scales = st.one_of(st.just(1.0), st.floats(0.5, 3.0))


def assert_apart_and_inside(rects: list[Rect], room: Rect) -> None:
    for number, rect in enumerate(rects):
        assert rect.width > 0
        assert rect.height > 0
        assert room.contains((rect.x, rect.y))
        assert room.contains((rect.right - 1, rect.bottom - 1))
        assert not any(rect.overlaps(other) for other in rects[:number])


@given(sizes, sides, sides, densities, st.floats(1, 5))
def test_nothing_overlaps_on_the_board_screen(
    size: tuple[int, int], rows: int, columns: int, density: float, zoom: float
) -> None:
    layout = arrange_board(*size, rows, columns, density=density, zoom=zoom)
    room = frame(*size, density).room
    rects = [layout.counter, layout.word, *layout.buttons.values()]
    if layout.keys is not None:
        rects.append(layout.keys)
    assert_apart_and_inside([layout.board, layout.status, *rects], room)
    assert_apart_and_inside([layout.board, layout.panel, layout.status], room)
    assert all(layout.panel.contains(rect.center) for rect in rects)
    assert layout.cell >= SMALLEST_CELL


@given(sizes, sides, sides, densities, scales, st.floats(1, 5), st.booleans())
def test_nothing_overlaps_around_a_board_with_a_bar(
    size: tuple[int, int],
    rows: int,
    columns: int,
    density: float,
    scale: float,
    zoom: float,
    help_shown: bool,
) -> None:
    layout = arrange_play(
        *size, rows, columns, density=density, zoom=zoom, text_scale=scale, help_shown=help_shown
    )
    room = frame(*size, density, scale, ACROSS).room
    told = [layout.counter, layout.clock, layout.word]
    assert_apart_and_inside([*told, *layout.buttons.values()], layout.bar)
    words = [] if layout.help is None else [layout.help]
    assert_apart_and_inside([layout.bar, layout.board, layout.status, *words], room)
    assert words or not help_shown
    assert layout.cell >= SMALLEST_CELL
    assert layout.board.width >= min(layout.cell, layout.cell * columns)
    assert layout.board.height >= min(layout.cell, layout.cell * rows)


@given(sizes, sides, sides, scales)
def test_scaled_text_leaves_the_window_whole(
    size: tuple[int, int], rows: int, columns: int, scale: float
) -> None:
    layout = arrange_board(*size, rows, columns, text_scale=scale)
    room = frame(*size, 1.0, scale).room
    rects = [layout.counter, layout.word, *layout.buttons.values()]
    assert_apart_and_inside([layout.board, layout.status, *rects], room)


def test_text_scale_changes_the_text_and_stays_in_the_window() -> None:
    units = [frame(1600, 1000, 1.0, scale).unit for scale in (0.5, 1.0, 1.5, 3.0)]
    assert units == sorted(units)
    assert units[0] * 2 == units[1]
    assert units[3] > units[1]


@given(sizes, densities, scales)
def test_nothing_overlaps_on_the_other_screens(
    size: tuple[int, int], density: float, scale: float
) -> None:
    room = frame(*size, density, scale).room
    start = arrange_start(*size, density=density, text_scale=scale)
    assert_apart_and_inside([start.picture, start.title, start.rules, *start.buttons.values()], room)
    menu = arrange_menu(*size, density=density, text_scale=scale)
    titles = [menu.title] if menu.subtitle is None else [menu.title, menu.subtitle]
    assert_apart_and_inside([*titles, *menu.items.values(), menu.error, menu.back], room)
    screen = arrange_settings(*size, density=density, text_scale=scale)
    assert_apart_and_inside([screen.title, *screen.rows.values(), screen.note, screen.back], room)
    for name, rect in menu.steps.items():
        assert_apart_and_inside([rect], menu.items[name[:-1]])
    assert_apart_and_inside(list(menu.steps.values()), room)


@given(
    st.integers(100, 2000), st.integers(100, 2000), st.integers(14, 60), st.integers(14, 60), st.data()
)
def test_zooming_keeps_the_point_fixed(
    wide: int, tall: int, before: int, after: int, data: st.DataObject
) -> None:
    """The board is so large that its edges do not matter."""
    area = Rect(10, 20, wide, tall)
    view = View(area, before, 1000, 1000).centred_on((500, 500))
    about = data.draw(st.tuples(st.integers(10, 9 + wide), st.integers(20, 19 + tall)))
    zoomed = view.fitted(area, after, about)
    now, then = (
        ((about[0] - area.x + seen.left) / seen.cell, (about[1] - area.y + seen.top) / seen.cell)
        for seen in (zoomed, view)
    )
    assert now == pytest.approx(then, abs=1 / after)


@given(st.data(), sizes, sides, sides)
def test_every_cell_can_be_shown_and_found(
    data: st.DataObject, size: tuple[int, int], rows: int, columns: int
) -> None:
    layout = arrange_board(*size, rows, columns)
    view = View(layout.board, layout.cell, rows, columns)
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    for cell in data.draw(st.lists(cells, min_size=1, max_size=5)):
        view = view.showing(cell)
        rect = view.rect(cell)
        assert view.cell_at(rect.center) == cell
        assert view.area.contains((rect.x, rect.y))
        assert view.area.contains((rect.right - 1, rect.bottom - 1))
        assert cell[0] in view.visible_rows()
        assert cell[1] in view.visible_columns()


@pytest.fixture(scope="module")
def _fonts() -> Iterator[None]:
    pygame.font.init()
    yield
    pygame.font.quit()


@settings(deadline=None)
@given(sizes, st.integers(0, 6))
@pytest.mark.usefixtures("_fonts")
def test_a_message_is_never_cut_off(size: tuple[int, int], others: int) -> None:
    """However many numbers a reason names, it is wrapped and shrunk until it fits."""
    cell = "the 2 at row 1000, column 1000"
    message = f"The AI opened row 999, column 999; safe: follows from {' and '.join([cell] * others)}."
    layout = arrange_board(*size, 8, 8)
    surface = pygame.Surface((size[0] + 200, size[1] + 200))  # Room to see what is beyond the line.
    Canvas(surface).paragraph(layout.status, message, layout.unit, "#ffffff")
    drawn = pygame.mask.from_threshold(surface, "#ffffff", (200, 200, 200))
    assert drawn.count() > 0
    for rect in drawn.get_bounding_rects():
        assert layout.status.contains((rect.x, rect.y))
        assert layout.status.contains((rect.right - 1, rect.bottom - 1))
