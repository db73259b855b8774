"""How many games were played so far, as a bar."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def games_bar(*words: TextColumn) -> Progress:
    """Return a bar for games, with words after their number.

    It is drawn on standard error, and only if that is a terminal.
    """
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),  # An agent may be called anything.
        BarColumn(),
        MofNCompleteColumn(),
        *words,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
