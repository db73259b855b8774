"""Wrong arguments: each raises a clear error where it enters, and changes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sapper
from sapper import (
    LEVELS,
    Analyser,
    BadLevel,
    BadPosition,
    BadRecord,
    Entry,
    Game,
    IllegalMove,
    Level,
    Limit,
    Position,
    Promise,
    Record,
    agents,
    analyse,
    measure_record,
    perfect_moves,
    win_chance,
)
from sapper.analysis import analyse_within, contradiction, win_chance_after
from sapper.arena.plans import Plan
from sapper.boards.generator import parse_kinds
from sapper.drawing.board import draw_svg, heat_colour
from sapper.game.game import draw_minefield, minefield_of
from sapper.game.record import repeat
from sapper.game.setup import Setup
from sapper.minesweeper import Minesweeper
from sapper.proof.difficulty import easiest_proof

QUICK = Limit(seconds=20, states=20_000)
POSITION = Position.parse("# 1 # #", mines=1)
FORCED = Position.parse("# 1 #", mines=1)
IMPOSSIBLE = Position.parse("1 #", mines=0)


def _game() -> Game:
    game = Game.new("beginner", seed=7)
    game.open((4, 4))
    return game


def _record() -> Record:
    game = Game.on("4x1/1", [(0, 2)])
    game.open((0, 0))
    return Record.of(game)


def _play(**parts: object) -> None:
    record = Record(**parts)  # type: ignore[arg-type]
    record.replay()
    measure_record(record)


def _play_entry(**parts: object) -> None:
    entry = Entry(**parts)  # type: ignore[arg-type]
    record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), (entry,))
    measure_record(record)
    str(sapper.review(record, playouts=0, seconds=2, jobs=1))


class Awkward:
    """An object whose `repr` raises an error."""

    __slots__ = ()

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Index:
    """An integer of another library."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


_numbers = st.one_of(
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([2**31, 2**32, 2**63, 2**64, -(2**63), 10**400, -(10**400)]),
    st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 0.5, 1e308]),
    st.just(Fraction(1, 2)),
    st.just(1j),
    st.integers(-1, 9).map(Index),
)
_texts = st.one_of(st.text(max_size=4), st.sampled_from(["\0", "\ud800", "3x1/1", "open"]))
_bytes = st.one_of(st.binary(max_size=4), st.binary(max_size=4).map(bytearray))
_pairs = st.one_of(
    st.tuples(_numbers, _numbers),
    st.lists(_numbers, min_size=2, max_size=2),
    st.tuples(_texts, _texts),
    st.tuples(_numbers),
    st.tuples(_numbers, _numbers, _numbers),
)
_objects = st.sampled_from(
    [
        None,
        object(),
        object,
        len,
        Awkward(),
        POSITION,
        LEVELS["course"],
        Promise.OPEN,
        Limit(),
        range(2),
    ]
)
_games = st.builds(_game) | st.builds(_record)
_single = st.one_of(_numbers, _texts, _bytes, _pairs, _objects, _games)
junk = st.one_of(
    _single,
    st.lists(_single, max_size=3),
    st.frozensets(_pairs.filter(lambda pair: isinstance(pair, tuple)), max_size=3),
    st.dictionaries(_texts, _single, max_size=2),
    st.lists(_pairs, max_size=3).map(iter),
)

Call = Callable[..., object]

CALLS: dict[str, tuple[Call, Mapping[str, Any]]] = {
    "Position": (Position, {"height": 1, "width": 2, "mines": 1, "codes": b"\x09\x09"}),
    "Position.blank": (Position.blank, {"height": 1, "width": 2, "mines": 1}),
    "Position.parse": (Position.parse, {"text": "##", "mines": 1}),
    "Position.__getitem__": (POSITION.__getitem__, {"cell": (0, 0)}),
    "Position.__contains__": (POSITION.__contains__, {"cell": (0, 0)}),
    "Position.is_hidden": (POSITION.is_hidden, {"cell": (0, 0)}),
    "Position.opened": (POSITION.opened, {"cell": (0, 0), "number": 1}),
    "Position.opened_since": (POSITION.opened_since, {"before": POSITION}),
    "Position.neighbours": (POSITION.neighbours, {"cell": (0, 0)}),
    "Position.svg": (POSITION.svg, {"analysis": None}),
    "Level": (
        Level,
        {
            "name": "small",
            "height": 9,
            "width": 9,
            "mines": 10,
            "promise": Promise.OPEN,
            "course_rules": False,
        },
    ),
    "Level.named": (Level.named, {"name": "beginner"}),
    "Level.custom": (Level.custom, {"height": 9, "width": 9, "mines": 10}),
    "Level.of_size": (Level.of_size, {"height": 9, "width": 9, "mines": 10, "course_rules": False}),
    "Level.check_promise": (LEVELS["beginner"].check_promise, {"promise": Promise.OPEN}),
    "Promise.named": (Promise.named, {"name": "open"}),
    "Game": (
        Game,
        {
            "level": LEVELS["beginner"],
            "seed": 1,
            "promise": Promise.OPEN,
            "minefield": None,
            "first": None,
        },
    ),
    "Game.new": (Game.new, {"level": "beginner", "seed": 1, "promise": "open"}),
    "Game.on": (Game.on, {"level": "3x1/1", "mines": [(0, 0)], "first": (0, 1)}),
    "draw_minefield": (
        draw_minefield,
        {"level": LEVELS["beginner"], "first": (0, 0), "promise": Promise.OPEN, "seed": 1},
    ),
    "minefield_of": (
        lambda drawn: minefield_of(Level.named("2x1/1"), drawn),
        {"drawn": b"\0\1"},
    ),
    "analyse": (
        analyse,
        {"position": POSITION, "trust_flags": False, "exact_fractions": False, "limit": QUICK},
    ),
    "analyse_within": (
        analyse_within,
        {"position": POSITION, "budget": Limit(seconds=3600).start(), "trust_flags": False},
    ),
    "contradiction": (
        contradiction,
        {"position": IMPOSSIBLE, "budget": Limit(seconds=3600).start(), "trust_flags": False},
    ),
    "Analysis.shows": (analyse(POSITION).shows, {"cell": (0, 0)}),
    "Analysis.safety": (analyse(POSITION).safety, {"cells": [(0, 0)]}),
    "Analysis.risk.get": (lambda cell: analyse(POSITION).risk.get(cell), {"cell": (0, 0)}),
    "Analyser": (
        lambda **options: Analyser(**options).feed(POSITION).best,
        {"trust_flags": False, "limit": QUICK},
    ),
    "Analyser.feed": (Analyser(limit=QUICK).feed, {"position": POSITION}),
    "perfect_moves": (perfect_moves, {"position": POSITION, "trust_flags": False, "limit": QUICK}),
    "win_chance": (win_chance, {"position": POSITION, "trust_flags": False, "limit": QUICK}),
    "win_chance_after": (
        win_chance_after,
        {"position": POSITION, "cells": [(0, 0)], "trust_flags": False, "limit": QUICK},
    ),
    "Limit": (Limit, {"seconds": 1.0, "states": 1, "memory": 1}),
    "Limit.start_within": (Limit().start_within, {"budget": Limit().start()}),
    "generate": (
        sapper.generate,
        {
            "level": "4x4/2",
            "seed": 1,
            "first": (0, 0),
            "no_guess": True,
            "difficulty": None,
            "limit": QUICK,
        },
    ),
    "parse_kinds": (parse_kinds, {"text": "chain"}),
    "difficulty": (sapper.difficulty, {"of": POSITION, "limit": QUICK}),
    "easiest_proof": (easiest_proof, {"position": POSITION, "limit": QUICK}),
    "explain_guess": (sapper.explain_guess, {"position": FORCED, "limit": QUICK}),
    "measure": (sapper.measure, {"of": Minesweeper.with_mines(1, 2, [(0, 0)])}),
    "measure_record": (measure_record, {"record": _record()}),
    "review": (
        sapper.review,
        {"record": _record(), "playouts": 1, "seconds": 1.0, "jobs": 1},
    ),
    "Review.position": (sapper.review(_record(), playouts=0).position, {"number": 1}),
    "Review.proof": (sapper.review(_record(), playouts=0).proof, {"number": 1, "limit": QUICK}),
    "Record": (
        _play,
        {
            "level": Level.named("4x1/1"),
            "promise": Promise.SAFE,
            "mines": frozenset({(0, 2)}),
            "entries": (Entry(0.0, "open", (0, 0)),),
            "seed": None,
            "first": None,
        },
    ),
    "Entry": (_play_entry, {"at": 0.0, "kind": "open", "cell": (0, 0), "by": "player"}),
    "Record.of": (Record.of, {"game": _game(), "entries": None}),
    "repeat": (
        lambda **parts: repeat(**{"game": _game()} | parts),
        {"game": _game(), "entry": Entry(0.0, "open", (8, 8))},
    ),
    "Logic": (agents.Logic, {"seed": 1, "limit": None}),
    "Logic.decide": (agents.Logic().decide, {"position": POSITION}),
    "Logic.known_mines": (agents.Logic().known_mines, {"position": POSITION}),
    "Logic.explain": (
        agents.Logic().explain,
        {"position": Position.parse("# 1 .", mines=1), "cell": (0, 0)},
    ),
    "Safest": (agents.Safest, {"limit": None}),
    "Safest.decide": (agents.Safest(limit=QUICK).decide, {"position": POSITION}),
    "agents.named": (agents.named, {"name": "logic", "seed": 1, "seconds": 1.0}),
    "with_reasons": (agents.with_reasons, {"agent": agents.Safest()}),
    "Setup.of": (Setup.of, {"level": "beginner", "first": (0, 0), "promise": "safe"}),
    "Plan.of": (
        Plan.of,
        {
            "level": "beginner",
            "first": (0, 0),
            "promise": "safe",
            "games": 2,
            "seed": 1,
            "boards": None,
        },
    ),
    "draw_svg": (draw_svg, {"position": POSITION, "analysis": None, "chosen": None}),
    "heat_colour": (heat_colour, {"risk": 0.5}),
}
if sapper.engine_name == "compiled":
    CALLS["Strong"] = (agents.Strong, {"effort": "fast", "seconds": 1})
    CALLS["Strong.decide"] = (agents.Strong(seconds=1).decide, {"position": POSITION})


@pytest.mark.parametrize("name", CALLS)
def test_the_valid_arguments_are_accepted(name: str) -> None:
    call, arguments = CALLS[name]
    call(**arguments)


@pytest.mark.parametrize("name", CALLS)
@given(st.data())
@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
def test_a_wrong_argument_is_a_type_or_value_error(name: str, data: st.DataObject) -> None:
    call, arguments = CALLS[name]
    wrong = data.draw(st.sampled_from(sorted(arguments)))
    given_arguments = dict(arguments) | {wrong: data.draw(junk)}
    try:
        call(**given_arguments)
    except (TypeError, ValueError) as error:
        assert str(error), "the error has no message"
        assert len(str(error)) < 2000, "the message repeats a huge value"
        assert not isinstance(error, UnicodeError)


# Moves change nothing if they fail --------------------------------------------------------------


@pytest.mark.parametrize("method", ["open", "flag", "chord"])
@pytest.mark.parametrize("begun", [False, True])
@given(cell=junk)
@settings(max_examples=200, suppress_health_check=list(HealthCheck), deadline=None)
def test_a_move_on_a_wrong_cell_changes_nothing(method: str, begun: bool, cell: object) -> None:
    game = _game() if begun else Game.new("beginner", seed=7)

    def seen() -> tuple[object, ...]:
        return game.position, game.actions, game.outcome, game.exploded, game.minefield is None

    before = seen()
    try:
        getattr(game, method)(cell)
    except IllegalMove:
        assert seen() == before
    else:
        for action in game.actions:  # The game stores plain tuples of integers.
            assert type(action.cell) is tuple
            assert [type(part) for part in action.cell] == [int, int]
        if len(game.actions) > begun:
            game.undo()
        assert seen() == before


@given(st.lists(_pairs, max_size=5))
@settings(max_examples=200, deadline=None)
def test_a_position_holds_only_its_own_cells(cells: list[Any]) -> None:
    for cell in cells:
        if cell in POSITION:
            assert POSITION.check_cell(cell) in list(POSITION)
        else:
            with pytest.raises(BadPosition, match="not a cell"):
                POSITION.check_cell(cell)


# What integers of other libraries become --------------------------------------------------------


def test_integers_of_other_libraries_become_plain_ones() -> None:
    numpy = pytest.importorskip("numpy")
    for kind in (numpy.int8, numpy.uint8, numpy.int64, numpy.uint64):
        position = Position.blank(kind(100), kind(100), kind(99))
        assert len(position) == 10_000
        assert position == Position.blank(100, 100, 99)
        assert eval(repr(position), {"Position": Position}) == position
        level = Level.custom(kind(9), kind(9), kind(10))
        assert (level, type(level.mines)) == (Level.named("9x9/10"), int)
        assert POSITION[kind(0), kind(1)] == 1
        assert POSITION.neighbours((kind(0), kind(1))) == {(0, 0), (0, 2)}
        game = Game.new("beginner", seed=kind(7))
        game.open((kind(4), kind(4)))
        assert game.actions == _game().actions
        assert type(game.seed) is int


@pytest.mark.parametrize("wrong", [True, 1.0, math.nan, math.inf, "1", None, 1j, Fraction(1)])
@pytest.mark.parametrize("side", ["height", "width", "mines"])
def test_a_size_must_be_an_integer(side: str, wrong: object) -> None:
    with pytest.raises(TypeError, match="must be an integer"):
        Position.blank(**{"height": 2, "width": 2, "mines": 1} | {side: wrong})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be an integer"):
        Level.custom(**{"height": 2, "width": 2, "mines": 1} | {side: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("codes", [[9, 9], (9, 9), "##", None, range(2)])
def test_codes_must_be_bytes(codes: object) -> None:
    with pytest.raises(TypeError, match="must be bytes"):
        Position(1, 2, 1, codes)  # type: ignore[arg-type]


def test_changing_the_codes_afterwards_does_not_change_the_position() -> None:
    codes = bytearray([9, 9])
    position = Position(1, 2, 1, codes)  # type: ignore[arg-type]
    codes[0] = 1
    assert position == Position.blank(1, 2, 1)
    assert hash(position) == hash(Position.blank(1, 2, 1))


def test_changing_the_entries_afterwards_does_not_change_the_record() -> None:
    entries, mines = [Entry(0.0, "open", (0, 0))], {(0, 2)}
    record = Record(Level.named("4x1/1"), Promise.SAFE, mines, entries)  # type: ignore[arg-type]
    entries.clear()
    mines.clear()
    assert (len(record.entries), len(record.mines)) == (1, 1)
    assert hash(record) == hash(record)


# A limit is a limit ------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 0.0, "", (), False, 5])
def test_a_number_is_not_taken_for_no_limit(limit: object) -> None:
    calls: list[Call] = [
        analyse,
        win_chance,
        perfect_moves,
        sapper.difficulty,
        sapper.explain_guess,
    ]
    for call in calls:
        with pytest.raises(TypeError, match="must be a Limit or None"):
            call(FORCED, limit=limit)
    with pytest.raises(TypeError, match="must be a Limit or None"):
        Analyser(limit=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("huge", [10**5000, -(10**5000)], ids=["positive", "negative"])
def test_a_huge_integer_has_a_clear_error_too(huge: int) -> None:
    """Python does not print integers of more than some thousand digits."""
    calls: list[Call] = [
        lambda: Position.blank(huge, 1, 1),
        lambda: Position.blank(1, 1, huge),
        lambda: Game.new("beginner", seed=huge),
        lambda: POSITION[huge, 0],
        lambda: sapper.review(_record(), playouts=huge),
        lambda: Plan.of("beginner", games=-abs(huge)),
    ]
    for call in calls:
        with pytest.raises(sapper.SapperError, match=r"10\*\*20|not a cell"):
            call()


def test_an_object_that_cannot_show_itself_has_a_clear_error() -> None:
    with pytest.raises(TypeError, match="not an object of type Awkward"):
        analyse(Awkward())  # type: ignore[arg-type]


# Games stand for their positions ------------------------------------------------------------------


def test_a_game_stands_for_its_position() -> None:
    game = _game()
    assert analyse(game).safe == analyse(game.position).safe
    assert Analyser().feed(game).mines == analyse(game.position).mines
    for name in agents.available():
        assert agents.named(name, seed=1).known_mines(game) <= game.position.hidden  # type: ignore[arg-type]
    small = Game.on("3x1/1", [(0, 0)])
    small.open((0, 1))
    assert win_chance(small) == win_chance(small.position) == Fraction(1, 2)
    assert perfect_moves(small) == perfect_moves(small.position)
    assert sapper.explain_guess(small) == sapper.explain_guess(small.position)


# Games ------------------------------------------------------------------------------------------


def test_a_minefield_of_another_size_is_rejected() -> None:
    field = Minesweeper.with_mines(3, 3, [(0, 0)])
    with pytest.raises(BadLevel, match="3 x 3"):
        Game(Level.named("4x4/1"), seed=None, promise=Promise.NONE, minefield=field)
    with pytest.raises(BadLevel, match=r"with 1 mine$"):
        Game(Level.named("3x3/2"), seed=None, promise=Promise.NONE, minefield=field)


def test_a_game_needs_a_seed_or_a_minefield() -> None:
    for promise in Promise:
        with pytest.raises(BadLevel, match="seed or a minefield"):
            Game(Level.named("9x9/10"), seed=None, promise=promise)


def test_the_first_click_of_a_board_is_not_a_mine() -> None:
    """The agent opens it first and calls it safe."""
    with pytest.raises(BadLevel, match="row 1, column 3 is a mine"):
        Game.on("3x1/1", [(0, 2)], first=(0, 2))


# Records ----------------------------------------------------------------------------------------


def test_an_unknown_kind_of_entry_is_an_error() -> None:
    entries = (Entry(0.0, "jump", (0, 0)),)  # type: ignore[arg-type]
    record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries)
    with pytest.raises(BadRecord, match="'jump' is not one of"):
        record.replay()
    with pytest.raises(BadRecord, match="'jump' is not one of"):
        measure_record(record)


@pytest.mark.parametrize("at", [math.nan, math.inf, -1.0, 10**400, "1", None])
def test_a_time_is_a_number_of_seconds(at: object) -> None:
    entries = (Entry(at, "open", (0, 0)),)  # type: ignore[arg-type]
    record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries)
    for call in (measure_record, sapper.review):
        with pytest.raises(BadRecord, match="not a number of seconds"):
            call(record)
