"""The `sapper` command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from rich.console import Console

import sapper
from sapper.errors import SapperError
from sapper.session import Session

app = typer.Typer(
    help="Plays Minesweeper by logic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

LevelName = Annotated[
    str, typer.Argument(help="course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES")
]
LevelOption = Annotated[
    str, typer.Option("--level", help="course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES")
]
Seed = Annotated[int | None, typer.Option(help="The board's number; random without it.")]
PromiseName = Annotated[
    str | None, typer.Option("--promise", help="The first click's: none, safe or open.")
]


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


@app.command()
def watch(
    level: LevelName = "course",
    seed: Seed = None,
    promise: PromiseName = None,
    agent: Annotated[str, typer.Option(help="Who plays: logic.")] = "logic",
    delay: Annotated[
        float | None, typer.Option(min=0, help="Seconds between moves; 0.3 in a terminal.")
    ] = None,
) -> None:
    """Watch an agent play a game in the terminal, each move with its reason."""
    from sapper import terminal

    session = Session(level, seed=seed, promise=promise, agent=agent)
    console = Console(highlight=False)
    if delay is None:
        delay = 0.3 if console.is_terminal else 0.0
    terminal.watch(session, console, delay=delay)


@app.command()
def play(level: LevelOption = "course", seed: Seed = None, promise: PromiseName = None) -> None:
    """Open the window; where there is no display, watch the AI play in the terminal."""
    from sapper import window

    Session(level, seed=seed, promise=promise)  # Bad input is an error before a window opens.
    try:
        window.run(level, seed=seed, promise=promise)
    except window.NoDisplay as reason:
        print(f"There is no window: {reason}", file=sys.stderr)
        print("The AI plays a game in the terminal instead.", file=sys.stderr)
        watch(level, seed, promise)


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
    alone.callback(invoke_without_command=True)(play)
    _run(alone)
