"""Workers: processes that do the server's work, so that the server itself always answers at once."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from sapper.background import Report
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

BUSY: Final = {"error": "the server is busy; try again in a moment", "kind": "Busy"}
LATE: Final = {"error": "the answer took too long", "kind": "LimitReached"}
NO_MEMORY: Final = {"error": "the answer takes too much memory", "kind": "LimitReached"}
BROKEN: Final = {"error": "something went wrong on the server", "kind": "Broken"}


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


def _work(pipe: Connection, seconds: float | None) -> None:
    """Do tasks until the other end is closed; the main function of a worker process.

    A task that takes more than this many seconds is stopped; None is no limit.
    """
    _limit_memory()
    watchdog = Watchdog()  # It also lets Ctrl-C do nothing: the server answers that.

    def report(done: int, count: int) -> None:
        pipe.send(_Progress(done, count))

    def do(name: str, facts: Data) -> _Answer:
        try:
            with watchdog.limit(seconds):
                return run_task(name, facts, report)
        except TooSlow as slow:
            return slow
        except Refused as refused:
            return refused
        except MemoryError:
            return Refused(503, NO_MEMORY)

    with suppress(EOFError, OSError):
        while True:
            name, facts = pipe.recv()
            pipe.send(do(name, facts))


class _Worker:
    """A worker process, seen from the server."""

    def __init__(self, seconds: float | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, seconds), daemon=True)
        self._process.start()
        other.close()

    def do(self, name: str, facts: Data, report: Report) -> _Answer:
        """Do a task and wait for the answer; raises `EOFError` if the worker is stopped meanwhile."""
        self._pipe.send((name, facts))
        while True:
            answer: _Answer | _Progress = self._pipe.recv()
            if not isinstance(answer, _Progress):
                return answer
            report(answer.done, answer.count)

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


@dataclass
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
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """A worker that does not answer after `patience` is replaced.

        Workers stop a task themselves after `task_seconds`.
        """
        self._patience = patience
        self._task_seconds = task_seconds
        self._queue = FairQueue([_Place() for _ in range(count)], most_waiting=most_waiting)
        self._threads = ThreadPoolExecutor(2 * count + 1, thread_name_prefix="sapper-worker")

    async def run(self, client: str, name: str, facts: Data, report: Report = ignore) -> Reply:
        """Return the answer to a task.

        Raises `Refused` if there is none, and `TooSlow` if the task needs more time than this lane has.
        If the caller is cancelled, the task is stopped.
        """
        try:
            place = await self._queue.take(client)
        except QueueFull:
            raise Refused(503, BUSY) from None
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

        try:
            if place.worker is None:
                place.worker = await loop.run_in_executor(self._threads, _Worker, self._task_seconds)
            answering = loop.run_in_executor(self._threads, place.worker.do, name, facts, report_here)
            return await asyncio.wait_for(answering, self._patience)
        except (TimeoutError, asyncio.TimeoutError):
            await asyncio.shield(self._stop(place))
            return Refused(503, LATE)
        except (EOFError, OSError):  # The process has ended, or could not be started.
            await asyncio.shield(self._stop(place))
            return Refused(500, BROKEN)
        except BaseException:
            await asyncio.shield(self._stop(place))
            raise

    async def _stop(self, place: _Place) -> None:
        worker, place.worker = place.worker, None
        if worker is not None:
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.stop)

    def close(self) -> None:
        """Stop all workers that have nothing to do."""
        for place in self._queue.take_free():
            if place.worker is not None:
                place.worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


class Workers:
    """Three lanes of workers: quick tasks, long tasks and reviews.

    Every task but a review first gets a moment on the quick lane. What cannot be done there moves to
    the lane for long tasks. So a quick request never waits for a slow one, whoever sent it.
    """

    def __init__(self, count: int) -> None:
        """`count` is the number of workers for long tasks."""
        self.quick = Lane(max(1, count // 4), patience=PATIENCE, task_seconds=QUICK_SECONDS)
        self.long = Lane(count, patience=PATIENCE)
        self.reviews = Lane(max(1, count // 2), patience=REVIEW_PATIENCE)

    async def run(self, client: str, name: str, facts: Data) -> Reply:
        """Return the answer to a task; raises `Refused` if there is none."""
        try:
            return await self.quick.run(client, name, facts)
        except TooSlow:
            return await self.long.run(client, name, facts)

    def close(self) -> None:
        """Stop all workers that have nothing to do."""
        for lane in (self.quick, self.long, self.reviews):
            lane.close()
