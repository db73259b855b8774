"""Batches of games in the terminal: progress, and the result."""

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
    """Play a batch of games, and print the result.

    Returns whether the batch was played to its end. If Ctrl-C or an error stops it, the result of the
    games played by then is printed; the error is raised after that.
    """
    _print_resumed(batch)
    finished, error = True, None
    try:
        with _progress_bar(*batch.runs) as show:
            batch.play(after_step=show)
    except KeyboardInterrupt:
        finished = False
    except SapperError as reason:  # The disk is full, for example, or an agent has failed.
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
    """Print which runs are resumed, if this was requested."""
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
    """Show a progress bar; the function that it provides updates the numbers of games and wins."""
    with games_bar(TextColumn("{task.fields[rate]}")) as bar:
        tasks = [bar.add_task(run.agent, total=run.plan.games, rate="") for run in runs]

        def show() -> None:
            for task, run in zip(tasks, runs, strict=True):
                if run.tally.games:
                    rate = estimate_rate(run.tally.wins, run.tally.games).percent()
                    bar.update(task, completed=run.tally.games, rate=rate)

        yield show
