"""Overlays: the marks that help adds to a board, and the text beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sapper.position import Cell


@dataclass(frozen=True)
class Overlay:
    """Marks on cells, and text beside the board. Every part is optional.

    >>> Overlay(title="Look here.").lines
    ()
    """

    risks: Mapping[Cell, float] = field(default_factory=dict)
    """The probability of a mine, for a heat map."""
    safe: frozenset[Cell] = frozenset()
    """Cells that are certainly safe."""
    mines: frozenset[Cell] = frozenset()
    """Cells that are certainly mines."""
    missed: frozenset[Cell] = frozenset()
    """Cells that are certain, but that the agent has not marked."""
    wrong: frozenset[Cell] = frozenset()
    """Cells about which the agent believes something false or unfounded."""
    area: frozenset[Cell] = frozenset()
    """The area of the board to look at."""
    numbers: frozenset[Cell] = frozenset()
    """Open numbers that a proof uses; they get a ring."""
    target: Cell | None = None
    """The cell that the help is about."""
    title: str = ""
    lines: tuple[str, ...] = ()
    """Text beside the board."""
    step: tuple[int, int] | None = None
    """The step of a proof that is shown, counted from 1, and the number of steps."""
