"""The `sapper` command."""

from __future__ import annotations

import json
import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import sapper
from sapper import arena
from sapper.difficulty import easiest_proof
from sapper.errors import SapperError
from sapper.formats import analysis_to_json
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


_AGENTS = ", ".join(sapper.agents.AGENTS)
AgentName = Annotated[
    str, typer.Argument(metavar="AGENT", help=f"{_AGENTS}, or module:attribute of what makes one.")
]
BenchLevel = Annotated[
    str | None,
    typer.Argument(metavar="LEVEL", help="As for watch; expert if none is given."),
]
FirstClick = Annotated[
    str | None,
    typer.Option(
        metavar="ROW,COLUMN",
        help="The first click, counted from 0: 0,0 if not given, or 3,3 if it is promised open.",
    ),
]
Games = Annotated[
    int | None,
    typer.Option(help="80,000 if not given; 1,000 for strong-high and agents in Python."),
]
RunSeed = Annotated[int, typer.Option(help="The run's number: the same one, the same boards.")]
Jobs = Annotated[int | None, typer.Option(help="Threads or processes; one a core if not given.")]
PositionFile = Annotated[
    str, typer.Argument(help="A position as text; - or nothing: the standard input.")
]
Mines = Annotated[
    int | None, typer.Option(help="The number of mines, if the first line does not say it.")
]
Picture = Annotated[
    Path | None,
    typer.Option("--svg", metavar="PICTURE", help="Write the board as a picture too."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print an object for programs.")]
SaveFile = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Add the games to an SQLite file.")
]
BoardsFile = Annotated[
    Path | None, typer.Option("--boards", metavar="FILE", help="Play the boards of this file.")
]
OutcomesFile = Annotated[
    Path | None,
    typer.Option("--outcomes", metavar="FILE", help="Write 1 for each game won, 0 for each lost."),
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
    agent: Annotated[str, typer.Option(help=f"Who plays: {_AGENTS}.")] = "logic",
    delay: Annotated[
        float | None,
        typer.Option(min=0, help="Seconds between moves; 0.3 in a terminal, 2 there with --why."),
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Prove each move that is certainly safe.")] = False,
) -> None:
    """Watch an agent play a game in the terminal, each move with its reason."""
    from sapper import terminal

    session = Session(level, seed=seed, promise=promise, agent=agent)
    console = Console(highlight=False)
    if delay is None:
        delay = (2.0 if why else 0.3) if console.is_terminal else 0.0
    terminal.watch(session, console, delay=delay, why=why)


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


@app.command()
def hint(
    file: PositionFile = "-",
    mines: Mines = None,
    trust_flags: Annotated[bool, typer.Option("--trust-flags", help="Take flags for mines.")] = False,
    as_json: AsJson = False,
    svg: Picture = None,
    seconds: Annotated[float, typer.Option(min=0, help="How long it may take.")] = 10.0,
) -> None:
    """Tell which cells of a position are certain, the risk of the others, and the best move."""
    from sapper import terminal

    with _errors_in(file):
        position = sapper.Position.parse(terminal.read_text(file), mines=mines)
        limit = sapper.Limit(seconds=seconds)
        analysis = sapper.analyse(position, trust_flags=trust_flags, limit=limit)
    if svg is not None:
        _write(svg, position.svg(analysis))
    if as_json:
        print(json.dumps(analysis_to_json(analysis)))
    else:
        terminal.print_hint(analysis, Console(highlight=False))


@app.command()
def explain(
    file: PositionFile = "-",
    row: Annotated[int | None, typer.Argument(help="The cell's row, counted from 1.")] = None,
    column: Annotated[int | None, typer.Argument(help="Its column, counted from 1.")] = None,
    mines: Mines = None,
    as_json: AsJson = False,
    svg: Picture = None,
) -> None:
    """Prove that a cell is safe or a mine, step by step.

    If none is given: the safe cell with the easiest proof, or why a guess is due.
    """
    from sapper import terminal

    with _errors_in(file):
        position = sapper.Position.parse(terminal.read_text(file), mines=mines)
        if row is None:
            if sapper.analyse(position).mines == position.hidden:
                raise SapperError("no cell is left to open")
            found = easiest_proof(position) or sapper.explain_guess(position)
        else:
            found = sapper.explain(position, _cell_of(position, row, column))
    if svg is not None:
        _write(svg, found.svg())
    if as_json:
        print(json.dumps(found.to_json()))
    elif isinstance(found, sapper.Guess):
        print(found)
    else:
        terminal.print_proof(found, Console(highlight=False))


@app.command()
def review(
    file: Annotated[str, typer.Argument(help="A game that was played: a record or a replay.")],
    every: Annotated[bool, typer.Option("--all", help="List every move.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Say more of faults, and prove missed cells.")
    ] = False,
    as_json: AsJson = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a page with every board too.")
    ] = None,
    playouts: Annotated[
        int, typer.Option(min=0, help="Games to play where the chance to win cannot be solved.")
    ] = 512,
    seconds: Annotated[float, typer.Option(min=0, help="How long it may take.")] = 60.0,
    jobs: Jobs = None,
) -> None:
    """Tell what every move of a game was worth, with luck and skill kept apart."""
    from sapper import formats, terminal

    if html is not None and not html.parent.is_dir():  # Nobody should wait to be told.
        raise SapperError(f"{_file_name(str(html))} cannot be written: its folder does not exist")
    record = formats.read(Path(file))  # type: ignore[attr-defined, unused-ignore]
    with _errors_in(file):
        if not isinstance(record, sapper.Record):
            what = "a position" if isinstance(record, sapper.Position) else "a board"
            raise SapperError(f"it is {what}, not a game that was played")
        reviewed = terminal.make_review(record, playouts=playouts, seconds=seconds, jobs=jobs)
    if html is not None:
        _write(html, reviewed.html())
    if as_json:
        print(json.dumps(reviewed.to_json()))
    else:
        terminal.print_review(reviewed, Console(highlight=False), every=every, why=why)


def _cell_of(position: sapper.Position, row: int, column: int | None) -> sapper.Cell:
    """Return the cell of this row and column, which are counted from 1."""
    if column is None:
        raise SapperError(f"row {row} was given without a column")
    cell = row - 1, column - 1
    if cell not in position:
        size = f"it has rows 1 to {position.height} and columns 1 to {position.width}"
        raise SapperError(f"row {row}, column {column} is not on the board: {size}")
    return cell


@app.command()
def bench(
    level: BenchLevel = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help=f"Who plays: {_AGENTS}, or module:attribute of what makes one; strong if not given,"
            " safest without the compiled engine."
        ),
    ] = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Games = None,
    seed: RunSeed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
    save: SaveFile = None,
    boards: BoardsFile = None,
    outcomes: OutcomesFile = None,
) -> None:
    """Let an agent play many games, and tell how many it wins."""
    from sapper import terminal

    if agent is None:
        agent = "strong" if "strong" in arena.engine_players() else "safest"
    plan = _plan([agent], level, promise, first, games, seed, boards)
    options = {"save": save, "outcomes": outcomes}
    if not terminal.measure(plan, [agent], jobs=jobs, as_json=as_json, **options):
        raise typer.Exit(130)


@app.command()
def compare(
    agent: AgentName,
    other: AgentName,
    level: BenchLevel = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Games = None,
    seed: RunSeed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
    save: SaveFile = None,
    boards: BoardsFile = None,
    outcomes: OutcomesFile = None,
) -> None:
    """Let two agents play the same boards, and tell which wins more."""
    from sapper import terminal

    plan = _plan([agent, other], level, promise, first, games, seed, boards)
    options = {"save": save, "outcomes": outcomes}
    if not terminal.measure(plan, [agent, other], jobs=jobs, as_json=as_json, **options):
        raise typer.Exit(130)


def _plan(
    agents: list[str],
    level: str | None,
    promise: str | None,
    first: str | None,
    games: int | None,
    seed: int,
    boards: Path | None,
) -> arena.Plan:
    """Return which games the agents are to play."""
    if any(":" in agent for agent in agents):
        sys.path.insert(0, os.getcwd())  # Its module may be in the current folder.
    if games is None and boards is None:
        quick = set(arena.engine_players()) - {"strong-high"}
        games = 80_000 if set(agents) <= quick else 1_000
    return arena.Plan.of(
        level,
        promise=promise,
        first=None if first is None else _parse_cell(first),
        games=games,
        seed=seed,
        boards=None if boards is None else _read_boards(boards),
    )


def _parse_cell(text: str) -> sapper.Cell:
    match = re.fullmatch(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", text, re.ASCII)
    if match is None:
        raise SapperError(f"{text!r} is not a cell ROW,COLUMN, counted from 0")
    return int(match[1]), int(match[2])


def _read_boards(file: Path) -> arena.Boards:
    name = _file_name(str(file))
    try:
        with file.open(encoding="utf-8-sig", errors="backslashreplace") as lines:
            return arena.Boards.parse(lines)
    except OSError as error:
        raise SapperError(f"{name} cannot be read: {error.strerror}") from error
    except SapperError as error:
        raise SapperError(f"{name}, {error}") from error


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all: beside it first, then in its place."""
    beside = file.with_name(f".{file.name[:100]}.{secrets.token_hex(4)}")
    if file.exists() and not file.is_file():
        beside = file  # A pipe or a device cannot be replaced.
    try:
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(file)
        finally:
            if beside != file:
                beside.unlink(missing_ok=True)
    except OSError as error:
        name = _file_name(str(file))
        raise SapperError(f"{name} cannot be written: {error.strerror}") from error


@contextmanager
def _errors_in(file: str) -> Iterator[None]:
    """Name the file in errors about what is in it."""
    try:
        yield
    except SapperError as error:
        raise SapperError(f"{_file_name(file)}: {error}") from error


def _file_name(file: str) -> str:
    """Return the name of a file so that it stays on one line."""
    if file == "-":
        return "standard input"
    return file if file and file.isprintable() else repr(file)


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
