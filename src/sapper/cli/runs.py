"""Commands that let agents play many games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TextIO

import typer

from sapper import arena
from sapper.agents.specs import AgentSpec
from sapper.cli.edges import name_of, parse_cell
from sapper.cli.numbers import number
from sapper.cli.options import (
    WHO_PLAYS,
    AgentName,
    AsJson,
    BenchLevel,
    BoardsFile,
    ClusterAddress,
    CsvFile,
    FirstClick,
    Games,
    Jobs,
    OutcomesFile,
    ParquetFile,
    PromiseName,
    Resume,
    RunSeed,
    SaveFile,
)
from sapper.cli.players import are_fast, parse_agents, usual_player
from sapper.errors import BadFile, SapperError
from sapper.storage.files import check_apart

_LONGEST_LINE: Final = 2**23
"""A million mines, with the numbers of their cells."""
_MOST_CHARACTERS: Final = 2**28


def bench(
    level: BenchLevel = None,
    agent: Annotated[str | None, typer.Option(help=WHO_PLAYS)] = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Games = None,
    seed: RunSeed = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
    save: SaveFile = None,
    resume: Resume = False,
    boards: BoardsFile = None,
    outcomes: OutcomesFile = None,
    csv: CsvFile = None,
    parquet: ParquetFile = None,
    cluster: ClusterAddress = None,
) -> None:
    """Let an agent play many games, and tell how many it wins."""
    agents = parse_agents([agent or usual_player()])
    options = _Options(jobs, cluster, save, resume, outcomes, csv, parquet, as_json)
    options.check_files(boards)
    plan = _plan(agents, level, promise, first, games, seed, boards)
    _measure(plan, agents, None, options)


def compare(
    agent: AgentName,
    other: AgentName,
    level: BenchLevel = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    games: Games = None,
    seed: RunSeed = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
    save: SaveFile = None,
    resume: Resume = False,
    boards: BoardsFile = None,
    outcomes: OutcomesFile = None,
    csv: CsvFile = None,
    parquet: ParquetFile = None,
    cluster: ClusterAddress = None,
    points: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="POINTS",
            help="Stop when it is decided whether the second wins so many percentage points more.",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="RATE",
            help="How likely it may be called better if it is not: 0.05 if not given.",
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            parser=number(),
            metavar="RATE",
            help="How likely it may be called not better if it is: 0.05 if not given.",
        ),
    ] = None,
) -> None:
    """Let two agents play the same boards, and tell which wins more."""
    agents = parse_agents([agent, other])
    options = _Options(jobs, cluster, save, resume, outcomes, csv, parquet, as_json)
    options.check_files(boards)
    plan = _plan(agents, level, promise, first, games, seed, boards)
    _measure(plan, agents, _sequential_test(points, alpha, beta), options)


class _Options(NamedTuple):
    """What both commands hand on."""

    jobs: int | None
    cluster: str | None
    save: Path | None
    resume: bool
    outcomes: Path | None
    csv: Path | None
    parquet: Path | None
    as_json: bool

    def check_files(self, boards: Path | None) -> None:
        """Raise an error if the boards that are read would be overwritten."""
        outputs = {
            "a database": self.save,
            "a list of outcomes": self.outcomes,
            "a CSV table": self.csv,
            "a Parquet table": self.parquet,
        }
        check_apart(outputs, {"the boards": boards})


def _measure(
    plan: arena.Plan, agents: list[AgentSpec], test: arena.SequentialTest | None, options: _Options
) -> None:
    """Let the agents play and print what they did; the exit code says if Ctrl-C stopped them."""
    from sapper import terminal

    if options.resume and options.save is None:
        raise SapperError("--resume goes on with games that were saved: it needs --save")
    if options.cluster == "":
        raise SapperError("--cluster needs an address, or local")
    if not terminal.measure(plan, agents, test=test, **options._asdict()):
        raise typer.Exit(130)


def _sequential_test(
    points: float | None, alpha: float | None, beta: float | None
) -> arena.SequentialTest | None:
    """Return the test that may stop a comparison, None if none was asked for."""
    if points is None:
        if (alpha, beta) != (None, None):
            raise SapperError("--alpha and --beta are those of a sequential test: it needs --points")
        return None
    given = {name: rate for name, rate in (("alpha", alpha), ("beta", beta)) if rate is not None}
    return arena.SequentialTest(points, **given)


def _plan(
    agents: list[AgentSpec],
    level: str | None,
    promise: str | None,
    first: str | None,
    games: int | None,
    seed: int | None,
    boards: Path | None,
) -> arena.Plan:
    """Return which games the agents are to play."""
    if boards is not None and seed is not None:
        raise SapperError("boards from a file have no seed: give --boards or --seed, not both")
    if games is None and boards is None:
        games = 80_000 if are_fast(agents) else 1_000
    return arena.Plan.of(
        level,
        promise=promise,
        first=None if first is None else parse_cell(first),
        games=games,
        seed=seed or 0,
        boards=None if boards is None else _read_boards(boards),
    )


def _limited_lines(file: TextIO) -> Iterator[str]:
    """Generate the lines of a file; raise an error if it is too long. Some devices are endless."""
    left = _MOST_CHARACTERS
    while line := file.readline(_LONGEST_LINE):
        left -= len(line)
        if left < 0 or len(line) == _LONGEST_LINE:
            raise BadFile(
                f"it is too long: a line has at most {_LONGEST_LINE:,} characters, and all"
                f" lines together {_MOST_CHARACTERS:,}"
            )
        yield line


def _read_boards(file: Path) -> arena.Boards:
    name = name_of(str(file))
    try:
        with file.open(encoding="utf-8-sig", errors="backslashreplace") as opened:
            return arena.Boards.parse(_limited_lines(opened))
    except OSError as error:
        raise SapperError(f"{name} cannot be read: {error.strerror}") from error
    except BadFile as error:
        raise BadFile(f"{name}: {error}") from error
    except SapperError as error:
        raise SapperError(f"{name}, {error}") from error
