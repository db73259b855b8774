"""The arena's overhead per game: `python -m benchmarks.arena [--games N]`.

Prints the table in docs/arena.md. The boards have two cells and take almost no time to play. What
remains is the cost of drawing seeds, collecting games and adding up results. Memory per game is the
growth after the first tenth of the games. The local cluster has two workers; its scheduler runs in this
process, and its CPU time while idle is subtracted.
"""

from __future__ import annotations

import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchmarks.support import command_line
from sapper.arena import Cluster, Plan, Run, step_sizes
from sapper.arena.database import Store
from sapper.arena.runs import MOST_AT_ONCE

LEVEL = "2x1/1"
Step = Callable[[int], object]


def play(run: Run, step: Step) -> None:
    for games in step_sizes(run, most=MOST_AT_ONCE):
        step(games)


def saving(run: Run, file: Path) -> Step:
    store = Store(file)
    store.begin(run)
    return lambda games: store.save(run.play(games))


def microseconds(run: Run, step: Step, *, idle: float = 0.0) -> float:
    """Return the CPU time of this process per game, minus its CPU time while idle."""
    start, clock = time.process_time(), time.perf_counter()
    play(run, step)
    spent = time.process_time() - start - idle * (time.perf_counter() - clock)
    return 1e6 * spent / run.tally.games


def bytes_per_game(run: Run, step: Step) -> float:
    """Return the memory per game in bytes, after the first tenth of the games."""
    tracemalloc.start()
    step(run.plan.games // 10)
    before, begun = tracemalloc.get_traced_memory()[0], run.tally.games
    play(run, step)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown / (run.tally.games - begun)


def idle_share(seconds: float = 3.0) -> float:
    start = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - start) / seconds


def task_milliseconds(run: Run, idle: float, steps: int = 100) -> float:
    """Return the CPU time of this process per task. Each step gives a worker four tasks."""
    tasks = 4 * run.jobs
    start, clock = time.process_time(), time.perf_counter()
    for _ in range(steps):
        run.play_and_tally(tasks)
    spent = time.process_time() - start - idle * (time.perf_counter() - clock)
    return 1e3 * spent / (steps * tasks)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=2_000_000, help="games to play in each way")
    games = parser.parse_args().games
    plan, fewer = Plan.of(LEVEL, games=games), Plan.of(LEVEL, games=games // 2)
    print("| | CPU time per game | memory per game |\n| --- | --- | --- |")

    def show(name: str, cluster: Cluster | None, step_of: Callable[[Run], Step], *, keep: bool) -> None:
        idle = 0.0 if cluster is None else idle_share()
        with (
            Run(plan, jobs=None if cluster else 1, cluster=cluster, keep=keep) as run,
            Run(fewer, jobs=None if cluster else 1, cluster=cluster, keep=keep) as short,
        ):
            taken = microseconds(run, step_of(run), idle=idle)
            print(
                f"| {name} | {taken:.2f} µs | {bytes_per_game(short, step_of(short)):.0f} bytes |",
                flush=True,
            )

    with tempfile.TemporaryDirectory() as folder:
        show("one thread, only totals", None, lambda run: run.play_and_tally, keep=False)
        show("one thread, games kept in memory", None, lambda run: run.play, keep=True)
        file = Path(folder) / "runs.sqlite"
        show("one thread, games saved", None, lambda run: saving(run, file), keep=False)
    with Cluster("local", 2) as cluster:
        show("cluster, workers return totals", cluster, lambda run: run.play_and_tally, keep=False)
        show("cluster, workers return every game", cluster, lambda run: run.play, keep=False)
        with Run(Plan.of(LEVEL, games=10**9), cluster=cluster, keep=False) as run:
            print(f"\nCPU time per task: {task_milliseconds(run, idle_share()):.1f} ms")


if __name__ == "__main__":
    main()
