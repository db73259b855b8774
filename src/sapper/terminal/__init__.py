"""The terminal: games that an agent plays, and hints, coloured where the terminal can."""

from sapper.terminal.hint import print_hint, read_text
from sapper.terminal.watch import watch

__all__ = ["print_hint", "read_text", "watch"]
