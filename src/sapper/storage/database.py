"""Sapper's SQLite files: schemas with version numbers, and errors that name the file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sapper.errors import DamagedDatabase, SapperError
from sapper.storage.files import describe_link, file_name

Row = dict[str, Any]
"""A row of a table: its values by column name."""

_LONGEST_VALUE: Final = 64 * 2**20
"""In bytes. The largest values in Sapper's files are game records, which are much smaller."""
_ADVICE: Final = {
    "locked": "another program is using it; try again later",
    "disk is full": "free some space on the disk, then try again",
    "readonly": "you do not have permission to write to it or to its folder",
    "unable to open": "you do not have permission to write to its folder, or the folder does not exist",
    "disk I/O error": "the disk may be full or failing",
}
"""Advice about SQLite's errors, by a part of their message."""


@dataclass(frozen=True)
class Schema:
    """The tables of one kind of file.

    >>> schema = Schema(7, version=1, what="notes", tables="CREATE TABLE IF NOT EXISTS notes (t);")
    >>> database = schema.connect(":memory:")
    >>> database.execute("PRAGMA user_version").fetchone()
    (1,)
    >>> database.close()
    """

    application: int
    """SQLite's application ID, which identifies the kind of file."""
    version: int
    what: str
    """What the file contains, for error messages."""
    tables: str
    """SQL statements that create the missing tables."""
    upgrades: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """For each older version, SQL statements that upgrade a file to the next version."""
    mode: int = 0o600
    """The permissions of a new file, before the umask is applied."""

    def connect(
        self, file: str | Path, *, timeout: float = 5.0, any_thread: bool = False
    ) -> sqlite3.Connection:
        """Open a file for writing; create it and its tables if they are missing.

        A file of an older version is upgraded. A file of another program, or of a newer version, raises
        an error and is not changed.
        """
        if str(file) != ":memory:" and not os.path.lexists(file):
            with suppress(FileExistsError):  # Another process may have created it in the meantime.
                os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, self.mode))
        database = self.open(file, timeout=timeout, any_thread=any_thread)
        try:
            if not self._is_complete(database):
                self._upgrade(database)
                database.executescript(
                    f"BEGIN IMMEDIATE; {self.tables}"
                    f"PRAGMA application_id = {self.application};"
                    f"PRAGMA user_version = {self.version}; COMMIT;"
                )
                self._check_columns(database)
        except BaseException:
            database.close()
            raise
        return database

    def open(
        self, file: str | Path, *, timeout: float = 5.0, any_thread: bool = False
    ) -> sqlite3.Connection:
        """Open an existing file without changing it. A new file may have no tables yet.

        Only the calling thread can use the connection, unless `any_thread` is true.
        """
        path = Path(file)
        if path.is_symlink() and not path.exists():
            raise SapperError(f"is {describe_link(path)}")
        if path.exists():
            if not path.is_file():  # Opening a pipe would wait forever.
                raise SapperError("is a folder" if path.is_dir() else "is not a regular file")
            if 0 < path.stat().st_size < 100:  # The header alone is 100 bytes.
                raise DamagedDatabase("is not a database: it is too short")
        database = sqlite3.connect(file, timeout=timeout, check_same_thread=not any_thread)
        try:
            limit_lengths(database)
            database.execute("PRAGMA trusted_schema = OFF")
            self._check(database)
        except BaseException:
            database.close()
            raise
        return database

    def _is_complete(self, database: sqlite3.Connection) -> bool:
        """Return whether the file has this version and all tables."""
        return _state(database)[:2] == (self.application, self.version) and all(
            _columns(database, table) for table in _columns_of(self.tables)
        )

    def _upgrade(self, database: sqlite3.Connection) -> None:
        """Upgrade a file of an older version, in one transaction."""
        with database:
            database.execute("BEGIN IMMEDIATE")  # Two processes must not upgrade it at once.
            _, version, tables = _state(database)
            for older in range(max(version, 0), self.version) if tables else ():
                for statement in self.upgrades.get(older, ()):
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {older + 1}")

    def _check(self, database: sqlite3.Connection) -> None:
        application, version, tables = _state(database)
        if tables and application != self.application:
            raise SapperError(f"is a database, but does not contain {self.what}")
        if version > self.version:
            raise SapperError(
                f"has version {version}, from a newer Sapper; this one supports version {self.version}"
            )
        # A foreign view or trigger could run forever.
        foreign = database.execute(
            "SELECT type, name FROM sqlite_master"
            " WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
        ).fetchone()
        if foreign is not None:
            kind = foreign[0] if foreign[0] in ("view", "trigger") else "virtual table"
            raise SapperError(f"contains a {kind}, {foreign[1]!r}, which Sapper does not create")
        if tables and version == self.version:
            self._check_columns(database)

    def _check_columns(self, database: sqlite3.Connection) -> None:
        for table, expected in _columns_of(self.tables).items():
            columns = _columns(database, table)
            missing = expected - columns if columns else set()
            if missing:
                raise DamagedDatabase(
                    f"is damaged: table {table!r} has no {', '.join(sorted(missing))}"
                )


@lru_cache
def _columns_of(tables: str) -> dict[str, frozenset[str]]:
    """Return the columns of each table that the statements create."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: _columns(database, name) for (name,) in names}


def _columns(database: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the columns of a table, except generated ones, which could take forever to compute."""
    found = database.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", (table,))
    return frozenset(name for (name,) in found)


def _state(database: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the application ID, the version and the number of tables."""
    application, version, tables = (
        database.execute(query).fetchone()[0]
        for query in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
        )
    )
    return application, version, tables


def limit_lengths(database: sqlite3.Connection) -> None:
    """Reject values larger than any in Sapper's files. Python 3.10 cannot do this."""
    if hasattr(database, "setlimit"):
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)


def text_or_bytes(value: bytes) -> str | bytes:
    """Return text from a database, or bytes if it is not valid UTF-8. Use it as a `text_factory`.

    >>> text_or_bytes(b"won"), text_or_bytes(b"\\xff")
    ('won', b'\\xff')
    """
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


@contextmanager
def errors_of(file: str | Path) -> Iterator[None]:
    """Turn database errors into `SapperError`s that name the file.

    >>> with errors_of("notes.sqlite"):
    ...     raise sqlite3.OperationalError("database is locked")
    Traceback (most recent call last):
    sapper.errors.SapperError: notes.sqlite cannot be used as a database: database is locked (...
    """
    name = file_name(file)
    try:
        yield
    except sqlite3.Error as error:
        words = f"{name} cannot be used as a database: {error}"
        if type(error) is sqlite3.DatabaseError:  # Its subclasses do not mean damage.
            raise DamagedDatabase(words) from error
        advice = next((advice for word, advice in _ADVICE.items() if word in str(error)), None)
        raise SapperError(words if advice is None else f"{words} ({advice})") from error
    except OSError as error:
        reason = error.strerror or error
        raise SapperError(f"{name} cannot be used as a database: {reason}") from error
    except DamagedDatabase as error:
        raise DamagedDatabase(f"{name} {error}") from error
    except SapperError as error:
        raise SapperError(f"{name} {error}") from error
    except ValueError as error:  # The name contains a null character.
        raise SapperError(f"{name} cannot be used as a database: {error}") from error
