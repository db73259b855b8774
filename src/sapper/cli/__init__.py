"""The `sapper` command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

import sapper
from sapper.cli import boards, engine, games, playing, plots, positions, runs, serving, stats
from sapper.errors import SapperError

app = typer.Typer(
    help="Plays Minesweeper by logic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"sapper {sapper.__version__}, {sapper.engine_name} engine")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[  # noqa: ARG001 - its callback acts.
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print version and engine."
        ),
    ] = False,
) -> None:
    if sapper.engine_name == "python" and not os.environ.get("SAPPER_ENGINE"):
        print("Note: no compiled engine was built; this is the plain-Python one.", file=sys.stderr)


for command in (
    playing.play,
    playing.watch,
    positions.hint,
    positions.explain,
    boards.new,
    games.measure,
    games.review,
    stats.stats,
    serving.serve,
    engine.engine,
    runs.bench,
    runs.compare,
    plots.plot,
):
    app.command()(command)


def _run(application: typer.Typer) -> None:
    """Run a command; bad input is one line on standard error and exit code 2."""
    try:
        application(standalone_mode=True)
    except SapperError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def main() -> None:
    """Run the `sapper` command."""
    _run(app)


def run_window() -> None:
    """Run `python runner.py`: the `play` command by itself."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.callback(invoke_without_command=True)(playing.play)
    _run(alone)
