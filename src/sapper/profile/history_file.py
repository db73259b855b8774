"""The history file: an SQLite table of finished games, repaired if it is damaged."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sapper.errors import BadScore, DamagedDatabase, SapperError
from sapper.game.game import Outcome
from sapper.profile.scores import FinishedGame
from sapper.storage.database import Row, Schema, errors_of, text_or_bytes
from sapper.storage.files import PRIVATE, describe_link, errors_named, file_name, unused_name
from sapper.storage.folders import check_private_file, make_private_folder
from sapper.storage.salvage import salvage

_TIMEOUT: Final = 1.0
"""Seconds to wait while another process writes. Players should not have to wait longer."""
_SCHEMA: Final = Schema(
    0x53617048,  # "SapH".
    version=1,
    what="Sapper's finished games",
    tables="""
    CREATE TABLE IF NOT EXISTS games (
        number INTEGER PRIMARY KEY,
        finished TEXT NOT NULL,      -- in UTC
        level TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        mines INTEGER NOT NULL,
        promise TEXT NOT NULL,
        kind TEXT NOT NULL,          -- random, no guess or given
        outcome TEXT NOT NULL,       -- won or lost
        seconds REAL NOT NULL,
        bbbv INTEGER NOT NULL,
        clicks INTEGER,
        helped INTEGER NOT NULL,
        practice INTEGER NOT NULL,
        code TEXT NOT NULL,          -- of the board
        record TEXT                  -- the game as JSON; last, so that the rest is read without it
    );
    CREATE TABLE IF NOT EXISTS added (
        token TEXT PRIMARY KEY       -- of a game whose file in the folder `unsaved` may still exist
    );
    """,
    mode=PRIVATE,
)
_COLUMNS: Final = (
    *("finished", "level", "width", "height", "mines", "promise", "kind", "outcome", "seconds"),
    *("bbbv", "clicks", "helped", "practice", "code", "record"),
)
_SIDE_FILES: Final = ("-journal", "-wal", "-shm")
"""The suffixes of the files that SQLite creates next to a database."""

Result = TypeVar("Result")


class Content(NamedTuple):
    """The content of the file. The games come without their records."""

    rows: list[Row]
    added: set[str]
    """The tokens of unsaved games that have been added; their files may still exist."""


class HistoryFile:
    """The finished games in a file. Every call reopens the file, so that programs can share it.

    A damaged file is renamed as soon as it is detected, and replaced by a new one with the games
    that can still be read. All errors are `SapperError`s.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.note: str | None = None
        """A message about the last repair; None if there was none."""

    def insert(
        self, games: Sequence[FinishedGame], unsaved: Callable[[], Mapping[str, FinishedGame]]
    ) -> list[str]:
        """Add games. Return the tokens of the unsaved ones, whose files can now be deleted."""
        return self._with_repair(lambda: self._insert(games, unsaved))

    def _insert(
        self, games: Sequence[FinishedGame], unsaved: Callable[[], Mapping[str, FinishedGame]]
    ) -> list[str]:
        insert = f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({_marks(_COLUMNS)})"
        with (
            errors_of(self.path),
            closing(_SCHEMA.connect(self.path, timeout=_TIMEOUT)) as database,
            database,  # Commits at the end.
        ):
            database.execute("BEGIN IMMEDIATE")
            # Write even if there are no games, to find out whether the file is writable.
            database.execute(f"PRAGMA user_version = {_SCHEMA.version}")
            # Read them under the lock: another process may have added the same games.
            waiting = unsaved()
            for token, game in waiting.items():
                new = database.execute("INSERT OR IGNORE INTO added VALUES (?)", (token,))
                if new.rowcount:
                    database.execute(insert, _values(row_of(game)))
            database.executemany(insert, [_values(row_of(game)) for game in games])
            for token in _added(database) - waiting.keys():  # Their files are gone.
                database.execute("DELETE FROM added WHERE token = ?", (token,))
        return list(waiting)

    def read(self) -> Content:
        """Return all games; none if there is no file."""
        return self._with_repair(self._read)

    def _read(self) -> Content:
        with errors_of(self.path):
            if not self._exists():
                return Content([], set())
            with closing(self._open()) as database:
                if not _has_table(database, "games"):
                    return Content([], set())
                names = (*_COLUMNS[:-1], "number")
                found = database.execute(f"SELECT {', '.join(names)} FROM games ORDER BY number")
                rows = [dict(zip(names, row, strict=True)) for row in found]
                return Content(rows, _added(database) if _has_table(database, "added") else set())

    def read_record(self, number: int) -> object:
        """Return the text of a game's record, or whatever is stored instead."""
        return self._with_repair(lambda: self._read_record(number))

    def _read_record(self, number: int) -> object:
        with errors_of(self.path):
            if not self._exists():
                return None
            with closing(self._open()) as database:
                found = database.execute("SELECT record FROM games WHERE number = ?", (number,))
                return next(iter(found), (None,))[0]

    def _open(self) -> sqlite3.Connection:
        database = _SCHEMA.open(self.path, timeout=_TIMEOUT)
        database.text_factory = text_or_bytes  # An invalid byte must not hide the other games.
        return database

    def _exists(self) -> bool:
        """Return whether there is a file, or a link where it should be."""
        folder = self.path.parent
        if folder.is_symlink() and not folder.exists():
            raise SapperError(f"is in a folder that is {describe_link(folder)}")
        try:
            self.path.lstat()
        except FileNotFoundError:
            return False
        return True  # Raises `OSError` if the folder is not a folder or is inaccessible.

    # Damage ------------------------------------------------------------------------------------

    def salvaged(self) -> Iterator[Row]:
        """Generate the readable games of a damaged file, without changing it."""
        with suppress(OSError, SapperError, sqlite3.Error):
            path = Path(os.path.realpath(self.path))
            yield from salvage(path, _SCHEMA, "games", "number", _COLUMNS, _is_game)

    def _with_repair(self, action: Callable[[], Result]) -> Result:
        """Run an action; if the file is damaged, repair it and try once more."""
        before = _identity(self.path)
        try:
            return action()
        except DamagedDatabase as error:
            self._repair(before, error)
        return action()

    def _repair(self, damaged: object, reason: DamagedDatabase) -> None:
        """Rename the damaged file, and create a new one with the games that can still be read.

        Raises `DamagedDatabase` if that is impossible; the file is then unchanged.
        """
        path = Path(os.path.realpath(self.path))
        try:
            with errors_named(self.path.parent, "write"):
                make_private_folder(self.path.parent)
                check_private_file(self.path)
            with errors_of(path), _lock(self.path.with_name("repair.lock")):
                if _identity(path) != damaged:  # Another process has repaired it in the meantime.
                    return
                fresh = path.with_name(f".sapper-{secrets.token_hex(8)}")
                try:
                    count = _write_salvaged(path, fresh)
                    aside = _replace_keeping(path, fresh)
                finally:
                    fresh.unlink(missing_ok=True)
        except SapperError as error:
            raise DamagedDatabase(f"{reason}; it cannot be repaired: {error}") from error
        games = "1 game was" if count == 1 else f"{count:,} games were"
        self.note = (
            f"{file_name(self.path)} was damaged: {games} recovered, and the damaged file was"
            f" renamed to {file_name(aside)}"
        )


def row_of(game: FinishedGame) -> Row:
    """Return a game as a row."""
    return {name: getattr(game, name) for name in _COLUMNS} | {"outcome": game.outcome.value}


def game_of(row: Row) -> FinishedGame:
    """Return a row as a game; raise `SapperError` if the row is invalid.

    >>> game_of({"outcome": "drawn", "helped": 0, "practice": 0})
    Traceback (most recent call last):
    sapper.errors.BadScore: outcome is 'drawn', not won or lost
    """
    facts = {name: row.get(name) for name in (*_COLUMNS, "number")}
    for name, values in (("helped", (0, 1)), ("practice", (0, 1)), ("outcome", ("won", "lost"))):
        if facts[name] not in values:
            choices = " or ".join(map(str, values))
            raise BadScore(f"{name} is {repr(facts[name])[:60]}, not {choices}")
    flags = {name: bool(facts[name]) for name in ("helped", "practice")}
    game: dict[str, Any] = facts | flags | {"outcome": Outcome(facts["outcome"])}
    return FinishedGame(**game)


def _is_game(row: Row) -> bool:
    try:
        game_of(row)
    except SapperError:
        return False
    return True


def _values(row: Row) -> list[object]:
    return [row[name] for name in _COLUMNS]


def _marks(names: Sequence[str]) -> str:
    return ", ".join("?" * len(names))


def _has_table(database: sqlite3.Connection, name: str) -> bool:
    found = database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
    return found.fetchone() is not None


def _added(database: sqlite3.Connection) -> set[str]:
    return {token for (token,) in database.execute("SELECT token FROM added")}


def _identity(path: Path) -> object:
    """Return the identity of a file, to detect its replacement; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _write_salvaged(path: Path, fresh: Path) -> int:
    """Copy the readable games of a damaged file to a new one; return their number."""
    names = ("number", *_COLUMNS)
    insert = f"INSERT INTO games ({', '.join(names)}) VALUES ({_marks(names)})"
    count = 0
    with closing(_SCHEMA.connect(fresh)) as database, database:
        for row in salvage(path, _SCHEMA, "games", "number", _COLUMNS, _is_game):
            database.execute(insert, [row[name] for name in names])
            count += 1
    return count


def _replace_keeping(path: Path, fresh: Path) -> Path:
    """Replace a damaged database with a new one; return the new name of the damaged one."""
    aside = unused_name(path)
    try:
        os.link(path, aside)  # So that the path always leads to a file.
    except OSError:  # The file system does not support hard links.
        path.rename(aside)
    for suffix in _SIDE_FILES:  # Otherwise SQLite would use them for the new database.
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    fresh.replace(path)
    return aside


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Keep other processes from making the same repair. The lock is released if the process dies."""
    with closing(sqlite3.connect(file, timeout=_TIMEOUT)) as database:
        try:
            database.execute("BEGIN EXCLUSIVE")
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):  # Another process holds the lock.
                raise
            file.unlink(missing_ok=True)
            raise
        file.unlink(missing_ok=True)
