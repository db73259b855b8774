"""Stopwatch: the time that a game has taken."""

from __future__ import annotations

from collections.abc import Callable

from sapper.game.record import MOST_SECONDS


class Stopwatch:
    """Counts seconds while it runs.

    >>> times = iter([10.0, 12.5])
    >>> stopwatch = Stopwatch(lambda: next(times), seconds=1.0)
    >>> stopwatch.run()
    >>> stopwatch.seconds
    3.5
    """

    def __init__(self, clock: Callable[[], float], seconds: float = 0.0) -> None:
        self._clock = clock
        self._counted = seconds
        self._started: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds counted so far, up to the most that a record allows."""
        running = 0.0 if self._started is None else max(self._clock() - self._started, 0.0)
        return min(self._counted + running, float(MOST_SECONDS))

    @property
    def is_running(self) -> bool:
        """Whether it is counting."""
        return self._started is not None

    def run(self) -> None:
        """Start, unless it is already running."""
        if self._started is None:
            self._started = self._clock()

    def stop(self) -> None:
        """Stop and keep the time counted so far."""
        self._counted, self._started = self.seconds, None
