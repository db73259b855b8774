"""A watchdog that stops the work of a process's main thread when its time is over."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(Exception):
    """The work was stopped because its time was over."""


class Watchdog:
    """Interrupts the main thread; create it there. From then on, Ctrl-C does nothing in this process.

    The engine looks for signals many times a second, so it stops as soon as Python code does.

    >>> watchdog = Watchdog()
    >>> with watchdog.limit(0.01):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    sapper.web.watchdog.TooSlow
    >>> watchdog.close()
    """

    def __init__(self) -> None:
        self._is_on = False
        self._before = signal.signal(signal.SIGINT, self._interrupt)

    def close(self) -> None:
        """Let Ctrl-C do again what it did before."""
        signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def limit(self, seconds: float | None) -> Iterator[None]:
        """Raise `TooSlow` in the `with` block after this many seconds; None is no limit."""
        if seconds is None:
            yield
            return
        timer = threading.Timer(seconds, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
        self._is_on = True
        try:
            yield
        finally:
            # Handlers run in this thread, so a signal that arrives from here on does nothing.
            self._is_on = False
            timer.cancel()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_on:
            self._is_on = False
            raise TooSlow
