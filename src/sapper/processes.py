"""Processes: children that end when their parent does, and leave Ctrl-C to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import Thread


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and for good in processes that are started in the `with` block.

    Ctrl-C in a terminal reaches all processes at once. A child that is not ready for it yet would print
    a traceback.

    >>> with ctrl_c_blocked():
    ...     pass
    """
    if os.name == "nt":  # Windows has no signal masks.
        yield
        return
    # The first process that `multiprocessing` starts also starts its resource tracker, which ends by
    # unblocking Ctrl-C. So it is started before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Let this child process end at once when its parent ends, even if the parent is killed.

    Without this, a busy process would first finish its task. To be called in a process that was started
    by `multiprocessing`.

    >>> end_with_parent()
    Traceback (most recent call last):
    RuntimeError: this process was not started by multiprocessing
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        raise RuntimeError("this process was not started by multiprocessing")

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, name="sapper-end-with-parent", daemon=True).start()
