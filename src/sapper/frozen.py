"""Frozen: a session as data that lasts, and back. Only its owner may see it: the mines are in it."""

from __future__ import annotations

from typing import Any

from sapper.game import Game
from sapper.levels import LEVELS, Level, Promise
from sapper.position import Cell
from sapper.record import Entry, Record
from sapper.session import Session

Data = dict[str, Any]


def freeze(session: Session) -> Data:
    """Return all that is needed to go on with a session later, as an object for `json.dumps`.

    >>> session = Session("beginner", seed=7)
    >>> session.open((4, 4))
    >>> thaw(freeze(session)).game.position == session.game.position
    True
    """
    game = session.game
    mines = None if game.minefield is None else sorted(map(list, game.minefield.mines))
    return {
        "level": game.level.name if game.level.name in LEVELS else game.level.size,
        "promise": game.promise.value,
        "seed": None if game.seed is None else str(game.seed),
        "first": None if game.first is None else list(game.first),
        "mines": mines,
        "entries": [[entry.at, entry.kind, entry.cell, entry.by] for entry in session.entries],
        "seconds": round(session.seconds, 3),
        "kind": session.kind,
        "wanted": session.wanted,
        "helped": session.helped,
        "practice": session.practice,
        "agent": session.agent_name,
        "questions": sorted(map(list, session.questions)),
        "question_marks": session.question_marks,
    }


def thaw(frozen: Data) -> Session:
    """Return a session that goes on where it was frozen; what was taken back cannot be done again."""
    level, promise = Level.named(frozen["level"]), Promise.named(frozen["promise"])
    entries = tuple(Entry(at, do, _cell(cell), by) for at, do, cell, by in frozen["entries"])
    seed = None if frozen["seed"] is None else int(frozen["seed"])
    if frozen["mines"] is not None:
        mines = frozenset((row, column) for row, column in frozen["mines"])
        record = Record(level, promise, mines, entries, seed, _cell(frozen["first"]))
        game = record.replay()
    else:
        game = Game(level, seed=seed, promise=promise, first=_cell(frozen["first"]))
        for entry in entries:
            if entry.kind == "undo":
                game.undo()
            elif entry.kind == "flag" and entry.cell is not None:
                game.flag(entry.cell)
    session = Session(game, agent=frozen["agent"])
    session.restore(game, entries, frozen["seconds"], kind=frozen["kind"])
    session.wanted = frozen["wanted"]
    session.helped, session.practice = frozen["helped"], frozen["practice"]
    session.questions = frozenset((row, column) for row, column in frozen["questions"])
    session.question_marks = frozen["question_marks"]
    return session


def _cell(cell: list[int] | None) -> Cell | None:
    return None if cell is None else (cell[0], cell[1])
