"""What a session does beyond moves: undo, practice, boards, help, autoplay and the clock."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Game, Outcome, Recorder, SapperError, Session
from sapper.session.background import BackgroundTasks
from sapper.session.start import GIVEN, NO_GUESS, RANDOM


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def a_lost_session() -> Session:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    assert session.game.minefield is not None
    session.open(min(session.game.minefield.mines))
    assert session.game.outcome is Outcome.LOST
    return session


@given(st.integers(0, 2**32), st.sampled_from(["beginner", "6x6/6", "course"]))
@settings(max_examples=40)
def test_undo_and_redo_restore_the_same_game(seed: int, level: str) -> None:
    session, dice = Session(level, seed=seed), random.Random(seed)
    for _ in range(12):
        cell = dice.choice(sorted(session.game.position))
        dice.choice([session.open, session.open, session.flag])(cell)
    last = session.game.position
    steps = 0
    while session.undo():
        steps += 1
    assert not session.game.actions
    assert not session.game.position.numbers
    while session.redo():
        steps -= 1
    assert steps == 0
    assert session.game.position == last


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_the_record_always_replays_to_the_same_position(seed: int) -> None:
    session, dice = Session("6x6/6", seed=seed), random.Random(seed)
    for _ in range(25):
        cell = dice.choice(sorted(session.game.position))
        match dice.randrange(5):
            case 0 | 1:
                session.open(cell)
            case 2:
                session.mark(cell)
            case 3:
                session.undo()
            case 4:
                session.redo()
        if session.record is not None:
            assert session.record.replay().position == session.game.position


def test_a_new_move_clears_the_redo_list() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    session.undo()
    session.flag((0, 0))
    assert not session.redo()


def test_practice_continues_after_a_mine() -> None:
    session = a_lost_session()
    mines = session.game.exploded
    assert session.go_on()
    assert session.practice
    assert mines <= session.game.flags
    assert session.game.outcome is Outcome.PLAYING
    assert not session.go_on()


def test_every_game_ends_once() -> None:
    ends: list[Outcome] = []
    session = Session("beginner", seed=7, on_end=lambda play: ends.append(play.game.outcome))
    session.open((4, 4))
    assert session.game.minefield is not None
    session.open(min(session.game.minefield.mines))
    session.go_on()
    while not session.game.over:
        session.open(min(session.game.position.hidden - session.game.minefield.mines))
    assert ends == [Outcome.LOST]
    session.again()
    session.open((4, 4))
    while not session.game.over:
        session.open(min(session.game.position.hidden - session.game.minefield.mines))
    assert ends == [Outcome.LOST, Outcome.WON]


def test_a_question_mark_follows_the_flag_if_enabled() -> None:
    session = Session("beginner", seed=7)
    session.mark((0, 0))
    session.mark((0, 0))
    assert not session.questions
    session.use_question_marks(True)
    session.mark((0, 0))
    assert session.game.flags == {(0, 0)}
    session.mark((0, 0))
    assert not session.game.flags
    assert session.questions == {(0, 0)}
    session.mark((0, 0))
    assert not session.game.flags
    assert not session.questions
    session.mark((0, 0))
    session.mark((0, 0))
    session.open((0, 0))
    assert not session.questions  # It is open now.


def test_the_clock_runs_from_the_first_opening_to_the_end() -> None:
    clock = Clock()
    session = Session("beginner", seed=7, clock=clock)
    session.flag((0, 0))
    clock.now += 5
    assert session.seconds == 0
    session.flag((0, 0))
    session.open((4, 4))
    clock.now += 3
    assert session.seconds == 3
    assert session.game.minefield is not None
    session.open(min(session.game.minefield.mines))
    clock.now += 10
    assert session.seconds == 3
    session.undo()
    clock.now += 1
    assert session.seconds == 4
    session.again()
    assert session.seconds == 0


def test_a_course_game_won_with_flags_alone_has_a_time() -> None:
    clock = Clock()
    session = Session("course", seed=7, clock=clock)
    assert session.game.minefield is not None
    for mine in sorted(session.game.minefield.mines):
        session.flag(mine)
        clock.now += 2
    assert session.game.outcome is Outcome.WON
    assert session.record is not None
    assert session.seconds == session.record.seconds == 2 * (session.game.level.mines - 1)


def test_again_restarts_the_same_board() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    assert session.game.minefield is not None
    mines = set(session.game.minefield.mines)
    session.again()
    assert not session.game.actions
    assert session.game.minefield.mines == mines
    assert session.game.first == (4, 4)
    session.ai_move()
    assert session.last == (4, 4)


def test_a_no_guess_board_is_generated_for_the_first_click() -> None:
    session = Session("beginner")
    session.new("beginner", no_guess=True)
    session.open((0, 8))
    assert session.kind == NO_GUESS
    assert session.game.first == (0, 8)
    assert session.game.position[0, 8] == 0
    while not session.game.over:
        session.open(min(sapper.analyse(session.game.position).safe))
    assert session.game.outcome is Outcome.WON


def test_the_mines_of_a_large_board_are_placed_in_the_background() -> None:
    tasks = BackgroundTasks(threads=1)
    session = Session("400x300/20000", seed=7, tasks=tasks)
    session.open((150, 200))
    assert session.is_generating
    assert session.message == "Placing 20,000 mines..."
    assert not session.game.begun
    session.open((0, 0))  # It waits for the first click.
    assert tasks.wait(60)
    session.tick()
    assert not session.is_generating
    at_once = Game.new("400x300/20000", seed=7)
    at_once.open((150, 200))
    assert session.game.position == at_once.position


def test_an_impossible_no_guess_board_is_reported() -> None:
    session = Session("beginner")
    session.new("2x1/1", no_guess=True, difficulty="subset")
    session.open((0, 0))
    assert "No board of 2x1/1 that needs no guess" in session.message
    assert not session.is_generating
    session.reset()
    session.new("beginner")
    session.open((0, 0))
    assert session.kind == RANDOM
    assert session.game.position[0, 0] == 0


def test_codes_and_files_are_loaded(tmp_path: Path) -> None:
    session = Session("expert")
    code = sapper.board_code(sapper.generate("beginner", seed=7))
    session.load(code)
    assert (session.kind, session.game.level.name, session.code) == (GIVEN, "beginner", code)
    session.ai_move()
    session.ai_move()
    assert session.record is not None
    sapper.write(tmp_path / "game.json", session.record)
    other = Session("expert")
    other.load(tmp_path / "game.json")
    assert other.game.position == session.game.position
    assert other.record == session.record
    before = other.game
    (tmp_path / "position.txt").write_text("2x1/1\n# 1")
    for bad in (tmp_path / "position.txt", tmp_path / "none.mbf", "a9x9-10.o.sBw.f4-5.pUk"):
        with pytest.raises(SapperError):
            other.load(bad)
    assert other.game is before


def test_a_hint_shows_first_the_area_and_then_the_cell() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    session.hint()
    overlay = session.overlay
    assert overlay is not None
    assert overlay.area
    assert overlay.target is None
    session.hint()
    overlay = session.overlay
    assert overlay is not None
    assert overlay.target in sapper.analyse(session.game.position).safe
    assert session.helped
    assert overlay.target is not None
    session.open(overlay.target)
    assert session.overlay is None  # It was about the position before.


def test_a_proof_is_shown_whole_and_in_steps() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    session.why()
    whole = session.overlay
    assert whole is not None
    assert whole.target is not None
    proof = sapper.explain(session.game.position, whole.target)
    assert whole.numbers == proof.numbers
    assert whole.step is None
    seen = []
    for _ in proof.steps:
        session.step(1)
        assert session.overlay is not None
        assert session.overlay.step is not None
        seen.append(session.overlay.step)
    assert seen == [(number, len(proof.steps)) for number in range(1, len(proof.steps) + 1)]
    session.step(1)
    assert session.overlay is not None
    assert session.overlay.step == (len(proof.steps), len(proof.steps))
    session.step(-len(proof.steps))
    assert session.overlay == whole


def test_why_shows_the_risk_of_an_uncertain_cell() -> None:
    session = Session(Game.on("3x1/1", [(0, 0)]))
    session.open((0, 1))
    session.why((0, 0))
    assert session.overlay is not None
    assert "50 %" in session.overlay.title
    session.why()
    assert session.overlay is not None
    assert session.overlay.target in {(0, 0), (0, 2)}


def test_the_heat_map_follows_the_game() -> None:
    session = Session("beginner", seed=7)
    session.toggle_heat()
    session.open((4, 4))
    for _ in range(3):
        overlay = session.overlay
        assert overlay is not None
        analysis = sapper.analyse(session.game.position)
        risks = {cell: float(risk) for cell, risk in analysis.risk.items()}
        assert overlay.risks == pytest.approx(risks)
        assert (overlay.safe, overlay.mines) == (analysis.safe, analysis.mines)
        session.open(min(analysis.safe))
    session.toggle_heat()
    assert session.overlay is None


def test_autoplay_moves_when_it_is_due() -> None:
    clock = Clock()
    session = Session("beginner", seed=7, agent="safest", clock=clock)
    session.set_speed(10)
    session.toggle_autoplay()
    assert session.tick()
    assert len(session.game.actions) == 1
    assert not session.tick()
    clock.now += 0.11
    assert session.tick()
    assert len(session.game.actions) == 2
    for _ in range(1000):
        clock.now += 0.11
        session.tick()
    assert session.game.over
    assert not session.autoplay
    assert not session.tick()


def test_another_agent_takes_over() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    session.use_agent("safest")
    session.ai_move()
    assert session.record is not None
    assert [entry.by for entry in session.record.entries] == ["player", "safest"]
    with pytest.raises(SapperError, match="unknown agent"):
        session.use_agent("nobody")
    assert session.agent_name == "safest"
    assert set(session.agent_names) <= set(sapper.agents.AgentName)


def test_a_recorded_game_is_resumed_with_its_time_and_players(tmp_path: Path) -> None:
    clock = Clock()
    first = Session("beginner", seed=7, agent="safest", clock=clock)
    first.open((4, 4))
    clock.now += 2
    first.ai_move()
    first.undo()
    assert first.record is not None
    sapper.write(tmp_path / "left.json", first.record)

    later = Session(
        "course", clock=clock, recorder=lambda game: Recorder(tmp_path / "on.json", game, clock=clock)
    )
    later.load(tmp_path / "left.json")
    assert later.seconds == 2
    clock.now += 3
    later.ai_move()
    record = sapper.read(tmp_path / "on.json")
    assert isinstance(record, sapper.Record)
    assert record == later.record
    assert [(entry.at, entry.kind, entry.by) for entry in record.entries] == [
        (0, "open", "player"),
        (2, "open", "safest"),
        (2, "undo", "player"),
        (5, "open", "logic"),
    ]
