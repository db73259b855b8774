"""Games on the workers of a Dask cluster. It requires the extra `cluster`.

Each task is a range of boards. The outcome of a game does not depend on the worker that plays it, and
games are put together in the order of their boards. So a run on a cluster gives the same result as one
on a single machine, except for the times.

docs/arena.md describes who can connect to a cluster, what they can run, and what happens when workers
fail.
"""

from __future__ import annotations

import ipaddress
import logging
import pickle
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib import import_module
from itertools import pairwise
from tempfile import TemporaryDirectory
from time import monotonic
from types import ModuleType
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import sapper
from sapper.analysis import Limit
from sapper.arena.plans import Board
from sapper.arena.statistics import Times
from sapper.arena.tally import Played, Tally
from sapper.arena.worker_results import check_games, check_tally, check_times
from sapper.arena.workers import AgentSource, GameWorkers, core_count, workers_for
from sapper.errors import ClusterError, SapperError
from sapper.extras import install_command
from sapper.game.setup import Setup
from sapper.processes import ctrl_c_blocked

Answer = TypeVar("Answer")

LOCAL: Final = "local"
"""The address that requests a new cluster on this machine."""

_LOOPBACK: Final = "127.0.0.1"
_RANGES_PER_WORKER: Final = 4
"""More than one, so that a slow worker does not keep the others waiting for long."""
_RETRIES: Final = 3
_CHECK_SECONDS: Final = 1.0
"""How often the cluster is checked while it plays."""
_UNPROTECTED: Final = (
    "Warning: the connection to %s is neither encrypted nor authenticated. Anyone who can intercept it"
    " can run code on this machine and on the workers. Use a private network or a tls:// address."
)
_NO_PAGES: Final[dict[str, list[str]]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""Dask settings. Its HTTP servers cannot be turned off, but they have no pages to show."""

_log = logging.getLogger(__name__)


class Cluster:
    """The workers of a Dask cluster, shared by one or more runs. Use it in a `with` statement.

    The address is that of a scheduler, or `local` for a new cluster on this machine with `jobs`
    workers, each a process with one thread. Only the processes of a local cluster can connect to it.
    The cluster is started or joined when it is first needed.

    `connect_timeout` is how many seconds the scheduler may take to answer and to have its first worker,
    and how long it may later be without workers. If no worker finishes a task for `idle_timeout`
    seconds, the run stops with an error.

    >>> Cluster("tcp://127.0.0.1:8786", jobs=2)
    Traceback (most recent call last):
    sapper.errors.SapperError: jobs=2 requires the address 'local': the scheduler at ...
    """

    def __init__(
        self,
        address: str,
        jobs: int | None = None,
        *,
        connect_timeout: float = 20.0,
        idle_timeout: float = 3600.0,
    ) -> None:
        if jobs is not None and address != LOCAL:
            raise SapperError(
                f"jobs={jobs} requires the address {LOCAL!r}: the scheduler at {address} has its own"
                " workers"
            )
        self.address = address
        self.connect_timeout, self.idle_timeout = connect_timeout, idle_timeout
        self.client: Any = None
        """The Dask client, after `join`."""
        self._jobs = jobs
        self._exits = ExitStack()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def join(self) -> None:
        """Connect to the cluster or start it, unless this was done before."""
        if self.client is not None:
            return
        distributed = _load_distributed()
        try:
            if self.address == LOCAL:
                scheduler = self._start(distributed)
            else:
                scheduler = self.address
                if not _is_protected(self.address):
                    _log.warning(_UNPROTECTED, self.address)
            client = distributed.Client(scheduler, timeout=self.connect_timeout)
            self._exits.callback(client.close)
            client.wait_for_workers(1, timeout=self.connect_timeout)
            self.client = client
        except (OSError, RuntimeError, TimeoutError, ValueError, distributed.TimeoutError) as reason:
            self.close()
            raise ClusterError(f"no cluster answers at {self.address}: {reason}") from reason
        except TypeError as reason:  # Dask raises this if it has no certificates.
            self.close()
            if "ssl_context" not in str(reason):
                raise
            raise ClusterError(
                f"{self.address} needs a certificate: set distributed.comm.tls in Dask's configuration"
            ) from reason
        except BaseException:
            self.close()
            raise

    def check_builds(self) -> None:
        """Raise an error if a worker cannot load Sapper, or has another version or engine."""
        found: dict[str, object] = self.client.run(_build, on_error="return")
        for address, build in sorted(found.items()):
            if isinstance(build, BaseException):
                raise ClusterError(f"the worker at {address} cannot load Sapper: {build}") from build
            if build != _build():
                raise _other_build(f"at {address}", str(build), _build())

    def _start(self, distributed: ModuleType) -> object:
        """Start a cluster that only its own processes can connect to."""
        try:
            security = distributed.Security.temporary()
        except ImportError as reason:
            raise _missing(reason) from reason
        folder = self._exits.enter_context(TemporaryDirectory(prefix="sapper-cluster-"))
        # Only this process handles Ctrl-C; it ends the workers itself.
        with import_module("dask").config.set(_NO_PAGES), ctrl_c_blocked():
            return self._exits.enter_context(
                distributed.LocalCluster(
                    n_workers=self._jobs or core_count(),
                    threads_per_worker=1,
                    processes=True,
                    host=_LOOPBACK,
                    dashboard_address=f"{_LOOPBACK}:0",
                    scheduler_kwargs={"dashboard": False},
                    security=security,  # Loopback alone would admit every user of this machine.
                    local_directory=folder,
                    silence_logs=logging.CRITICAL,
                )
            )

    @property
    def jobs(self) -> int:
        """The number of games that the workers play at a time. It changes as workers come and go."""
        threads: dict[str, int] = self.client.nthreads()
        return max(sum(threads.values()), 1)

    def close(self) -> None:
        """Disconnect from the cluster; end it if it was started here."""
        self.client = None
        self._exits.close()


class ClusterWorkers(GameWorkers):
    """The workers of a cluster, playing with one agent.

    >>> ClusterWorkers(Cluster("tcp://127.0.0.1:8786"), "nobody", Setup.of("beginner"), Limit())
    Traceback (most recent call last):
    sapper.errors.SapperError: unknown agent 'nobody': ...
    """

    def __init__(self, cluster: Cluster, agent: AgentSource, setup: Setup, limit: Limit) -> None:
        workers_for(agent, setup, 1, limit).close()  # Raise errors of the agent before any game.
        self.times = Times()
        cluster.join()
        cluster.check_builds()
        self._cluster, self._setup = cluster, setup
        self._task = (_build(), agent, setup, limit)
        self._futures: list[Any] = []

    def play(self, boards: Sequence[Board]) -> list[Played]:
        """Play the games on these boards, and return them in order."""
        return [game for part in self._gather(play_range, check_games, boards) for game in part]

    def tally(self, boards: Sequence[Board]) -> Tally:
        """Play the games on these boards, and return their totals. Workers add up their own games."""
        return sum(self._gather(tally_range, check_tally, boards), Tally())

    def _gather(
        self,
        work: Callable[..., tuple[Answer, Times]],
        check: Callable[[object, Setup, Sequence[Board]], Answer],
        boards: Sequence[Board],
    ) -> list[Answer]:
        """Return the checked answers for all ranges of the boards, in order.

        If a worker is lost, another one plays its range. If any answer is invalid, none is returned.
        """
        distributed = _load_distributed()
        client = self._cluster.client
        try:
            parts = min(_RANGES_PER_WORKER * self._cluster.jobs, len(boards))
            ends = [len(boards) * part // parts for part in range(parts + 1)]
            ranges = [boards[start:end] for start, end in pairwise(ends)]
            self._futures = [
                client.submit(work, *self._task, part, retries=_RETRIES, pure=False) for part in ranges
            ]
            self._wait(distributed)
            found = client.gather(self._futures)
        except distributed.KilledWorker as reason:
            raise ClusterError(
                f"several workers died while playing the same games: {reason}"
            ) from reason
        except (distributed.CancelledError, distributed.comm.CommClosedError) as reason:
            raise self._lost(reason) from reason
        except Exception as reason:
            if not _is_loading_error(reason):
                raise
            raise ClusterError(
                "the scheduler or a worker cannot load Sapper or the agent: install the same versions"
                f" on every machine ({reason})"
            ) from reason
        answers = []
        times = Times()
        for future, part, answer in zip(self._futures, ranges, found, strict=True):
            try:
                games, took = _pair(answer)
                answers.append(check(games, self._setup, part))
                times.add_all(check_times(took))
            except SapperError as error:
                holders = [name for names in client.who_has([future]).values() for name in names]
                raise ClusterError(
                    f"the worker at {' or '.join(holders) or 'an unknown address'} returned an invalid"
                    f" result: {error}"
                ) from error
        self.times.add_all(times)
        self._futures = []
        return answers

    def _wait(self, distributed: ModuleType) -> None:
        """Wait until all ranges are played or one failed; raise an error if there is no progress."""
        client = self._cluster.client
        done, since, seen = 0, monotonic(), monotonic()
        while True:
            try:
                distributed.wait(self._futures, timeout=_CHECK_SECONDS)
                return
            except (TimeoutError, distributed.TimeoutError):
                pass
            states = [future.status for future in self._futures]
            if not {"error", "cancelled", "lost"}.isdisjoint(states):
                return
            now = monotonic()
            if states.count("finished") > done:
                done, since = states.count("finished"), now
            try:
                if client.nthreads():
                    seen = now
            except OSError as reason:
                raise self._lost(reason) from reason
            if now - seen > self._cluster.connect_timeout:
                raise ClusterError(
                    f"the cluster at {self._cluster.address} has no workers left; see their logs"
                )
            if now - since > self._cluster.idle_timeout:
                busy = sorted(name for name, keys in client.processing().items() if keys)
                raise ClusterError(
                    f"no worker finished its games for {now - since:.0f} seconds;"
                    f" still busy: {', '.join(busy) or 'none'}"
                )

    def _lost(self, reason: BaseException) -> ClusterError:
        return ClusterError(
            f"the connection to the cluster at {self._cluster.address} was lost: {reason}"
        )

    def close(self) -> None:
        """Cancel the ranges that are not finished."""
        client = self._cluster.client
        if self._futures and client is not None and client.status == "running":
            client.cancel(self._futures, force=True)
        self._futures = []


def play_range(
    build: str, agent: AgentSource, setup: Setup, limit: Limit, boards: Sequence[Board]
) -> tuple[list[Played], Times]:
    """Play the games on a range of boards; return them and the durations of the decisions.

    This runs on a worker. `build` is the version and engine of the process that requests the games;
    another build might play differently, so it is an error.

    >>> from sapper.arena.plans import SeedRange
    >>> played, _ = play_range(_build(), "safest", Setup.of("2x1/1"), Limit(), SeedRange(7, range(3)))
    >>> [game.won for game in played]
    [True, True, True]
    """
    if build != _build():
        raise _other_build(f"on {socket.gethostname()}", _build(), build)
    workers = workers_for(agent, setup, 1, limit)
    try:
        return workers.play(boards), workers.times
    finally:
        workers.close()


def tally_range(
    build: str, agent: AgentSource, setup: Setup, limit: Limit, boards: Sequence[Board]
) -> tuple[Tally, Times]:
    """Play the games on a range of boards; return their totals and the durations of the decisions.

    >>> from sapper.arena.plans import SeedRange
    >>> tally, _ = tally_range(_build(), "safest", Setup.of("2x1/1"), Limit(), SeedRange(7, range(3)))
    >>> tally.wins
    3
    """
    played, times = play_range(build, agent, setup, limit, boards)
    return Tally.of(played), times


def _is_protected(address: str) -> bool:
    """Return whether nobody can intercept a connection: it is encrypted, or stays on this machine.

    >>> [_is_protected(address) for address in ("tls://far:8786", "tcp://[::1]:8786", "localhost:8786")]
    [True, True, True]
    >>> _is_protected("tcp://10.0.0.7:8786"), _is_protected("far:8786")
    (False, False)
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme in ("tls", "wss") or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _is_loading_error(error: Exception) -> bool:
    """Return whether a machine could not load the task, which is not an error of the agent."""
    return isinstance(error, (ImportError, pickle.UnpicklingError)) or (
        isinstance(error, RuntimeError) and "deserializ" in str(error)
    )


def _pair(answer: object) -> tuple[object, object]:
    if type(answer) is not tuple or len(answer) != 2:
        raise SapperError(f"an object of type {type(answer).__name__}, not games and times")
    games, times = answer
    return games, times


def _load_distributed() -> ModuleType:
    """Return the package `distributed`; raise an error that names the extra if it is missing."""
    try:
        return import_module("distributed")
    except ImportError as reason:
        raise _missing(reason) from reason


def _missing(reason: ImportError) -> SapperError:
    return SapperError(
        f"clusters require the extra 'cluster': run {install_command('cluster')} ({reason})"
    )


def _other_build(where: str, found: str, needed: str) -> ClusterError:
    return ClusterError(
        f"the worker {where} has {found}, but this run needs {needed}:"
        " install the same version on every machine"
    )


def _build() -> str:
    return f"Sapper {sapper.__version__} with the {sapper.engine_name} engine"
