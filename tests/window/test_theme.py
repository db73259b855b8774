"""The window's colours are readable, and distinct even for colour-blind people."""

from __future__ import annotations

from itertools import combinations

import pytest

pytest.importorskip("pygame", reason="the window needs pygame-ce")

from sapper.window.theme import THEMES, Look, Theme

Linear = tuple[float, float, float]

DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
"""What is left of linear red, green and blue to an eye without the cones for green (Machado 2009)."""
DIFFERENCE = 10.0
"""The least difference between two colours, as a distance in CIELAB: 2.3 can just be seen."""

# A mark, or a text, and what it is seen against.
ON_CELLS = (
    ("pole", "hidden_cell"),
    ("pole", "hovered_cell"),
    ("question", "hidden_cell"),
    ("question", "hovered_cell"),
    ("mine", "mine_cell"),
    ("burst_mine", "burst"),
    ("cross", "cross_edge"),
    ("cursor", "cursor_edge"),
    ("last_move", "last_move_edge"),
    ("target", "ring_edge"),
    ("used", "ring_edge"),
    ("area", "ring_edge"),
    ("safe_mark", "safe_cell"),
    ("sure_mark", "sure_cell"),
)
TEXTS = (
    *(("ink", ground) for ground in ("page", "button", "button_hover", "button_pressed")),
    *((ink, "page") for ink in ("muted", "won", "lost")),
    ("muted", "button"),
    *(("on_accent", ground) for ground in ("accent", "accent_hover", "accent_pressed")),
    ("accent", "page"),
)

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


def linear(colour: str) -> Linear:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return tuple(  # type: ignore[return-value]
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)
    )


def without_green_cones(colour: Linear) -> Linear:
    seen = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in DEUTERANOPIA)
    return tuple(min(max(channel, 0.0), 1.0) for channel in seen)  # type: ignore[return-value]


def luminance(colour: Linear) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(first: str, second: str) -> float:
    dark, light = sorted(luminance(linear(colour)) for colour in (first, second))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: Linear) -> tuple[float, float, float]:
    red, green, blue = colour
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, luminance(colour), z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(first: str, second: str) -> float:
    """Return how much two colours differ to an eye without the cones for green."""
    one, other = (lab(without_green_cones(linear(colour))) for colour in (first, second))
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)


def wanted_contrast(theme: Theme) -> float:
    return 7.0 if theme.name == "high contrast" else 4.5


def test_the_colour_distance_models_colour_blindness() -> None:
    assert difference("#c9a000", "#0050c0") > 60
    assert difference("#8a6d00", "#a06000") < DIFFERENCE  # Plain to most eyes, not to these.
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@themes
def test_numbers_are_readable_and_distinct(theme: Theme) -> None:
    assert sorted(theme.numbers) == list(range(1, 9))
    for colour in theme.numbers.values():
        assert contrast(colour, theme.opened_cell) >= wanted_contrast(theme)
    for first, second in combinations(theme.numbers.values(), 2):
        assert difference(first, second) >= DIFFERENCE


@themes
def test_marks_are_visible_and_distinct(theme: Theme) -> None:
    for mark, ground in ON_CELLS:
        assert contrast(getattr(theme, mark), getattr(theme, ground)) >= wanted_contrast(theme)
    rings = (theme.cursor, theme.last_move, theme.target, theme.used)
    cells = (theme.hidden_cell, theme.opened_cell, theme.safe_cell, theme.sure_cell)
    for colours in (rings, cells):
        for first, second in combinations(colours, 2):
            assert difference(first, second) >= DIFFERENCE


@themes
def test_text_is_readable(theme: Theme) -> None:
    for ink, ground in TEXTS:
        assert contrast(getattr(theme, ink), getattr(theme, ground)) >= wanted_contrast(theme)


@themes
def test_heat_colours_are_readable_and_monotonic(theme: Theme) -> None:
    for cell, ink in theme.heat:
        assert contrast(cell, ink) >= wanted_contrast(theme)
    light = [luminance(linear(cell)) for cell, _ in theme.heat]
    assert light in (sorted(light), sorted(light, reverse=True))


@themes
def test_every_risk_has_a_colour(theme: Theme) -> None:
    assert [theme.heat_of(step / 6) for step in range(6)] == list(theme.heat)
    assert theme.heat_of(1.0) == theme.heat[-1]


def test_looks_compare_by_value() -> None:
    assert Look.named("dark", text_scale=2) == Look(THEMES["dark"], 2)
