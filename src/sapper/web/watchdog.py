"""A watchdog that interrupts a process's main thread after a time limit."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(Exception):
    """The work was stopped because it reached its time limit."""


class Watchdog:
    """Interrupts the main thread; create it there.

    A signal interrupts everything: Python code, waiting for another process, and the engine, which
    checks for signals many times per second. Windows has no timer signals, so there the watchdog uses
    the signal of Ctrl-C, and waiting for another process is not interrupted.

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
        self._signal = signal.SIGINT if sys.platform == "win32" else signal.SIGALRM
        self._before = signal.signal(self._signal, self._interrupt)

    def close(self) -> None:
        """Restore the previous signal handler."""
        signal.signal(self._signal, self._before)

    @contextmanager
    def limit(self, seconds: float | None) -> Iterator[None]:
        """Raise `TooSlow` in the `with` block after this many seconds; None means no limit."""
        if seconds is None:
            yield
            return
        stop_timer = _start_timer(seconds)
        self._is_on = True
        try:
            yield
        finally:
            # Handlers run in this thread, so a signal that arrives from now on does nothing.
            self._is_on = False
            stop_timer()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_on:
            self._is_on = False
            raise TooSlow


def _start_timer(seconds: float) -> Callable[[], object]:
    """Send the signal after some time; return a function that cancels it."""
    if sys.platform == "win32":
        timer = threading.Timer(seconds, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
        return timer.cancel
    signal.setitimer(signal.ITIMER_REAL, seconds)
    return lambda: signal.setitimer(signal.ITIMER_REAL, 0)
