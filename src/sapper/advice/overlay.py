"""Overlay: what help shows over a board and beside it. Every face draws it in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sapper.position import Cell


@dataclass(frozen=True)
class Overlay:
    """Marks on cells, and words beside the board; all of them may be missing.

    >>> Overlay(title="Look here.").lines
    ()
    """

    risks: Mapping[Cell, float] = field(default_factory=dict)
    """The chance of a mine, for a heat map."""
    safe: frozenset[Cell] = frozenset()
    """Cells that are certainly safe, or were shown to be."""
    mines: frozenset[Cell] = frozenset()
    """Cells that are certainly mines, or were shown to be."""
    area: frozenset[Cell] = frozenset()
    """Where to look."""
    numbers: frozenset[Cell] = frozenset()
    """Opened numbers that a proof uses: to be ringed."""
    target: Cell | None = None
    """The cell that all is about."""
    title: str = ""
    lines: tuple[str, ...] = ()
    """Words beside the board."""
    step: tuple[int, int] | None = None
    """Which step of a proof is shown, counted from 1, and of how many."""
