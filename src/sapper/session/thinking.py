"""Thinking: work beside the caller's thread, of each topic only the newest."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from sapper.errors import SapperError

Found = TypeVar("Found")


class _Task(Generic[Found]):
    def __init__(
        self,
        topic: str,
        work: Callable[[], Found],
        then: Callable[[Found], object],
        failed: Callable[[SapperError], object],
    ) -> None:
        self.topic = topic
        self._work = work
        self._then = then
        self._failed = failed
        self._found: Found
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._found = self._work()
        except BaseException as error:  # It is raised where the result is taken in.
            self._error = error

    def finish(self) -> None:
        match self._error:
            case None:
                self._then(self._found)
            case SapperError() as error:
                self._failed(error)
            case error:
                raise error


class Thinker:
    """Threads that work for one owner, who takes in what they found when it suits.

    Work on a topic makes all earlier work on it worth nothing: what has not begun never does, and what
    comes to an end is dropped. Without threads, all work is done at once.

    >>> heard = []
    >>> thinker = Thinker(threads=1)
    >>> thinker.ask("sum", lambda: 1 + 1, heard.append)
    >>> while not thinker.collect():
    ...     pass
    >>> heard
    [2]
    >>> thinker.close()
    """

    def __init__(self, *, threads: int = 1) -> None:
        self._waiting: queue.SimpleQueue[_Task[object] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[_Task[object]] = queue.SimpleQueue()
        self._newest: dict[str, _Task[object]] = {}
        self._threads = [
            threading.Thread(target=self._think, name="sapper thinking", daemon=True)
            for _ in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def ask(
        self,
        topic: str,
        work: Callable[[], Found],
        then: Callable[[Found], object],
        failed: Callable[[SapperError], object] = lambda _: None,
    ) -> None:
        """Let something be worked out; `collect` hands it to `then`, or our own errors to `failed`."""
        task: _Task[object] = _Task(topic, work, then, failed)  # type: ignore[arg-type]
        self._newest[topic] = task
        if self._threads:
            self._waiting.put(task)
        else:
            task.run()
            self._finish(task)

    def is_busy(self, topic: str) -> bool:
        """Return whether something on this topic is being worked out."""
        return topic in self._newest

    def forget(self, topic: str) -> None:
        """Drop what is being worked out on this topic."""
        self._newest.pop(topic, None)

    def collect(self) -> bool:
        """Take in what was found since the last time; return whether there was anything."""
        news = False
        while True:
            try:
                task = self._done.get_nowait()
            except queue.Empty:
                return news
            news |= self._finish(task)

    def close(self) -> None:
        """Let the threads end when they have done what they do now."""
        self._newest.clear()
        for _ in self._threads:
            self._waiting.put(None)

    def _finish(self, task: _Task[object]) -> bool:
        if self._newest.get(task.topic) is not task:
            return False
        del self._newest[task.topic]
        task.finish()
        return True

    def _think(self) -> None:
        while (task := self._waiting.get()) is not None:
            if self._newest.get(task.topic) is task:
                task.run()
                self._done.put(task)
