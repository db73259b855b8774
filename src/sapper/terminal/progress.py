"""The progress bar of batches and surveys."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def games_bar(*columns: TextColumn) -> Progress:
    """Return a progress bar for games, with extra columns after the number of games.

    It appears on standard error, if that is a terminal.
    """
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),  # The name of an agent may contain markup.
        BarColumn(),
        MofNCompleteColumn(),
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
