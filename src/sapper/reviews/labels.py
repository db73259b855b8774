"""Labels of moves in a review. They depend on what a move loses on average, never on its outcome."""

from __future__ import annotations

from enum import Enum
from typing import Final

from sapper.analysis import Chance


class Label(str, Enum):
    """The label of a move.

    >>> print(Label.NEEDLESS_GUESS)
    needless guess
    """

    FIRST_CLICK = "first click"
    """The first click of a game, which was guaranteed to be safe."""
    ONLY_MOVE = "only move"
    """It opened the only certainly safe cell."""
    BEST = "best"
    """It opened a certainly safe cell."""
    FORCED_GUESS = "forced guess"
    """A guess when no cell was certainly safe; no other move was better."""
    FINE = "fine"
    """A guess that lost up to 5 percentage points of win probability."""
    INACCURACY = "inaccuracy"
    """A guess that lost up to 10 points."""
    MISTAKE = "mistake"
    """A guess that lost up to 20 points."""
    BLUNDER = "blunder"
    """A guess that lost more than 20 points, or a cell that was certainly a mine."""
    NEEDLESS_GUESS = "needless guess"
    """A guess that lost something, although another cell was certainly safe."""

    def __str__(self) -> str:
        return self.value


THRESHOLDS: Final = ((0.05, Label.FINE), (0.10, Label.INACCURACY), (0.20, Label.MISTAKE))
"""The most win probability that a guess with each label may lose. A blunder loses more."""
FAULTS: Final = (Label.INACCURACY, Label.MISTAKE, Label.BLUNDER, Label.NEEDLESS_GUESS)
"""The labels of bad moves."""
_TOLERANCE: Final = 1e-9
"""Smaller losses are treated as 0."""


def label_move(
    *, is_certain: bool, is_only: bool, is_mine: bool, missed_safe: bool, loss: Chance
) -> Label:
    """Return the label of a move that loses `loss` of the win probability.

    `is_certain` means that all its cells were certainly safe, `is_only` that no other cell was,
    `is_mine` that one of its cells was certainly a mine, and `missed_safe` that another cell was safe.

    >>> guess = {"is_certain": False, "is_only": False, "is_mine": False}
    >>> [str(label_move(**guess, missed_safe=False, loss=loss)) for loss in (0, 0.05, 0.051, 0.3)]
    ['forced guess', 'fine', 'inaccuracy', 'blunder']
    >>> [str(label_move(**guess, missed_safe=True, loss=loss)) for loss in (0, 0.01)]
    ['fine', 'needless guess']
    """
    if is_mine:
        return Label.BLUNDER
    if is_certain:
        return Label.ONLY_MOVE if is_only else Label.BEST
    if loss <= _TOLERANCE:
        return Label.FINE if missed_safe else Label.FORCED_GUESS
    if missed_safe:
        return Label.NEEDLESS_GUESS
    return next((label for most, label in THRESHOLDS if loss <= most), Label.BLUNDER)
