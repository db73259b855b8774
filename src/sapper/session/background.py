"""Background tasks: work in other threads, whose results the caller collects with `poll`."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from sapper.errors import SapperError

Result = TypeVar("Result")
Report = Callable[[int, int], None]
"""A progress callback: the number of finished parts of a task, and the total."""


class _Cancelled(Exception):
    """Raised inside a cancelled task by its next progress report."""


class _Task(Generic[Result]):
    def __init__(
        self,
        name: str,
        work: Callable[[Report], Result],
        on_result: Callable[[Result], object],
        on_error: Callable[[SapperError], object],
    ) -> None:
        self.name = name
        self.is_cancelled = False
        self.has_ended = threading.Event()
        self.progress = 0, 0
        self._work = work
        self._on_result = on_result
        self._on_error = on_error
        self._result: Result
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._result = self._work(self._report)
        except BaseException as error:  # `deliver` raises it in the caller's thread.
            self._error = error
        finally:
            self.has_ended.set()

    def deliver(self) -> None:
        match self._error:
            case None:
                self._on_result(self._result)
            case SapperError() as error:
                self._on_error(error)
            case error:
                raise error

    def _report(self, done: int, total: int) -> None:
        if self.is_cancelled:
            raise _Cancelled
        self.progress = done, total


class BackgroundTasks:
    """Runs named tasks in threads; `poll` delivers their results in the caller's thread.

    Starting a task cancels the previous task of the same name. A cancelled task delivers nothing. It
    ends at its next progress report, or never starts if it was still waiting for a thread. With no
    threads, `start` runs the task at once.

    >>> results = []
    >>> tasks = BackgroundTasks(threads=1)
    >>> tasks.start("sum", lambda report: 1 + 1, results.append, print)
    >>> tasks.wait(), tasks.poll(), results
    (True, True, [2])
    """

    def __init__(self, *, threads: int = 1, wait_at_exit: bool = False) -> None:
        """Run up to `threads` tasks at a time. With `wait_at_exit`, Python waits for them at exit."""
        self.threads = threads
        """The number of tasks that can run at a time; with 0, `start` runs them at once."""
        self._is_daemon = not wait_at_exit
        self._newest: dict[str, _Task[object]] = {}
        self._ended: queue.SimpleQueue[_Task[object]] = queue.SimpleQueue()
        self._lock = threading.Lock()  # Guards the two attributes below.
        self._waiting: deque[_Task[object]] = deque()
        self._threads = 0

    def start(
        self,
        name: str,
        work: Callable[[Report], Result],
        on_result: Callable[[Result], object],
        on_error: Callable[[SapperError], object],
    ) -> None:
        """Start a task; `poll` passes its result to `on_result`, or a `SapperError` to `on_error`.

        `poll` raises any other error of the task.
        """
        self.cancel(name)
        task: _Task[object] = _Task(name, work, on_result, on_error)  # type: ignore[arg-type]
        self._newest[name] = task
        if not self.threads:
            task.run()
            self._deliver(task)
            return
        with self._lock:
            self._waiting.append(task)
            needs_thread = self._threads < self.threads
            self._threads += needs_thread
        if needs_thread:
            thread = threading.Thread(
                target=self._run_waiting, name="sapper-background", daemon=self._is_daemon
            )
            thread.start()

    def is_running(self, name: str) -> bool:
        """Return whether a task has started and its result has not been delivered yet."""
        return name in self._newest

    def progress(self, name: str) -> tuple[int, int]:
        """Return the finished parts of a running task and the total; (0, 0) if they are unknown."""
        return self._newest[name].progress if name in self._newest else (0, 0)

    def cancel(self, name: str) -> None:
        """Cancel a task, if it is running."""
        task = self._newest.pop(name, None)
        if task is not None:
            task.is_cancelled = True

    def poll(self) -> bool:
        """Deliver the results of the tasks that have ended; return whether there were any."""
        has_news = False
        while True:
            try:
                task = self._ended.get_nowait()
            except queue.Empty:
                return has_news
            has_news |= self._deliver(task)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all tasks have ended, or until the time limit; return whether they have ended."""
        end = None if seconds is None else time.monotonic() + seconds
        return all(
            task.has_ended.wait(None if end is None else max(0.0, end - time.monotonic()))
            for task in list(self._newest.values())
        )

    def close(self) -> None:
        """Cancel all tasks."""
        for name in list(self._newest):
            self.cancel(name)

    def _deliver(self, task: _Task[object]) -> bool:
        if self._newest.get(task.name) is not task:
            return False
        del self._newest[task.name]
        task.deliver()
        return True

    def _run_waiting(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                task = self._waiting.popleft()
            if not task.is_cancelled:
                task.run()
                self._ended.put(task)
