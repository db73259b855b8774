"""Drawing: boards, charts and colour scales as SVG."""

from __future__ import annotations

from sapper.drawing.board import draw_marked, draw_svg
from sapper.drawing.charts import draw_lines

__all__ = [
    "draw_lines",
    "draw_marked",
    "draw_svg",
]
