"""Runs in an SQLite database: saved while they are played, and resumed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

import sapper
from sapper.arena.plans import Plan
from sapper.arena.runs import Run, SavedGames
from sapper.arena.statistics import Times
from sapper.arena.tally import Played
from sapper.engine import engine
from sapper.engine.seeds import board_seed
from sapper.errors import DamagedDatabase, SapperError
from sapper.storage.database import Schema, errors_of

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
        seed TEXT,                   -- as digits (it may be large); NULL for boards from a file
        games INTEGER NOT NULL,      -- planned
        version TEXT,                -- of Sapper; NULL if unknown
        boards TEXT,                 -- SHA-256 of the minefields from a file; NULL for a seed
        bound TEXT,                  -- limit on the work for each decision
        seconds REAL,                -- wall-clock time of the saved games
        times TEXT                   -- durations of their decisions: [[counts], longest]
    );
    CREATE TABLE IF NOT EXISTS games (
        run INTEGER NOT NULL REFERENCES runs (id),
        number INTEGER NOT NULL,     -- from 0
        seed TEXT,                   -- of the board, as digits; NULL for a board from a file
        won INTEGER NOT NULL,
        cells_left INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        guesses INTEGER,
        survival REAL,
        solved REAL,
        seconds REAL NOT NULL,
        lost_at INTEGER,             -- cell of the mine, counted row by row from 0
        luck REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
"""
_SCHEMA: Final = Schema(
    0x53617070,  # "Sapp".
    version=3,
    what="Sapper's runs",
    tables=_TABLES,
    upgrades={
        0: ["ALTER TABLE games ADD COLUMN lost_at INTEGER"],
        1: [
            f"ALTER TABLE runs ADD COLUMN {column}"
            for column in ("version TEXT", "boards TEXT", "bound TEXT", "seconds REAL", "times TEXT")
        ],
        2: ["ALTER TABLE games ADD COLUMN luck REAL NOT NULL DEFAULT 0"],
    },
    mode=0o666,  # It has no personal data.
)
_START_OVER: Final = "start again without --resume, or save to another file"
_LONGEST: Final = 1e9
"""The most seconds of a game or run: 31 years."""
_MOST_DECISIONS: Final = 10**15
_ROUNDING: Final = 1e-9
_MOST_LUCK: Final = 1e6
"""Far more than possible; it only has to be finite."""
_PAGE: Final = 10_000
"""The number of games read at a time."""


@dataclass
class _SavedRun:
    """A run, and how much of it is in the database."""

    run: Run
    number: int
    games: int
    seen: int = 0
    """Games passed to `save` so far. In a resumed run, the first ones are already in the database."""


class Store:
    """An SQLite database with a table of runs and a table of their games.

    >>> from sapper.arena import Plan
    >>> store = Store(":memory:")
    >>> with Run(Plan.of("2x1/1", games=3), jobs=1) as run:
    ...     store.begin(run)
    ...     store.save(run.play(2))
    >>> store.query("SELECT run, number, won FROM games")
    [(1, 0, 1), (1, 1, 1)]
    >>> with Run(Plan.of("2x1/1", games=3), jobs=1) as again:
    ...     store.resume(again), again.saved_games_left, again.left
    ({1: 2}, 2, 3)
    """

    def __init__(self, file: str | Path) -> None:
        """Open or create a database file. The string `:memory:` is a database in memory."""
        self.file = str(file)
        self._saved: list[_SavedRun] = []
        try:
            with errors_of(self.file):
                # A path is a file, even if it is called `:memory:`.
                self._database = _SCHEMA.connect(file if isinstance(file, str) else Path.cwd() / file)
        except DamagedDatabase as error:
            raise DamagedDatabase(f"{error}; save the games to another file") from error

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def begin(self, *runs: Run) -> None:
        """Add new runs."""
        with errors_of(self.file), self._database:
            self._saved = [self._insert(run) for run in runs]

    def resume(self, *runs: Run) -> dict[int, int]:
        """Resume, for each run, the last saved run of the same games that is not longer than planned.

        A run without a match is added as a new one. Returns the number of saved games of each resumed
        run.
        """
        with errors_of(self.file), self._database:
            found: dict[int, int] = {}
            resumed: list[_SavedRun | None] = []
            for run in reversed(runs):  # Of two equal runs, the second gets the last saved one.
                number = self._find(run, excluded=list(found))
                resumed.append(None if number is None else self._resume_run(run, number))
                if number is not None:
                    found[number] = run.saved_games_left
            both = zip(runs, reversed(resumed), strict=True)
            self._saved = [saved or self._insert(run) for run, saved in both]
            return dict(sorted(found.items()))

    def _insert(self, run: Run) -> _SavedRun:
        fields = {
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "level": run.plan.setup.level.name,
            "games": run.plan.games,
            **_same_games(run),
            **_same_play(run),
        }
        insert = f"INSERT INTO runs ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))})"
        number = self._database.execute(insert, list(fields.values())).lastrowid
        assert number is not None
        return _SavedRun(run, number, games=0)

    def _find(self, run: Run, excluded: Sequence[int]) -> int | None:
        """Return the last run of the same games; raise an error if all were played differently."""
        same, play = _same_games(run), _same_play(run)
        found = self._database.execute(
            f"SELECT id, {', '.join(play)} FROM runs"
            f" WHERE games <= ? AND {' AND '.join(f'{name} IS ?' for name in same)} ORDER BY id DESC",
            [run.plan.games, *same.values()],
        )
        other = None
        for number, *played in found.fetchall():
            if number in excluded:
                continue
            if played == list(play.values()):
                return int(number)
            other = other or (number, dict(zip(play, played, strict=True)))
        if other is not None:
            raise SapperError(f"{_cannot_resume(other[0])}: {_why_not(other[1], play)}")
        return None

    def _resume_run(self, run: Run, number: int) -> _SavedRun:
        ask = self._database.execute
        seconds, times = ask("SELECT seconds, times FROM runs WHERE id = ?", [number]).fetchone()
        count, last = ask("SELECT count(*), max(number) FROM games WHERE run = ?", [number]).fetchone()
        if count and last != count - 1:
            raise SapperError(
                f"has run {number}, which cannot be resumed: some of its games are missing"
            )
        ask("UPDATE runs SET games = ? WHERE id = ?", [run.plan.games, number])
        try:
            spent, seconds = _times(times), _between(0 if seconds is None else seconds, 0, _LONGEST)
        except (TypeError, ValueError):
            raise SapperError(
                f"{_cannot_resume(number)}: its times are damaged; {_START_OVER}"
            ) from None
        games = self._read(number, count, run.plan)
        run.resume_from(SavedGames(count, games, spent, float(seconds)))
        return _SavedRun(run, number, count)

    def _read(self, number: int, count: int, plan: Plan) -> Iterator[Played]:
        for start in range(0, count, _PAGE):
            with errors_of(self.file):
                page = self._database.execute(
                    "SELECT seed, won, cells_left, decisions, guesses, survival, solved, seconds,"
                    " lost_at, luck FROM games"
                    " WHERE run = ? AND number >= ? AND number < ? ORDER BY number",
                    [number, start, min(start + _PAGE, count)],
                ).fetchall()
                games = []
                for game_number, row in enumerate(page, start):
                    try:
                        games.append(_played(row, game_number, plan))
                    except (TypeError, ValueError):
                        raise SapperError(
                            f"{_cannot_resume(number)}: game {game_number} is damaged; {_START_OVER}"
                        ) from None
            yield from games

    def save(self, *played: Sequence[Played]) -> None:
        """Save the next games of each run, except those that are already in the database."""
        with errors_of(self.file), self._database:
            for saved, games in zip(self._saved, played, strict=True):
                self._add(saved, games)
        for saved, games in zip(self._saved, played, strict=True):
            saved.seen += len(games)
            saved.games = max(saved.games, saved.seen)

    def _add(self, saved: _SavedRun, games: Sequence[Played]) -> None:
        width, times = saved.run.plan.setup.level.width, saved.run.times
        start = max(saved.games - saved.seen, 0)
        new = [
            (saved.number, number, _digits(game.seed), *game.columns(width)[1:])
            for number, game in enumerate(games[start:], saved.seen + start)
        ]
        insert = f"INSERT INTO games VALUES ({', '.join('?' * 12)})"
        try:
            self._database.executemany(insert, new)
        except sqlite3.IntegrityError as error:
            raise SapperError(
                f"is in use: another process also saves games of run {saved.number}"
            ) from error
        self._database.execute(
            "UPDATE runs SET seconds = ?, times = ? WHERE id = ?",
            [saved.run.seconds, json.dumps([times.counts, times.longest]), saved.number],
        )

    def query(self, sql: str) -> list[tuple[object, ...]]:
        """Return the rows of an SQL query."""
        with errors_of(self.file):
            return self._database.execute(sql).fetchall()


def _played(row: Sequence[Any], number: int, plan: Plan) -> Played:
    """Return the game in a row; raise a `TypeError` or a `ValueError` if it is not valid."""
    seed, won, left, decisions, guesses, survival, solved, seconds, at, luck = row
    level = plan.setup.level
    cells = level.height * level.width
    if seed != _digits(None if plan.seed is None else board_seed(plan.seed, number)):
        raise ValueError("this is another board")
    _whole(won, 1)
    _whole(left, cells - level.mines)
    _whole(decisions, _MOST_DECISIONS)
    if guesses is not None:
        _whole(guesses, _MOST_DECISIONS)
    if at is not None:
        _whole(at, cells - 1)
    for chance in (survival, solved):
        _between(0.0 if chance is None else chance, -_ROUNDING, 1.0 + _ROUNDING)
    _between(seconds, 0.0, _LONGEST)
    _between(luck, -_MOST_LUCK, _MOST_LUCK)
    cell = None if at is None else divmod(at, level.width)
    board = None if seed is None else int(seed)
    return Played(board, bool(won), left, decisions, guesses, survival, solved, seconds, cell, luck)


def _times(text: object) -> Times:
    """Return the durations of decisions that were saved as JSON."""
    if text is None:
        return Times()
    if not isinstance(text, str):
        raise TypeError("times must be text")
    counts, longest = json.loads(text)
    if not isinstance(counts, list) or len(counts) != Times.STEPS:
        raise ValueError("there must be one count per step")
    for count in counts:
        _whole(count, _MOST_DECISIONS)
    return Times(counts, float(_between(longest, 0.0, _LONGEST)))


def _whole(value: object, most: int) -> None:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{value!r} is not a whole number from 0 to {most}")


def _between(value: float, least: float, most: float) -> float:
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"{value!r} is not a number from {least} to {most}")
    return value


def _same_games(run: Run) -> dict[str, Any]:
    """Return the columns that identify the games of a run."""
    setup = run.plan.setup
    return {
        "agent": run.agent,
        "width": setup.level.width,
        "height": setup.level.height,
        "mines": setup.level.mines,
        "first_row": setup.first[0],
        "first_column": setup.first[1],
        "promise": setup.promise.value,
        "seed": _digits(run.plan.seed),
    }


def _same_play(run: Run) -> dict[str, Any]:
    """Return the columns that can change how the same games are played."""
    return {
        "version": sapper.__version__,
        "engine": engine.name,
        "boards": run.plan.boards_digest,
        "bound": str(run.limit),
    }


def _why_not(found: dict[str, Any], asked: dict[str, Any]) -> str:
    """Return why a run cannot be resumed here."""
    if found["boards"] != asked["boards"]:
        return "its boards are different"
    if found["bound"] != asked["bound"] and found["version"] is not None:
        return f"its limit was {found['bound']}, and now it is {asked['bound']}"
    old, new = (
        f"Sapper {of['version'] or '(unknown version)'} with the {of['engine']} engine"
        for of in (found, asked)
    )
    return f"it was played by {old}, but this is {new}"


def _cannot_resume(number: int) -> str:
    return f"has run {number}, which cannot be resumed"


def _digits(seed: int | None) -> str | None:
    return None if seed is None else str(seed)
