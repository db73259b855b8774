"""Commands that let agents play many games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from sapper import arena
from sapper.agents.specs import AgentSpec
from sapper.cli.inputs import name_of, parse_cell
from sapper.cli.numbers import number
from sapper.cli.options import (
    AgentName,
    AgentOption,
    AsJson,
    BenchLevel,
    BoardsFile,
    ClusterAddress,
    CsvFile,
    FirstClick,
    Force,
    Games,
    Jobs,
    OutcomesFile,
    ParquetFile,
    PromiseName,
    Resume,
    RunSeed,
    SaveFile,
    with_options,
)
from sapper.cli.outputs import check_outputs
from sapper.cli.players import are_fast, default_agent, parse_agents
from sapper.errors import BadFile, SapperError
from sapper.storage.files import check_apart, system_text

_INTERRUPTED: Final = 130
_LONGEST_LINE: Final = 2**23
"""Enough for the cells of a million mines."""
_MOST_CHARACTERS: Final = 2**28


@dataclass(frozen=True)
class RunOptions:
    """The options that `bench` and `compare` share."""

    promise: PromiseName = None
    first: FirstClick = None
    games: Games = None
    seed: RunSeed = None
    jobs: Jobs = None
    as_json: AsJson = False
    save: SaveFile = None
    resume: Resume = False
    boards: BoardsFile = None
    outcomes: OutcomesFile = None
    csv: CsvFile = None
    parquet: ParquetFile = None
    force: Force = False
    cluster: ClusterAddress = None


@with_options(RunOptions)
def bench(level: BenchLevel = None, agent: AgentOption = None, *, options: RunOptions) -> None:
    """Let an agent play many games, and print its win rate."""
    _run(level, parse_agents([agent or default_agent()]), options)


@with_options(RunOptions)
def compare(
    agent: AgentName,
    other: AgentName,
    level: BenchLevel = None,
    points: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="POINTS",
            help="Stop as soon as a sequential test decides whether the win rate of the second agent is"
            " higher by this many percentage points.",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="RATE",
            help="False-positive rate of the test.",
            show_default="0.05",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="RATE",
            help="False-negative rate of the test.",
            show_default="0.05",
        ),
    ] = None,
    *,
    options: RunOptions,
) -> None:
    """Let two agents play the same boards, and print which one wins more."""
    test = _sequential_test(points, alpha, beta)
    _run(level, parse_agents([agent, other]), options, test)


def _run(
    level: str | None,
    agents: list[AgentSpec],
    options: RunOptions,
    test: arena.SequentialTest | None = None,
) -> None:
    """Let the agents play, and print the result. Exit with code 130 if Ctrl-C stopped them."""
    from sapper import terminal

    tables = {
        "the list of outcomes": options.outcomes,
        "the CSV table": options.csv,
        "the Parquet table": options.parquet,
    }
    check_apart({"the database": options.save, **tables}, {"the boards": options.boards})
    check_outputs(tables, force=options.force)
    plan = _plan(level, agents, options)
    if options.resume and options.save is None:
        raise SapperError("--resume requires --save, the database with the run to resume")
    if options.cluster == "":
        raise SapperError("--cluster requires an address, or local")
    files = arena.Files(options.save, options.resume, options.outcomes, options.csv, options.parquet)
    with arena.Batch(
        plan,
        agents,
        jobs=options.jobs,
        cluster=options.cluster,
        keep=False,
        test=test,
        files=files,
    ) as batch:
        finished = terminal.run_batch(batch, as_json=options.as_json)
    if not finished:
        raise typer.Exit(_INTERRUPTED)


def _sequential_test(
    points: float | None, alpha: float | None, beta: float | None
) -> arena.SequentialTest | None:
    """Return the test that may stop a comparison early, None if none was requested."""
    if points is None:
        if (alpha, beta) != (None, None):
            raise SapperError("--alpha and --beta require --points")
        return None
    rates = {name: rate for name, rate in (("alpha", alpha), ("beta", beta)) if rate is not None}
    return arena.SequentialTest(points, **rates)


def _plan(level: str | None, agents: list[AgentSpec], options: RunOptions) -> arena.Plan:
    """Return the games that the agents are to play."""
    games = options.games
    if options.boards is not None and options.seed is not None:
        raise SapperError("--boards and --seed cannot be combined: boards in a file have no seed")
    if games is None and options.boards is None:
        games = 80_000 if are_fast(agents) else 1_000
    return arena.Plan.of(
        level,
        promise=options.promise,
        first=None if options.first is None else parse_cell(options.first),
        games=games,
        seed=options.seed or 0,
        boards=None if options.boards is None else _read_boards(options.boards),
    )


def _limited_lines(file: TextIO) -> Iterator[str]:
    """Generate the lines of a file; raise an error if it is too long. Some devices are endless."""
    left = _MOST_CHARACTERS
    while line := file.readline(_LONGEST_LINE):
        left -= len(line)
        if left < 0 or len(line) == _LONGEST_LINE:
            raise BadFile(
                f"too long: a line may have {_LONGEST_LINE:,} characters, the file {_MOST_CHARACTERS:,}"
            )
        yield line


def _read_boards(file: Path) -> arena.Boards:
    name = name_of(str(file))
    try:
        with file.open(encoding="utf-8-sig", errors="backslashreplace") as opened:
            return arena.Boards.parse(_limited_lines(opened))
    except OSError as error:
        raise SapperError(f"cannot read {name}: {system_text(error)}") from error
    except BadFile as error:
        raise BadFile(f"{name}: {error}") from error
    except SapperError as error:
        raise SapperError(f"{name}, {error}") from error
