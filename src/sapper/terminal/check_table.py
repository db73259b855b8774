"""Checks of many submissions in the terminal: a progress bar, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sapper.course.batch import Results, Row, check_all, find_submissions
from sapper.course.batch_table import HEADINGS, NUMBERS, summary_of, table_cells
from sapper.terminal.board import print_line

_STYLES: Final = {"correct": "green", "incorrect": "bright_red", "not checked": "yellow"}


def run_checks(directory: Path, results: Results, *, games: int, jobs: int) -> list[Row]:
    """Check all submissions in a directory, with a progress bar on standard error."""
    console = Console(stderr=True)
    columns = (
        TextColumn("Checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("submissions"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(find_submissions(directory)))
        return check_all(directory, results, games=games, jobs=jobs, done=lambda _: bar.advance(task))


def print_table(rows: Sequence[Row], console: Console, *, strict: bool = False) -> None:
    """Print the results of many submissions: as a table in a terminal, otherwise as aligned text.

    >>> import sys
    >>> print_table([Row("x.py", "", "", problem="it is a directory")], Console(file=sys.stdout))
    submission  verdict      passed  first failure      forced cells  wins  expert board  check time
    x.py        not checked       -  it is a directory             -     -             -           -
    <BLANKLINE>
    1 submission: 0 correct, 0 incorrect, 1 not checked.
    """
    lines = [table_cells(row, strict=strict) for row in rows]
    if console.is_terminal:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for heading in HEADINGS:
            table.add_column(
                heading, justify="right" if heading in NUMBERS else "left", overflow="fold"
            )
        for cells in lines:
            table.add_row(*(Text(cell, _STYLES.get(cell, "")) for cell in cells))
        console.print(table)
    else:
        widths = [max(map(len, column)) for column in zip(HEADINGS, *lines, strict=True)]
        for cells in (HEADINGS, *lines):
            aligned = (
                f"{cell:>{width}}" if heading in NUMBERS else f"{cell:<{width}}"
                for heading, cell, width in zip(HEADINGS, cells, widths, strict=True)
            )
            print_line([("  ".join(aligned), "")], console)
    print_line([], console)
    print_line([(summary_of(rows, strict=strict), "bold")], console)
