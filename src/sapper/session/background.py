"""Background: work in a thread of its own, for a face that goes on drawing meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from sapper.errors import SapperError

Result = TypeVar("Result")
Report = Callable[[int, int], None]
"""Told how many parts of the work are done, and of how many."""


class _Cancelled(Exception):
    """Nobody waits for the work any more."""


class Background(Generic[Result]):
    """Work that is begun once and gives one result, or the error that it met.

    The work is called with a function to report its progress to. Once it is cancelled that function
    ends the work; work that does not report runs to its end, and what it found is forgotten.

    >>> def add(report):
    ...     report(1, 2)
    ...     return 2 + 2
    >>> adding = Background(add)
    >>> adding.start()
    >>> adding.wait(), adding.progress, adding.result
    (True, (1, 2), 4)
    """

    def __init__(self, work: Callable[[Report], Result]) -> None:
        self._work = work
        self._thread = threading.Thread(target=self._run, name="sapper-background")
        self._cancelled = threading.Event()
        self._finished = threading.Event()
        self._progress = 0, 0
        self._result: Result | None = None
        self._error: Exception | None = None

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    def cancel(self) -> None:
        """Let the work end as soon as it can: it has no result from now on."""
        self._cancelled.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the work has ended, at most so long; return whether it has."""
        return self._finished.wait(seconds)

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._cancelled.is_set()

    @property
    def finished(self) -> bool:
        """Whether the work has ended, in whichever way."""
        return self._finished.is_set()

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts are done, and of how many; (0, 0) as long as that is not known."""
        return self._progress

    @property
    def result(self) -> Result | None:
        """What the work found: None before its end, and if it was cancelled.

        If the work raised an error, so does this.
        """
        if self.cancelled or not self.finished:
            return None
        if self._error is not None:
            raise self._error
        return self._result

    @property
    def trouble(self) -> str | None:
        """What kept the work from its result, where that is an error of ours."""
        is_ours = isinstance(self._error, SapperError) and self.finished and not self.cancelled
        return str(self._error) if is_ours else None

    def _run(self) -> None:
        try:
            self._report(0, 0)  # It may have been cancelled before it began.
            self._result = self._work(self._report)
        except _Cancelled:
            pass
        except Exception as error:  # Not forgotten: `result` raises it where it is asked for.
            self._error = error
        finally:
            self._finished.set()

    def _report(self, done: int, total: int) -> None:
        if self.cancelled:
            raise _Cancelled
        self._progress = done, total
