"""Runs: an agent's games as they are played, step by step, and what they showed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, Final

from sapper.analysis import Limit
from sapper.arena.cluster import Cluster, ClusterSeats
from sapper.arena.plans import Plan
from sapper.arena.statistics import Estimate, Times, estimate_rate, estimate_score, histogram
from sapper.arena.tally import Played, Tally
from sapper.arena.workers import AgentSource, Seats, agent_name, core_count, seats_for
from sapper.caching import cached_property
from sapper.errors import SapperError
from sapper.position import Cell

_STEP_SECONDS: Final = 0.2
_CLUSTER_STEP_SECONDS: Final = 1.0
"""Longer, because games come and go through a network."""
_SECONDS_A_WORKER: Final = 0.1
"""A worker's tasks in a step cost who asks a hundredth of a second: so this is ten times as much."""
MOST_AT_ONCE: Final = 200_000
"""How many games are held at a time where each is needed: some 60 million bytes."""
_READ_STEP: Final = 10_000
"""How many games that were played earlier are read at a time."""
_MOST_JOBS: Final = 1024


@dataclass(frozen=True)
class Result:
    """What a run showed.

    >>> from sapper.arena import bench
    >>> result = bench("5x5/4", games=20, seed=1, jobs=1)
    >>> result.games, result.rate.low < result.wins / 20 < result.rate.high
    (20, True)
    >>> sum(result.endings) == sum(result.losses.values()) == result.games - result.wins
    True
    """

    plan: Plan
    agent: str
    tally: Tally
    """What the games add up to."""
    times: Times
    """How long each decision took, in CPU time."""
    seconds: float
    """How long the run took on the clock."""
    played: Sequence[Played] = ()
    """How each game went, if they were kept."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tally.games

    @property
    def wins(self) -> int:
        """How many of them were won."""
        return self.tally.wins

    @cached_property
    def rate(self) -> Estimate:
        """The share of games won."""
        return estimate_rate(self.wins, self.games)

    @property
    def solved(self) -> int:
        """How many games came to a point from which they were solved."""
        return self.tally.solved

    @cached_property
    def score(self) -> Estimate:
        """The mean score of the games: the share won, with less left to luck."""
        return estimate_score(self.tally.scores)

    @property
    def guesses(self) -> float | None:
        """How many guesses a game took on average; None if the agent does not say."""
        tally = self.tally
        return tally.guesses / tally.guess_tellers if tally.guess_tellers else None

    @cached_property
    def endings(self) -> list[int]:
        """How many lost games ended with 0 to 10 % of the safe cells open, 10 to 20 %, and so on."""
        level = self.plan.setup.level
        safe = level.height * level.width - level.mines
        return histogram((1 - left / safe, count) for left, count in self.tally.lost_with.items())

    @cached_property
    def losses(self) -> dict[Cell, int]:
        """How many games were lost at each cell: those that ended by its mine."""
        return dict(sorted(self.tally.losses.items()))

    @property
    def game_seconds(self) -> float:
        """How long a game took on average, in CPU time."""
        return self.tally.nanoseconds / 1e9 / self.games

    def to_json(self) -> dict[str, Any]:
        """Return the result as an object for `json.dumps`; docs/arena.md says what it holds."""
        level = self.plan.setup.level
        return {
            "agent": self.agent,
            "level": level.name,
            "width": level.width,
            "height": level.height,
            "mines": level.mines,
            "first": list(self.plan.setup.first),
            "promise": self.plan.setup.promise.value,
            "seed": self.plan.seed,
            "games_asked": self.plan.games,
            "games": self.games,
            "wins": self.wins,
            "rate": vars(self.rate),
            "solved_games": self.solved,
            "score": vars(self.score),
            "guesses_a_game": self.guesses,
            "lost_by_share_opened": self.endings,
            "seconds": self.seconds,
            "cpu_seconds_a_game": self.game_seconds,
            "cpu_seconds_a_move": {
                "median": self.times.quantile(0.5),
                "p99": self.times.quantile(0.99),
                "worst": self.times.longest,
            },
        }


@dataclass(frozen=True)
class Earlier:
    """The games of a run that were played before, from the first on, and how long that took."""

    count: int
    games: Iterator[Played]
    times: Times
    seconds: float


class Run:
    """An agent's games as they are played; in a `with` statement, which ends its processes.

    The agent is the name of a built-in one, a specification, or a class or function that makes one.
    With `keep=False` games are added up and forgotten, so that any number of them is the same memory.

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
        """How long each decision of the games that count took."""
        self.seconds = 0.0
        """How long they took on the clock."""
        self.played: list[Played] = []
        """How each went, if they are kept."""
        self._keep = keep
        self._earlier = Earlier(0, iter(()), Times(), 0.0)
        self._ahead = 0.0  # How long the games took that do not count yet.
        self._own_cluster: Cluster | None = None
        self._seats: Seats
        if cluster is None:
            self._seats = seats_for(agent, plan.setup, self.jobs, self.limit)
            return
        if isinstance(cluster, str):
            cluster = self._own_cluster = Cluster(cluster, jobs)
        self._seats = ClusterSeats(cluster, agent, plan.setup, self.limit)
        self.jobs = cluster.jobs
        self.step_seconds = max(_CLUSTER_STEP_SECONDS, _SECONDS_A_WORKER * self.jobs)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._seats.close()
        if self._own_cluster is not None:
            self._own_cluster.close()

    @property
    def left(self) -> int:
        """How many games are left to play."""
        return self.plan.games - self.tally.games

    @property
    def unread(self) -> int:
        """How many of the games that were played earlier do not count yet."""
        return max(self._earlier.count - self.tally.games, 0)

    def take_up(self, earlier: Earlier) -> None:
        """Begin with games that were played earlier: they are read instead of being played again."""
        self._earlier = earlier
        self.times, self.seconds = earlier.times, earlier.seconds

    def play(self, games: int) -> list[Played]:
        """Play the next games, and return how they went."""
        played = self.play_ahead(games)
        self.count(played)
        return played

    def play_ahead(self, games: int) -> list[Played]:
        """Play the next games, and return how they went; they do not `count` yet."""
        begun, end = self.tally.games, self.tally.games + min(games, self.left)
        played = list(islice(self._earlier.games, min(self.unread, end - begun)))
        if begun + len(played) < end:
            start = perf_counter()
            played += self._seats.play(self.plan.boards(begun + len(played), end))
            self._ahead = perf_counter() - start
        return played

    def count(self, played: Sequence[Played]) -> None:
        """Let games count that were played ahead."""
        self.tally.add(played)
        if self._keep:
            self.played += played
        self._clock()

    def fold(self, games: int) -> None:
        """Play the next games, but only add them up: on a cluster, its workers do."""
        if self._keep or self.unread:
            self.play(games)
            return
        begun, start = self.tally.games, perf_counter()
        self.tally += self._seats.tally(self.plan.boards(begun, begun + min(games, self.left)))
        self._ahead = perf_counter() - start
        self._clock()

    def _clock(self) -> None:
        self.times = self._earlier.times + self._seats.times
        self.seconds += self._ahead
        self._ahead = 0.0

    def result(self) -> Result:
        """Return what all games so far showed."""
        return Result(self.plan, self.agent, self.tally, self.times, self.seconds, self.played)


def check_jobs(jobs: int | None) -> None:
    """Raise an error if there cannot be so many jobs."""
    if jobs is not None and not 1 <= jobs <= _MOST_JOBS:
        raise SapperError(f"the number of jobs is from 1 to {_MOST_JOBS}, not {jobs}")


def paced(*runs: Run, batch: int | None = None, most: int | None = None) -> Iterator[int]:
    """Generate how many games the runs are to play next, so that it takes each a fifth of a second.

    On a cluster it is a second, on a large one more. They are never more than `most`; if there is a
    `batch`, they always stop where one ends.

    >>> with Run(Plan.of("4x4/2", games=100), jobs=1) as run:
    ...     sum(len(run.play(games)) for games in paced(run))
    100
    """
    least = 4 * max(run.jobs for run in runs)
    games = least
    while left := min(run.left for run in runs):
        rest = left if batch is None else min(left, batch - runs[0].tally.games % batch)
        unread = min(run.unread for run in runs)
        if unread:
            yield min(rest, unread, _READ_STEP)
            continue
        now = min(games, rest, most or rest)
        start = perf_counter()
        yield now
        faster = sum(run.step_seconds for run in runs) / max(perf_counter() - start, 1e-6)
        games = max(least, int(now * min(faster, 4.0)))
