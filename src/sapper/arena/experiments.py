"""Arena: many games by an agent, how many of them it wins, and which of two agents wins more.

The players that the compiled engine knows play there, on threads. Any other agent plays in processes of
its own, or is a program that speaks the engine protocol, on the same boards. Where there is no compiled
engine, `safest` is like any other. Whatever the level, an empty cell opens what is around it, and a
game is won when every safe cell is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from sapper.analysis import Limit
from sapper.arena.cluster import Cluster
from sapper.arena.comparison import Comparison, Match
from sapper.arena.plans import Boards, Plan
from sapper.arena.runs import MOST_AT_ONCE, Result, Run, paced
from sapper.arena.sequential import SequentialTest
from sapper.arena.tally import Played
from sapper.arena.workers import AgentSource
from sapper.levels import Level, Promise
from sapper.position import Cell


def bench(
    level: str | Level | None = None,
    *,
    agent: AgentSource = "safest",
    promise: str | Promise | None = None,
    first: Cell | None = None,
    games: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    boards: Boards | None = None,
    limit: Limit | None = None,
    cluster: str | None = None,
    keep: bool = True,
    progress: Callable[[Sequence[Played]], None] | None = None,
) -> Result:
    """Let an agent play many games, and return what it did.

    The agent is the name of a built-in one, a specification, or a class or function that makes one.
    Without a level it is expert, without a number of games 10,000. Game number i is on the board of
    `board_seed(seed, i)`, or on the next of `boards`. How the games go does not depend on the number of
    `jobs`: threads or processes, one a core if none is given. `limit` bounds the work of a player of
    the engine for each decision. `cluster` is the address of a Dask scheduler whose workers play, or
    `local`. `progress` is called with the games just played, every now and then. With `keep=False` the
    result does not have each game, and any number of games is the same memory.

    >>> bench("beginner", games=20, jobs=1).rate.value > 0.5
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    with Run(plan, agent=agent, jobs=jobs, limit=limit, cluster=cluster, keep=keep) as run:
        for games_now in paced(run, most=None if progress is None else MOST_AT_ONCE):
            if progress is None:
                run.fold(games_now)
            else:
                progress(run.play(games_now))
        return run.result()


def compare(
    first_agent: AgentSource,
    second_agent: AgentSource,
    level: str | Level | None = None,
    *,
    promise: str | Promise | None = None,
    first: Cell | None = None,
    games: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    boards: Boards | None = None,
    limit: Limit | None = None,
    cluster: str | None = None,
    keep: bool = True,
    test: SequentialTest | None = None,
) -> Comparison:
    """Let two agents play the same boards, and return what both did; the options are those of `bench`.

    Both play on one cluster, if there is one. With a `test` they stop as soon as it is decided.

    >>> compare("logic", "safest", "5x5/5", games=40, jobs=1).difference.value > 0
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    with ExitStack() as stack:
        shared = None if cluster is None else stack.enter_context(Cluster(cluster, jobs))
        one, other = (
            stack.enter_context(
                Run(plan, agent=agent, jobs=jobs, limit=limit, cluster=shared, keep=keep)
            )
            for agent in (first_agent, second_agent)
        )
        match = Match(one, other, test)
        for games_now in match.paced():
            match.play(games_now)
        return match.comparison()
