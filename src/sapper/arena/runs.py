"""Runs: an agent plays the games of a plan, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Final

from sapper.analysis import Limit
from sapper.arena.cluster import Cluster, ClusterWorkers
from sapper.arena.plans import Plan
from sapper.arena.results import Result
from sapper.arena.statistics import Times
from sapper.arena.tally import Played, Tally
from sapper.arena.workers import AgentSource, GameWorkers, agent_name, core_count, workers_for
from sapper.errors import SapperError

_STEP_SECONDS: Final = 0.2
_CLUSTER_STEP_SECONDS: Final = 1.0
"""Longer, because games travel through a network."""
_STEP_SECONDS_PER_WORKER: Final = 0.1
"""The tasks of one worker cost this process 0.01 s per step; this keeps that cost at a tenth."""
MOST_AT_ONCE: Final = 200_000
"""The most games held in memory at a time where each game is needed: about 60 MB."""
_READ_STEP: Final = 10_000
"""The number of saved games that are read at a time."""
_MOST_JOBS: Final = 1024


@dataclass(frozen=True)
class SavedGames:
    """The first games of a run, played earlier, and how long they took."""

    count: int
    games: Iterator[Played]
    times: Times
    seconds: float


class Run:
    """An agent that plays the games of a plan. Use it in a `with` statement, which ends its processes.

    The agent is the name of a built-in agent, a specification, an object with `choose(position)`, or a
    class or function that creates one. With `keep=False`, games are added up and forgotten, so that
    memory does not grow with the number of games.

    >>> with Run(Plan.of("beginner", games=10), agent="logic", jobs=1) as run:
    ...     few = run.play(4)
    >>> len(few), run.left, run.result().games
    (4, 6, 4)
    """

    def __init__(
        self,
        plan: Plan,
        *,
        agent: AgentSource = "safest",
        jobs: int | None = None,
        limit: Limit | None = None,
        cluster: str | Cluster | None = None,
        keep: bool = True,
    ) -> None:
        check_jobs(jobs)
        self.plan = plan
        self.agent = agent_name(agent)
        self.limit = limit or Limit()
        self.jobs = jobs or core_count()
        self.step_seconds = _STEP_SECONDS
        self.tally = Tally()
        self.times = Times()
        """The durations of all decisions in the games counted so far."""
        self.seconds = 0.0
        """The wall-clock time of those games."""
        self.played: list[Played] = []
        """The games counted so far, if they are kept."""
        self._keep = keep
        self._saved = SavedGames(0, iter(()), Times(), 0.0)
        self._uncounted_seconds = 0.0
        self._own_cluster: Cluster | None = None
        self._workers: GameWorkers
        if cluster is None:
            self._workers = workers_for(agent, plan.setup, self.jobs, self.limit)
            return
        if isinstance(cluster, str):
            cluster = self._own_cluster = Cluster(cluster, jobs)
        self._workers = ClusterWorkers(cluster, agent, plan.setup, self.limit)
        self.jobs = cluster.jobs
        self.step_seconds = max(_CLUSTER_STEP_SECONDS, _STEP_SECONDS_PER_WORKER * self.jobs)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.close()
        if self._own_cluster is not None:
            self._own_cluster.close()

    @property
    def left(self) -> int:
        """The number of games still to be played."""
        return self.plan.games - self.tally.games

    @property
    def saved_games_left(self) -> int:
        """The number of saved games that are still to be read and counted."""
        return max(self._saved.count - self.tally.games, 0)

    def resume_from(self, saved: SavedGames) -> None:
        """Start with saved games, which are read instead of being played again."""
        self._saved = saved
        self.times, self.seconds = saved.times, saved.seconds

    def play(self, games: int) -> list[Played]:
        """Play the next games, count them, and return them."""
        played = self.play_uncounted(games)
        self.count(played)
        return played

    def play_uncounted(self, games: int) -> list[Played]:
        """Play the next games and return them. They count once they are passed to `count`."""
        start, end = self.tally.games, self.tally.games + min(games, self.left)
        played = list(islice(self._saved.games, min(self.saved_games_left, end - start)))
        if start + len(played) < end:
            began = perf_counter()
            played += self._workers.play(self.plan.boards(start + len(played), end))
            self._uncounted_seconds = perf_counter() - began
        return played

    def count(self, played: Sequence[Played]) -> None:
        """Count games that `play_uncounted` returned."""
        self.tally.add(played)
        if self._keep:
            self.played += played
        self._count_time()

    def play_and_tally(self, games: int) -> None:
        """Play and count the next games without returning them. A cluster then sends only totals."""
        if self._keep or self.saved_games_left:
            self.play(games)
            return
        start, began = self.tally.games, perf_counter()
        self.tally += self._workers.tally(self.plan.boards(start, start + min(games, self.left)))
        self._uncounted_seconds = perf_counter() - began
        self._count_time()

    def _count_time(self) -> None:
        self.times = self._saved.times + self._workers.times
        self.seconds += self._uncounted_seconds
        self._uncounted_seconds = 0.0

    def result(self) -> Result:
        """Return the result of all games counted so far."""
        return Result(self.plan, self.agent, self.tally, self.times, self.seconds, self.played)


def check_jobs(jobs: int | None) -> None:
    """Raise an error if the number of jobs is out of range."""
    if jobs is not None and not 1 <= jobs <= _MOST_JOBS:
        raise SapperError(f"the number of jobs must be from 1 to {_MOST_JOBS}, not {jobs}")


def step_sizes(*runs: Run, batch: int | None = None, most: int | None = None) -> Iterator[int]:
    """Yield how many games the runs should play next, so that each step takes about 0.2 seconds.

    On a cluster a step takes a second or more. A step has no more than `most` games. With `batch`, a
    step never crosses a multiple of that many games.

    >>> with Run(Plan.of("4x4/2", games=100), jobs=1) as run:
    ...     sum(len(run.play(games)) for games in step_sizes(run))
    100
    """
    least = 4 * max(run.jobs for run in runs)
    games = least
    while left := min(run.left for run in runs):
        rest = left if batch is None else min(left, batch - runs[0].tally.games % batch)
        saved = min(run.saved_games_left for run in runs)
        if saved:
            yield min(rest, saved, _READ_STEP)
            continue
        now = min(games, rest, most or rest)
        start = perf_counter()
        yield now
        faster = sum(run.step_seconds for run in runs) / max(perf_counter() - start, 1e-6)
        games = max(least, int(now * min(faster, 4.0)))
