"""Games on the server: sessions by a secret name, kept in SQLite after every move."""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import time
from collections import OrderedDict
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sapper._database import Schema, errors_of
from sapper.errors import SapperError
from sapper.frozen import freeze, thaw
from sapper.game import Outcome
from sapper.overlay import Overlay
from sapper.session import Session
from sapper.web.tasks import MOST_CELLS, Refused

Data = dict[str, Any]

_MOST_LIVE: Final = 500
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_SCHEMA: Final = Schema(
    0x53617057,  # "SapW".
    version=1,
    what="Sapper's games on a server",
    tables="""
    CREATE TABLE IF NOT EXISTS games (
        name TEXT PRIMARY KEY,
        changed REAL NOT NULL,
        session TEXT NOT NULL      -- a frozen one
    );
    """,
)


class Games:
    """The games of all who play here.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     games = Games(Path(folder, "games.sqlite"))
    ...     name = games.begin(Session("beginner", seed=7))
    ...     games.find(name).open((4, 4))
    ...     games.keep(name)
    ...     again = Games(Path(folder, "games.sqlite")).find(name)
    ...     again.game.position == games.find(name).game.position
    True
    """

    def __init__(self, file: Path, *, most: int = 100_000) -> None:
        self._file = file
        self._most = most
        self._live: OrderedDict[str, Session] = OrderedDict()
        with errors_of(file), closing(_SCHEMA.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")  # It stays so.

    def _connect(self) -> sqlite3.Connection:
        connection = _SCHEMA.open(self._file)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def begin(self, session: Session) -> str:
        """Keep a new game; return its name."""
        level = session.game.level
        if level.height * level.width > MOST_CELLS:
            raise SapperError(f"a board here has at most {MOST_CELLS:,} cells")
        name = secrets.token_urlsafe(16)
        self._remember(name, session)
        self.keep(name)
        return name

    def find(self, name: str) -> Session:
        """Return the game of this name; `Refused` if there is none."""
        session = self._live.get(name)
        if session is None:
            session = self._thawed(name)
        self._remember(name, session)
        return session

    def _thawed(self, name: str) -> Session:
        row = None
        if _NAME.fullmatch(name):
            with closing(self._connect()) as connection:
                row = connection.execute("SELECT session FROM games WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise Refused(404, {"error": "there is no such game", "kind": "NotFound"})
        return thaw(json.loads(row[0]))

    def _remember(self, name: str, session: Session) -> None:
        self._live[name] = session
        self._live.move_to_end(name)
        while len(self._live) > _MOST_LIVE:
            self._live.popitem(last=False)

    def keep(self, name: str) -> None:
        """Write a game down as it is now; the oldest ones go when there are too many."""
        text = json.dumps(freeze(self._live[name]), separators=(",", ":"))
        with closing(self._connect()) as connection, connection:
            connection.execute(
                "INSERT INTO games VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE"
                " SET changed = excluded.changed, session = excluded.session",
                (name, time.time(), text),
            )
            connection.execute(
                "DELETE FROM games WHERE name IN"
                " (SELECT name FROM games ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (self._most,),
            )


def state_of(name: str, session: Session) -> Data:
    """Return what a player may see of a game: never where the mines are while it goes on."""
    game = session.game
    position = game.position
    over = game.over
    mines = game.minefield.mines if over and game.minefield is not None else ()
    return {
        "name": name,
        "level": game.level.name,
        "width": game.level.width,
        "height": game.level.height,
        "mines": game.level.mines,
        "course_rules": game.level.course_rules,
        "promise": game.promise.value,
        "kind": session.kind,
        "first": None if game.first is None else list(game.first),
        "cells": "".join(".12345678#F"[code] for code in position.codes),
        "questions": sorted(map(list, session.questions)),
        "outcome": game.outcome.value,
        "exploded": sorted(map(list, game.exploded)),
        "mine_cells": sorted(map(list, mines)),
        "code": session.code if over else None,
        "seconds": round(session.seconds, 3),
        "running": game.outcome is Outcome.PLAYING and game.begun,
        "moves": len(game.actions),
        "message": session.message,
        "last": None if session.last is None else list(session.last),
        "helped": session.helped,
        "practice": session.practice,
        "agent": session.agent_name,
        "overlay": overlay_to_json(session.overlay),
    }


def overlay_to_json(overlay: Overlay | None) -> Data | None:
    """Return help as an object for `json.dumps`; cells are `[row, column]`.

    >>> overlay_to_json(Overlay(title="Here.", target=(0, 1)))["target"]
    [0, 1]
    """
    if overlay is None:
        return None
    return {
        "risks": [[row, column, risk] for (row, column), risk in sorted(overlay.risks.items())],
        "safe": sorted(map(list, overlay.safe)),
        "mines": sorted(map(list, overlay.mines)),
        "area": sorted(map(list, overlay.area)),
        "numbers": sorted(map(list, overlay.numbers)),
        "target": None if overlay.target is None else list(overlay.target),
        "title": overlay.title,
        "lines": list(overlay.lines),
        "step": None if overlay.step is None else list(overlay.step),
    }
