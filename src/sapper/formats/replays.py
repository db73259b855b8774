"""Replays of other Minesweeper programs: AVF, EVF, RMV and MVF.

They are read by ms-toollib, which may crash on broken files, so it runs in its own process.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from sapper.errors import BadFile, SapperError
from sapper.extras import install_command
from sapper.formats import _replay_child
from sapper.formats.records import check_entry
from sapper.game.game import Action, Game
from sapper.game.record import Entry, Record
from sapper.levels import Level
from sapper.position import Cell
from sapper.storage.files import errors_named, read_limited
from sapper.text import quoted

REPLAYS: Final = ("avf", "evf", "rmv", "mvf")
"""The replay formats, by file suffix."""
MOST_REPLAY_BYTES: Final = 16 * 2**20
MOST_ANSWER_BYTES: Final = 8 * 2**20
"""The most bytes of output from the child process: enough for about 100,000 clicks."""
_HIDDEN: Final = 10  # The codes of ms-toollib.
_FLAG: Final = 11
_OPENED: Final = (*range(9), 15)  # The number, or a mine.


class _ChangedCell(NamedTuple):
    """A cell that changed, with the codes of ms-toollib."""

    row: int
    column: int
    before: int
    after: int


class _Event(NamedTuple):
    """A click, or another event that changed the board."""

    at: float
    cell: Cell
    clicks: tuple[int, int, int]
    """The number of clicks so far with the left, the right and both buttons."""
    changes: list[_ChangedCell]


class _Replay(NamedTuple):
    """What the child process says about a replay."""

    height: int
    width: int
    mines: list[Cell]
    events: list[_Event]


def read_replay(source: str | os.PathLike[str] | bytes, *, kind: str | None = None) -> Record:
    """Return the record of a replay, from a file or, with its `kind`, from bytes.

    All moves are by `player`. Times count from the first entry; a click without effect is a `click`.
    Mouse movements, question marks and the promise are not part of the record.

    >>> read_replay(b"", kind="mp4")
    Traceback (most recent call last):
    sapper.errors.BadFile: 'mp4' is not a replay format; choose from avf, evf, rmv, mvf
    """
    if isinstance(source, bytes):
        return _record(_ask(source, _known(kind or "")))
    path = Path(source)
    with errors_named(path, "read"):
        kind = _known(path.suffix[1:] if kind is None else kind)
        return _record(_ask(read_limited(path, MOST_REPLAY_BYTES), kind))


def _known(kind: str) -> str:
    if kind.lower() not in REPLAYS:
        raise BadFile(f"{quoted(kind)} is not a replay format; choose from {', '.join(REPLAYS)}")
    return kind.lower()


# The child process -------------------------------------------------------------------------------


def _ask(data: bytes, kind: str) -> _Replay:
    """Return the replay as ms-toollib reads it."""
    package = find_spec("ms_toollib")
    if package is None or package.origin is None:
        raise BadFile(f"replays require the extra 'replays': run {install_command('replays')}")
    folder = str(Path(package.origin).resolve().parent.parent)
    command = [sys.executable, _replay_child.__file__, kind, folder, str(os.getpid())]
    try:
        answer = _run(command, data)
    except OSError as error:
        raise BadFile(f"the program that reads it could not be started: {error.strerror}") from error
    try:
        return _parse(json.loads(answer))
    except (ValueError, RecursionError):
        raise BadFile(f"it is not a valid .{kind} replay") from None


def _run(command: list[str], data: bytes) -> bytes:
    """Return the output of the child process; nothing if it fails."""
    import subprocess  # Imported here because they are slow to import and rarely needed.
    from tempfile import TemporaryDirectory, TemporaryFile
    from threading import Timer

    with TemporaryDirectory(ignore_cleanup_errors=True) as empty, TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        with subprocess.Popen(
            command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=empty
        ) as child:
            timer = Timer(_replay_child.MOST_SECONDS + 5, child.kill)
            timer.start()
            try:
                assert child.stdout is not None
                answer = child.stdout.read(MOST_ANSWER_BYTES + 1)
                if len(answer) > MOST_ANSWER_BYTES:
                    raise BadFile("it has too many clicks")
                code = child.wait()
            finally:
                timer.cancel()
                child.kill()
    if code in _OUT_OF_TIME:
        raise BadFile(f"it takes more than {_replay_child.MOST_SECONDS} seconds to read")
    return answer if code == 0 else b""


_OUT_OF_TIME: Final = tuple(
    -getattr(signal, name) for name in ("SIGKILL", "SIGXCPU") if hasattr(signal, name)
)
"""The exit codes of a child process that ran out of time."""


# Validation: a broken file may produce any output --------------------------------------------------


def _parse(answer: Any) -> _Replay:  # noqa: ANN401 - It is what JSON makes of the answer.
    """Return the output as typed values; raise `ValueError` if it is malformed."""
    try:
        return _Replay(
            _whole(answer["height"]),
            _whole(answer["width"]),
            [_cell(mine) for mine in answer["mines"]],
            [_event(event) for event in answer["events"]],
        )
    except (KeyError, TypeError) as error:
        raise ValueError("the answer has the wrong form") from error


def _event(event: Any) -> _Event:  # noqa: ANN401
    at = event["at"]
    if type(at) not in (int, float) or not math.isfinite(at):
        raise ValueError("a time is not a number")
    left, right, both = map(_whole, event["clicks"])
    changes = [_ChangedCell(*map(_whole, change)) for change in event["changes"]]
    return _Event(float(at), _cell(event["cell"]), (left, right, both), changes)


def _cell(cell: Any) -> Cell:  # noqa: ANN401
    row, column = map(_whole, cell)
    return row, column


def _whole(number: object) -> int:
    if type(number) is not int:
        raise ValueError("a number is not whole")
    return number


# The game ----------------------------------------------------------------------------------------


def _record(replay: _Replay) -> Record:
    """Return the record of a replay, replayed by Sapper's rules."""
    try:
        level = Level.of_size(replay.height, replay.width, len(replay.mines))
        game = Game.on(level, replay.mines)
    except SapperError as error:
        raise BadFile(f"its board is invalid: {error}") from error
    entries: list[Entry | None] = []
    idle: list[int] = []  # The indices of clicks without effect.
    clicks, latest = (0, 0, 0), -math.inf
    for event in replay.events:
        if game.over:
            break
        if event.clicks[1] < clicks[1] and idle:
            # The right button was pressed first: that was the start of a chord, not a click.
            entries[idle.pop()] = None
        at = max(event.at, latest)
        action = _action(event.cell, event.changes)
        if action is not None:
            _play(game, action, event.changes)
            entries.append(Entry(at, action.kind, action.cell))
            latest = at
        elif event.cell in game.position and any(map(int.__gt__, event.clicks, clicks)):
            idle.append(len(entries))
            entries.append(Entry(at, "click", event.cell))
            latest = at
        clicks = event.clicks
    if not game.actions:
        raise BadFile("it contains no moves")
    return Record.of(game, _counted([entry for entry in entries if entry is not None]))


def _counted(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return the entries with their times counted from the first."""
    began = entries[0].at
    counted = tuple(entry._replace(at=round(entry.at - began, 3)) for entry in entries)
    for number, entry in enumerate(counted, start=1):
        try:
            check_entry(entry, number)
        except SapperError as error:
            raise BadFile(str(error)) from error
    return counted


def _action(cell: Cell, changes: list[_ChangedCell]) -> Action | None:
    """Return the action at a cell, derived from the cells that changed."""
    opened = {(i, j) for i, j, before, after in changes if before == _HIDDEN and after in _OPENED}
    if opened:
        return Action("open" if cell in opened else "chord", cell)
    flagged = ((i, j) for i, j, before, after in changes if (before == _FLAG) != (after == _FLAG))
    return next((Action("flag", changed) for changed in flagged), None)


def _play(game: Game, action: Action, changes: list[_ChangedCell]) -> None:
    """Repeat an action of the replay in our game, and check that the same cells change."""
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
    numbers = game.position
    if any(at not in numbers or numbers[at] != number for at, number in expected.items()):
        raise BadFile(f"its move {len(game.actions)} shows other cells than these rules do")
