"""Commands to play, and to watch an agent play."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer
from rich.console import Console

from sapper.cli.edges import read_board
from sapper.cli.numbers import number
from sapper.cli.options import (
    AGENTS,
    BoardSource,
    LevelName,
    LevelOption,
    PromiseName,
    RecordFile,
    Seed,
)
from sapper.cli.players import parse_agents
from sapper.errors import SapperError
from sapper.formats import read_any, recorders
from sapper.game.game import Game
from sapper.profile.history import History
from sapper.profile.settings import Settings, is_first_run
from sapper.session.session import Session

_LONGEST_DELAY: Final = 3600


def watch(
    level: LevelName = "course",
    seed: Seed = None,
    promise: PromiseName = None,
    agent: Annotated[
        str, typer.Option(help=f"Agent: {AGENTS}, program:COMMAND or module:attribute.")
    ] = "logic",
    delay: Annotated[
        float | None,
        typer.Option(
            parser=number(0, _LONGEST_DELAY),
            metavar="SECONDS",
            help="Seconds between moves; 0.3 in a terminal, 2 there with --why.",
        ),
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Prove each move that is certainly safe.")] = False,
    record: RecordFile = None,
    board: BoardSource = None,
) -> None:
    """Watch an agent play a game in the terminal, each move with its reason."""
    from sapper import terminal

    recorder = None if record is None else recorders(record)
    game = _begin(level, seed, promise, board)
    session = Session(game, agent=parse_agents([agent])[0], recorder=recorder)
    console = Console(highlight=False)
    if delay is None:
        delay = (2.0 if why else 0.3) if console.is_terminal else 0.0
    terminal.watch(session, console, delay=delay, why=why)


def play(
    level: LevelOption = "course",
    seed: Seed = None,
    promise: PromiseName = None,
    record: RecordFile = None,
    board: BoardSource = None,
    open_file: Annotated[
        str | None,
        typer.Option("--open", metavar="FILE", help="A board, a game or a replay to show at once."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was left.")
    ] = False,
) -> None:
    """Open the window; where there is no display, watch the AI play in the terminal."""
    from sapper import window

    recorder = None if record is None else recorders(record)
    game = _begin(level, seed, promise, board)  # Bad input is an error before a window opens.
    if open_file is not None:
        read_any(open_file)
    settings, history = Settings.load(), _open_history(resume=resume)
    is_new = is_first_run() and not game.level.course_rules
    if is_new:
        settings.save()  # The page that explains it all is shown once.
    try:
        window.run(
            game,
            recorder=recorder,
            open=open_file,
            settings=settings,
            first_run=is_new,
            history=history,
            resume=resume,
            save=Settings.save,
        )
    except window.NoDisplay as reason:
        print(f"There is no window: {reason}", file=sys.stderr)
        print("The AI plays a game in the terminal instead.", file=sys.stderr)
        watch(level, seed, promise, record=record, board=board)


def _open_history(*, resume: bool) -> History | None:
    """Return the player's history. What does not work is noted; without a home folder there is none."""
    try:
        history = History.open()
    except SapperError as error:
        print(f"Note: games are not kept: {error}", file=sys.stderr)
        return None
    if resume and history.load_unfinished() is None:
        print("Note: there is no unfinished game to resume", file=sys.stderr)
    if history.trouble is not None:
        print(f"Note: {history.trouble}", file=sys.stderr)
    return history


def _begin(level: str, seed: int | None, promise: str | None, board: str | None) -> Game:
    """Return a new game on a level, or on the board of a code or a file."""
    if board is None:
        return Game.new(level, seed=seed, promise=promise)
    if (seed, promise) != (None, None):
        raise SapperError("a board that is given has no use for --seed and --promise")
    return read_board(board)
