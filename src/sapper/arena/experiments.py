"""`bench` and `compare`: how often an agent wins, and which of two agents wins more.

Agents of the compiled engine play in its threads. Other agents play in processes of their own, or are
programs that speak the engine protocol. All play the same boards. Without the compiled engine, `safest`
plays like any other agent. On every level, opening a zero opens its neighbours, and a game is won when
all safe cells are open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sapper.analysis import Limit
from sapper.arena.batches import Batch
from sapper.arena.plans import Boards, Plan
from sapper.arena.results import Comparison, Result
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
    """Let an agent play many games, and return the result.

    The agent is the name of a built-in agent, a specification, an object with `choose(position)`, or a
    class or function that creates one.

    The default level is expert, the default number of games 10,000. Game number i is played on the
    board of `board_seed(seed, i)`, or on board number i of `boards`. The number of `jobs` (threads or
    processes; default: one per core) does not change the games. `limit` bounds the work for each
    decision of the engine's own agents. `cluster` is the address of a Dask scheduler whose workers
    play, or `local`. `progress` is called with the games just played, several times per second. With
    `keep=False` the result does not contain the games, and memory does not grow with their number.

    >>> bench("beginner", games=20, jobs=1).rate.value > 0.5
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    with Batch(plan, [agent], jobs=jobs, limit=limit, cluster=cluster, keep=keep) as batch:
        batch.play(progress)
        result = batch.result()
    assert isinstance(result, Result)
    return result


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
    """Let two agents play the same boards, and return both results. The options are those of `bench`.

    With a `test`, the agents stop as soon as it is decided.

    >>> compare("logic", "safest", "5x5/5", games=40, jobs=1).difference.value > 0
    True
    """
    plan = Plan.of(level, promise=promise, first=first, games=games, seed=seed, boards=boards)
    agents = [first_agent, second_agent]
    with Batch(plan, agents, jobs=jobs, limit=limit, cluster=cluster, keep=keep, test=test) as batch:
        batch.play()
        result = batch.result()
    assert isinstance(result, Comparison)
    return result
