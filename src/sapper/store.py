"""Store: runs of games in an SQLite file."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from sapper import _engine
from sapper._database import Schema, errors_of
from sapper.arena import Run

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS runs (
        id INTEGER PRIMARY KEY,
        started TEXT NOT NULL,       -- in UTC
        engine TEXT NOT NULL,
        agent TEXT NOT NULL,
        level TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        mines INTEGER NOT NULL,
        first_row INTEGER NOT NULL,  -- from 0
        first_column INTEGER NOT NULL,
        promise TEXT NOT NULL,
        seed TEXT,                   -- as digits, it may be too large; NULL for boards from a file
        games INTEGER NOT NULL       -- asked for
    );
    CREATE TABLE IF NOT EXISTS games (
        run INTEGER NOT NULL REFERENCES runs (id),
        number INTEGER NOT NULL,     -- from 0
        seed TEXT,                   -- the board's, as digits; NULL for a board from a file
        won INTEGER NOT NULL,
        cells_left INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        guesses INTEGER,
        survival REAL,
        solved REAL,
        seconds REAL NOT NULL,
        lost_at INTEGER,             -- the mine's cell, counted row by row from 0
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
"""
_SCHEMA: Final = Schema(
    0x53617070,  # "Sapp".
    version=1,
    what="Sapper's runs",
    tables=_TABLES,
    upgrades={0: ("ALTER TABLE games ADD COLUMN lost_at INTEGER",)},
)


class Store:
    """An SQLite file with a table of runs and one of their games.

    >>> from sapper.arena import Plan
    >>> store = Store(":memory:")
    >>> with Run(Plan.of("2x1/1", games=3), jobs=1) as run:
    ...     store.begin(run)
    ...     _ = run.play(2)
    >>> store.save()
    >>> store.query("SELECT run, number, won FROM games")
    [(1, 0, 1), (1, 1, 1)]
    """

    def __init__(self, file: str | Path) -> None:
        self._file = str(file)
        self._runs: dict[int, Run] = {}
        self._saved: dict[int, int] = {}  # How many games of each.
        with errors_of(self._file):
            self._database = _SCHEMA.connect(self._file)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def begin(self, *runs: Run) -> None:
        """Note runs that begin."""
        with errors_of(self._file), self._database:
            for run in runs:
                fields = _described(run)
                insert = (
                    f"INSERT INTO runs ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))})"
                )
                number = self._database.execute(insert, list(fields.values())).lastrowid
                assert number is not None
                self._runs[number] = run
                self._saved[number] = 0

    def save(self) -> None:
        """Keep the games that the runs have played since they were saved last."""
        with errors_of(self._file), self._database:
            for number, run in self._runs.items():
                start, width = self._saved[number], run.plan.setup.level.width
                rows = (
                    (number, i, _digits(game.seed), *game.columns(width)[1:])
                    for i, game in enumerate(run.played[start:], start)
                )
                self._database.executemany(f"INSERT INTO games VALUES ({', '.join('?' * 11)})", rows)
        self._saved = {number: len(run.played) for number, run in self._runs.items()}

    def query(self, question: str) -> list[tuple[object, ...]]:
        """Return the rows that an SQL query finds."""
        with errors_of(self._file):
            return self._database.execute(question).fetchall()


def _described(run: Run) -> dict[str, object]:
    """Return the columns of a run."""
    setup = run.plan.setup
    return {
        "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "engine": _engine.name,
        "agent": run.agent,
        "level": setup.level.name,
        "width": setup.level.width,
        "height": setup.level.height,
        "mines": setup.level.mines,
        "first_row": setup.first[0],
        "first_column": setup.first[1],
        "promise": setup.promise.value,
        "seed": _digits(run.plan.seed),
        "games": run.plan.games,
    }


def _digits(seed: int | None) -> str | None:
    return None if seed is None else str(seed)
