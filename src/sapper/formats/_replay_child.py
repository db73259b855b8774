"""Reads a replay with ms-toollib in a separate process, which a broken file may crash.

The replay comes on the standard input. The arguments are its kind, the folder of ms-toollib and the
parent's process ID. What happened in the replay goes as JSON to the standard output. `replays.py` runs
this file by its path, in an empty temporary directory.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

MOST_MEMORY = 2**30
"""The most bytes of memory that this process may use."""
MOST_SECONDS = 20
"""The most seconds of CPU time that this process may use."""
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux.


def read(kind: str, data: bytes) -> dict[str, Any]:
    """Return the board of a replay, and the events that changed it or were clicks.

    `clicks` is how many there were by then with the left, the right and both buttons.
    """
    videos = import_module("ms_toollib")
    video = getattr(videos, f"{kind.capitalize()}Video")(raw_data=list(data))
    video.parse()
    video.analyse()
    board = video.board if isinstance(video.board, list) else video.board.into_vec_vec()
    side, last = video.pix_size, (0, 0, 0)
    events = []
    for recorded in video.events:
        if not recorded.event.is_mouse():
            continue
        mouse, counts = recorded.event.unwrap_mouse(), recorded.key_dynamic_params
        if mouse.mouse == "mv":  # Most events are mouse movements; they change nothing.
            continue
        clicks = counts.left, counts.right, counts.double
        changes = _changes(recorded.prior_game_board.game_board, recorded.next_game_board.game_board)
        if changes or clicks != last:
            cell = mouse.y // side, mouse.x // side
            events.append({"at": recorded.time, "cell": cell, "clicks": clicks, "changes": changes})
            last = clicks
    mines = [(i, j) for i, row in enumerate(board) for j, code in enumerate(row) if code == -1]
    return {"height": len(board), "width": len(board[0]), "mines": mines, "events": events}


def _changes(before: list[list[int]], after: list[list[int]]) -> list[tuple[int, int, int, int]]:
    """Return the cells that changed: row, column, code before and code after."""
    if before == after:
        return []
    return [
        (i, j, old, new)
        for i, rows in enumerate(zip(before, after, strict=True))
        for j, (old, new) in enumerate(zip(*rows, strict=True))
        if old != new
    ]


def _limit() -> None:
    """Bound what this process may use, where the system can. From then on it can open no file."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, MOST_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 3),  # The standard streams: ms-toollib must not write a `crash.log`.
    ):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))


def _leave_no_files() -> None:
    """Remove the working directory: ms-toollib would leave a `crash.log` there.

    The parent removes it too, but the parent may be killed before. No file can be made in a directory
    that was removed. Windows keeps it until this process ends.
    """
    with suppress(OSError):
        os.rmdir(os.getcwd())


def _end_with(parent: int) -> None:
    """End this process when its parent ends, if the system supports it: the answer would be useless."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.name == "posix" and os.getppid() != parent:
        sys.exit("the parent has ended")


def main() -> None:
    """Answer with one line of JSON, or end in whatever way the broken file causes."""
    kind, folder, parent = sys.argv[1:]
    _leave_no_files()
    _end_with(int(parent))
    sys.path[0] = folder  # Instead of the folder of this file, whose modules are not for everyone.
    import_module("ms_toollib")
    _limit()
    print(json.dumps(read(kind, sys.stdin.buffer.read()), allow_nan=False))


if __name__ == "__main__":
    main()
