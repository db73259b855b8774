"""Labels: what a move is called in a review, by what it loses and never by how it ended."""

from __future__ import annotations

from enum import Enum
from typing import Final

from sapper.analysis import Chance


class Label(str, Enum):
    """What a move is called.

    >>> print(Label.NEEDLESS_GUESS)
    needless guess
    """

    FIRST_CLICK = "first click"
    """The first click of a game, which was promised to be safe."""
    ONLY_MOVE = "only move"
    """It opened the only cell that was certainly safe."""
    BEST = "best"
    """It opened what was certainly safe."""
    FORCED_GUESS = "forced guess"
    """No cell was certainly safe, and none was better."""
    FINE = "fine"
    """A guess that lost little: up to 5 points of the chance to win."""
    INACCURACY = "inaccuracy"
    """A guess that lost up to 10 points."""
    MISTAKE = "mistake"
    """A guess that lost up to 20 points."""
    BLUNDER = "blunder"
    """A guess that lost more, or a cell that was certainly a mine."""
    NEEDLESS_GUESS = "needless guess"
    """A guess that lost something though another cell was certainly safe."""

    def __str__(self) -> str:
        return self.value


THRESHOLDS: Final = ((0.05, Label.FINE), (0.10, Label.INACCURACY), (0.20, Label.MISTAKE))
"""The most that a guess with each label loses of the chance to win; a blunder loses more."""
FAULTS: Final = (Label.INACCURACY, Label.MISTAKE, Label.BLUNDER, Label.NEEDLESS_GUESS)
"""What is worth reading first."""
_NOTHING: Final = 1e-9


def label_move(
    *, is_certain: bool, is_only: bool, is_mine: bool, missed_safe: bool, loss: Chance
) -> Label:
    """Return the label of a move that loses so much of the chance to win.

    It is certain if all its cells were safe, or some of them a mine; otherwise it is a guess.

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
    if loss <= _NOTHING:
        return Label.FINE if missed_safe else Label.FORCED_GUESS
    if missed_safe:
        return Label.NEEDLESS_GUESS
    return next((label for most, label in THRESHOLDS if loss <= most), Label.BLUNDER)
