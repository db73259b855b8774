"""SQLite files of ours: whose they are, which version, and their errors with the file's name."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sapper.errors import SapperError
from sapper.formats._disk import file_name


@dataclass(frozen=True)
class Schema:
    """What a kind of file holds.

    >>> schema = Schema(7, version=1, what="notes", tables="CREATE TABLE IF NOT EXISTS notes (t);")
    >>> database = schema.connect(":memory:")
    >>> database.execute("PRAGMA user_version").fetchone()
    (1,)
    >>> database.close()
    """

    application: int
    """SQLite's number for whose file it is."""
    version: int
    what: str
    """In words, for errors."""
    tables: str
    """The statements that make the tables where there are none."""
    upgrades: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """For each older version, the statements that make a file of it one of the next."""

    def connect(
        self, file: str | Path, *, timeout: float = 5.0, any_thread: bool = False
    ) -> sqlite3.Connection:
        """Open a file to write to; one that is new gets its tables, at once and whole.

        One of an older version becomes one of this. A file that is another's, or of a later version,
        is an error and stays as it is.
        """
        database = self.open(file, timeout=timeout, any_thread=any_thread)
        try:
            self._upgrade(database)
            database.executescript(
                f"BEGIN IMMEDIATE; {self.tables}"
                f"PRAGMA application_id = {self.application};"
                f"PRAGMA user_version = {self.version}; COMMIT;"
            )
        except BaseException:
            database.close()
            raise
        return database

    def open(
        self, file: str | Path, *, timeout: float = 5.0, any_thread: bool = False
    ) -> sqlite3.Connection:
        """Open a file as it is; a new one has no tables.

        Only the calling thread can use the connection, unless `any_thread` is true.
        """
        path = Path(file)
        if path.exists() and not path.is_file():  # A pipe would keep us waiting for ever.
            raise SapperError("is a folder" if path.is_dir() else "is not a file")
        database = sqlite3.connect(file, timeout=timeout, check_same_thread=not any_thread)
        try:
            self._check(database)
        except BaseException:
            database.close()
            raise
        return database

    def _upgrade(self, database: sqlite3.Connection) -> None:
        """Make a file of an older version one of this, whole or not at all."""
        with database:
            database.execute("BEGIN IMMEDIATE")  # Another may be at it: whoever is first does it.
            _, version, tables = _state(database)
            for older in range(version, self.version) if tables else ():
                for statement in self.upgrades.get(older, ()):
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {older + 1}")

    def _check(self, database: sqlite3.Connection) -> None:
        application, version, tables = _state(database)
        if tables and application != self.application:
            raise SapperError(f"is a database, but not of {self.what}")
        if version > self.version:
            raise SapperError(
                f"is of version {version}, made by a later Sapper; this one knows {self.version}"
            )


def _state(database: sqlite3.Connection) -> tuple[int, int, int]:
    """Return whose file it is, of which version, and how many tables it has."""
    application, version, tables = (
        database.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
        )
    )
    return application, version, tables


@contextmanager
def errors_of(file: str | Path) -> Iterator[None]:
    """Turn errors of a database into ours, with the file's name.

    >>> with errors_of("notes.sqlite"):
    ...     raise sqlite3.OperationalError("database is locked")
    Traceback (most recent call last):
    sapper.errors.SapperError: notes.sqlite cannot be used as a database: database is locked
    """
    try:
        yield
    except sqlite3.Error as error:
        raise SapperError(f"{file_name(file)} cannot be used as a database: {error}") from error
    except OSError as error:
        reason = error.strerror or error
        raise SapperError(f"{file_name(file)} cannot be used as a database: {reason}") from error
    except SapperError as error:
        raise SapperError(f"{file_name(file)} {error}") from error
