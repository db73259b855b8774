"""Commands to play, and to watch an agent play."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from sapper.cli.inputs import name_of, read_board
from sapper.cli.numbers import number
from sapper.cli.options import (
    AgentFile,
    BoardSource,
    Force,
    LevelName,
    LevelOption,
    OptionalLevel,
    PromiseName,
    RecordFile,
    Seed,
    WatchedAgent,
)
from sapper.cli.outputs import check_output
from sapper.cli.players import default_agent, parse_agents
from sapper.course.student import StudentFile
from sapper.errors import SapperError
from sapper.formats import Recorder, read_any, recorders
from sapper.game.game import Game
from sapper.profile.history import History
from sapper.profile.settings import Settings, is_first_run
from sapper.session.session import Session

_LONGEST_DELAY: Final = 3600
_DEFAULT_LEVEL: Final = "course"
_WON_SEED: Final = 4
"""The AI wins this course board. On a random one, the first move may already lose the game."""


def watch(
    level: LevelName = _DEFAULT_LEVEL,
    seed: Seed = None,
    promise: PromiseName = None,
    agent: WatchedAgent = None,
    ai: AgentFile = None,
    delay: Annotated[
        float | None,
        typer.Option(
            parser=number(0, _LONGEST_DELAY),
            metavar="SECONDS",
            help="Seconds between moves.",
            show_default="0.3 in a terminal, 2 with --why, otherwise 0",
        ),
    ] = None,
    why: Annotated[
        bool,
        typer.Option(
            "--why", help="Prove each safe move, explain each guess; with --ai, explain each mistake."
        ),
    ] = False,
    knowledge: Annotated[
        bool,
        typer.Option("--knowledge", help="With --ai, show how the knowledge changes with each number."),
    ] = False,
    record: RecordFile = None,
    force: Force = False,
    board: BoardSource = None,
) -> None:
    """Watch an agent play in the terminal. Each move comes with its reason."""
    from sapper import terminal

    if ai is not None and agent is not None:
        raise SapperError("--ai cannot be combined with --agent")
    if knowledge and ai is None:
        raise SapperError("--knowledge needs --ai FILE")
    recorder = _recorder(record, force=force)
    game = _begin(level, seed, promise, board)
    source = parse_agents([agent or "logic"])[0] if ai is None else _read_agent(ai)
    console = Console(highlight=False)
    if delay is None:
        delay = (2.0 if why or knowledge else 0.3) if console.is_terminal else 0.0
    with closing(Session(game, agent=source, recorder=recorder)) as session:
        terminal.watch(session, console, delay=delay, why=why, knowledge=knowledge)


def play(
    level: OptionalLevel = None,
    level_option: LevelOption = None,
    seed: Seed = None,
    promise: PromiseName = None,
    ai: AgentFile = None,
    record: RecordFile = None,
    force: Force = False,
    board: BoardSource = None,
    open_file: Annotated[
        str | None,
        typer.Option("--open", metavar="FILE", help="Show this board, position, game or replay."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume your last unfinished game.")] = False,
) -> None:
    """Open the window. Without a display, watch the AI play in the terminal."""
    from sapper import window

    if level is not None and level_option is not None:
        raise SapperError("give the level once: either LEVEL or --level LEVEL")
    if level is None:
        level = _DEFAULT_LEVEL if level_option is None else level_option
    recorder = _recorder(record, force=force)
    game = _begin(level, seed, promise, board)  # Report bad input before the window opens.
    if open_file is not None:
        read_any(open_file)
    source = "logic" if ai is None else _read_agent(ai)
    settings, history = Settings.load(), _open_history(resume=resume)
    is_new = is_first_run() and not game.level.course_rules
    if is_new:
        settings.save()  # So that the introduction is shown only once.
    try:
        window.run(
            game,
            agent=source,
            recorder=recorder,
            open=open_file,
            settings=settings,
            first_run=is_new,
            history=history,
            resume=resume,
            save=Settings.save,
        )
    except window.NoDisplay as reason:
        if open_file is not None:
            file = name_of(open_file)
            raise SapperError(f"cannot open the window to show {file}: {reason}") from reason
        print(f"Note: cannot open the window: {reason}", file=sys.stderr)
        print("Note: the AI plays a game in the terminal instead", file=sys.stderr)
        if level == _DEFAULT_LEVEL and (seed, promise, ai, board) == (None, None, None, None):
            seed = _WON_SEED
        watch(level, seed, promise, ai=ai, record=record, force=force, board=board)
        print(f"Next: sapper watch expert --agent {default_agent()} --why", file=sys.stderr)


def _read_agent(file: Path) -> StudentFile:
    """Return the agent of a file; raise `SapperError` if it cannot be used."""
    source = StudentFile(file)
    source.check()
    return source


def _recorder(record: Path | None, *, force: bool) -> Callable[[Game], Recorder] | None:
    """Return a function that creates a recorder for each game, None if none is to be recorded."""
    if record is None:
        return None
    check_output(record, force=force)
    return recorders(record, overwrite=force)


def _open_history(*, resume: bool) -> History | None:
    """Return the player's history, None if there is no place for it. Print notes about problems."""
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
        raise SapperError("--board cannot be combined with --seed or --promise")
    return read_board(board)
