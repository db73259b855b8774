"""Store: runs of games in an SQLite file, saved while they are played, and taken up again."""

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
from sapper.arena.runs import Earlier, Run
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
        seed TEXT,                   -- as digits, it may be too large; NULL for boards from a file
        games INTEGER NOT NULL,      -- asked for
        version TEXT,                -- of Sapper; NULL if it did not say yet
        boards TEXT,                 -- the SHA-256 of the minefields from a file; NULL for a seed
        bound TEXT,                  -- on the work for each decision
        seconds REAL,                -- on the clock, for the games that are saved
        times TEXT                   -- of their decisions: [[counts], longest]
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
    mode=0o666,  # Nothing in it is personal.
)
_START_AGAIN: Final = "start it again without --resume, or save it in another file"
_LONGEST: Final = 1e9
"""In seconds: no game and no run takes 31 years."""
_MOST_DECISIONS: Final = 10**15
_ROUNDING: Final = 1e-9
_MOST_LUCK: Final = 1e6
"""Far more than possible: it only has to be finite."""
_PAGE: Final = 10_000
"""How many games are read at a time."""


@dataclass
class _Saved:
    """A run and what the file has of it."""

    run: Run
    number: int
    games: int
    seen: int = 0
    """How many games it was told of: those that were read back come again."""


class Store:
    """An SQLite file with a table of runs and one of their games.

    >>> from sapper.arena import Plan
    >>> store = Store(":memory:")
    >>> with Run(Plan.of("2x1/1", games=3), jobs=1) as run:
    ...     store.begin(run)
    ...     store.save(run.play(2))
    >>> store.query("SELECT run, number, won FROM games")
    [(1, 0, 1), (1, 1, 1)]
    >>> with Run(Plan.of("2x1/1", games=3), jobs=1) as again:
    ...     store.resume(again), again.unread, again.left
    ({1: 2}, 2, 3)
    """

    def __init__(self, file: str | Path) -> None:
        """Open or create a file; the text `:memory:` is a database that is never written."""
        self.file = str(file)
        self._saved: list[_Saved] = []
        try:
            with errors_of(self.file):
                # A file of that name is a file.
                self._database = _SCHEMA.connect(file if isinstance(file, str) else Path.cwd() / file)
        except DamagedDatabase as error:
            raise DamagedDatabase(f"{error}; save the games in another file") from error

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def begin(self, *runs: Run) -> None:
        """Note runs that begin."""
        with errors_of(self.file), self._database:
            self._saved = [self._insert(run) for run in runs]

    def resume(self, *runs: Run) -> dict[int, int]:
        """Let runs go on from the last that played the same games, no more than are asked for now.

        A run begins where there was none. Returns how many games are there of each that was.
        """
        with errors_of(self.file), self._database:
            found: dict[int, int] = {}
            taken: list[_Saved | None] = []
            for run in reversed(runs):  # If they are alike, the last is the last one's.
                number = self._find(run, besides=list(found))
                taken.append(None if number is None else self._take_up(run, number))
                if number is not None:
                    found[number] = run.unread
            both = zip(runs, reversed(taken), strict=True)
            self._saved = [saved or self._insert(run) for run, saved in both]
            return dict(sorted(found.items()))

    def _insert(self, run: Run) -> _Saved:
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
        return _Saved(run, number, games=0)

    def _find(self, run: Run, besides: Sequence[int]) -> int | None:
        """Return the last run of the same games; an error if all there are were played otherwise."""
        same, play = _same_games(run), _same_play(run)
        found = self._database.execute(
            f"SELECT id, {', '.join(play)} FROM runs"
            f" WHERE games <= ? AND {' AND '.join(f'{name} IS ?' for name in same)} ORDER BY id DESC",
            [run.plan.games, *same.values()],
        )
        other = None
        for number, *played in found.fetchall():
            if number in besides:
                continue
            if played == list(play.values()):
                return int(number)
            other = other or (number, dict(zip(play, played, strict=True)))
        if other is not None:
            raise SapperError(f"has run {other[0]}, which cannot go on: {_why_not(other[1], play)}")
        return None

    def _take_up(self, run: Run, number: int) -> _Saved:
        ask = self._database.execute
        seconds, times = ask("SELECT seconds, times FROM runs WHERE id = ?", [number]).fetchone()
        count, last = ask("SELECT count(*), max(number) FROM games WHERE run = ?", [number]).fetchone()
        if count and last != count - 1:
            raise SapperError(f"has run {number}, of which games are missing")
        ask("UPDATE runs SET games = ? WHERE id = ?", [run.plan.games, number])
        try:
            spent, seconds = _times(times), _between(0 if seconds is None else seconds, 0, _LONGEST)
        except (TypeError, ValueError):
            raise SapperError(f"has run {number}, whose times are damaged: {_START_AGAIN}") from None
        games = self._read(number, count, run.plan)
        run.take_up(Earlier(count, games, spent, float(seconds)))
        return _Saved(run, number, count)

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
                for place, row in enumerate(page, start):
                    try:
                        games.append(_played(row, place, plan))
                    except (TypeError, ValueError):
                        what = f"has run {number}, whose game {place} is damaged"
                        raise SapperError(f"{what}: {_START_AGAIN}") from None
            yield from games

    def save(self, *played: Sequence[Played]) -> None:
        """Keep the next games of each run; those that it had already come first, and are not added."""
        with errors_of(self.file), self._database:
            for saved, games in zip(self._saved, played, strict=True):
                self._add(saved, games)
        for saved, games in zip(self._saved, played, strict=True):
            saved.seen += len(games)
            saved.games = max(saved.games, saved.seen)

    def _add(self, saved: _Saved, games: Sequence[Played]) -> None:
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
            raise SapperError(f"has games of run {saved.number} by somebody else now") from error
        self._database.execute(
            "UPDATE runs SET seconds = ?, times = ? WHERE id = ?",
            [saved.run.seconds, json.dumps([times.counts, times.longest]), saved.number],
        )

    def query(self, question: str) -> list[tuple[object, ...]]:
        """Return the rows that an SQL query finds."""
        with errors_of(self.file):
            return self._database.execute(question).fetchall()


def _played(row: Sequence[Any], number: int, plan: Plan) -> Played:
    """Return the game of a row; raise a `TypeError` or a `ValueError` if it is not possible."""
    seed, won, left, decisions, guesses, survival, solved, seconds, at, luck = row
    level = plan.setup.level
    cells = level.height * level.width
    if seed != _digits(None if plan.seed is None else board_seed(plan.seed, number)):
        raise ValueError("the board is another one")
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
    """Return the times of decisions that were saved as JSON."""
    if text is None:
        return Times()
    if not isinstance(text, str):
        raise TypeError("times are text")
    counts, longest = json.loads(text)
    if not isinstance(counts, list) or len(counts) != Times.STEPS:
        raise ValueError("there are not as many counts as steps")
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
    """Return the columns that say which games a run is to play."""
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
    """Return the columns without which the same games may go otherwise."""
    return {
        "version": sapper.__version__,
        "engine": engine.name,
        "boards": run.plan.boards_digest,
        "bound": str(run.limit),
    }


def _why_not(found: dict[str, Any], asked: dict[str, Any]) -> str:
    """Return why a run cannot go on here."""
    if found["boards"] != asked["boards"]:
        return "its boards are others"
    if found["bound"] != asked["bound"] and found["version"] is not None:
        return f"its decisions were bound by {found['bound']}, not {asked['bound']}"
    old, new = (
        f"Sapper {of['version'] or 'of another version'} with the {of['engine']} engine"
        for of in (found, asked)
    )
    return f"it was played by {old}, and this is {new}"


def _digits(seed: int | None) -> str | None:
    return None if seed is None else str(seed)
