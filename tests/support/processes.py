"""Processes that tests start, as Linux lists them."""

from __future__ import annotations

from pathlib import Path


def is_alive(process: int) -> bool:
    """Return whether a process runs; one that has ended may still be listed as a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
