"""The command that checks a student's agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sapper.cli.options import AsJson, Force
from sapper.cli.outputs import check_outputs
from sapper.errors import BadFile
from sapper.storage.files import file_name, write_text


def check(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|DIRECTORY", help="A minesweeper.py, or many of them.")
    ],
    every: Annotated[bool, typer.Option("--all", help="Show every failure in full.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Count advice as failures.")] = False,
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the report as a web page."),
    ] = None,
    force: Force = False,
) -> None:
    """Check a student's minesweeper.py, and show where it goes wrong."""
    from sapper import terminal
    from sapper.course.checker import check as check_file
    from sapper.course.report_page import report_page

    check_outputs({"the report page": html}, {"the file to check": path}, force=force)
    if not path.is_file():
        raise BadFile(f"{file_name(path)}: there is no such file")
    with terminal.check_progress() as tell:
        report = check_file(path, progress=tell)
    if html is not None:
        write_text(html, report_page(report, strict=strict))
    if as_json:
        print(json.dumps(report.to_json(strict=strict)))
    else:
        terminal.print_check(report, Console(highlight=False), strict=strict, every=every)
    raise typer.Exit(report.exit_code(strict=strict))
