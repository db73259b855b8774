"""Facts about where everything stands in the window, and about its colours."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.window import theme
from sapper.window.canvas import Canvas
from sapper.window.layout import (
    SMALLEST_CELL,
    SMALLEST_WINDOW,
    Rect,
    arrange_board,
    arrange_menu,
    arrange_start,
    frame,
)
from sapper.window.view import View

sizes = st.tuples(st.integers(SMALLEST_WINDOW[0], 4000), st.integers(SMALLEST_WINDOW[1], 3000))
sides = st.one_of(st.integers(1, 40), st.integers(1, 1000))
densities = st.sampled_from([1.0, 1.5, 2.0])


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


@given(sizes, densities)
def test_nothing_overlaps_on_the_other_screens(size: tuple[int, int], density: float) -> None:
    room = frame(*size, density).room
    start = arrange_start(*size, density=density)
    assert_apart_and_inside([start.picture, start.title, start.rules, *start.buttons.values()], room)
    menu = arrange_menu(*size, density=density)
    titles = [menu.title] if menu.subtitle is None else [menu.title, menu.subtitle]
    assert_apart_and_inside([*titles, *menu.items.values(), menu.error, menu.back], room)
    for name, rect in menu.steps.items():
        assert_apart_and_inside([rect], menu.items[name[:-1]])
    assert_apart_and_inside(list(menu.steps.values()), room)


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


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    weights = (0.2126, 0.7152, 0.0722)
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * channel for weight, channel in zip(weights, linear, strict=True))


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def test_text_has_the_contrast_that_accessibility_asks_for() -> None:
    for colour in theme.NUMBERS.values():
        assert contrast(colour, theme.OPENED_CELL) >= 4.5
    for colour in (theme.INK, theme.MUTED, theme.WON, theme.LOST):
        assert contrast(colour, theme.PAGE) >= 4.5
    for colour in (theme.ACCENT, theme.ACCENT_HOVER, theme.ACCENT_PRESSED):
        assert contrast(theme.ON_ACCENT, colour) >= 4.5


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
