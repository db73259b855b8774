"""Saved sessions: convert a session to JSON and back. The JSON contains the mines."""

from __future__ import annotations

from typing import Any

from sapper.game.game import Action, Game
from sapper.game.record import Entry, Record
from sapper.levels import LEVELS, Level, Promise
from sapper.position import Cell
from sapper.session.advisor import ShownHelp
from sapper.session.session import Session
from sapper.session.start import NoGuess, Start

Data = dict[str, Any]


def session_to_json(session: Session) -> Data:
    """Return a session as an object for `json.dumps`, with everything needed to resume it.

    >>> session = Session("beginner", seed=7)
    >>> session.open((4, 4))
    >>> session_from_json(session_to_json(session)).game.position == session.game.position
    True
    """
    game, request = session.game, session.no_guess
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
        "wanted": None if request is None else {"difficulty": request.difficulty},
        "helped": session.helped,
        "practice": session.practice,
        "agent": session.agent_name,
        "questions": sorted(map(list, session.questions)),
        "question_marks": session.question_marks,
        "last": session.last,
        "message": session.message,
        "heat": session.heat_is_on,
        "asked": session.shown_help,
    }


def session_from_json(data: Data, **options: Any) -> Session:  # noqa: ANN401 - Those of `Session`.
    """Return a session that resumes a saved one; the options are those of `Session`.

    Help is not computed yet. Use `session.restore_help(help_from_json(data))` for that.
    """
    entries = tuple(Entry(at, kind, _cell(cell), by) for at, kind, cell, by in data["entries"])
    game = _game(data, entries)
    request = data["wanted"]
    start = Start(
        game,
        data["kind"],
        None if request is None else NoGuess(request["difficulty"]),
        message=data.get("message", "Game resumed."),
        entries=entries,
        undone=tuple(Action(kind, (cell[0], cell[1])) for kind, cell in data.get("undone", ())),
        seconds=data["seconds"],
        helped=data["helped"],
        practice=data["practice"],
        questions=frozenset((row, column) for row, column in data["questions"]),
        last=_cell(data.get("last")),
        heat=data.get("heat", False),
    )
    session = Session(start, agent=data["agent"], **options)
    session.use_question_marks(data["question_marks"])
    return session


def help_from_json(data: Data) -> ShownHelp | None:
    """Return the hint or explanation that was on screen; None if there was none.

    >>> session = Session("beginner", seed=7)
    >>> session.hint()
    >>> help_from_json(session_to_json(session)).kind
    'hint'
    """
    shown = data.get("asked")
    if shown is None:
        return None
    kind, cell, names_cell, step = shown
    return ShownHelp(kind, _cell(cell), names_cell, step)


def _game(data: Data, entries: tuple[Entry, ...]) -> Game:
    level, promise = Level.named(data["level"]), Promise.named(data["promise"])
    seed = None if data["seed"] is None else int(data["seed"])
    first = _cell(data["first"])
    if data["mines"] is not None:
        mines = frozenset((row, column) for row, column in data["mines"])
        return Record(level, promise, mines, entries, seed, first).replay()
    game = Game(level, seed=seed, promise=promise, first=first)
    for entry in entries:  # Without mines, only flags can have been set.
        if entry.kind == "undo":
            game.undo()
        elif entry.kind == "flag" and entry.cell is not None:
            game.flag(entry.cell)
    return game


def _cell(cell: list[int] | None) -> Cell | None:
    return None if cell is None else (cell[0], cell[1])
