"""The terminal: an agent plays a game move by move, coloured where the terminal can."""

from sapper.terminal.watch import watch

__all__ = ["watch"]
