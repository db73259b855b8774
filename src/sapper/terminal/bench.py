"""Benchmarks in the terminal: how far a run is while it goes on, and what it showed."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import TextColumn

from sapper.agents.specs import PROGRAM_PREFIX, AgentSpec
from sapper.arena import Cluster, Comparison, Match, Result, Run, paced
from sapper.arena.database import Store
from sapper.arena.plans import Plan
from sapper.arena.runs import MOST_AT_ONCE, check_jobs
from sapper.arena.sequential import SequentialTest, Verdict
from sapper.arena.statistics import estimate_rate
from sapper.arena.tables import (
    CsvTable,
    GamesFile,
    Outcomes,
    ParquetTable,
    is_csv_table,
    is_outcomes,
    is_parquet_table,
    load_pyarrow,
)
from sapper.errors import SapperError
from sapper.storage.files import check_apart, check_replaceable, file_name
from sapper.terminal.progress import games_bar

_BAR = 40
"""How long the bar of the most frequent ending is."""
_RECOGNIZERS = {
    "a list of outcomes": is_outcomes,
    "a CSV table": is_csv_table,
    "a Parquet table": is_parquet_table,
}
"""What tells whether an existing file may be replaced. A database is not replaced but added to."""


def measure(
    plan: Plan,
    agents: Sequence[AgentSpec],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    save: Path | None = None,
    resume: bool = False,
    outcomes: Path | None = None,
    csv: Path | None = None,
    parquet: Path | None = None,
    test: SequentialTest | None = None,
    as_json: bool = False,
) -> bool:
    """Let one agent or two play the games of a plan, and print what they did.

    Two may stop early, when a test is decided. With `resume` they go on from games that were saved.

    Returns whether they played to the end. If Ctrl-C or an error stops them, the games that were played
    by then are written and printed; the error is raised after that.
    """
    troubles: list[SapperError] = []
    with ExitStack() as stack:
        check_jobs(jobs)
        shared = stack.enter_context(Cluster(cluster, jobs)) if cluster else None
        runs = [
            stack.enter_context(Run(plan, agent=agent, jobs=jobs, cluster=shared, keep=False))
            for agent in agents
        ]
        kinds = {"a list of outcomes": outcomes, "a CSV table": csv, "a Parquet table": parquet}
        _check_files({"a database": save} | kinds)
        store = stack.enter_context(Store(save)) if save else None
        with ExitStack() as files:
            tables = ((Outcomes, outcomes), (CsvTable, csv), (ParquetTable, parquet))
            writers: list[Callable[..., None]] = [
                files.enter_context(_finishing(kind(file, runs), troubles)).add
                for kind, file in tables
                if file
            ]
            if store:
                _begin(store, runs, resume=resume)
                writers.insert(0, store.save)
            match = Match(runs[0], runs[1], test) if len(runs) == 2 else None
            try:
                finished = _play(match or runs[0], writers)
            except SapperError as error:  # The disk is full, for example, or an agent has failed.
                if not all(run.tally.games for run in runs):
                    raise
                troubles.append(error)
                finished = False
        if not all(run.tally.games for run in runs):
            print("No game was finished.", file=sys.stderr)
            return False
        shown = match.comparison() if match else runs[0].result()
    if as_json:
        print(json.dumps(shown.to_json()))
    else:
        print_result(shown, Console())
    for trouble in troubles:
        raise trouble
    return finished


@contextmanager
def _finishing(file: GamesFile, troubles: list[SapperError]) -> Iterator[GamesFile]:
    """Complete a file at the end; if that fails, note why, so that other files are still completed."""
    with ExitStack() as stack:
        stack.enter_context(file)
        yield file
        stack.pop_all()
    try:
        file.__exit__(None, None, None)
    except SapperError as error:
        troubles.append(error)


def _check_files(files: dict[str, Path | None]) -> None:
    """Raise an error, before any game, if what was asked for cannot be written when they are over."""
    if files["a Parquet table"]:
        load_pyarrow()
    check_apart(files)
    for kind, is_ours in _RECOGNIZERS.items():
        file = files[kind]
        if file is not None:
            check_replaceable(file, kind, is_ours)


def _begin(store: Store, runs: Sequence[Run], *, resume: bool) -> None:
    """Begin the runs in a store, or go on with those that it has, and say which."""
    if not resume:
        store.begin(*runs)
        return
    found = store.resume(*runs)
    for number, games in found.items():
        said = f"{games:,} of {runs[0].plan.games:,} games are there"
        print(f"Run {number} of {file_name(store.file)} goes on: {said}.", file=sys.stderr)
    if len(found) < len(runs):
        name = file_name(store.file)
        print(f"{name} has no such run to go on with: a new one begins.", file=sys.stderr)


def _play(playing: Run | Match, writers: Sequence[Callable[..., None]]) -> bool:
    """Let runs play to their end or a test's; return False if Ctrl-C stopped them before.

    Whatever is written has all the games that count, wherever Ctrl-C comes.
    """
    runs = (playing,) if isinstance(playing, Run) else playing.runs
    if isinstance(playing, Run):
        steps = paced(playing, most=MOST_AT_ONCE if writers else None)
    else:
        steps = playing.paced()
    try:
        with progress_bar(*runs) as show:
            for games in steps:
                if isinstance(playing, Run) and not writers:
                    playing.fold(games)
                else:
                    _play_and_write(playing, games, writers)
                show()
    except KeyboardInterrupt:
        return False
    return True


def _play_and_write(playing: Run | Match, games: int, writers: Sequence[Callable[..., None]]) -> None:
    played = playing.play_ahead(games)
    lists = (played,) if isinstance(played, list) else played
    with _delaying_ctrl_c():
        playing.count(*lists)
        for write in writers:
            write(*lists)


@contextmanager
def _delaying_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait until the end."""
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def progress_bar(*runs: Run) -> Iterator[Callable[[], None]]:
    """Show how many games were played and won so far, whenever the function given is called."""
    with games_bar(TextColumn("{task.fields[rate]}")) as bar:
        tasks = [bar.add_task(run.agent, total=run.plan.games, rate="") for run in runs]

        def show() -> None:
            for task, run in zip(tasks, runs, strict=True):
                if run.tally.games:
                    rate = estimate_rate(run.tally.wins, run.tally.games).percent()
                    bar.update(task, completed=run.tally.games, rate=rate)

        yield show


def print_result(result: Result | Comparison, console: Console) -> None:
    """Print what a run showed, or two on the same boards.

    >>> from sapper import arena
    >>> result = arena.bench("2x1/1", games=5, seed=3, jobs=1)
    >>> print_result(result, Console(file=sys.stdout))
    2x1/1, first click at row 0, column 0 (from 0) promised safe, seed 3
    safest: 5 of 5 games won, 100.00 % (56.55 to 100.00)
    ...
    """
    if isinstance(result, Result):
        lines = [_heading(result.plan), *_summary(result), *_endings(result)]
    else:
        first, second = result.first, result.second
        lines = [_heading(first.plan), *_summary(first), *_summary(second), *_difference(result)]
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _heading(plan: Plan) -> str:
    setup = plan.setup
    boards = "boards from a file" if plan.seed is None else f"seed {plan.seed}"
    level = setup.level.name
    size = "" if level == setup.level.size else f" ({setup.level.size})"
    row, column = setup.first
    first = f"first click at row {row}, column {column} (from 0) promised {setup.promise}"
    return f"{level}{size}, {first}, {boards}"


def _summary(result: Result) -> Iterator[str]:
    times = result.times
    clock = "time" if result.agent.startswith(PROGRAM_PREFIX) else "CPU time"
    yield (f"{result.agent}: {result.wins:,} of {result.games:,} games won, {result.rate.percent()}")
    if result.tally.tells_luck:
        solved = f"; {result.solved:,} games were solved before their end" if result.solved else ""
        yield f"  with luck in guesses taken out: {result.score.percent()}{solved}"
    if result.guesses is not None:
        yield f"  guesses a game: {result.guesses:.2f}"
    yield (
        f"  {clock} a game: {format_seconds(result.game_seconds)}; a move:"
        f" {format_seconds(times.quantile(0.5))} median, {format_seconds(times.quantile(0.99))} p99,"
        f" {format_seconds(times.longest)} worst"
    )
    yield f"  {result.games / result.seconds:,.0f} games a second"


def _endings(result: Result) -> Iterator[str]:
    lost = sum(result.endings)
    if lost:
        yield "  lost games by the share of safe cells opened:"
        for tenth, count in enumerate(result.endings):
            bar = "#" * round(_BAR * count / max(result.endings))
            yield f"    {10 * tenth:3} to {10 * tenth + 10:3} %  {count / lost:6.1%}  {bar}".rstrip()


def _difference(both: Comparison) -> Iterator[str]:
    first, second = both.first.agent, both.second.agent
    yield f"{second} - {first}, on the same boards: {both.difference.percent(signed=True)}"
    if both.first.tally.tells_luck or both.second.tally.tells_luck:
        yield f"  with luck in guesses taken out: {both.score_difference.percent(signed=True)}"
    yield (
        f"  {both.only_second:,} boards won by {second} only, {both.only_first:,} by {first} only:"
        f" {format_p_value(both.p_value)} (McNemar, exact)"
    )
    if both.test is not None:
        yield from _decision(both, both.test)


def _decision(both: Comparison, test: SequentialTest) -> Iterator[str]:
    asked, games = both.first.plan.games, both.first.games
    what = {
        Verdict.BETTER: f"{both.second.agent} is better",
        Verdict.NOT_BETTER: f"{both.second.agent} is not better by {test.points:g} points",
        Verdict.UNDECIDED: "undecided",
    }[test.verdict(both.only_first, both.only_second, games)]
    yield f"  sequential test (alpha {test.alpha:g}, beta {test.beta:g}): {what}"
    yield f"    after {games:,} of {asked:,} games; " + (
        "the interval and p above do not allow for the early stop" if games < asked else "all of them"
    )


def format_p_value(p_value: float) -> str:
    """Return a p-value as people read it.

    >>> format_p_value(0.21875), format_p_value(0.0)
    ('p = 0.219', 'p < 1e-300')
    """
    return "p < 1e-300" if p_value < 1e-300 else f"p = {p_value:.3g}"


def format_seconds(seconds: float) -> str:
    """Return a time as people read it.

    >>> format_seconds(0.0000123), format_seconds(0.5), format_seconds(3)
    ('12.3 µs', '500 ms', '3 s')
    """
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"
