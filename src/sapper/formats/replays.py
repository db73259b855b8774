"""Replays of the players' programs, AVF, EVF, RMV and MVF: games that can be reviewed here.

They are read by ms-toollib, which is not made for broken files, so it runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sapper.errors import BadFile, SapperError
from sapper.formats import _replay_child
from sapper.formats._disk import errors_named, read_limited
from sapper.game import Action, Game
from sapper.levels import Level
from sapper.position import Cell
from sapper.record import Entry, Record

REPLAYS: Final = ("avf", "evf", "rmv", "mvf")
"""The kinds of replays: how their files' names end."""
MOST_REPLAY_BYTES: Final = 16 * 2**20
_HIDDEN: Final = 10  # The codes of ms-toollib.
_FLAG: Final = 11
_OPENED: Final = (*range(9), 15)  # The number, or a mine.


def read_replay(source: str | os.PathLike[str] | bytes, *, kind: str | None = None) -> Record:
    """Return the record of a replay, from a file or from its bytes; those need the `kind`.

    Who played is `player`. Times count from the first entry; a click that changed nothing is a `click`.
    Movements of the mouse are left out, question marks are not known, nor is what was promised.

    >>> read_replay(b"", kind="mp4")
    Traceback (most recent call last):
    sapper.errors.BadFile: 'mp4' is not a kind of replay: avf, evf, rmv, mvf
    """
    if isinstance(source, bytes):
        return _record(_events(source, _known(kind or "")))
    path = Path(source)
    with errors_named(path, "it cannot be read"):
        kind = _known(path.suffix[1:] if kind is None else kind)
        return _record(_events(read_limited(path, MOST_REPLAY_BYTES), kind))


def _known(kind: str) -> str:
    if kind.lower() not in REPLAYS:
        raise BadFile(f"{kind!r} is not a kind of replay: {', '.join(REPLAYS)}")
    return kind.lower()


def _events(data: bytes, kind: str) -> dict[str, Any]:
    """Return what ms-toollib says of the replay."""
    import subprocess  # Here and not above: few need it, and it takes a while.

    package = find_spec("ms_toollib")
    if package is None or package.origin is None:
        raise BadFile(
            "replays are read with ms-toollib, which is missing: pip install 'sapper[replays]'"
        )
    folder = str(Path(package.origin).resolve().parent.parent)
    try:
        with _folder_for_crashes() as crashes:
            done = subprocess.run(
                [sys.executable, _replay_child.__file__, kind, folder, str(os.getpid())],
                input=data,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=crashes,
                timeout=_replay_child.MOST_SECONDS + 5,
                check=True,
            )
        answer: dict[str, Any] = json.loads(done.stdout)
    except OSError as error:
        raise BadFile(f"the program that reads it could not be started: {error.strerror}") from error
    except (subprocess.SubprocessError, ValueError) as error:
        raise BadFile(f"it is not a replay of the kind {kind}, or it is broken") from error
    return answer


def _folder_for_crashes() -> AbstractContextManager[str]:
    """Return a folder for ms-toollib to work in. If it fails, it writes a `crash.log` there.

    On POSIX systems the process cannot open files, so any folder will do. A temporary one would be left
    behind if this process were killed.
    """
    if os.name == "posix":
        return nullcontext(os.sep)
    from tempfile import TemporaryDirectory

    return TemporaryDirectory()


def _record(answer: dict[str, Any]) -> Record:
    """Return the record of what happened, played by our rules."""
    try:
        level = Level.of_size(answer["height"], answer["width"], len(answer["mines"]))
        game = Game.on(level, [(i, j) for i, j in answer["mines"]])
    except SapperError as error:
        raise BadFile(f"its board is wrong: {error}") from error
    entries: list[Entry] = []
    clicks = [0, 0, 0]
    for event in answer["events"]:
        if game.over:
            break
        if event["clicks"][1] < clicks[1]:
            # The right button went down before the left: it was no click, but the beginning of a chord.
            _drop_last_click(entries)
        i, j = event["cell"]
        at = max(event["at"], entries[-1].at) if entries else event["at"]
        action = _action((i, j), event["changes"])
        if action is not None:
            _play(game, action, event["changes"])
            entries.append(Entry(at, action.kind, action.cell))
        elif (i, j) in game.position and any(map(int.__gt__, event["clicks"], clicks)):
            entries.append(Entry(at, "click", (i, j)))
        clicks = event["clicks"]
    if not game.actions:
        raise BadFile("nothing was done in it")
    began = entries[0].at
    return Record.of(game, tuple(entry._replace(at=round(entry.at - began, 3)) for entry in entries))


def _action(cell: Cell, changes: list[list[int]]) -> Action | None:
    """Return what was done at a cell, from what changed: rows, columns, codes before and after."""
    opened = {(i, j) for i, j, before, after in changes if before == _HIDDEN and after in _OPENED}
    if opened:
        return Action("open" if cell in opened else "chord", cell)
    flagged = ((i, j) for i, j, before, after in changes if (before == _FLAG) != (after == _FLAG))
    return next((Action("flag", changed) for changed in flagged), None)


def _play(game: Game, action: Action, changes: list[list[int]]) -> None:
    """Do it in our game; what it shows then must be what the replay shows."""
    expected = {(i, j): after for i, j, _, after in changes if after <= 8}
    try:
        match action.kind:
            case "open":
                game.open(action.cell)
            case "flag":
                game.flag(action.cell)
            case "chord":
                game.chord(action.cell)
    except SapperError as error:
        raise BadFile(f"its move {len(game.actions) + 1} cannot be made: {error}") from error
    if any(game.position[at] != number for at, number in expected.items()):
        raise BadFile(f"its move {len(game.actions)} shows other cells than these rules do")


def _drop_last_click(entries: list[Entry]) -> None:
    for place in reversed(range(len(entries))):
        if entries[place].kind == "click":
            del entries[place]
            return
