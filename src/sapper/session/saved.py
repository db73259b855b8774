"""Frozen sessions: a session as data that can be stored, and back. It contains the mines."""

from __future__ import annotations

from typing import Any

from sapper.game.game import Action, Game
from sapper.game.record import Entry, Record
from sapper.levels import LEVELS, Level, Promise
from sapper.position import Cell
from sapper.session.help import Asked
from sapper.session.session import Session

Data = dict[str, Any]


def freeze(session: Session) -> Data:
    """Return everything that is needed to continue a session later, as an object for `json.dumps`.

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
        "undone": [[action.kind, action.cell] for action in session.undone],
        "seconds": round(session.seconds, 3),
        "kind": session.kind,
        "wanted": session.wanted,
        "helped": session.helped,
        "practice": session.practice,
        "agent": session.agent_name,
        "questions": sorted(map(list, session.questions)),
        "question_marks": session.question_marks,
        "last": session.last,
        "message": session.message,
        "heat": session.heat_is_on,
        "asked": session.asked,
    }


def thaw(frozen: Data, **options: Any) -> Session:  # noqa: ANN401 - they are those of `Session`.
    """Return a session that continues where it was frozen; the options are those of `Session`.

    Hints, proofs and risks are not computed: `session.ask_again(asked_in(frozen))` does that.
    """
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
    session = Session(game, agent=frozen["agent"], **options)
    session.restore(
        game,
        entries,
        frozen["seconds"],
        kind=frozen["kind"],
        undone=[Action(kind, (cell[0], cell[1])) for kind, cell in frozen.get("undone", ())],
        heat=frozen.get("heat", False),
    )
    session.wanted = frozen["wanted"]
    session.helped, session.practice = frozen["helped"], frozen["practice"]
    session.questions = frozenset((row, column) for row, column in frozen["questions"])
    session.question_marks = frozen["question_marks"]
    session.last = _cell(frozen.get("last"))
    session.message = frozen.get("message", session.message)
    return session


def asked_in(frozen: Data) -> Asked | None:
    """Return the hint or proof that was on screen; None if there was none.

    >>> session = Session("beginner", seed=7)
    >>> session.hint()
    >>> asked_in(freeze(session)).what
    'hint'
    """
    asked = frozen.get("asked")
    if asked is None:
        return None
    what, cell, more, step = asked
    return Asked(what, _cell(cell), more, step)


def _cell(cell: list[int] | None) -> Cell | None:
    return None if cell is None else (cell[0], cell[1])
