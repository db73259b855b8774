"""Measures of games, compared with values computed by hand."""

from __future__ import annotations

import json
import random
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import (
    HIDDEN,
    Entry,
    Game,
    GameMeasures,
    Level,
    Outcome,
    Promise,
    Record,
    measure,
    measure_record,
)
from sapper.minesweeper import Minesweeper
from tests.support.minefields import field_of, minefields, numbers_of
from tests.support.recorded_games import SIDE, WON, record_of

pytestmark = pytest.mark.any_engine

RING = """
1 1 1
1 * 1
1 1 1
"""


TWO_OPENINGS = """
0 1 * 1 0
0 1 1 1 0
"""


def test_the_measures_of_a_won_game_match_values_computed_by_hand() -> None:
    game = measure_record(WON)
    assert game.outcome is Outcome.WON
    assert game.board == measure(field_of(SIDE))
    assert (game.left, game.right, game.chords, game.idle) == (1, 1, 4, 1)
    assert (game.clicks, game.wasted, game.useful) == (7, 2, 5)
    assert (game.undone, game.by_agents, game.style) == (0, 0, "flags")
    assert (game.bbbv_done, game.seconds) == (6, 5.0)
    assert game.bbbv_per_second == pytest.approx(6 / 5)
    assert game.clicks_per_second == pytest.approx(7 / 5)
    assert game.ioe == pytest.approx(6 / 7)
    assert game.correctness == pytest.approx(5 / 7)
    assert game.throughput == pytest.approx(6 / 5)
    assert game.zne == pytest.approx(4 / 7)
    assert game.znt == pytest.approx(4 / 5)
    assert game.rqp == pytest.approx(25 / 6)
    assert game.estimated_seconds == 5.0


def test_the_measures_of_a_lost_game_match_values_computed_by_hand() -> None:
    moves = Entry(0.0, "open", (0, 0)), Entry(2.0, "open", (0, 1)), Entry(3.0, "open", (1, 1))
    game = measure_record(record_of(RING, *moves))
    assert game.outcome is Outcome.LOST
    assert (game.left, game.useful, game.wasted, game.style) == (3, 3, 0, "no flags")
    assert game.bbbv_done == 2
    assert game.bbbv_per_second == pytest.approx(2 / 3)
    assert game.estimated_seconds == pytest.approx(12.0)  # A quarter of the board in 3 seconds.
    assert game.zne is game.znt is None


def test_an_opening_counts_when_one_of_its_zeros_is_open() -> None:
    border = measure_record(record_of(TWO_OPENINGS, Entry(0.0, "open", (0, 1))))
    assert border.bbbv_done == 0
    zero = measure_record(
        record_of(TWO_OPENINGS, Entry(0.0, "open", (0, 1)), Entry(1.0, "open", (1, 0)))
    )
    assert (zero.bbbv_done, zero.left, zero.useful) == (1, 2, 2)
    assert zero.outcome is Outcome.PLAYING


def test_undone_moves_count_as_clicks_without_effect() -> None:
    game = measure_record(
        record_of(
            RING,
            Entry(0.0, "open", (0, 0)),
            Entry(1.0, "open", (1, 1)),  # The mine.
            Entry(2.0, "undo"),
            Entry(3.0, "flag", (1, 1)),
            Entry(4.0, "chord", (0, 0)),
            Entry(6.0, "undo"),
        )
    )
    assert game.outcome is Outcome.PLAYING
    assert (game.clicks, game.useful, game.undone) == (4, 4, 2)
    assert (game.bbbv_done, game.seconds) == (1, 6.0)
    assert game.ioe == pytest.approx(1 / 4)


def test_a_chord_that_opens_only_a_mine_is_not_a_wasted_click() -> None:
    moves = Entry(0.0, "open", (0, 1)), Entry(1.0, "flag", (0, 2)), Entry(2.0, "chord", (0, 1))
    game = measure_record(record_of("* 1 0", *moves))
    assert game.outcome is Outcome.LOST
    assert (game.wasted, game.useful, game.bbbv_done) == (0, 3, 0)
    assert game.bbbv_per_second == 0.0
    assert game.rqp is game.estimated_seconds is None


def test_without_time_or_clicks_speed_and_efficiency_are_unknown() -> None:
    nothing = measure_record(record_of(RING))
    assert nothing.clicks == 0
    assert nothing.ioe is nothing.correctness is nothing.throughput is nothing.estimated_seconds is None
    at_once = measure_record(record_of("0 0 1 *", Entry(0.0, "open", (0, 0))))
    assert at_once.outcome is Outcome.WON
    assert at_once.bbbv_per_second is at_once.clicks_per_second is at_once.rqp is None
    assert (at_once.ioe, at_once.zne, at_once.estimated_seconds) == (1.0, 1.0, 0.0)
    idle = measure_record(record_of(RING, Entry(0.0, "click", (0, 0)), Entry(4.0, "click", (0, 0))))
    assert (idle.wasted, idle.correctness, idle.throughput, idle.ioe) == (2, 0.0, None, 0.0)


def test_clicks_of_agents_are_counted_separately() -> None:
    moves = (
        Entry(0.0, "open", (0, 0)),
        Entry(1.0, "open", (0, 1), by="logic"),
        Entry(2.0, "undo", by="logic"),
    )
    game = measure_record(record_of(RING, *moves))
    assert (game.clicks, game.by_agents) == (2, 1)


def test_a_game_by_the_courses_rules_is_won_by_flags() -> None:
    level = Level("tiny", 1, 3, 1, Promise.NONE, course_rules=True)
    moves = Entry(0.0, "open", (0, 1)), Entry(2.0, "flag", (0, 2))
    game = measure_record(record_of("0 1 *", *moves, level=level))
    assert game.outcome is Outcome.WON
    assert (game.bbbv_done, game.clicks, game.estimated_seconds) == (0, 2, 2.0)


def test_game_measures_have_a_json_form() -> None:
    game = measure_record(WON)
    facts = json.loads(json.dumps(game.to_json()))
    assert facts["board"] == json.loads(json.dumps(game.board.to_json()))
    assert facts["outcome"] == "won"
    derived = {name for name, value in vars(GameMeasures).items() if isinstance(value, property)}
    assert facts.keys() == asdict(game).keys() | derived
    assert all(facts[name] == getattr(game, name) for name in facts.keys() - {"board", "outcome"})


@given(minefields(side=5), st.data())
def test_measures_of_random_games_are_consistent(field: Minesweeper, data: st.DataObject) -> None:
    level = Level.custom(field.height, field.width, len(field.mines))
    game = Game.on(level, field.mines)
    entries: list[Entry] = []
    wasted = 0
    while not game.over and len(entries) < 12:
        cell = data.draw(st.sampled_from(sorted(game.position)))
        hidden, flagged = game.position.is_hidden(cell), cell in game.flags
        kinds = ["flag"] if flagged else ["open", "flag"] if hidden else ["chord", "click"]
        kind = data.draw(st.sampled_from(kinds))
        if kind == "click":
            wasted += 1
        elif kind == "chord":
            done = len(game.actions)
            game.chord(cell)
            wasted += len(game.actions) == done
        else:
            getattr(game, kind)(cell)
        entries.append(Entry(float(len(entries)), kind, cell))  # type: ignore[arg-type]
    measured = measure_record(Record.of(game, tuple(entries)))
    assert measured.clicks == len(entries)
    assert measured.wasted == wasted
    assert measured.outcome is game.outcome
    assert 0 <= measured.bbbv_done <= measured.board.bbbv
    assert (measured.bbbv_done == measured.board.bbbv) >= (game.outcome is Outcome.WON)
    if measured.correctness and measured.throughput:
        assert measured.ioe == pytest.approx(measured.correctness * measured.throughput)


BUTTONS = {"open": ("lc", "lr"), "flag": ("rc", "rr"), "chord": ("lc", "rc", "rr", "lr")}
"""How ms-toollib is told of each kind: buttons that go down and up again."""


def test_clicks_and_3bv_agree_with_ms_toollib() -> None:
    """ms-toollib counts losing moves and wrong or removed flags differently: the games have none."""
    toollib = pytest.importorskip("ms_toollib")
    chance = random.Random(1)
    for seed in range(40):
        game = Game.new("8x8/12", seed=seed, promise="none")
        field = game.minefield
        assert field is not None
        while not game.over and len(game.actions) < 20:
            cell = chance.choice(sorted(game.position))
            if not game.position.is_hidden(cell):
                game.chord(cell)
            elif not field.is_mine(cell):
                game.open(cell)
            elif game.actions and cell not in game.flags:  # Its games start with an opened cell.
                game.flag(cell)
        entries = [Entry(0.0, action.kind, action.cell) for action in game.actions]
        number = next(cell for cell in game.position if game.position[cell] < HIDDEN)
        if not game.over:
            entries.append(Entry(0.0, "chord", number))  # May open nothing.
        measured = measure_record(Record.of(game, tuple(entries)))
        replayed = toollib.MinesweeperBoard(numbers_of(field))
        replayed.step_flow([(button, e.cell) for e in entries for button in BUTTONS[e.kind]])
        assert measured.bbbv_done == replayed.bbbv_solved
        assert (measured.left, measured.right, measured.chords, measured.useful) == (
            replayed.left,
            replayed.right,
            replayed.double,
            replayed.ce,
        )
