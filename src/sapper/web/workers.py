"""Workers: processes that do the server's work, so that the server itself stays responsive."""

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
"""A task that takes longer is stopped and restarted in the lane for long tasks."""
TIMEOUT: Final = 6.0
"""Seconds after which a worker is killed."""
REVIEW_TIMEOUT: Final = 40.0
"""The same for a review."""
MOST_WAITING: Final = 128
"""The most requests that may wait in one lane."""
MOST_MEMORY: Final = 2 * 2**30
"""The most bytes of memory that a worker may allocate, if the system can enforce it."""
LONG_NICENESS: Final = 5
"""The niceness of workers for long tasks: quick tasks have priority."""
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
    """A worker's progress report: the number of finished parts of its task, and the total."""

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
class _WorkerOptions:
    """The options of the workers in a lane."""

    seconds: float | None = None
    """The worker stops a task that takes longer; None means no limit."""
    niceness: int = 0


def _work(pipe: Connection, options: _WorkerOptions) -> None:
    """Run tasks until the pipe is closed; the main function of a worker process."""
    end_with_parent()
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(options.niceness)
    watchdog = Watchdog()

    def report(done: int, count: int) -> None:
        pipe.send(_Progress(done, count))

    def do(name: str, facts: Data) -> _Answer:
        try:
            with watchdog.limit(options.seconds):
                return run_task(name, facts, report)
        except TooSlow as slow:
            return slow
        except Refused as refused:
            return refused
        except MemoryError:
            return Refused(503, NO_MEMORY)
        except Exception:  # A bug. Go on, because a new process takes a while to start.
            _log.exception("the task %r failed", name)
            return Refused(500, BROKEN)

    with suppress(EOFError, OSError):
        while True:
            name, facts = pipe.recv()
            pipe.send(do(name, facts))


class _Worker:
    """A worker process, seen from the server."""

    def __init__(self, options: _WorkerOptions) -> None:
        context = multiprocessing.get_context("spawn")
        self._in_use = threading.Lock()
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, options), daemon=True)
        with ctrl_c_blocked():  # The server handles Ctrl-C for its workers.
            self._process.start()
        other.close()

    def do(self, name: str, facts: Data, report: Report) -> _Answer:
        """Run a task and wait for the answer; raise `EOFError` if the worker is stopped meanwhile."""
        with self._in_use:
            self._pipe.send((name, facts))
            while True:
                answer: _Answer | _Progress = self._pipe.recv()
                if not isinstance(answer, _Progress):
                    return answer
                report(answer.done, answer.count)

    def stop(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()
        # The thread in `do` may still be reading from the pipe. If the pipe were closed now, the next
        # open file could get the same descriptor, and the thread would read from that file.
        with self._in_use:
            self._pipe.close()


@dataclass(eq=False)
class _Slot:
    """A slot for a worker. The process starts when it is first needed."""

    worker: _Worker | None = None


class Lane:
    """Workers for one kind of task, behind a fair queue."""

    def __init__(
        self,
        count: int,
        *,
        timeout: float,
        task_seconds: float | None = None,
        niceness: int = 0,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """Create a lane of `count` workers.

        A worker that does not answer within `timeout` seconds is replaced. Workers stop a task
        themselves after `task_seconds`.
        """
        self._timeout = timeout
        self._options = _WorkerOptions(task_seconds, niceness)
        self._slots = [_Slot() for _ in range(count)]
        self._queue = FairQueue(self._slots, most_waiting=most_waiting)
        self._threads = ThreadPoolExecutor(2 * count + 1, thread_name_prefix="sapper-worker")
        self._is_closed = False

    async def run(self, client: str, name: str, facts: Data, report: Report = ignore) -> Reply:
        """Return the answer to a task.

        Raises `Refused` if there is none, and `TooSlow` if the task exceeds the time limit of the lane.
        If the caller is cancelled, the task is stopped.
        """
        if self._is_closed:
            raise Refused(503, STOPPING)
        try:
            slot = await self._queue.take(client)
        except QueueFull:
            raise Refused(503, STOPPING if self._is_closed else BUSY) from None
        start = time.monotonic()
        try:
            answer = await self._do(slot, name, facts, report)
        finally:
            self._queue.give_back(slot, client, seconds=time.monotonic() - start)
        if isinstance(answer, Reply):
            return answer
        raise answer

    async def _do(self, slot: _Slot, name: str, facts: Data, report: Report) -> _Answer:
        loop = asyncio.get_running_loop()

        def report_here(done: int, count: int) -> None:  # Called in the waiting thread.
            loop.call_soon_threadsafe(report, done, count)

        answer: asyncio.Future[_Answer] | None = None
        try:
            worker = slot.worker or await self._start(slot)
            answer = loop.run_in_executor(self._threads, worker.do, name, facts, report_here)
            answer.add_done_callback(_retrieve_error)
            return await asyncio.wait_for(asyncio.shield(answer), self._timeout)
        except (TimeoutError, asyncio.TimeoutError):
            await asyncio.shield(self._replace(slot))
            return Refused(503, LATE)
        except (EOFError, OSError):  # The process has ended, or could not be started.
            await asyncio.shield(self._stop(slot))
            return Refused(503, STOPPING) if self._is_closed else Refused(500, BROKEN)
        except asyncio.CancelledError:
            await asyncio.shield(self._abandon(slot, answer))
            raise
        except BaseException:
            await asyncio.shield(self._stop(slot))
            raise

    async def _start(self, slot: _Slot) -> _Worker:
        """Start the process of a slot."""
        if self._is_closed:
            raise EOFError
        start = asyncio.get_running_loop().run_in_executor(self._threads, _Worker, self._options)
        try:
            slot.worker = await asyncio.shield(start)
        except asyncio.CancelledError:
            slot.worker = await start  # The next client can use it.
            raise
        if self._is_closed:  # It was closed while the process was starting.
            raise EOFError
        return slot.worker

    async def _abandon(self, slot: _Slot, answer: asyncio.Future[_Answer] | None) -> None:
        """Free a slot whose client has disconnected.

        A worker that soon stops its task by itself is kept: the next client would have to wait longer
        for a new process.
        """
        if answer is None:
            return
        if self._options.seconds is not None:
            await asyncio.wait({answer}, timeout=4 * self._options.seconds)
        if not answer.done() or answer.cancelled() or answer.exception() is not None:
            await self._replace(slot)

    async def _replace(self, slot: _Slot) -> None:
        """Replace a worker. The time counts as usage of the client whose task it had."""
        await self._stop(slot)
        if not self._is_closed:
            with suppress(EOFError, OSError):  # The next client tries again.
                await self._start(slot)

    async def _stop(self, slot: _Slot) -> None:
        worker, slot.worker = slot.worker, None
        if worker is None:
            return
        if self._is_closed:  # The threads are closed, too.
            worker.stop()
        else:
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.stop)

    def close(self) -> None:
        """Stop all workers at once and refuse all waiting requests."""
        self._is_closed = True
        self._queue.refuse_all()
        for slot in self._slots:
            worker, slot.worker = slot.worker, None
            if worker is not None:
                worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _retrieve_error(answer: asyncio.Future[_Answer]) -> None:
    """Retrieve the error of an abandoned answer; otherwise asyncio would log it."""
    if not answer.cancelled():
        answer.exception()


class WorkerPool:
    """Three lanes of workers: quick tasks, long tasks and reviews.

    Every task except a review starts in the quick lane. If it takes too long, it moves to the lane for
    long tasks. So a quick request never waits for a slow one.
    """

    def __init__(self, count: int) -> None:
        """`count` is the number of workers for long tasks."""
        self.quick = Lane(max(1, count // 4), timeout=TIMEOUT, task_seconds=QUICK_SECONDS)
        self.long = Lane(count, timeout=TIMEOUT, niceness=LONG_NICENESS)
        self.reviews = Lane(max(1, count // 2), timeout=REVIEW_TIMEOUT, niceness=REVIEW_NICENESS)

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
