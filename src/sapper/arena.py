"""Arena: many games by an agent, how many of them it wins, and which of two agents wins more.

The players that the compiled engine knows play there, on threads. Any other agent plays in processes of
its own, or is a program that speaks the engine protocol, on the same boards. Where there is no compiled
engine, `safest` is like any other. Whatever the level, an empty cell opens what is around it, and a
game is won when every safe cell is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, Final

from minesweeper import Cell
from sapper._reference import board_seed
from sapper._seats import AgentMaker, Played, Seats, core_count, engine_players, seats_for
from sapper.analysis import Limit
from sapper.boards import Boards, Plan, Setup
from sapper.cluster import ClusterSeats
from sapper.errors import SapperError
from sapper.levels import Level, Promise
from sapper.sequential import BATCH, Referee, SequentialTest, Verdict
from sapper.statistics import (
    Estimate,
    Times,
    estimate_difference,
    estimate_rate,
    estimate_score,
    histogram,
    mcnemar,
)

__all__ = [
    "Boards",
    "Comparison",
    "Plan",
    "Played",
    "Result",
    "Run",
    "SequentialTest",
    "Setup",
    "Verdict",
    "bench",
    "board_seed",
    "compare",
    "compared",
    "contested",
    "engine_players",
    "paced",
]

_CHUNK_SECONDS: Final = 0.2
_CLUSTER_CHUNK_SECONDS: Final = 1.0
"""Longer, because games come and go through a network."""
_MOST_JOBS: Final = 1024


@dataclass(frozen=True)
class Result:
    """What a run showed.

    >>> result = bench("5x5/4", games=20, seed=1, jobs=1)
    >>> result.games, result.rate.low < result.wins / 20 < result.rate.high
    (20, True)
    >>> sum(result.endings) == sum(result.losses.values()) == result.games - result.wins
    True
    """

    plan: Plan
    agent: str
    played: Sequence[Played]
    """How each game went."""
    times: Times
    """How long each decision took, in CPU time."""
    seconds: float
    """How long the run took on the clock."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played)

    @cached_property
    def wins(self) -> int:
        """How many of them were won."""
        return sum(game.won for game in self.played)

    @cached_property
    def rate(self) -> Estimate:
        """The share of games won."""
        return estimate_rate(self.wins, self.games)

    @cached_property
    def solved(self) -> int:
        """How many games came to a point from which they were solved."""
        return sum(game.solved is not None for game in self.played)

    @cached_property
    def score(self) -> Estimate:
        """The share of games won, with solved games counted by their chance: less is left to luck."""
        return estimate_score([game.score for game in self.played])

    @cached_property
    def guesses(self) -> float | None:
        """How many guesses a game took on average; None if the agent does not say."""
        known = [game.guesses for game in self.played if game.guesses is not None]
        return sum(known) / len(known) if known else None

    @cached_property
    def endings(self) -> list[int]:
        """How many lost games ended with 0 to 10 % of the safe cells open, 10 to 20 %, and so on."""
        level = self.plan.setup.level
        safe = level.height * level.width - level.mines
        return histogram(1 - game.left / safe for game in self.played if not game.won)

    @cached_property
    def losses(self) -> dict[Cell, int]:
        """How many games were lost at each cell: those that ended by its mine."""
        lost = Counter(game.lost_at for game in self.played if game.lost_at is not None)
        return dict(sorted(lost.items()))

    @cached_property
    def game_seconds(self) -> float:
        """How long a game took on average, in CPU time."""
        return sum(game.seconds for game in self.played) / self.games

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
            "solved_score": vars(self.score),
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
class Comparison:
    """What two agents did on the same boards.

    >>> both = compare("safest", "safest", "5x5/4", games=20, jobs=1)
    >>> both.difference.value, both.only_first, both.only_second
    (0.0, 0, 0)
    """

    first: Result
    second: Result
    test: SequentialTest | None = None
    """The test that may have ended it early."""

    def _differences(self, value: Callable[[Played], float]) -> list[float]:
        pairs = zip(self.first.played, self.second.played, strict=True)
        return [value(second) - value(first) for first, second in pairs]

    @cached_property
    def _wins(self) -> list[float]:
        return self._differences(lambda game: float(game.won))

    @property
    def only_first(self) -> int:
        """How many boards only the first agent won."""
        return self._wins.count(-1)

    @property
    def only_second(self) -> int:
        """How many boards only the second agent won."""
        return self._wins.count(1)

    @property
    def p_value(self) -> float:
        """How likely so uneven a share of those boards is if both are equally good: McNemar's test."""
        return mcnemar(self.only_first, self.only_second)

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test decided, if there was one."""
        return None if self.test is None else self.test.verdict(*self._counts)

    @property
    def _counts(self) -> tuple[int, int, int]:
        return self.only_first, self.only_second, self.first.games

    @cached_property
    def difference(self) -> Estimate:
        """By how much the second agent's share of games won is larger."""
        return estimate_difference(self._wins)

    @cached_property
    def score_difference(self) -> Estimate:
        """The same with solved games counted by their chance."""
        return estimate_difference(self._differences(lambda game: game.score))

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as an object for `json.dumps`; docs/arena.md says what it holds."""
        return {
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "only_first_won": self.only_first,
            "only_second_won": self.only_second,
            "mcnemar_p": self.p_value,
            "sequential": self.test and self.test.to_json(*self._counts),
            "difference": vars(self.difference),
            "solved_score_difference": vars(self.score_difference),
        }


class Run:
    """An agent's games as they are played; in a `with` statement, which ends its processes.

    The agent is a name, `program:COMMAND`, `module:attribute`, or what makes an agent from a seed.

    >>> with Run(Plan.of("beginner", games=10), agent="logic", jobs=1) as run:
    ...     few = run.play(4)
    >>> len(few), run.left, run.result().games
    (4, 6, 4)
    """

    def __init__(
        self,
        plan: Plan,
        *,
        agent: str | AgentMaker = "safest",
        jobs: int | None = None,
        limit: Limit | None = None,
        cluster: str | None = None,
    ) -> None:
        if jobs is not None and not 1 <= jobs <= _MOST_JOBS:
            raise SapperError(f"the number of jobs is from 1 to {_MOST_JOBS}, not {jobs}")
        self.plan = plan
        self.agent = agent if isinstance(agent, str) else getattr(agent, "__qualname__", repr(agent))
        self.jobs = jobs or core_count()
        self.chunk_seconds = _CHUNK_SECONDS
        self.played: list[Played] = []
        self._seconds = 0.0
        self._seats: Seats
        if cluster is None:
            self._seats = seats_for(agent, plan.setup, self.jobs, limit or Limit())
        else:
            seats = ClusterSeats(cluster, agent, plan.setup, jobs, limit or Limit())
            self._seats, self.jobs = seats, seats.jobs
            self.chunk_seconds = _CLUSTER_CHUNK_SECONDS

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._seats.close()

    @property
    def left(self) -> int:
        """How many games are left to play."""
        return self.plan.games - len(self.played)

    def play(self, games: int) -> list[Played]:
        """Play the next games, and return how they went."""
        start, begun = perf_counter(), len(self.played)
        boards = [self.plan.board(begun + more) for more in range(min(games, self.left))]
        played = self._seats.play(boards)
        self.played += played
        self._seconds += perf_counter() - start
        return played

    def result(self, games: int | None = None) -> Result:
        """Return what all games so far showed, or the first of them."""
        played = self.played[:games]
        return Result(self.plan, self.agent, played, self._seats.times, self._seconds)


def paced(*runs: Run, batch: int | None = None) -> Iterator[tuple[list[Played], ...]]:
    """Let runs of as many games play in turn, a fifth of a second each; generate what they played.

    On a cluster it is a second. If there is a `batch`, they always stop where one ends.

    >>> with Run(Plan.of("4x4/2", games=100), jobs=1) as run:
    ...     sum(len(played) for (played,) in paced(run))
    100
    """
    least = 4 * max(run.jobs for run in runs)
    games = least
    while all(run.left for run in runs):
        start = perf_counter()
        most = games if batch is None else min(games, batch - len(runs[0].played) % batch)
        played = tuple(run.play(most) for run in runs)
        faster = sum(run.chunk_seconds for run in runs) / max(perf_counter() - start, 1e-6)
        yield played
        games = max(least, int(most * min(faster, 4.0)))


def contested(
    first: Run, second: Run, test: SequentialTest | None
) -> Iterator[tuple[list[Played], ...]]:
    """Let two runs play as `paced` does, but only until the test is decided, if there is one.

    >>> plan = Plan.of("6x6/7", games=1000)
    >>> with Run(plan, agent="logic", jobs=1) as one, Run(plan, jobs=1) as other:
    ...     for _ in contested(one, other, SequentialTest(points=20)):
    ...         pass
    ...     compared(one, other, SequentialTest(points=20)).verdict, one.left
    (<Verdict.BETTER: 'better'>, 800)
    """
    referee = None if test is None else Referee(test)
    for played in paced(first, second, batch=None if test is None else BATCH):
        yield played
        pairs = ((one.won, other.won) for one, other in zip(*played, strict=True))
        if referee is not None and referee.add(pairs) is not Verdict.UNDECIDED:
            return


def compared(first: Run, second: Run, test: SequentialTest | None = None) -> Comparison:
    """Return what two runs show on the boards that both have played."""
    games = min(len(first.played), len(second.played))
    return Comparison(first.result(games), second.result(games), test)


def bench(
    level: str | Level | None = None,
    *,
    agent: str | AgentMaker = "safest",
    promise: str | Promise | None = None,
    first: Cell | None = None,
    games: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    boards: Boards | None = None,
    limit: Limit | None = None,
    cluster: str | None = None,
    progress: Callable[[Sequence[Played]], None] | None = None,
) -> Result:
    """Let an agent play many games, and return what it did.

    The agent is a name, `program:COMMAND`, `module:attribute`, or what makes an agent from a seed.
    Without a level it is expert, without a number of games 10,000. Game number i is on the board of
    `board_seed(seed, i)`, or on the next of `boards`. How the games go does not depend on the number of
    `jobs`: threads or processes, one a core if none is given. `limit` bounds the work of a player of
    the engine for each decision. `cluster` is the address of a Dask scheduler whose workers play, or
    `local`. `progress` is called with the games just played, every now and then.

    >>> bench("beginner", games=20, jobs=1).rate.value > 0.5
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    with Run(plan, agent=agent, jobs=jobs, limit=limit, cluster=cluster) as run:
        for (played,) in paced(run):
            if progress is not None:
                progress(played)
        return run.result()


def compare(
    first_agent: str | AgentMaker,
    second_agent: str | AgentMaker,
    level: str | Level | None = None,
    *,
    promise: str | Promise | None = None,
    first: Cell | None = None,
    games: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    boards: Boards | None = None,
    limit: Limit | None = None,
    test: SequentialTest | None = None,
) -> Comparison:
    """Let two agents play the same boards, and return what both did; the options are those of `bench`.

    With a `test` they stop as soon as it is decided.

    >>> compare("logic", "safest", "5x5/5", games=40, jobs=1).difference.value > 0
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    with (
        Run(plan, agent=first_agent, jobs=jobs, limit=limit) as one,
        Run(plan, agent=second_agent, jobs=jobs, limit=limit) as other,
    ):
        for _ in contested(one, other, test):
            pass
        return compared(one, other, test)
