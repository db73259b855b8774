"""Benchmarks in the terminal: how far a run is while it goes on, and what it showed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sapper.agents import PROGRAM
from sapper.arena import Comparison, Result, Run, compared, contested, paced
from sapper.boards import Plan
from sapper.errors import SapperError
from sapper.sequential import SequentialTest, Verdict
from sapper.statistics import estimate_rate
from sapper.store import Store
from sapper.tables import load_pyarrow, write_csv, write_parquet

_BAR = 40
"""How long the bar of the most frequent ending is."""


def measure(
    plan: Plan,
    agents: Sequence[str],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    save: Path | None = None,
    outcomes: Path | None = None,
    csv: Path | None = None,
    parquet: Path | None = None,
    test: SequentialTest | None = None,
    as_json: bool = False,
) -> bool:
    """Let one agent or two play the games of a plan, and print what they did.

    Two may stop early, when a test is decided.

    Returns whether they played to the end; Ctrl-C stops them, and what there is by then is printed.
    """
    with ExitStack() as stack:
        runs = [
            stack.enter_context(Run(plan, agent=agent, jobs=jobs, cluster=cluster)) for agent in agents
        ]
        kinds = {"a list of outcomes": outcomes, "a CSV table": csv, "a Parquet table": parquet}
        _check_files({"a database": save} | kinds)
        store = stack.enter_context(Store(save)) if save else None
        finished = _play(runs, store, test)
        if outcomes:
            lines = ("".join("01"[game.won] for game in run.played) for run in runs)
            outcomes.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        if csv:
            write_csv(csv, runs)
        if parquet:
            write_parquet(parquet, runs)
        if not all(run.played for run in runs):
            print("No game was finished.", file=sys.stderr)
            return False
        shown = runs[0].result() if len(runs) == 1 else compared(runs[0], runs[1], test)
    if as_json:
        print(json.dumps(shown.to_json()))
    else:
        print_result(shown, Console())
    return finished


def _check_files(files: dict[str, Path | None]) -> None:
    """Raise an error, before any game, if what was asked for cannot be written when they are over."""
    if files["a Parquet table"]:
        load_pyarrow()
    seen: dict[Path, str] = {}
    for kind, file in files.items():
        if file is None:
            continue
        if file.resolve() in seen:
            raise SapperError(f"{file} cannot be both {seen[file.resolve()]} and {kind}")
        seen[file.resolve()] = kind
        if kind != "a database":  # The database says it better itself.
            _check_writable(file)


def _check_writable(file: Path) -> None:
    """Raise an error if a file cannot be written; it is left as it was, or missing."""
    is_new = not file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        raise SapperError(f"{file} cannot be written: {error.strerror}") from error
    if is_new:
        file.unlink()


def _play(runs: Sequence[Run], store: Store | None, test: SequentialTest | None) -> bool:
    """Let runs play to their end or a test's; return False if Ctrl-C stopped them before."""
    if store:
        store.begin(*runs)
    try:
        with progress_bar(*runs) as show:
            for _ in paced(*runs) if len(runs) == 1 else contested(runs[0], runs[1], test):
                show()
                if store:
                    store.save()
    except KeyboardInterrupt:
        if store:
            store.save()
        return False
    return True


@contextmanager
def progress_bar(*runs: Run) -> Iterator[Callable[[], None]]:
    """Show how many games were played and won so far, whenever the function given is called.

    It is drawn on standard error, and only if that is a terminal.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks = [bar.add_task(run.agent, total=run.plan.games, rate="") for run in runs]
        wins = [0 for _ in runs]
        seen = [0 for _ in runs]

        def show() -> None:
            for i, run in enumerate(runs):
                wins[i] += sum(game.won for game in run.played[seen[i] :])
                seen[i] = len(run.played)
                if seen[i]:
                    rate = estimate_rate(wins[i], seen[i]).percent()
                    bar.update(tasks[i], completed=seen[i], rate=rate)

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
    clock = "time" if result.agent.startswith(PROGRAM) else "CPU time"
    yield (f"{result.agent}: {result.wins:,} of {result.games:,} games won, {result.rate.percent()}")
    if result.solved:
        yield (
            f"  scored by solved chances: {result.score.percent()};"
            f" {result.solved:,} games were solved before their end"
        )
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
    if both.first.solved or both.second.solved:
        yield f"  scored by solved chances: {both.score_difference.percent(signed=True)}"
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
