"""Processes: which ones a process has started, and whether they still run. Needs /proc."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs /proc to find processes"
)


def _state_and_parent(pid: int) -> tuple[str, int]:
    """Return the state and the parent of a process; raises `OSError` if there is none."""
    state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return state, int(parent)


def children_of(pid: int) -> set[int]:
    """Return the processes that this process has started, and those that they have started."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = _state_and_parent(int(folder.name))[1]
        except OSError:
            continue
    found, waiting = set(), [pid]
    while waiting:
        parent = waiting.pop()
        new = {each for each, its_parent in parents.items() if its_parent == parent}
        found |= new
        waiting += new
    return found


def command_line(pid: int) -> str:
    """Return the command that a process runs; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""


def is_running(pid: int) -> bool:
    """Return whether a process has not ended."""
    try:
        return _state_and_parent(pid)[0] not in "ZX"
    except OSError:
        return False


def wait_until_ended(pids: Iterable[int], seconds: float) -> None:
    """Wait until all these processes have ended; raises `AssertionError` if that takes too long."""
    left = set(pids)
    end = time.monotonic() + seconds
    while left := set(filter(is_running, left)):
        assert time.monotonic() < end, f"these processes still run: {left}"
        time.sleep(0.05)
