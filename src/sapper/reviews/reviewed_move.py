"""A reviewed move: an entry of a game's record, with its label, its risk and what it lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sapper.analysis import Chance
from sapper.position import Cell
from sapper.reviews.labels import Label
from sapper.reviews.worth import Loss, Worth


@dataclass(frozen=True)
class ReviewedMove:
    """An entry of a record, with its review. Unknown values are None."""

    number: int
    """The number of the entry in the record, counted from 1."""
    at: float
    by: str
    kind: str
    cell: Cell | None
    cells: tuple[Cell, ...] = ()
    """The cells that it opened directly: one, or several for a chord; empty if it opened nothing."""
    undone: bool = False
    """Whether it was undone later."""
    lost: bool = False
    """Whether it opened a mine."""
    label: Label | None = None
    """None if it opened nothing, or if the time limit was reached before it was reviewed."""
    certain: bool = False
    """Whether all its cells were certainly safe."""
    missed: Cell | None = None
    """A certainly safe cell, if the move was not certainly safe."""
    best: Cell | None = None
    """A cell that the best move opens, if known."""
    risk: Chance | None = None
    """The probability that it opened a mine."""
    least_risk: Chance | None = None
    """The lowest risk of any cell."""
    before: Worth | None = None
    """The win probability before it, with best play."""
    after: Worth | None = None
    """The win probability after it, with best play."""
    loss: Loss | None = None
    """The win probability lost by choosing this move, whatever it revealed: skill."""
    luck: Chance | None = None
    """The change in win probability caused by what the move revealed."""
    is_decision: bool = False
    """Whether it was a decision: a guess where some cells were better than others."""

    @property
    def chance(self) -> Chance | None:
        """The win probability with this move, before its result was known."""
        if self.before is None or self.loss is None:
            return None
        return self.before.chance - self.loss.chance

    @property
    def accuracy(self) -> float | None:
        """The percentage of the win probability, or else of the survival probability, that it kept."""
        if not self.is_decision or self.risk is None or self.least_risk is None:
            return None
        if self.before is None or self.chance is None:
            return 100.0 * float((1 - self.risk) / (1 - self.least_risk))
        return 100.0 * float(self.chance / self.before.chance) if self.before.chance else 100.0

    def to_json(self) -> dict[str, Any]:
        """Return the move as an object for `json.dumps`. docs/review.md describes its keys."""
        return {
            "number": self.number,
            "at": self.at,
            "by": self.by,
            "kind": self.kind,
            "cell": None if self.cell is None else list(self.cell),
            "cells": [list(cell) for cell in self.cells],
            "undone": self.undone,
            "lost": self.lost,
            "label": None if self.label is None else self.label.value,
            "certain": self.certain,
            "missed": None if self.missed is None else list(self.missed),
            "best": None if self.best is None else list(self.best),
            "risk": _number(self.risk),
            "least_risk": _number(self.least_risk),
            "before": _worth_to_json(self.before),
            "after": _worth_to_json(self.after),
            "loss": None if self.loss is None else float(self.loss.chance),
            "loss_error": None if self.loss is None else self.loss.error,
            "luck": _number(self.luck),
            "accuracy": self.accuracy,
        }


def _number(chance: Chance | None) -> float | None:
    return None if chance is None else float(chance)


def _worth_to_json(worth: Worth | None) -> dict[str, Any] | None:
    if worth is None:
        return None
    return {"chance": float(worth.chance), "error": worth.error, "exact": worth.exact}
