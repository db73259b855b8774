"""Batches of games in the terminal: progress and results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import TextColumn

from sapper.arena.batches import Batch
from sapper.arena.runs import Run
from sapper.arena.statistics import estimate_rate
from sapper.errors import SapperError
from sapper.storage.files import file_name
from sapper.terminal.progress import games_bar


def run_batch(batch: Batch, *, as_json: bool = False) -> bool:
    """Play a batch of games and print the result. Return whether all games were played.

    If Ctrl-C or an error stops the batch, the result so far is printed. Then the error is raised.
    """
    _print_resumed(batch)
    finished, error = True, None
    try:
        with _progress_bar(*batch.runs) as show:
            batch.play(after_step=show)
    except KeyboardInterrupt:
        finished = False
    except SapperError as reason:  # For example, the disk is full or an agent has failed.
        if not batch.games:
            raise
        error = reason
    if not batch.games:
        print("No game was finished.", file=sys.stderr)
        return False
    result = batch.result()
    print(json.dumps(result.to_json()) if as_json else result)
    if error is not None:
        raise error
    return finished


def _print_resumed(batch: Batch) -> None:
    """Print which runs are resumed, if resuming was requested."""
    if batch.resumed is None or batch.files.database is None:
        return
    name, planned = file_name(batch.files.database), batch.runs[0].plan.games
    for number, games in batch.resumed.items():
        print(
            f"Note: resuming run {number} of {name} with {games:,} of {planned:,} games",
            file=sys.stderr,
        )
    if len(batch.resumed) < len(batch.runs):
        print(f"Note: {name} has no matching run to resume; starting a new run", file=sys.stderr)


@contextmanager
def _progress_bar(*runs: Run) -> Iterator[Callable[[], None]]:
    """Show a progress bar; yield a function that updates the numbers of games and wins."""
    with games_bar(TextColumn("{task.fields[rate]}")) as bar:
        tasks = [bar.add_task(run.agent, total=run.plan.games, rate="") for run in runs]

        def show() -> None:
            for task, run in zip(tasks, runs, strict=True):
                if run.tally.games:
                    rate = estimate_rate(run.tally.wins, run.tally.games).percent()
                    bar.update(task, completed=run.tally.games, rate=rate)

        yield show
