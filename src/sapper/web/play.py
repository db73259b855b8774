"""Games in a worker process: a task turns a saved session and a request into the next session.

The server stores the session after every move and keeps nothing in memory, so a move that was not
stored was not made. Workers cache the sessions that they used last, only to save time.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from sapper.advice.overlay import Overlay
from sapper.agents.built_in import AgentName, available
from sapper.errors import SapperError
from sapper.formats import board_code, check_cells, game_from_code, record_to_json
from sapper.session.background import Report
from sapper.session.saved import help_from_json, session_from_json, session_to_json
from sapper.session.session import Session
from sapper.session.start import NoGuess, Start
from sapper.web.replies import LIMIT, MOST_CELLS, Data, Refused, Reply, read_level, to_json

MOST_ENTRIES: Final = 20_000
"""The most actions in a game, or twice the number of its cells if that is more."""
_MOST_CACHED: Final = 64
"""The most sessions that a worker caches."""
_MOST_CACHED_CELLS: Final = 400_000
"""The most cells in all cached sessions together."""


class _Clock:
    """A clock that is set explicitly, because each request may be handled by another worker."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class _LoadedSession:
    session: Session
    clock: _Clock
    stored: Data | None = None
    """The saved session, if its help has not been restored yet."""

    def show_help(self) -> None:
        """Restore the hint, the proof and the risks that were on screen when the session was saved."""
        if self.stored is not None:
            self.session.restore_help(help_from_json(self.stored))
            self.stored = None


class _SessionCache:
    """A cache of the sessions that were used last, by the digest of their saved text.

    The key is the saved text itself, so a cached session can never differ from the stored one.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[bytes, _LoadedSession] = OrderedDict()
        self._cells = 0

    def take(self, text: str) -> _LoadedSession | None:
        """Remove and return the session with this text; None if it is not cached."""
        loaded = self._sessions.pop(_digest(text), None)
        if loaded is not None:
            self._cells -= len(loaded.session.game.position)
        return loaded

    def put(self, text: str, loaded: _LoadedSession) -> None:
        """Cache a session; drop the oldest ones if there are too many."""
        self.take(text)
        self._sessions[_digest(text)] = loaded
        self._cells += len(loaded.session.game.position)
        while len(self._sessions) > _MOST_CACHED or self._cells > _MOST_CACHED_CELLS:
            _, oldest = self._sessions.popitem(last=False)
            self._cells -= len(oldest.session.game.position)


_cache = _SessionCache()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def do_begin(facts: Data, _: Report) -> Reply:
    """Begin a game."""
    clock = _Clock()
    start = _requested_start(facts)
    session = Session(start, agent=_agent(facts["agent"]), clock=clock, **_options())
    return _reply(facts["name"], _LoadedSession(session, clock))


def _requested_start(facts: Data) -> Start:
    """Return the requested start: the board of a code, or a new board."""
    if facts["code"] is not None:
        game = game_from_code(facts["code"])
        check_cells(game.level.height * game.level.width, MOST_CELLS)
        return Start.on(game)
    no_guess = NoGuess(facts["difficulty"]) if facts["no_guess"] else None
    return Start.new(read_level(facts["level"]), promise=facts["promise"], no_guess=no_guess)


def do_play(facts: Data, _: Report) -> Reply:
    """Perform an action in a game."""
    loaded = _load(facts)
    session = loaded.session
    if len(session.entries) > max(MOST_ENTRIES, 2 * len(session.game.position)):
        raise Refused(409, {"error": "this game has too many moves", "kind": "TooManyMoves"})
    before = session.game.position
    if facts["what"] == "help":
        loaded.show_help()
    _HANDLERS[facts["what"]](session, facts)
    if session.game.position != before:
        loaded.stored = None  # The help that was on screen is outdated.
    loaded.show_help()
    return _reply(facts["name"], loaded)


def do_look(facts: Data, _: Report) -> Reply:
    """Reply with the state of a game."""
    loaded = _load(facts)
    loaded.show_help()
    body = to_json(state_of(facts["name"], loaded.session))
    _keep_unchanged(facts, loaded)
    return Reply(body)


def do_record(facts: Data, _: Report) -> Reply:
    """Reply with the record of a game that is over."""
    loaded = _load(facts)
    session = loaded.session
    record = session.record if session.game.over else None
    _keep_unchanged(facts, loaded)
    if record is None:
        raise Refused(
            409, {"error": "the record is available only after the game is over", "kind": "Secret"}
        )
    return Reply(to_json({"record": record_to_json(record)}))


def _keep_unchanged(facts: Data, loaded: _LoadedSession) -> None:
    """Cache a session that has not changed."""
    loaded.clock.now -= facts["idle"]
    _cache.put(facts["session"], loaded)


def _options() -> Data:
    return {"limit": LIMIT, "agent_seconds": LIMIT.seconds}


def _load(facts: Data) -> _LoadedSession:
    """Return a saved session, with its clock advanced by the time since it was stored."""
    text: str = facts["session"]
    loaded = _cache.take(text)
    if loaded is None:
        clock, stored = _Clock(), json.loads(text)
        loaded = _LoadedSession(session_from_json(stored, clock=clock, **_options()), clock, stored)
    loaded.clock.now += facts["idle"]
    return loaded


def _reply(name: str, loaded: _LoadedSession) -> Reply:
    session = loaded.session
    body = to_json(state_of(name, session))
    text = to_json(session_to_json(session)).decode()
    _cache.put(text, loaded)
    return Reply(body, session=text)


def _move(session: Session, facts: Data) -> None:
    do, cell = facts["do"], facts["cell"]
    if do in ("open", "flag", "mark"):
        if cell is None:
            raise SapperError(f"the move {do!r} needs a cell")
        at = (cell[0], cell[1])
        session.game.position[at]  # An error for a cell off the board.
        {"open": session.open, "flag": session.flag, "mark": session.mark}[do](at)
    else:
        {
            "undo": session.undo,
            "redo": session.redo,
            "go_on": session.go_on,
            "again": session.again,
            "ai": session.ai_move,
        }[do]()


def _help(session: Session, facts: Data) -> None:
    cell = None if facts["cell"] is None else (facts["cell"][0], facts["cell"][1])
    if cell is not None:
        session.game.position[cell]  # An error for a cell off the board.
    match facts["do"]:
        case "hint":
            session.hint()
        case "why":
            session.why(cell)
        case "heat":
            session.toggle_heat()
        case "next":
            session.step(1)
        case "previous":
            session.step(-1)
        case "clear":
            session.clear_help()


def _use_agent(session: Session, facts: Data) -> None:
    session.use_agent(_agent(facts["agent"]))


_HANDLERS: Final = {"move": _move, "help": _help, "agent": _use_agent}


def _agent(name: AgentName | None) -> AgentName:
    if name is not None:
        return name
    return AgentName.STRONG if AgentName.STRONG in available() else AgentName.SAFEST


def state_of(name: str, session: Session) -> Data:
    """Return what the player may see of a game. The mines stay secret until it is over."""
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
        "code": board_code(game) if over else None,
        "seconds": round(session.seconds, 3),
        "running": session.clock_is_running,
        "moves": len(game.actions),
        "message": session.message,
        "last": None if session.last is None else list(session.last),
        "helped": session.helped,
        "practice": session.practice,
        "agent": session.agent_name,
        "overlay": overlay_to_json(session.overlay),
    }


def overlay_to_json(overlay: Overlay | None) -> Data | None:
    """Return help as an object for `json.dumps`; cells are `[row, column]`, counted from 0.

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
