"""A Dask cluster that plays the games of an arena: every worker a range of boards at a time.

It needs the extra `cluster`. How the games go does not depend on who plays them, and they are put
together in the order of their boards, so that a cluster's run is that of one machine but for the times.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from importlib import import_module
from itertools import pairwise
from multiprocessing import resource_tracker
from types import ModuleType
from typing import Any, Final, TypeVar

import sapper
from sapper._seats import AgentSource, Seats, core_count, holding_ctrl_c, seats_for
from sapper.analysis import Limit
from sapper.boards import Board, Setup
from sapper.errors import SapperError
from sapper.statistics import Times
from sapper.tally import Played, Tally

Answer = TypeVar("Answer")

LOCAL: Final = "local"
"""The address of a cluster that is started for the run, on this machine."""

_RANGES_A_WORKER: Final = 4
"""So that a worker whose games are short, or that comes in late, need not wait for the others."""
_RETRIES: Final = 3
_PATIENCE: Final = "20s"
"""How long a scheduler may take to answer, and to have a worker."""


class Cluster:
    """The workers of a Dask cluster, for one run or more; in a `with` statement, which leaves it.

    The address is that of its scheduler, or `local` for one of our own, with a number of `jobs`:
    workers that are each a process with one thread. It is joined when it is first needed.

    >>> Cluster("tcp://127.0.0.1:8786", jobs=2)
    Traceback (most recent call last):
    sapper.errors.SapperError: the workers at tcp://127.0.0.1:8786 are there already: ...
    """

    def __init__(self, address: str, jobs: int | None = None) -> None:
        if jobs is not None and address != LOCAL:
            raise SapperError(f"the workers at {address} are there already: jobs are for {LOCAL!r}")
        self._address, self._asked = address, jobs
        self._own: Any = None
        self.client: Any = None
        """Dask's, once the cluster was joined."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def join(self) -> None:
        """Join the cluster, or start it, if that was not done before."""
        if self.client is not None:
            return
        distributed = _load_distributed()
        try:
            if self._address == LOCAL:
                if os.name != "nt":
                    resource_tracker.ensure_running()  # To start it lets Ctrl-C through again.
                with holding_ctrl_c():  # It is for us alone: we end the workers ourselves.
                    self._own = distributed.LocalCluster(
                        n_workers=self._asked or core_count(),
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",  # Any free port, and for this machine only.
                        silence_logs=logging.CRITICAL,
                    )
            self.client = distributed.Client(self._own or self._address, timeout=_PATIENCE)
            self.client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, RuntimeError, TimeoutError, ValueError) as reason:
            self.close()
            raise SapperError(f"no cluster answers at {self._address}: {reason}") from reason
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """How many games the workers play at a time; they may come and go."""
        threads: dict[str, int] = self.client.nthreads()
        return max(sum(threads.values()), 1)

    def close(self) -> None:
        """Leave the cluster; end it if it is our own."""
        if self.client is not None:
            self.client.close()
        if self._own is not None:
            self._own.close()
        self.client = self._own = None


class ClusterSeats(Seats):
    """An agent on the workers of a cluster.

    >>> ClusterSeats(Cluster("tcp://127.0.0.1:8786"), "nobody", Setup.of("beginner"), Limit())
    Traceback (most recent call last):
    sapper.errors.SapperError: unknown agent 'nobody': ...
    """

    def __init__(self, cluster: Cluster, agent: AgentSource, setup: Setup, limit: Limit) -> None:
        seats_for(agent, setup, 1, limit).close()  # What cannot be made is an error before any game.
        self.times = Times()
        cluster.join()
        self._cluster = cluster
        self._task = (_built(), agent, setup, limit)
        self._futures: list[Any] = []

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went, in their order."""
        return [game for part in self._gather(play_range, boards) for game in part]

    def tally(self, boards: Sequence[Board]) -> Tally:
        """Return what the games on these boards add up to; the workers add up their own."""
        return sum(self._gather(tally_range, boards), Tally())

    def _gather(
        self, work: Callable[..., tuple[Answer, Times]], boards: Sequence[Board]
    ) -> list[Answer]:
        """Return what the work on each range of the boards gave, in their order.

        A range whose worker is lost is played again by another.
        """
        distributed = _load_distributed()
        parts = min(_RANGES_A_WORKER * self._cluster.jobs, len(boards))
        ends = [len(boards) * part // parts for part in range(parts + 1)]
        self._futures = [
            self._cluster.client.submit(
                work, *self._task, boards[start:end], retries=_RETRIES, pure=False
            )
            for start, end in pairwise(ends)
        ]
        try:
            distributed.wait(self._futures)  # Ctrl-C is quiet here, but not while games are fetched.
            answers = self._cluster.client.gather(self._futures)
        except distributed.KilledWorker as reason:
            raise SapperError(f"the workers that played have died: {reason}") from reason
        except CancelledError as reason:
            raise SapperError(f"the cluster is gone: {reason}") from reason
        self._futures = []
        for _, times in answers:
            self.times.add_all(times)
        return [answer for answer, _ in answers]

    def close(self) -> None:
        """Cancel what is not finished."""
        if self._futures:
            self._cluster.client.cancel(self._futures, force=True)


def play_range(
    built: str, agent: AgentSource, setup: Setup, limit: Limit, boards: Sequence[Board]
) -> tuple[list[Played], Times]:
    """Return how the games on a range of boards went, and how long the decisions took; for a worker.

    `built` is the version and engine of who asks: another one might play otherwise.

    >>> from sapper.boards import SeedRange
    >>> played, _ = play_range(_built(), "safest", Setup.of("2x1/1"), Limit(), SeedRange(7, range(3)))
    >>> [game.won for game in played]
    [True, True, True]
    """
    if built != _built():
        raise SapperError(f"a worker has {_built()}, not {built}")
    seats = seats_for(agent, setup, 1, limit)
    try:
        return seats.play(boards), seats.times
    finally:
        seats.close()


def tally_range(
    built: str, agent: AgentSource, setup: Setup, limit: Limit, boards: Sequence[Board]
) -> tuple[Tally, Times]:
    """Return what the games on a range of boards add up to, and how long the decisions took.

    >>> from sapper.boards import SeedRange
    >>> tally, _ = tally_range(_built(), "safest", Setup.of("2x1/1"), Limit(), SeedRange(7, range(3)))
    >>> tally.wins
    3
    """
    played, times = play_range(built, agent, setup, limit, boards)
    return Tally.of(played), times


def _load_distributed() -> ModuleType:
    """Return the package `distributed`; an error names the extra if it is not there."""
    try:
        return import_module("distributed")
    except ImportError as reason:
        needed = "a cluster needs the extra cluster: pip install 'sapper[cluster]'"
        raise SapperError(f"{needed} ({reason})") from reason


def _built() -> str:
    return f"Sapper {sapper.__version__} with the {sapper.engine_name} engine"
