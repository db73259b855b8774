"""Workers: processes that do tasks, a bounded number of them; one that takes too long is replaced."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from sapper.background import Report
from sapper.web.tasks import Data, Refused, ignore, run_task

BUSY: Final = {"error": "too much is being worked out here: try again soon", "kind": "Busy"}
LATE: Final = {"error": "it took longer than it may", "kind": "LimitReached"}
BROKEN: Final = {"error": "something broke while it was worked out", "kind": "Broken"}


def _work(pipe: Connection) -> None:
    """Do tasks until the other end is closed. The process is a worker's own."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to answer.

    def report(done: int, count: int) -> None:
        pipe.send(("progress", (done, count)))

    with suppress(EOFError, OSError):
        while True:
            name, facts = pipe.recv()
            try:
                pipe.send(("done", run_task(name, facts, report)))
            except Refused as refused:
                pipe.send(("refused", (refused.status, refused.facts)))


class _Worker:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other,), daemon=True)
        self._process.start()
        other.close()

    def do(self, name: str, facts: Data, report: Report) -> tuple[str, Any]:
        """Do a task, and wait for it; an `EOFError` if the worker was stopped meanwhile."""
        self._pipe.send((name, facts))
        while True:
            how, answer = self._pipe.recv()
            if how != "progress":
                return how, answer
            report(*answer)

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


class Workers:
    """Some processes for tasks, and a queue before them that is not endless."""

    def __init__(self, count: int, *, most_waiting: int = 64) -> None:
        self._count = count
        self._most_waiting = most_waiting
        self._waiting = 0
        self._free: asyncio.Queue[_Worker | None] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(2 * count + 2, thread_name_prefix="sapper worker")
        for _ in range(count):
            self._free.put_nowait(None)  # It is started when it is needed.

    async def run(self, name: str, facts: Data, *, seconds: float, report: Report = ignore) -> Data:
        """Return what a task comes to; `Refused` if it may not, cannot, or takes longer than that.

        A task whose caller goes away is stopped.
        """
        if self._waiting >= self._most_waiting:
            raise Refused(503, BUSY)
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        loop = asyncio.get_running_loop()

        def report_here(done: int, count: int) -> None:  # Called in the thread that waits.
            loop.call_soon_threadsafe(report, done, count)

        try:
            if worker is None:
                worker = await loop.run_in_executor(self._threads, _Worker)
            asked = loop.run_in_executor(self._threads, worker.do, name, facts, report_here)
            how, answer = await asyncio.wait_for(asked, seconds)
        except (TimeoutError, asyncio.TimeoutError):
            await asyncio.shield(self._replace(worker))
            raise Refused(503, LATE) from None
        except (EOFError, OSError) as error:  # Its process is no more, or could not be started.
            await asyncio.shield(self._replace(worker))
            raise Refused(500, BROKEN) from error
        except BaseException:
            await asyncio.shield(self._replace(worker))
            raise
        self._free.put_nowait(worker)
        if how == "refused":
            raise Refused(*answer)
        found: Data = answer
        return found

    async def _replace(self, worker: _Worker | None) -> None:
        if worker is not None:
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.stop)
        self._free.put_nowait(None)

    def close(self) -> None:
        """Stop all workers that have nothing to do."""
        while not self._free.empty():
            worker = self._free.get_nowait()
            if worker is not None:
                worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
