"""Sessions in which a student's agent makes the AI's moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sapper import Game, Outcome, Session
from sapper.course.student import StudentFile
from sapper.session.session import NO_MOVES
from tests.support.processes import needs_proc, wait_until_ended
from tests.support.student_files import CORRECT, student_file

BOARD = "3x2/1", [(1, 0)]
"""With the first two numbers open, the subset rule settles the last column."""
LONG = 60.0
MakeSession = Callable[..., Session]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[MakeSession]:
    """A function that begins a session with a faulty agent, or with a correct one."""
    begun: list[Session] = []

    def make(fault: str | None = None, game: Game | str = "course", **options: float) -> Session:
        path = CORRECT if fault is None else student_file(tmp_path, fault)
        begun.append(Session(game, agent=StudentFile(path), **options))  # type: ignore[arg-type]
        return begun[-1]

    yield make
    for session in begun:
        session.close()


def test_a_correct_agent_plays_without_mistakes(begin: MakeSession) -> None:
    session = begin(None, Game.new("course", seed=5))
    while session.ai_move() is not None:
        assert session.examination is not None
        assert session.examination.is_clean
        assert session.overlay is None
    assert session.game.over
    assert session.helped


def test_a_missed_cell_is_shown_and_explained(begin: MakeSession) -> None:
    session = begin("no subset rule", Game.on(*BOARD))
    session.open((0, 0))
    assert session.overlay is None
    assert not session.helped
    session.open((0, 1))
    shown = session.overlay
    assert shown is not None
    assert shown.missed == {(0, 2), (1, 2)}
    assert shown.title == "2 missed cells (!)"
    assert session.helped
    session.why()
    explained = session.overlay
    assert explained is not None
    assert explained.title == "Row 1, column 3: the agent has missed that it is safe."
    assert explained.numbers == {(0, 0), (0, 1)}
    assert explained.missed == shown.missed
    session.why()
    assert session.overlay is not None
    assert session.overlay.target == (1, 2)
    session.step(1)
    assert session.overlay.step is None or session.overlay.step[0] == 1
    session.clear_help()
    assert session.overlay == shown
    session.clear_help()
    assert session.overlay is not None
    assert (session.overlay.title, session.overlay.missed) == ("", shown.missed)


def test_a_wrong_belief_is_shown_with_a_layout_that_refutes_it(begin: MakeSession) -> None:
    session = begin("marks a neighbour as safe", Game.on(*BOARD))
    session.open((0, 0))
    shown = session.overlay
    assert shown is not None
    assert shown.wrong == {(0, 1)}
    assert shown.lines[0] == "Unfounded: the agent believes that row 1, column 2 is safe."
    session.why((0, 1))
    explained = session.overlay
    assert explained is not None
    assert explained.mines == {(0, 1)}
    assert "that does not follow" in explained.title


def test_the_knowledge_is_shown_step_by_step(begin: MakeSession) -> None:
    session = begin(None, Game.on(*BOARD))
    session.toggle_knowledge()
    assert session.message == "The agent has not learned anything yet."
    session.open((0, 0))
    session.open((0, 1))
    first, second = session.changes
    assert session.overlay is not None
    assert session.overlay.lines == tuple(second.lines())
    assert session.overlay.step == (2, 2)
    session.step(-1)
    assert session.overlay.lines == tuple(first.lines())
    session.step(-1)
    assert session.overlay.step == (1, 2)
    session.toggle_knowledge()
    assert session.overlay is None


@pytest.mark.parametrize("fault", ["raises", "hangs", "mines become None"])
def test_the_player_plays_on_when_the_agent_fails(begin: MakeSession, fault: str) -> None:
    session = begin(fault, Game.on(*BOARD), agent_seconds=1.0)
    session.open((0, 0))
    unavailable = "The AI cannot move until you start a new board: minesweeper.py"
    assert session.message.startswith(f"You opened row 1, column 1. {unavailable}")
    announced: list[str] = []
    session.start_ai_move(announced.append)
    assert not announced
    assert session.message.startswith(unavailable)
    session.toggle_autoplay()
    session.tick()
    assert not session.autoplay
    session.open((0, 1))
    assert session.message == "You opened row 1, column 2."
    session.reset("course")
    session.start_ai_move(announced.append)
    assert announced == ["No known safe moves, AI making random move."]


def test_the_agent_stays_on_every_level(begin: MakeSession) -> None:
    session = begin()
    for level in ("beginner", "course", "5x4/3"):
        session.reset(level)
        assert session.agent_name == CORRECT.name
        assert session.ai_move() is not None
    session.use_agent("safest")
    assert (session.agent_name, session.built_in_agent) == (CORRECT.name, "safest")
    assert session.message == "The AI moves still come from minesweeper.py."


def test_autoplay_stops_when_the_agent_takes_all_cells_for_mines(begin: MakeSession) -> None:
    session = begin("takes all other cells for mines", Game.on("4x1/1", [(0, 1)]))
    session.open((0, 0))
    session.toggle_autoplay()
    session.tick()
    assert session.game.flags == {(0, 1), (0, 2), (0, 3)}
    assert session.game.outcome is Outcome.PLAYING
    assert not session.autoplay
    assert session.ai_move() == NO_MOVES


@needs_proc
def test_no_process_stays_behind(begin: MakeSession) -> None:
    session = begin("marks its process ID")

    def process() -> int:
        assert session.examination is not None
        ((pid, _),) = session.examination.off_board
        return pid

    first = process()
    session.reset()
    second = process()
    assert first != second
    wait_until_ended([first], LONG)
    session.close()
    wait_until_ended([second], LONG)
