"""The terminal: games that an agent plays, hints, and runs of many games."""

from sapper.terminal.bench import measure
from sapper.terminal.hint import print_hint, read_text
from sapper.terminal.watch import watch

__all__ = ["measure", "print_hint", "read_text", "watch"]
