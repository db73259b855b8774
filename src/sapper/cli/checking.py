"""The command that checks a student's agent, or those of a whole class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from sapper.cli.numbers import whole_number
from sapper.cli.options import AsJson, Force
from sapper.cli.outputs import check_outputs
from sapper.errors import BadFile, SapperError
from sapper.storage.files import check_writable, describe_link, file_name, write_text

_MOST_GAMES: Final = 100_000
_MOST_JOBS: Final = 64


def check(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|DIRECTORY",
            help="A minesweeper.py; or a directory with many: all its *.py files and all"
            " */minesweeper.py are checked.",
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Show every failure in full. For a file only.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Count advice as failures.")] = False,
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Also write the report or the table as a web page."
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Also write the table as CSV. For a directory only."
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="File to keep the results in. A rerun checks only new and changed submissions. For a"
            " directory only.",
            show_default="sapper-check.jsonl in the directory",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(0, _MOST_GAMES),
            metavar="N",
            help="Number of games that each agent plays. For a directory only.",
            show_default="1,000",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, _MOST_JOBS),
            metavar="N",
            help="Number of submissions checked at a time. For a directory only.",
            show_default="2",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Check a student's minesweeper.py, and show the smallest position in which it goes wrong.

    The exit code is 0 if the agent is correct, 1 if it is not, and 2 if it could not be checked.

    This is not a sandbox: the code runs with your rights. Use a container for code you do not trust.
    """
    if path.is_dir():
        if every:
            raise SapperError("--all is only for a single file")
        code = _check_directory(
            path,
            strict=strict,
            as_json=as_json,
            html=html,
            csv=csv,
            results=results,
            games=games,
            jobs=2 if jobs is None else jobs,
            force=force,
        )
    else:
        if (csv, results, games, jobs) != (None, None, None, None):
            raise SapperError("--csv, --results, --games and --jobs are only for a directory")
        code = _check_file(path, strict=strict, every=every, as_json=as_json, html=html, force=force)
    raise typer.Exit(code)


def _check_file(
    path: Path, *, strict: bool, every: bool, as_json: bool, html: Path | None, force: bool
) -> int:
    """Check one file; return the exit code."""
    from sapper import terminal
    from sapper.course.checker import check as check_agent
    from sapper.course.report_page import report_page

    check_outputs({"the report page": html}, {"the file to check": path}, force=force)
    if not path.is_file():
        if path.is_symlink():
            raise BadFile(f"{file_name(path)}: it is {describe_link(path)}")
        what = "it is not a file" if path.exists() else "no such file or directory"
        raise BadFile(f"cannot read {file_name(path)}: {what}")
    with terminal.check_progress() as tell:
        report = check_agent(path, progress=tell)
    if html is not None:
        write_text(html, report_page(report, strict=strict))
    if as_json:
        print(json.dumps(report.to_json(strict=strict)))
    else:
        terminal.print_check(report, Console(highlight=False), strict=strict, every=every)
    return report.exit_code(strict=strict)


def _check_directory(
    path: Path,
    *,
    strict: bool,
    as_json: bool,
    html: Path | None,
    csv: Path | None,
    results: Path | None,
    games: int | None,
    jobs: int,
    force: bool,
) -> int:
    """Check all submissions in a directory; return the exit code."""
    from sapper import terminal
    from sapper.course import batch
    from sapper.course.batch_table import batch_page, csv_table

    results = path / batch.RESULTS_NAME if results is None else results
    outputs = {"the page": html, "the CSV table": csv}
    check_outputs(outputs, {"the file with the results": results}, force=force)
    check_writable(results)
    kept = batch.Results(results)
    games = batch.GAMES if games is None else games
    rows = terminal.run_checks(path, kept, games=games, jobs=jobs)
    if csv is not None:
        write_text(csv, csv_table(rows, strict=strict))
    if html is not None:
        title = f"Submissions in {path.resolve().name}"
        write_text(html, batch_page(rows, title=title, strict=strict))
    if as_json:
        print(json.dumps({"submissions": [row.to_json(strict=strict) for row in rows]}))
    else:
        terminal.print_table(rows, Console(highlight=False), strict=strict)
    return batch.exit_code(rows, strict=strict)
