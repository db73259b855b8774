"""The games of a server: saved sessions in SQLite, each with a secret name and a version."""

from __future__ import annotations

import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sapper.errors import SapperError
from sapper.storage.database import Schema, errors_of
from sapper.web.replies import Refused

MOST_IDLE: Final = 600.0
"""The most seconds that a game's clock counts between two requests: the player may have left."""
MOST_GAMES: Final = 100_000
"""If there are more games, the ones that have been idle the longest are deleted."""
LOCK_SECONDS: Final = 2.0
"""How long a request waits while another process writes to the database."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_SCHEMA: Final = Schema(
    0x53617057,  # "SapW".
    version=2,
    what="Sapper's games on a server",
    tables="""
    CREATE TABLE IF NOT EXISTS games (
        name TEXT PRIMARY KEY,
        changed REAL NOT NULL,
        session TEXT NOT NULL,     -- a saved session, as JSON
        version INTEGER NOT NULL DEFAULT 1
    );
    CREATE INDEX IF NOT EXISTS games_changed ON games (changed);
    """,
    upgrades={1: ("ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 1",)},
)


@dataclass(frozen=True)
class StoredGame:
    """A stored game."""

    name: str
    session: str
    version: int
    """The number of times it has been stored."""
    idle: float
    """Seconds since it was stored, at most `MOST_IDLE`."""


class Games:
    """The games of everyone who plays on a server. Several servers may share the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     games = Games(Path(folder, "games.sqlite"))
    ...     name = games.new_name()
    ...     games.add(name, "a session")
    ...     game = games.find(name)
    ...     games.replace(game, "the next session"), games.replace(game, "another session")
    ...     games.close()
    (True, False)
    """

    def __init__(self, file: Path, *, most: int = MOST_GAMES) -> None:
        self._file = file
        self._most = most
        self._lock = threading.Lock()
        self._open_connection: sqlite3.Connection | None = None
        try:
            with errors_of(file):
                self._stay_open()
        except SapperError as error:
            advice = "choose another file with --games, or move this one away"
            raise SapperError(f"{error}; {advice}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._open_connection is not None:
                self._open_connection.close()
                self._open_connection = None

    def _stay_open(self) -> None:
        """Keep a connection open.

        This keeps the files that SQLite creates next to the database, which readers need. On a full
        disk, they could not be created again.
        """
        with self._lock:
            if self._open_connection is None:
                self._open_connection = _SCHEMA.connect(self._file, any_thread=True)
                self._open_connection.execute(
                    "PRAGMA journal_mode = WAL"
                )  # The file stores this setting.

    @staticmethod
    def new_name() -> str:
        """Return a name for a new game that nobody can guess."""
        return secrets.token_urlsafe(16)

    def add(self, name: str, session: str) -> None:
        """Store a new game."""
        with self._writing() as connection:
            connection.execute("INSERT INTO games VALUES (?, ?, ?, 1)", (name, time.time(), session))
            connection.execute(
                "DELETE FROM games WHERE name IN (SELECT name FROM games ORDER BY changed"
                " LIMIT max(0, (SELECT count(*) FROM games) - ?))",
                (self._most,),
            )

    def find(self, name: str) -> StoredGame:
        """Return the game with this name; raise `Refused` if there is none."""
        row = None
        if _NAME.fullmatch(name):
            with self._connect("the game could not be read") as connection:
                select = "SELECT session, version, changed FROM games WHERE name = ?"
                row = connection.execute(select, (name,)).fetchone()
        if row is None:
            raise Refused(404, {"error": "game not found", "kind": "NotFound"})
        session, version, changed = row
        idle = min(
            max(time.time() - changed, 0.0), MOST_IDLE
        )  # The system clock may have been changed.
        return StoredGame(name, session, version, idle)

    def replace(self, game: StoredGame, session: str) -> bool:
        """Store the next session of a game; return False if the game has been stored since.

        After an error, the stored game is unchanged.
        """
        with self._writing() as connection:
            changed = connection.execute(
                "UPDATE games SET session = ?, changed = ?, version = version + 1"
                " WHERE name = ? AND version = ?",
                (session, time.time(), game.name, game.version),
            )
            return changed.rowcount == 1

    @contextmanager
    def _connect(self, problem: str) -> Iterator[sqlite3.Connection]:
        """Open a connection; turn errors into responses."""
        try:
            self._stay_open()
            with closing(_SCHEMA.open(self._file, timeout=LOCK_SECONDS)) as connection:
                connection.execute("PRAGMA synchronous = NORMAL")
                yield connection
        except (sqlite3.Error, OSError, SapperError) as error:
            if not isinstance(error, sqlite3.OperationalError) or "I/O" in str(error):
                self.close()  # The file may have been replaced: reopen it next time.
            reason = getattr(error, "strerror", None) or error
            message = f"{problem}: {reason}; try again in a moment"
            raise Refused(503, {"error": message, "kind": "Storage"}) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        problem = "the game could not be saved, and nothing was changed"
        with self._connect(problem) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")  # Only this statement waits for the lock.
            yield connection
