"""Errors: all are `ValueError`s, and their messages say what is wrong and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from sapper.position import Cell


class SapperError(ValueError):
    """The input cannot be used. All other errors are kinds of this one."""


class BadPosition(SapperError):
    """The text or the cells do not describe a position."""


class MissingMineCount(BadPosition):
    """The text shows the cells of a position, but does not state its number of mines."""


class InconsistentPosition(SapperError):
    """No minefield can produce the position.

    `numbers` are open cells whose numbers contradict each other or, if `uses_mine_count` is true, the
    number of mines on the board. The set is minimal, unless the message says that a limit was reached.
    """

    def __init__(self, message: str, numbers: frozenset[Cell], uses_mine_count: bool) -> None:
        super().__init__(message)
        self.numbers = numbers
        self.uses_mine_count = uses_mine_count

    def __reduce__(self) -> tuple[type[InconsistentPosition], tuple[object, ...]]:
        return type(self), (str(self), self.numbers, self.uses_mine_count)


class LimitReached(SapperError):
    """No correct answer was found within the limit."""


class NotCertain(SapperError):
    """The cell can be safe and can be a mine, so neither can be proved.

    `risk` is the probability that it is a mine.
    """

    def __init__(self, message: str, risk: float | Fraction) -> None:
        super().__init__(message)
        self.risk = risk

    def __reduce__(self) -> tuple[type[NotCertain], tuple[object, ...]]:
        return type(self), (str(self), self.risk)


class WrongProof(SapperError):
    """The proof is not valid. The message says which part is wrong."""


class BadLevel(SapperError):
    """No level has this name, or no board has this size."""


class IllegalMove(SapperError):
    """The move is not possible in this game."""


class BadRecord(SapperError):
    """The record does not describe a possible game."""


class BadFile(SapperError):
    """The file cannot be read or written, or it does not have the expected format."""


class BadCode(SapperError):
    """The text is not a board code."""


class BadProgram(SapperError):
    """The program cannot be started, does not answer, or gives a wrong answer."""


class BadLine(SapperError):
    """The line does not follow the engine protocol."""


class ClusterError(SapperError):
    """The cluster does not answer, or its results are not valid. Games played before are kept."""


class BadSetting(SapperError):
    """No setting has this name, or the setting cannot have this value."""


class BadKey(SapperError):
    """No key has this name, or the key cannot be assigned."""


class BadScore(SapperError):
    """The game is not a finished game that can be counted."""


class BadLook(SapperError):
    """The window has no such theme or text size."""


class DamagedDatabase(SapperError):
    """The file is not a database, or it is damaged."""
