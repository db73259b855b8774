"""History: the finished games of a player on the disk, and the game that was left."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

from sapper._database import Schema, errors_of
from sapper._folders import data_folder
from sapper.errors import SapperError
from sapper.formats._disk import errors_named, file_name, move_aside, read_limited
from sapper.formats.files import MOST_BYTES
from sapper.formats.records import NotBegun, record_from_json
from sapper.game import Outcome
from sapper.record import Record
from sapper.scores import BoardKind, FinishedGame, LevelStatistics, statistics

__all__ = ["BoardKind", "FinishedGame", "History", "LevelStatistics", "statistics"]

_PATIENCE: Final = 1.0
"""How many seconds to wait for another program that writes: a player waits no longer."""
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
    """,
)
_COLUMNS: Final = (
    *("finished", "level", "width", "height", "mines", "promise", "kind", "outcome", "seconds"),
    *("bbbv", "clicks", "helped", "practice", "code", "record"),
)


class History:
    """The finished games of a player, in an SQLite file in a folder.

    Nothing that the disk does is an error to the game: where a file cannot be read or written,
    `trouble` says so, and games are counted in memory until they can be kept. The file is opened for
    each thing that is done, and not held between.

    >>> import tempfile
    >>> from sapper import Game
    >>> game = Game.on("3x1/1", [(0, 2)])
    >>> opened = game.open((0, 0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history = History.open(folder)
    ...     history.add(FinishedGame.of(Record.of(game), kind="given"))
    ...     [(kept.level, kept.won) for kept in History(folder)], history.trouble
    ([('3x1/1', True)], None)
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Look at the history in a folder: nothing is written before a game is added."""
        self.folder = data_folder(folder)
        self.path = self.folder / "history.sqlite"
        self.unfinished_path = self.folder / "unfinished.json"
        """Where the game in progress is to be recorded."""
        self._unsaved: list[FinishedGame] = []
        self._troubles: dict[str, str] = {}

    @classmethod
    def open(cls, folder: str | os.PathLike[str] | None = None) -> History:
        """Return the history in a folder, which is made if need be: what does not work is known now."""
        history = cls(folder)
        history.save()
        return history

    @property
    def trouble(self) -> str | None:
        """What does not work, in a sentence or two; None while all is well."""
        return "; ".join(self._troubles.values()) or None

    # Finished games ----------------------------------------------------------------------------

    def add(self, game: FinishedGame) -> None:
        """Keep a finished game: when this returns it is on the disk, or there is `trouble`."""
        self._unsaved.append(game)
        self.save()

    def save(self) -> bool:
        """Try again to write what is only counted in memory; return whether all is on the disk."""
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        insert = f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({marks})"
        try:
            with errors_named(self.folder, "it cannot be made"):
                self.folder.mkdir(parents=True, exist_ok=True)
            with (
                errors_of(self.path),
                closing(_SCHEMA.connect(self.path, timeout=_PATIENCE)) as database,
                database,  # It commits.
            ):
                database.executemany(insert, map(_row, self._unsaved))
        except SapperError as error:
            self._troubles["games"] = f"Finished games are not kept: {error}"
            return False
        self._unsaved.clear()
        self._troubles.pop("games", None)
        return True

    def __iter__(self) -> Iterator[FinishedGame]:
        """Generate the games in the order they were finished, without their records."""
        return iter(self.games())

    def games(self) -> list[FinishedGame]:
        """Return the games in the order they were finished, without their records.

        >>> History("nowhere").games()
        []
        """
        columns = ", ".join((*_COLUMNS[:-1], "number"))
        rows = self._query(f"SELECT {columns} FROM games ORDER BY number")
        games = []
        for row in rows:
            try:
                games.append(_game(row))
            except (SapperError, TypeError, ValueError) as error:
                which = f"Game {row['number']} of {file_name(self.path)}"
                self._troubles["reading"] = f"{which} cannot be read: {error}"
        return games + [replace(game, record=None) for game in self._unsaved]

    def record(self, game: FinishedGame) -> Record | None:
        """Return how a game was played; None if that was not kept. A `BadRecord` if it was changed."""
        text = game.record
        if text is None and game.number is not None:
            rows = self._query("SELECT record FROM games WHERE number = ?", game.number)
            text = rows[0]["record"] if rows else None
        return None if text is None else record_from_json(text)

    def _query(self, question: str, *values: object) -> list[sqlite3.Row]:
        """Return what the file answers; nothing where there is no file, or one that cannot be read."""
        self._troubles.pop("reading", None)
        try:
            with errors_of(self.path):
                if not self.path.exists():
                    return []
                with closing(_SCHEMA.open(self.path, timeout=_PATIENCE)) as database:
                    database.row_factory = sqlite3.Row
                    if not database.execute("PRAGMA user_version").fetchone()[0]:
                        return []  # Not even its table was made.
                    return database.execute(question, values).fetchall()
        except SapperError as error:
            self._troubles["reading"] = f"Finished games cannot be read: {error}"
            return []

    # The game that was left --------------------------------------------------------------------

    def load_unfinished(self) -> Record | None:
        """Return the game that was left in the middle; None if there is none.

        A file that is no record is moved aside and named as trouble. One that tells of a finished game,
        or of one in which no cell was opened yet, is nothing to go on with.

        >>> History("nowhere").load_unfinished() is None
        True
        """
        self._troubles.pop("unfinished", None)
        path = self.unfinished_path
        if not os.path.lexists(path):
            return None
        words = f"The game that was left cannot be gone on with: {file_name(path)}"
        try:
            record = record_from_json(read_limited(path, MOST_BYTES).decode())
        except OSError as error:
            self._troubles["unfinished"] = f"{words}: {error.strerror}"
            return None
        except NotBegun:
            return None
        except ValueError as error:  # Ours among them: it is no record.
            self._troubles["unfinished"] = f"{words}: {error}"
            self._set_aside()
            return None
        return record if record.outcome is Outcome.PLAYING else None

    def forget_unfinished(self) -> None:
        """Take the file of the game that was left away, so that another can be recorded."""
        self._troubles.pop("unfinished", None)
        try:
            self.unfinished_path.unlink(missing_ok=True)
        except OSError as error:
            words = f"The game that was left cannot be forgotten: {self.unfinished_path}"
            self._troubles["unfinished"] = f"{words}: {error.strerror}"

    def _set_aside(self) -> None:
        try:
            aside = move_aside(self.unfinished_path)
        except OSError as error:
            self._troubles["unfinished"] += f"; nor can it be moved aside: {error.strerror}"
        else:
            self._troubles["unfinished"] += f"; it is now {aside.name}"


def _row(game: FinishedGame) -> dict[str, object]:
    row = {name: getattr(game, name) for name in _COLUMNS}
    return row | {"outcome": game.outcome.value}


def _game(row: sqlite3.Row) -> FinishedGame:
    facts: dict[str, Any] = {name: row[name] for name in row.keys()}  # noqa: SIM118 - rows are no dicts.
    flags = {name: bool(facts[name]) for name in ("helped", "practice")}
    return FinishedGame(**(facts | flags | {"outcome": Outcome(facts["outcome"])}))
