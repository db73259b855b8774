"""Recorder: writes the record of a game to disk while it is played.

After every move the file is a valid record, so a killed process loses at most the move it was about to
write. (A power failure may lose more.) A move is one write over the brackets at the end of the file. A
kill could split a write that crosses a memory page, so in that case the file is replaced instead.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Final

from sapper.errors import BadFile, BadRecord
from sapper.formats.records import ENDING, check_entry, move_line, text_of
from sapper.game.game import Game
from sapper.game.record import MOST_SECONDS, PLAYER, Entry, EntryKind, Record
from sapper.position import Cell
from sapper.storage.files import Replacement, errors_named, file_name, replace_file

_PAGE: Final = 4096


class Recorder:
    """Records a game in a new file, move by move. The first move creates the file.

    An existing file is an error. Later problems, such as a full disk, are not: the game continues, and
    `trouble` says what is wrong.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> game = Game.new("beginner", seed=7)
    >>> recorder = Recorder(Path(folder.name, "game.json"), game)
    >>> opened = game.open((4, 4))
    >>> recorder.note("open", (4, 4))
    >>> from sapper.formats import record_from_json
    >>> record_from_json(recorder.path.read_text()) == recorder.record
    True
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Game,
        *,
        clock: Callable[[], float] = time.monotonic,
        overwrite: bool = False,
        backup: Path | None = None,
        mode: int = 0o666,
    ) -> None:
        """With `overwrite`, the first move of the game replaces an existing file.

        That file is renamed to `backup`, if given. `mode` is the permissions of a new file, before the
        umask is applied.
        """
        self.path = Path(path)
        self._overwrites = overwrite
        self._backup = backup
        self._mode = mode
        self.trouble: str | None = None
        """Why recording stopped; None if it has not."""
        if not overwrite:
            _check_new(self.path)
        self._game = game
        self._clock = clock
        self._began: float | None = None
        self._entries = [Entry(0.0, action.kind, action.cell) for action in game.actions]
        self._standing = list(self._entries)
        """The entries that were not undone: one for each action of the game."""
        self._minefield = game.minefield
        """The minefield to which the entries belong."""
        self._content = bytearray()
        """The content of the file; empty before it is created."""

    @property
    def has_written(self) -> bool:
        """Whether the file has been created."""
        return bool(self._content)

    @property
    def record(self) -> Record:
        """The record so far; raises `BadRecord` before the mines are placed."""
        record = Record.of(self._begun())
        return replace(record, entries=tuple(self._entries))

    def continue_from(self, entries: Sequence[Entry]) -> None:
        """Continue a game in which these entries were already made, and its time.

        Call this before anything is noted.
        """
        self._entries = list(entries)
        self._standing = []
        for entry in entries:
            if entry.kind == "undo":
                self._standing.pop()
            elif entry.kind != "click":
                self._standing.append(entry)
        if entries:
            self._began = self._clock() - entries[-1].at

    def note(self, kind: EntryKind, cell: Cell | None = None, *, by: str = PLAYER) -> None:
        """Record what was just done in the game.

        An action without effect, such as a chord with missing flags, is a `click`.
        """
        now = self._clock()
        if self._began is None:
            self._began = now
        earliest = self._entries[-1].at if self._entries else 0.0
        # Whatever the clock does, times never decrease or exceed the limit of a record.
        at = min(max(earliest, round(now - self._began, 3)), float(MOST_SECONDS))
        entry = Entry(at, kind, cell, by)
        check_entry(entry, len(self._entries) + 1)
        if kind == "undo" and not self._standing:
            raise BadRecord("there is nothing to undo")
        drawn = self._game.minefield
        redrawn = drawn is not None and drawn is not self._minefield
        if redrawn:
            if self._minefield is not None:
                # The first opening was undone, and its mines with it: keep only the remaining actions.
                self._entries = list(self._standing)
            self._minefield = drawn
        if kind == "undo":
            self._standing.pop()
        elif kind != "click":
            self._standing.append(entry)
        self._entries.append(entry)
        if self.trouble is None:
            try:
                with errors_named(self.path, "write"):
                    self._write(entry, whole=redrawn)
            except BadFile as error:
                self.trouble = str(error)

    def delete_file(self) -> None:
        """Delete the file. The next move, if there is one, creates it again with all moves so far."""
        self.path.unlink(missing_ok=True)
        self._content = bytearray()

    def _begun(self) -> Game:
        """Return the game before its first move, on the minefield of the entries."""
        game = self._game
        return Game(
            game.level,
            seed=game.seed,
            promise=game.promise,
            minefield=self._minefield,
            first=game.first,
        )

    def _write(self, entry: Entry, *, whole: bool) -> None:
        if not self._content:
            if not self._overwrites:  # An error if the file was created in the meantime.
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, self._mode))
            elif self._backup is not None and self.path.is_file():
                self.path.replace(self._backup)
        elif self.path.stat().st_size != len(self._content):
            raise BadFile("another program has changed it")
        if whole or not self._content:
            self._replace(bytearray(text_of(self._begun(), self._entries).encode()))
            return
        comma = "," if len(self._entries) > 1 else ""
        addition = f"{comma}\n{move_line(entry)}{ENDING}".encode()
        start = len(self._content) - len(ENDING)
        if start // _PAGE != (start + len(addition) - 1) // _PAGE:
            self._replace(self._content[:start] + addition)
        else:
            self._add(addition, start)
            self._content[start:] = addition

    def _replace(self, content: bytearray) -> None:
        try:
            replace_file(self.path, content, mode=self._mode)
        except OSError:
            if not self._content and not self._overwrites:
                self.path.unlink()  # Do not leave an empty file behind.
            raise
        self._content = content

    def _add(self, addition: bytes, start: int) -> None:
        with self.path.open("r+b", buffering=0) as file:
            file.seek(start)
            if file.write(addition) != len(addition):  # The disk is full: close the brackets again.
                file.seek(start)
                file.write(ENDING.encode())
                file.truncate(len(self._content))
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def recorders(path: str | os.PathLike[str], *, overwrite: bool = False) -> Callable[[Game], Recorder]:
    """Return a function that creates a recorder for each game of a session.

    The files are numbered: `game.json`, `game-2.json`, `game-3.json`. A game without moves has no file.
    With `overwrite`, the first game may replace an existing file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     begin, game = recorders(Path(folder, "game.json")), Game.on("3x1/1", [(0, 2)])
    ...     begin(game).note("click", (0, 0))
    ...     begin(game).path.name
    'game-2.json'
    """
    first = Path(path)
    if not overwrite:
        _check_new(first)
    made: list[Recorder] = []

    def begin(game: Game) -> Recorder:
        if overwrite and not any(recorder.has_written for recorder in made):
            made.append(Recorder(first, game, overwrite=True))
            return made[-1]
        numbered = (first.with_stem(f"{first.stem}-{number}") for number in count(2))
        names = chain((first,), numbered)
        return Recorder(next(name for name in names if not os.path.lexists(name)), game)

    return begin


def _check_new(path: Path) -> None:
    """Raise `BadFile` unless a new file with this name can be created."""
    with errors_named(path, "write"):
        if os.path.lexists(path):
            raise BadFile("it exists already; choose another name")
        if not path.parent.is_dir():
            raise BadFile(f"the folder {file_name(path.parent)} does not exist")
        Replacement(path).discard()  # Fail now rather than after the first move.
