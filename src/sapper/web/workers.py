"""Workers: processes that do the server's work, so that the server itself always answers at once."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from sapper.processes import ctrl_c_blocked, end_with_parent
from sapper.session.background import Report
from sapper.web.fair_queue import FairQueue, QueueFull
from sapper.web.replies import Data, Refused, Reply
from sapper.web.tasks import ignore, run_task
from sapper.web.watchdog import TooSlow, Watchdog

QUICK_SECONDS: Final = 0.25
"""A task that takes longer is stopped, and done again by a worker that has more time."""
PATIENCE: Final = 6.0
"""Seconds after which a worker is stopped, whatever it does."""
REVIEW_PATIENCE: Final = 40.0
"""The same for a review."""
MOST_WAITING: Final = 128
"""The most requests that may wait for a worker of one lane."""
MOST_MEMORY: Final = 2 * 2**30
"""The most bytes of memory that a worker may allocate, where the system can enforce it."""
LONG_NICENESS: Final = 5
"""How far workers for long tasks step back when there are not enough cores: quick tasks go first."""
REVIEW_NICENESS: Final = 10
"""The same for reviews."""

BUSY: Final = {"error": "the server is busy; try again in a moment", "kind": "Busy"}
STOPPING: Final = {"error": "the server is shutting down; try again later", "kind": "Stopping"}
LATE: Final = {"error": "the request took too long to compute", "kind": "LimitReached"}
NO_MEMORY: Final = {"error": "the request needs too much memory", "kind": "LimitReached"}
BROKEN: Final = {"error": "internal server error", "kind": "Broken"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Progress:
    """Sent by a worker: how many parts of its task are done."""

    done: int
    count: int


_Answer = Reply | Refused | TooSlow
"""What a worker sends at the end of a task."""


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Not on Windows.
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@dataclass(frozen=True)
class _Terms:
    """How the workers of a lane work."""

    seconds: float | None = None
    """A task that takes longer is stopped by its worker; None is no limit."""
    niceness: int = 0


def _work(pipe: Connection, terms: _Terms) -> None:
    """Do tasks until the other end is closed; the main function of a worker process."""
    end_with_parent()
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(terms.niceness)
    watchdog = Watchdog()

    def report(done: int, count: int) -> None:
        pipe.send(_Progress(done, count))

    def do(name: str, facts: Data) -> _Answer:
        try:
            with watchdog.limit(terms.seconds):
                return run_task(name, facts, report)
        except TooSlow as slow:
            return slow
        except Refused as refused:
            return refused
        except MemoryError:
            return Refused(503, NO_MEMORY)
        except Exception:  # A bug. The next task may be fine, and a new process takes a while to start.
            _log.exception("the task %r failed", name)
            return Refused(500, BROKEN)

    with suppress(EOFError, OSError):
        while True:
            name, facts = pipe.recv()
            pipe.send(do(name, facts))


class _Worker:
    """A worker process, seen from the server."""

    def __init__(self, terms: _Terms) -> None:
        context = multiprocessing.get_context("spawn")
        self._in_use = threading.Lock()
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, terms), daemon=True)
        with ctrl_c_blocked():  # The server answers Ctrl-C for its workers.
            self._process.start()
        other.close()

    def do(self, name: str, facts: Data, report: Report) -> _Answer:
        """Do a task and wait for the answer; raises `EOFError` if the worker is stopped meanwhile."""
        with self._in_use:
            self._pipe.send((name, facts))
            while True:
                answer: _Answer | _Progress = self._pipe.recv()
                if not isinstance(answer, _Progress):
                    return answer
                report(answer.done, answer.count)

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        # The thread in `do` may still read what the process has sent. If the pipe were closed now, the
        # next file that is opened could get its number, and the thread would read from that.
        with self._in_use:
            self._pipe.close()


@dataclass(eq=False)
class _Place:
    """A place for a worker, whose process is started when it is first needed."""

    worker: _Worker | None = None


class Lane:
    """A number of workers for tasks of one kind, and a fair queue in front of them."""

    def __init__(
        self,
        count: int,
        *,
        patience: float,
        task_seconds: float | None = None,
        niceness: int = 0,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """A worker that does not answer after `patience` is replaced.

        Workers stop a task themselves after `task_seconds`.
        """
        self._patience = patience
        self._terms = _Terms(task_seconds, niceness)
        self._places = [_Place() for _ in range(count)]
        self._queue = FairQueue(self._places, most_waiting=most_waiting)
        self._threads = ThreadPoolExecutor(2 * count + 1, thread_name_prefix="sapper-worker")
        self._is_closed = False

    async def run(self, client: str, name: str, facts: Data, report: Report = ignore) -> Reply:
        """Return the answer to a task.

        Raises `Refused` if there is none, and `TooSlow` if the task needs more time than this lane has.
        If the caller is cancelled, the task is stopped.
        """
        if self._is_closed:
            raise Refused(503, STOPPING)
        try:
            place = await self._queue.take(client)
        except QueueFull:
            raise Refused(503, STOPPING if self._is_closed else BUSY) from None
        start = time.monotonic()
        try:
            answer = await self._do(place, name, facts, report)
        finally:
            self._queue.give_back(place, client, seconds=time.monotonic() - start)
        if isinstance(answer, Reply):
            return answer
        raise answer

    async def _do(self, place: _Place, name: str, facts: Data, report: Report) -> _Answer:
        loop = asyncio.get_running_loop()

        def report_here(done: int, count: int) -> None:  # Called by the thread that waits.
            loop.call_soon_threadsafe(report, done, count)

        answering: asyncio.Future[_Answer] | None = None
        try:
            worker = place.worker or await self._start(place)
            answering = loop.run_in_executor(self._threads, worker.do, name, facts, report_here)
            answering.add_done_callback(_take_note)
            return await asyncio.wait_for(asyncio.shield(answering), self._patience)
        except (TimeoutError, asyncio.TimeoutError):
            await asyncio.shield(self._replace(place))
            return Refused(503, LATE)
        except (EOFError, OSError):  # The process has ended, or could not be started.
            await asyncio.shield(self._stop(place))
            return Refused(503, STOPPING) if self._is_closed else Refused(500, BROKEN)
        except asyncio.CancelledError:
            await asyncio.shield(self._abandon(place, answering))
            raise
        except BaseException:
            await asyncio.shield(self._stop(place))
            raise

    async def _start(self, place: _Place) -> _Worker:
        """Start a process for a place."""
        if self._is_closed:
            raise EOFError
        start = asyncio.get_running_loop().run_in_executor(self._threads, _Worker, self._terms)
        try:
            place.worker = await asyncio.shield(start)
        except asyncio.CancelledError:
            place.worker = await start  # The next client can use it.
            raise
        if self._is_closed:  # While the process was being started.
            raise EOFError
        return place.worker

    async def _abandon(self, place: _Place, answering: asyncio.Future[_Answer] | None) -> None:
        """Free a place whose client has gone.

        If the worker stops its task soon by itself, it is kept: a new process takes longer to start,
        and the next client would have to wait for it.
        """
        if answering is None:
            return
        if self._terms.seconds is not None:
            await asyncio.wait({answering}, timeout=4 * self._terms.seconds)
        if not answering.done() or answering.cancelled() or answering.exception() is not None:
            await self._replace(place)

    async def _replace(self, place: _Place) -> None:
        """Stop a worker and start the next one; the client whose task it had is charged for this."""
        await self._stop(place)
        if not self._is_closed:
            with suppress(EOFError, OSError):  # The next client tries again.
                await self._start(place)

    async def _stop(self, place: _Place) -> None:
        worker, place.worker = place.worker, None
        if worker is None:
            return
        if self._is_closed:  # So are the threads.
            worker.stop()
        else:
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.stop)

    def close(self) -> None:
        """Stop all workers at once, and refuse all requests that wait for one."""
        self._is_closed = True
        self._queue.refuse_all()
        for place in self._places:
            worker, place.worker = place.worker, None
            if worker is not None:
                worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _take_note(answering: asyncio.Future[_Answer]) -> None:
    """Look at the error of an answer that nobody waits for any more, or asyncio logs it."""
    if not answering.cancelled():
        answering.exception()


class Workers:
    """Three lanes of workers: quick tasks, long tasks and reviews.

    Every task but a review first gets a moment on the quick lane. What cannot be done there moves to
    the lane for long tasks. So a quick request never waits for a slow one, whoever sent it.
    """

    def __init__(self, count: int) -> None:
        """`count` is the number of workers for long tasks."""
        self.quick = Lane(max(1, count // 4), patience=PATIENCE, task_seconds=QUICK_SECONDS)
        self.long = Lane(count, patience=PATIENCE, niceness=LONG_NICENESS)
        self.reviews = Lane(max(1, count // 2), patience=REVIEW_PATIENCE, niceness=REVIEW_NICENESS)

    async def run(self, client: str, name: str, facts: Data) -> Reply:
        """Return the answer to a task; raises `Refused` if there is none."""
        try:
            return await self.quick.run(client, name, facts)
        except TooSlow:
            return await self.long.run(client, name, facts)

    def close(self) -> None:
        """Stop all workers at once."""
        for lane in (self.quick, self.long, self.reviews):
            lane.close()
