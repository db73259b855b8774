"""Options and arguments that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import typer

import sapper
from sapper.cli.numbers import whole_number
from sapper.levels import Promise

Returned = TypeVar("Returned")


def _complete_level() -> list[str]:
    return list(sapper.LEVELS)


def _complete_promise() -> list[str]:
    return [promise.value for promise in Promise]


def _complete_agent() -> list[str]:
    return list(sapper.agents.available())


AGENTS: Final = ", ".join(sapper.agents.AgentName)
_AGENT_FORMS: Final = (
    f"{AGENTS}; program:COMMAND for a program that speaks the engine protocol; or module:Class for an"
    " agent written in Python."
)
LEVEL_FORMS: Final = "course, beginner, intermediate, expert or WIDTHxHEIGHT/MINES, such as 9x9/10"
_LEVELS: Final = f"{LEVEL_FORMS}."

# Boards and agents -------------------------------------------------------------------------------

LevelName = Annotated[
    str, typer.Argument(metavar="LEVEL", help=_LEVELS, autocompletion=_complete_level)
]
OptionalLevel = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL", help=_LEVELS, show_default="course", autocompletion=_complete_level
    ),
]
LevelOption = Annotated[
    str | None,
    typer.Option(
        "--level", metavar="LEVEL", help="Same as LEVEL above.", autocompletion=_complete_level
    ),
]
BenchLevel = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL", help=_LEVELS, show_default="expert", autocompletion=_complete_level
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(parser=whole_number(), metavar="N", help="Seed of the board.", show_default="random"),
]
RunSeed = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="Seed of the run: the same seed gives the same boards.",
        show_default="0",
    ),
]
PromiseName = Annotated[
    str | None,
    typer.Option(
        "--promise",
        metavar="PROMISE",
        help="Guarantee for the first click: none, safe (not a mine) or open (not a mine, and no"
        " adjacent mines).",
        show_default="that of the level",
        autocompletion=_complete_promise,
    ),
]
FirstClick = Annotated[
    str | None,
    typer.Option(
        "--first",
        metavar="ROW,COLUMN",
        help="Cell of the first click, counted from 1.",
        show_default="4,4 if it is guaranteed to have no adjacent mines, otherwise 1,1",
    ),
]
BoardSource = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help="Play this board: a board code, or a file."),
]
AgentName = Annotated[
    str,
    typer.Argument(metavar="AGENT", help=_AGENT_FORMS, autocompletion=_complete_agent),
]


def _agent_option(more_help: str = "", **settings: Any) -> Any:  # noqa: ANN401 - typer's own type is Any.
    return typer.Option(
        "--agent",
        metavar="AGENT",
        help=f"Agent that plays: {_AGENT_FORMS}{more_help}",
        autocompletion=_complete_agent,
        **settings,
    )


_DEFAULT_AGENT = "strong; safest without the compiled engine"
AgentOption = Annotated[str | None, _agent_option(show_default=_DEFAULT_AGENT)]
AgentOptions = Annotated[
    list[str] | None,
    _agent_option(" For density, may be repeated.", show_default=_DEFAULT_AGENT),
]
WatchedAgent = Annotated[str | None, _agent_option(show_default="logic")]
AgentFile = Annotated[
    Path | None,
    typer.Option(
        "--ai",
        metavar="FILE",
        help="A minesweeper.py of your own: its MinesweeperAI makes the AI's moves, and its mistakes"
        " are shown.",
    ),
]

# Batches of games --------------------------------------------------------------------------------

Games = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="Number of games.",
        show_default="80,000; 1,000 for strong-high, programs and Python agents",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="Number of threads or processes.",
        show_default="one per core",
    ),
]
BoardsFile = Annotated[
    Path | None,
    typer.Option(
        "--boards", metavar="FILE", help="Play the boards in this file (sapper new --format boards)."
    ),
]
SaveFile = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Append the games to an SQLite database."),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Resume the last matching run in the database of --save."),
]
OutcomesFile = Annotated[
    Path | None,
    typer.Option("--outcomes", metavar="FILE", help="Write a 1 for each win and a 0 for each loss."),
]
CsvFile = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write a CSV table with one row per game.")
]
ParquetFile = Annotated[
    Path | None,
    typer.Option(
        "--parquet", metavar="FILE", help="Write the same table as a Parquet file; requires pyarrow."
    ),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler; local starts a cluster with --jobs workers.",
    ),
]

# Positions and output ----------------------------------------------------------------------------

PositionFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Position or recorded game; - is standard input.",
        show_default="standard input",
    ),
]
Mines = Annotated[
    int | None,
    typer.Option(
        parser=whole_number(),
        metavar="N",
        help="Total number of mines; required if the text has no first line such as 9x9/10.",
    ),
]
MoveNumber = Annotated[
    int | None,
    typer.Option(
        "--move",
        parser=whole_number(0),
        metavar="N",
        help="For a recorded game: use the position after its first N moves.",
        show_default="the end of the game",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option("--svg", metavar="FILE", help="Also draw the board as an SVG file."),
]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Record the game in this file, move by move."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]


def with_options(options: type[Any]) -> Callable[[Callable[..., Returned]], Callable[..., Returned]]:
    """Let a command take the fields of a dataclass as options after its own parameters.

    The command receives them as one object, in its last parameter.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Shared:
    ...     jobs: Jobs = None
    >>> @with_options(Shared)
    ... def command(level: str, shared: Shared) -> str:
    ...     return f"{level} with {shared.jobs} jobs"
    >>> command("expert", jobs=2), list(inspect.signature(command).parameters)
    ('expert with 2 jobs', ['level', 'jobs'])
    """
    shared = inspect.signature(options).parameters
    types = get_type_hints(options, include_extras=True)

    def decorate(command: Callable[..., Returned]) -> Callable[..., Returned]:
        # Not get_type_hints: Python 3.10 would hide Annotated in Optional.
        *own, last = inspect.signature(command, eval_str=True).parameters.values()

        @wraps(command)
        def run(*values: Any, **named: Any) -> Returned:  # noqa: ANN401 - those of the command.
            chosen = options(**{name: named.pop(name) for name in shared if name in named})
            return command(*values, **named, **{last.name: chosen})

        parameters = own + [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=types[each.name])
            for each in shared.values()
        ]
        parameters.sort(key=lambda each: each.kind)
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        del run.__wrapped__
        return run

    return decorate
