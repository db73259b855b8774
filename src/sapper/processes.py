"""Child processes that end with their parent and leave Ctrl-C to it."""

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
    """Block Ctrl-C in this thread, and in processes started in the `with` block until they unblock it.

    Ctrl-C in a terminal reaches all processes at once. A child that is still starting would print a
    traceback.

    >>> with ctrl_c_blocked():
    ...     pass
    """
    if os.name == "nt":  # Windows has no signal masks.
        yield
        return
    # Starting the resource tracker of `multiprocessing` unblocks Ctrl-C, so start it now. Otherwise the
    # first child process would start it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this child process as soon as its parent ends, even if the parent is killed.

    Without this, a busy child would first finish its task. Call it in a process that `multiprocessing`
    started.

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
