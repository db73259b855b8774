"""Formats: boards, positions and games in files and texts, ours and those that players use."""

from __future__ import annotations

from sapper._numbers import format_count, format_digits, format_percent
from sapper.formats.analysis import analysis_to_json, known_layouts

__all__ = [
    "analysis_to_json",
    "format_count",
    "format_digits",
    "format_percent",
    "known_layouts",
]
