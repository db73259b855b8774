"""The report of a check in the terminal: the list of checks, the failures in detail, and a verdict."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from sapper.course.checker import Progress as TellProgress
from sapper.course.report import Problem, Report, Result, Status, printable
from sapper.course.wording import (
    COORDINATES,
    NO_SOLUTIONS,
    beliefs_of,
    calls_of,
    is_failure,
    knowledge_heading,
    note_of,
    output_of,
    place_of,
    reasons_of,
    share_of,
    verdict_of,
)
from sapper.position import Cell
from sapper.terminal.board import NUMBER_STYLES, Line, print_line
from sapper.text import plural

_MARKS: Final = {
    Status.PASSED: ("✓", "+", "green"),
    Status.FAILED: ("✗", "x", "bold bright_red"),
    Status.ADVICE: ("!", "!", "yellow"),
    Status.SKIPPED: ("–", "-", "dim"),  # noqa: RUF001 - an en dash.
}
"""The mark of each status, in Unicode and in ASCII, and its style."""
_MOST_IN_FULL: Final = 2
"""If more checks fail, only the first one is shown in full."""
_MOST_CALLS: Final = 12
"""Of more calls, the middle ones are left out unless everything is shown."""
_SYMBOLS: Final = "In boards, # is a hidden cell, and brackets mark the cell in question."
_CODE: Final = re.compile(r"`[^`]+`")


@contextmanager
def check_progress() -> Iterator[TellProgress]:
    """Show the current check on standard error, if that is a terminal.

    >>> with check_progress() as tell:
    ...     tell("Speed")
    """
    console = Console(stderr=True)
    with Progress(
        SpinnerColumn("line" if console.options.ascii_only else "dots"),
        TextColumn("Checking: {task.description}", markup=False),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("loading the file", total=None)
        yield lambda title: bar.update(task, description=title)


def print_check(report: Report, console: Console, *, strict: bool = False, every: bool = False) -> None:
    """Print a report. With `every`, each failure and each advice is shown in full.

    >>> import sys
    >>> from pathlib import Path
    >>> from sapper.course.report import CHECKS
    >>> passed = Result(CHECKS[0], Status.PASSED)
    >>> print_check(Report(Path("minesweeper.py"), (passed,), 9, 9, 2.0), Console(file=sys.stdout))
    minesweeper.py
    <BLANKLINE>
    ✓ Standard library only
    <BLANKLINE>
    Correct: all 1 required check passed.
    The agent found 100 % of the cells that follow by counting and subsets (9 of 9).
    This report shows positions and reasons, never solution code.
    """
    name = report.path.name
    _say(console, printable(name), "bold")
    if report.unreadable is not None:
        print_line([], console)
        _print_problem(report.unreadable, name, console, every=every)
    for result in report.results:
        if result is report.results[0]:
            print_line([], console)
        note = note_of(result)
        style = "dim" if result.status is Status.SKIPPED else ""
        print_line(
            [_mark(result, console), (f" {result.check.title}", style)]
            + ([(f" ({note})", "dim")] if note else []),
            console,
        )
    failures = [result for result in report.results if is_failure(result, strict=strict)]
    advice = [
        result
        for result in report.results
        if result.status is Status.ADVICE and not is_failure(result, strict=strict)
    ]
    in_full = len(failures) if every or len(failures) <= _MOST_IN_FULL else 1
    shown = failures[:in_full] + (advice if every else [])
    if any(result.problem is not None and result.problem.cells for result in shown):
        print_line([], console)
        _say(console, f"{COORDINATES} {_SYMBOLS}", "dim")
    elif failures or advice:
        print_line([], console)
        _say(console, COORDINATES, "dim")
    for result in failures[:in_full]:
        _print_failure(result, name, console, in_full=True, every=every)
    if in_full < len(failures):
        print_line([], console)
        more = plural(len(failures) - in_full, "more check")
        _say(console, f"{more} failed. Fix the one above first; --all shows all in full.", "bold")
        for result in failures[in_full:]:
            _print_failure(result, name, console, in_full=False, every=every)
    if advice:
        print_line([], console)
        _say(console, "Advice, which the course does not require:", "bold")
        for result in advice:
            _print_failure(result, name, console, in_full=every, every=every)
    _print_verdict(report, console, strict=strict)


def _print_verdict(report: Report, console: Console, *, strict: bool) -> None:
    code = report.exit_code(strict=strict)
    print_line([], console)
    _say(console, verdict_of(report, strict=strict), "bold green" if code == 0 else "bold bright_red")
    share = share_of(report)
    if share:
        _say(console, share)
    _say(console, NO_SOLUTIONS, "dim")


def _mark(result: Result, console: Console) -> tuple[str, str]:
    mark, plain, style = _MARKS[result.status]
    return (plain if console.options.ascii_only else mark), style


def _print_failure(result: Result, file: str, console: Console, *, in_full: bool, every: bool) -> None:
    problem = result.problem
    if problem is None:
        return
    if in_full:
        print_line([], console)
        print_line([_mark(result, console), (f" {result.check.title}", "bold")], console)
        _print_problem(problem, file, console, every=every)
        return
    print_line([_mark(result, console), (f" {result.check.title}", "bold")], console)
    _say(console, printable(problem.message), indent=2)
    _print_place(problem, file, console)


def _print_problem(problem: Problem, file: str, console: Console, *, every: bool) -> None:
    """Print everything that shows a problem; a long list of calls is shortened unless `every`."""
    _say(console, printable(problem.message, 1000), indent=2)
    _print_place(problem, file, console)
    if problem.cells and problem.numbers:
        print_line([], console)
        _print_board(problem, frozenset(), console)
        print_line([], console)
    _print_lines("What was done:", calls_of(problem, most=None if every else _MOST_CALLS), console)
    _print_beliefs(problem, console)
    _print_lines("Printed:", output_of(problem), console)
    _print_lines("Expected:", [printable(problem.expected)] if problem.expected else [], console)
    _print_lines("Why:", reasons_of(problem), console)
    if problem.layout is not None and problem.cells:
        _print_board(problem, problem.layout, console)


def _print_beliefs(problem: Problem, console: Console) -> None:
    """Print what the agent knows, in two columns."""
    beliefs = beliefs_of(problem)
    if not console.is_terminal:
        lines = [f"{name:<10}{value}" for name, value in beliefs]
        _print_lines(f"{knowledge_heading(problem)}:", lines, console)
    elif beliefs:
        _say(console, f"{knowledge_heading(problem)}:", "underline", indent=2)
        columns = Table.grid(padding=(0, 1, 0, 0))
        for name, value in beliefs:
            columns.add_row(Text(name), Text(value))
        console.print(Padding(columns, (0, 0, 0, 4)))


def _print_place(problem: Problem, file: str, console: Console) -> None:
    place = place_of(problem, file)
    if place:
        source = printable(problem.source, 160)
        _say(console, f"{place}:" if source else place, "cyan", indent=2)
        if source:
            _say(console, source, "bold", indent=6)


def _print_lines(heading: str, lines: Iterable[str], console: Console) -> None:
    lines = list(lines)
    if lines:
        _say(console, heading, "underline" if console.is_terminal else "", indent=2)
        for line in lines:
            _say(console, line, indent=4)


def _print_board(problem: Problem, mines: Collection[Cell], console: Console) -> None:
    """Print a board with row and column numbers, counted from 0, and brackets around the cell."""
    margin = len(str(problem.height - 1))
    columns = "".join(f"{column:>2} " for column in range(problem.width))
    print_line([(" " * (margin + 6) + columns.rstrip(), "dim")], console)
    for row in range(problem.height):
        cells: list[tuple[str, str]] = []
        for column in range(problem.width):
            cell = (row, column)
            symbol, style = _symbol(problem, cell, mines)
            if cell == problem.cell:
                cells.append((f"[{symbol}]", f"{style} reverse"))
            else:
                cells.append((f" {symbol} ", style))
        line: Line = [(f"    {row:>{margin}} |", "dim"), *cells]
        print_line(line, console)


def _symbol(problem: Problem, cell: Cell, mines: Collection[Cell]) -> tuple[str, str]:
    number = problem.numbers.get(cell)
    if number is not None:
        return str(number), NUMBER_STYLES[number] if 0 <= number <= 8 else ""
    return ("*", "bold bright_red") if cell in mines else ("#", "bright_black")


def _say(console: Console, text: str, style: str = "", *, indent: int = 0) -> None:
    """Print a text. In a terminal, it is wrapped, and code between backticks is highlighted."""
    if not console.is_terminal:
        print_line([(" " * indent + text, "")], console)
        return
    shown = Text(text, style)
    shown.highlight_regex(_CODE, "bold")
    console.print(Padding(shown, (0, 0, 0, indent)), highlight=False)
