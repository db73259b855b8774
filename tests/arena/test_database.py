"""Saved runs: databases of older versions still work."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sapper.arena import Plan, Run
from sapper.arena.database import Store

pytestmark = pytest.mark.any_engine

VERSION_0 = """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY, started TEXT NOT NULL, engine TEXT NOT NULL, agent TEXT NOT NULL,
        level TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, mines INTEGER NOT NULL,
        first_row INTEGER NOT NULL, first_column INTEGER NOT NULL, promise TEXT NOT NULL, seed TEXT,
        games INTEGER NOT NULL
    );
    CREATE TABLE games (
        run INTEGER NOT NULL REFERENCES runs (id), number INTEGER NOT NULL, seed TEXT,
        won INTEGER NOT NULL, cells_left INTEGER NOT NULL, decisions INTEGER NOT NULL, guesses INTEGER,
        survival REAL, solved REAL, seconds REAL NOT NULL, PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    INSERT INTO runs VALUES
        (1, '2026-01-01T00:00:00+00:00', 'compiled', 'safest', '2x1/1', 2, 1, 1, 0, 0, 'safe', '0', 1);
    INSERT INTO games VALUES (1, 0, '7', 1, 0, 0, 0, 1.0, NULL, 0.5);
    PRAGMA application_id = 0x53617070;
"""


def test_a_database_of_the_first_version_still_works(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(VERSION_0)
    plan = Plan.of("3x3/8", promise="none", games=9)
    for _ in range(2):
        with Store(file) as store, Run(plan, jobs=1) as run:
            store.begin(run)
            store.save(run.play(9))
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT run, number, won, lost_at, luck FROM games").fetchall()
    assert rows[0] == (1, 0, 1, None, 0.0)
    lost = [
        None if game.lost_at is None else 3 * game.lost_at[0] + game.lost_at[1] for game in run.played
    ]
    assert lost.count(None) < 9
    for number in (2, 3):
        assert [row[3] for row in rows if row[0] == number] == lost
