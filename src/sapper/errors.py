"""What can go wrong: every error Sapper raises for bad input, all of them `ValueError`s."""

from __future__ import annotations


class SapperError(ValueError):
    """The input cannot be used; the message names what was wrong."""


class BadPosition(SapperError):
    """The text or the cells do not describe a position."""


class BadLevel(SapperError):
    """There is no such level, or no board of such a size."""


class IllegalMove(SapperError):
    """The move cannot be made in this game."""
