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
from typing import Any, Final

import sapper
from sapper._seats import AgentMaker, Played, core_count, holding_ctrl_c, seats_for
from sapper.analysis import Limit
from sapper.boards import Board, Setup
from sapper.errors import SapperError
from sapper.statistics import Times

LOCAL: Final = "local"
"""The address of a cluster that is started for the run, on this machine."""

_RANGES_A_WORKER: Final = 4
"""So that a worker whose games are short, or that comes in late, need not wait for the others."""
_RETRIES: Final = 3
_PATIENCE: Final = "20s"
"""How long a scheduler may take to answer, and to have a worker."""


class ClusterSeats:
    """The workers of a Dask cluster: at the address of its scheduler, or `local` for one of our own.

    `jobs` is the number of workers of one of our own, each a process with one thread.

    >>> ClusterSeats("tcp://127.0.0.1:8786", "nobody", Setup.of("beginner"), None, Limit())
    Traceback (most recent call last):
    sapper.errors.SapperError: 'nobody' is not an agent: ...
    """

    def __init__(
        self, address: str, agent: str | AgentMaker, setup: Setup, jobs: int | None, limit: Limit
    ) -> None:
        if jobs is not None and address != LOCAL:
            raise SapperError(f"the workers at {address} are there already: jobs are for {LOCAL!r}")
        seats_for(agent, setup, 1, limit).close()  # What cannot be made is an error before any game.
        distributed = _load_distributed()
        self.times = Times()
        self._task = (_built(), agent, setup, limit)
        self._wait: Callable[[Sequence[Any]], object] = distributed.wait
        self._killed: type[Exception] = distributed.KilledWorker
        self._futures: list[Any] = []
        self._client: Any = None
        self._cluster: Any = None
        try:
            if address == LOCAL:
                if os.name != "nt":
                    resource_tracker.ensure_running()  # To start it lets Ctrl-C through again.
                with holding_ctrl_c():  # It is for us alone: we end the workers ourselves.
                    self._cluster = distributed.LocalCluster(
                        n_workers=jobs or core_count(),
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",  # Any free port, and for this machine only.
                        silence_logs=logging.CRITICAL,
                    )
            self._client = distributed.Client(self._cluster or address, timeout=_PATIENCE)
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, RuntimeError, TimeoutError, ValueError) as reason:
            self.close()
            raise SapperError(f"no cluster answers at {address}: {reason}") from reason
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """How many games the workers play at a time; they may come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Return how the games on these boards went, in their order.

        A range whose worker is lost is played again by another.
        """
        parts = min(_RANGES_A_WORKER * self.jobs, len(boards))
        ends = [len(boards) * part // parts for part in range(parts + 1)]
        ranges = [boards[start:end] for start, end in pairwise(ends)]
        submit = self._client.submit
        self._futures = [
            submit(play_range, *self._task, part, retries=_RETRIES, pure=False) for part in ranges
        ]
        try:
            self._wait(self._futures)  # Ctrl-C is quiet here, but not while games are fetched.
            answers = self._client.gather(self._futures)
        except self._killed as reason:
            raise SapperError(f"the workers that played have died: {reason}") from reason
        except CancelledError as reason:
            raise SapperError(f"the cluster is gone: {reason}") from reason
        self._futures = []
        for _, times in answers:
            self.times.add_all(times)
        return [game for played, _ in answers for game in played]

    def close(self) -> None:
        """Cancel what is not finished, and leave the cluster; end it if it is our own."""
        if self._client is not None:
            if self._futures:
                self._client.cancel(self._futures, force=True)
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def play_range(
    built: str, agent: str | AgentMaker, setup: Setup, limit: Limit, boards: Sequence[Board]
) -> tuple[list[Played], Times]:
    """Return how the games on a range of boards went, and how long the decisions took; for a worker.

    `built` is the version and engine of who asks: another one might play otherwise.

    >>> played, _ = play_range(_built(), "safest", Setup.of("2x1/1"), Limit(), [Board(7)])
    >>> played[0].won
    True
    """
    if built != _built():
        raise SapperError(f"a worker has {_built()}, not {built}")
    seats = seats_for(agent, setup, 1, limit)
    try:
        return seats.play(boards), seats.times
    finally:
        seats.close()


def _load_distributed() -> ModuleType:
    """Return the package `distributed`; an error names the extra if it is not there."""
    try:
        return import_module("distributed")
    except ImportError as reason:
        needed = "a cluster needs the extra cluster: pip install 'sapper[cluster]'"
        raise SapperError(f"{needed} ({reason})") from reason


def _built() -> str:
    return f"Sapper {sapper.__version__} with the {sapper.engine_name} engine"
