"""Theme: the window's colours, chosen to be told apart without telling red from green."""

from __future__ import annotations

from typing import Final

from sapper.drawing import NUMBERS as NUMBERS

PAGE: Final = "#eef2f6"
INK: Final = "#1d2733"
MUTED: Final = "#566473"

BUTTON: Final = "#ffffff"
BUTTON_HOVER: Final = "#e3eaf2"
BUTTON_PRESSED: Final = "#d0dbe7"
BUTTON_EDGE: Final = "#b4c2d0"
ACCENT: Final = "#1f62b8"
ACCENT_HOVER: Final = "#2a73d0"
ACCENT_PRESSED: Final = "#184e94"
ON_ACCENT: Final = "#ffffff"

FRAME: Final = "#cfd9e4"
HIDDEN_CELL: Final = "#8ea6bf"
HOVERED_CELL: Final = "#a9bdd1"
OPENED_CELL: Final = "#f8fafc"
MINE_CELL: Final = "#dde4ec"
EXPLODED_CELL: Final = "#d9480f"
BURST: Final = "#ffe066"
CROSS: Final = "#ffffff"
LAST_MOVE: Final = "#e8a200"
CURSOR: Final = INK
SCROLL_BAR: Final = "#7d8c9b"

WON: Final = "#00664a"
LOST: Final = "#b3261e"
