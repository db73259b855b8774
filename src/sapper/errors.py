"""What can go wrong: every error Sapper raises for bad input, all of them `ValueError`s."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.position import Cell


class SapperError(ValueError):
    """The input cannot be used; the message names what was wrong."""


class BadPosition(SapperError):
    """The text or the cells do not describe a position."""


class InconsistentPosition(SapperError):
    """No minefield can produce the position; the message names what cannot all be true.

    `numbers` are opened cells whose numbers contradict each other or, if `uses_mine_count`, contradict
    the number of mines on the board. None of them can be left out, unless the message says that the
    limit was reached.
    """

    def __init__(self, message: str, numbers: frozenset[Cell], uses_mine_count: bool) -> None:
        super().__init__(message)
        self.numbers = numbers
        self.uses_mine_count = uses_mine_count

    def __reduce__(self) -> tuple[type[InconsistentPosition], tuple[object, ...]]:
        return type(self), (str(self), self.numbers, self.uses_mine_count)


class LimitReached(SapperError):
    """The answer was not found within the limit, and there is none that would be right."""


class BadLevel(SapperError):
    """There is no such level, or no board of such a size."""


class IllegalMove(SapperError):
    """The move cannot be made in this game."""


class BadFile(SapperError):
    """The file cannot be read or written, or its content is not of its format."""
