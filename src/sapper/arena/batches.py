"""Batches: one agent, or two on the same boards, play all games of a plan.

This is the only place where games are played in steps, saved to files, resumed, and stopped by Ctrl-C.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sapper.analysis import Limit
from sapper.arena.cluster import Cluster
from sapper.arena.database import Store
from sapper.arena.matches import Match
from sapper.arena.plans import Plan
from sapper.arena.results import Comparison, Result
from sapper.arena.runs import MOST_AT_ONCE, Run, check_jobs, step_sizes
from sapper.arena.sequential import SequentialTest
from sapper.arena.tables import CsvTable, GamesFile, Outcomes, ParquetTable, load_pyarrow
from sapper.arena.workers import AgentSource
from sapper.errors import SapperError

Progress = Callable[..., None]
"""Called after each step with the games just played: one list per agent."""


@dataclass(frozen=True)
class Files:
    """The files that games are written to while they are played."""

    database: Path | None = None
    """An SQLite database to which the games are appended."""
    resume: bool = False
    """Whether to resume the last matching runs of the database."""
    outcomes: Path | None = None
    csv: Path | None = None
    parquet: Path | None = None


class Batch:
    """The games of one agent, or of two on the same boards. Use it in a `with` statement.

    The options are those of `sapper.arena.bench`.

    >>> with Batch(Plan.of("5x5/4", games=20), ["safest"], jobs=1) as batch:
    ...     batch.play()
    ...     batch.result()
    <Result: safest on 5x5/4, 19 of 20 games won>
    """

    def __init__(
        self,
        plan: Plan,
        agents: Sequence[AgentSource],
        *,
        jobs: int | None = None,
        limit: Limit | None = None,
        cluster: str | None = None,
        keep: bool = True,
        test: SequentialTest | None = None,
        files: Files | None = None,
    ) -> None:
        check_jobs(jobs)
        self.files = files or Files()
        if self.files.parquet is not None:
            load_pyarrow()  # Raises an error if it is missing.
        self.resumed: dict[int, int] | None = None
        """The runs of the database that are resumed, with their saved games; None without `resume`."""
        with ExitStack() as stack:
            shared = None if cluster is None else stack.enter_context(Cluster(cluster, jobs))
            self.runs = tuple(
                stack.enter_context(
                    Run(plan, agent=agent, jobs=jobs, limit=limit, cluster=shared, keep=keep)
                )
                for agent in agents
            )
            self._match = Match(*self.runs, test) if len(self.runs) == 2 else None
            self._store: Store | None = None
            if self.files.database is not None:
                self._store = stack.enter_context(Store(self.files.database))
                if self.files.resume:
                    self.resumed = self._store.resume(*self.runs)
            self._resources = stack.pop_all()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    @property
    def games(self) -> int:
        """The number of games that every agent has played."""
        return min(run.tally.games for run in self.runs)

    def result(self) -> Result | Comparison:
        """Return the result of the games so far: a `Result` for one agent, a `Comparison` for two."""
        return self.runs[0].result() if self._match is None else self._match.comparison()

    def play(
        self, progress: Progress | None = None, *, after_step: Callable[[], None] | None = None
    ) -> None:
        """Play until all games are played, or the test is decided.

        `after_step` is called after each step, and so is `progress`, with the games just played.
        Without `progress` and files, a cluster sends only totals.

        Ctrl-C and errors are raised after the games played so far have been counted and written.
        """
        stopped: BaseException | None = None
        files = self._open_files()
        try:
            if self._store is not None and not self.files.resume:
                self._store.begin(*self.runs)
            try:
                for _ in self._play_steps(files, progress):
                    if after_step is not None:
                        after_step()
            except (KeyboardInterrupt, SapperError) as reason:
                stopped = reason
            for file in files if self.games else ():
                try:
                    file.finish()
                except SapperError as error:  # Finish the other files nevertheless.
                    stopped = stopped or error
        finally:
            for file in files:
                file.discard()
        if stopped is not None:
            raise stopped

    def _open_files(self) -> list[GamesFile]:
        kinds: tuple[tuple[type[Outcomes | CsvTable | ParquetTable], Path | None], ...] = (
            (Outcomes, self.files.outcomes),
            (CsvTable, self.files.csv),
            (ParquetTable, self.files.parquet),
        )
        opened: list[GamesFile] = []
        try:
            for kind, path in kinds:
                if path is not None:
                    opened.append(kind(path, self.runs))
        except BaseException:
            for file in opened:
                file.discard()
            raise
        return opened

    def _play_steps(self, files: Sequence[GamesFile], progress: Progress | None) -> Iterator[None]:
        writers = [file.add for file in files]
        if self._store is not None:
            writers.insert(0, self._store.save)
        playing = self.runs[0] if self._match is None else self._match
        for games in self._step_sizes(each_game=bool(writers or progress)):
            if isinstance(playing, Run) and not writers and progress is None:
                playing.play_and_tally(games)
            else:
                played = playing.play_uncounted(games)
                lists = (played,) if isinstance(played, list) else played
                with ctrl_c_delayed():  # So that all files have exactly the games that are counted.
                    playing.count(*lists)
                    for write in writers:
                        write(*lists)
                if progress is not None:
                    progress(*lists)
            yield

    def _step_sizes(self, *, each_game: bool) -> Iterator[int]:
        if self._match is not None:
            return self._match.step_sizes()
        return step_sizes(self.runs[0], most=MOST_AT_ONCE if each_game else None)


@contextmanager
def ctrl_c_delayed() -> Iterator[None]:
    """Delay Ctrl-C until the end of the `with` block. Only the main thread receives it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
