"""Themes: three sets of colours, which do not rely on telling red from green."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sapper.drawing.board import NUMBERS
from sapper.errors import BadLook


@dataclass(frozen=True)
class Theme:
    """A set of colours. Marks have an edge colour that makes them visible on any cell.

    >>> THEMES["dark"].name, THEMES["dark"].heat_of(0.5)
    ('dark', ('#8f5a10', '#ffffff'))
    """

    name: str
    page: str
    ink: str
    muted: str

    button: str
    button_hover: str
    button_pressed: str
    button_edge: str
    accent: str
    accent_hover: str
    accent_pressed: str
    on_accent: str

    frame: str
    hidden_cell: str
    hovered_cell: str
    opened_cell: str
    mine_cell: str
    exploded_cell: str
    burst: str
    scroll_bar: str

    numbers: Mapping[int, str]
    pole: str
    """A flag's pole and the edge of its cloth."""
    cloth: str
    mine: str
    glint: str
    burst_mine: str
    """An exploded mine, on its star."""
    question: str
    cross: str
    cross_edge: str

    cursor: str
    cursor_edge: str
    last_move: str
    last_move_edge: str
    target: str
    """The subject of a hint or proof."""
    used: str
    """The numbers that a proof uses."""
    area: str
    """The frame around the area of a hint."""
    ring_edge: str
    """The edge of the rings."""
    safe_cell: str
    safe_mark: str
    sure_cell: str
    """A cell that is certainly a mine."""
    sure_mark: str
    heat: tuple[tuple[str, str], ...]
    """Colours of cells and their percentages, evenly spaced from low to high risk."""

    won: str
    lost: str

    def heat_of(self, risk: float) -> tuple[str, str]:
        """Return the colours of a cell with this risk, and of its percentage."""
        return self.heat[min(int(risk * len(self.heat)), len(self.heat) - 1)]


LIGHT: Final = Theme(
    name="light",
    page="#eef2f6",
    ink="#1d2733",
    muted="#566473",
    button="#ffffff",
    button_hover="#e3eaf2",
    button_pressed="#d0dbe7",
    button_edge="#b4c2d0",
    accent="#1f62b8",
    accent_hover="#2a73d0",
    accent_pressed="#184e94",
    on_accent="#ffffff",
    frame="#cfd9e4",
    hidden_cell="#8ea6bf",
    hovered_cell="#a9bdd1",
    opened_cell="#f8fafc",
    mine_cell="#dde4ec",
    exploded_cell="#d9480f",
    burst="#ffe066",
    scroll_bar="#7d8c9b",
    numbers=NUMBERS,
    pole="#1d2733",
    cloth="#c9301c",
    mine="#1d2733",
    glint="#ffffff",
    burst_mine="#1d2733",
    question="#1d2733",
    cross="#ffffff",
    cross_edge="#1d2733",
    cursor="#1d2733",
    cursor_edge="#ffffff",
    last_move="#e8a200",
    last_move_edge="#1d2733",
    target="#1f62b8",
    used="#b25000",
    area="#1f62b8",
    ring_edge="#ffffff",
    safe_cell="#a8eae2",
    safe_mark="#0b4a43",
    sure_cell="#6b2412",
    sure_mark="#ffffff",
    heat=(
        ("#d8e6c4", "#1d2733"),
        ("#e5cc8a", "#1d2733"),
        ("#e9ac5c", "#1d2733"),
        ("#d47f33", "#111418"),
        ("#a9501f", "#ffffff"),
        ("#7e3116", "#ffffff"),
    ),
    won="#00664a",
    lost="#b3261e",
)

DARK: Final = Theme(
    name="dark",
    page="#10151b",
    ink="#e8eef4",
    muted="#9fb0c0",
    button="#222c37",
    button_hover="#2d3a48",
    button_pressed="#1a222b",
    button_edge="#46566a",
    accent="#6cb2ff",
    accent_hover="#8cc4ff",
    accent_pressed="#4f97e6",
    on_accent="#0a1420",
    frame="#2a343f",
    hidden_cell="#3d4d60",
    hovered_cell="#4d6078",
    opened_cell="#161c24",
    mine_cell="#2a323c",
    exploded_cell="#b23a08",
    burst="#ffe066",
    scroll_bar="#7d8c9b",
    numbers={
        1: "#23a3ff",
        2: "#47dba8",
        3: "#f07e6e",
        4: "#cba6ff",
        5: "#fcb55f",
        6: "#73e4e8",
        7: "#fffffb",
        8: "#7e939a",
    },
    pole="#f2f6fa",
    cloth="#ff9a85",
    mine="#e8eef4",
    glint="#10151b",
    burst_mine="#1d2733",
    question="#ffffff",
    cross="#10151b",
    cross_edge="#ffffff",
    cursor="#ffffff",
    cursor_edge="#10151b",
    last_move="#f4e26b",
    last_move_edge="#10151b",
    target="#5ab4ff",
    used="#ff9d2e",
    area="#5ab4ff",
    ring_edge="#0a0e13",
    safe_cell="#0b6058",
    safe_mark="#b9fff2",
    sure_cell="#f2a65a",
    sure_mark="#2a0e02",
    heat=(
        ("#22402a", "#ffffff"),
        ("#4a4320", "#ffffff"),
        ("#6b4a12", "#ffffff"),
        ("#8f5a10", "#ffffff"),
        ("#c9752a", "#0a0e13"),
        ("#e0903f", "#0a0e13"),
    ),
    won="#47dba8",
    lost="#ff9a85",
)

HIGH_CONTRAST: Final = Theme(
    name="high contrast",
    page="#000000",
    ink="#ffffff",
    muted="#d8d8d8",
    button="#000000",
    button_hover="#26344a",
    button_pressed="#385688",
    button_edge="#ffffff",
    accent="#ffd400",
    accent_hover="#ffe566",
    accent_pressed="#e0b800",
    on_accent="#000000",
    frame="#4c4c4c",
    hidden_cell="#385688",
    hovered_cell="#26344a",
    opened_cell="#000000",
    mine_cell="#000000",
    exploded_cell="#8c1d00",
    burst="#ffd400",
    scroll_bar="#ffffff",
    numbers={
        1: "#00a4ff",
        2: "#24ef99",
        3: "#ee6f4d",
        4: "#b98ad6",
        5: "#ffc000",
        6: "#62f5ff",
        7: "#fffff8",
        8: "#a7a7a6",
    },
    pole="#ffffff",
    cloth="#ffd400",
    mine="#ffffff",
    glint="#000000",
    burst_mine="#000000",
    question="#ffffff",
    cross="#000000",
    cross_edge="#ffffff",
    cursor="#ffffff",
    cursor_edge="#000000",
    last_move="#ffff00",
    last_move_edge="#000000",
    target="#00b7ff",
    used="#ff9a00",
    area="#00b7ff",
    ring_edge="#000000",
    safe_cell="#003a38",
    safe_mark="#b9fff2",
    sure_cell="#ffffff",
    sure_mark="#000000",
    heat=(
        ("#0c3016", "#ffffff"),
        ("#3a3300", "#ffffff"),
        ("#5c3d00", "#ffffff"),
        ("#e0902a", "#000000"),
        ("#f2b04a", "#000000"),
        ("#ffcf80", "#000000"),
    ),
    won="#24ef99",
    lost="#ff9d8a",
)

THEMES: Final = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}
"""The themes by name."""
TEXT_SCALES: Final = (0.5, 3.0)
"""The smallest and largest text, relative to the default size."""


@dataclass(frozen=True)
class Look:
    """The look of the window: its theme, its text size, and whether animation is allowed.

    Text grows only while the window has room for it. The cell size depends on the window.
    Nothing in the window is animated, so `reduced_motion` has no effect yet.

    >>> Look.named("dark", text_scale=1.5).theme is DARK
    True
    >>> Look(text_scale=9)
    Traceback (most recent call last):
    sapper.errors.BadLook: text_scale must be 0.5 to 3, not 9
    """

    theme: Theme = LIGHT
    text_scale: float = 1.0
    reduced_motion: bool = False

    def __post_init__(self) -> None:
        least, most = TEXT_SCALES
        if not least <= self.text_scale <= most:
            raise BadLook(f"text_scale must be {least:g} to {most:g}, not {self.text_scale:g}")

    @classmethod
    def named(
        cls, theme: str = "light", *, text_scale: float = 1.0, reduced_motion: bool = False
    ) -> Look:
        """Return the look with a named theme.

        >>> Look.named("pink")
        Traceback (most recent call last):
        sapper.errors.BadLook: unknown theme 'pink'; choose light, dark or high contrast
        """
        if theme not in THEMES:
            raise BadLook(f"unknown theme {theme!r}; choose light, dark or high contrast")
        return cls(THEMES[theme], text_scale, reduced_motion)
