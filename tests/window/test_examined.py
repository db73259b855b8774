"""The window with a student's agent: its mistakes, its knowledge and its failures are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.window_player import Player, display

import pygame  # isort: skip

from sapper import Game, Session
from sapper.course.student import StudentFile
from sapper.session.background import BackgroundTasks
from sapper.window.app import Window
from sapper.window.board import BoardScreen
from sapper.window.marks import MISSED, SAFE, WRONG
from sapper.window.screens import StartScreen
from tests.support.student_files import CORRECT, student_file

_display = pytest.fixture(autouse=True, scope="module")(display)
BOARD = "3x2/1", [(1, 0)]
LONG = 60.0


class Watcher(Player):
    """A player whose AI moves come from a student's file."""

    def __init__(self, path: Path, game: Game) -> None:
        agent, tasks = StudentFile(path), BackgroundTasks(threads=1)
        session = Session(game, agent=agent, tasks=tasks, agent_seconds=2.0)
        self.window = Window(session, (900, 660))
        self.held = set()
        self.click("play")

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Let time pass until something has happened."""
        end = time.monotonic() + LONG
        while not happened():
            assert time.monotonic() < end, self.session.message
            self.window.tick()
            self.window.draw()
            time.sleep(0.005)
        self.window.draw()

    def examined(self) -> None:
        """Wait until the beliefs in the current position are known."""
        opened = set(self.game.position.numbers)

        def is_current() -> bool:
            found = self.session.examination
            return found is not None and set(found.position.numbers) == opened

        self.wait_for(is_current)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[[str | None, Game], Watcher]]:
    """A function that opens a window with a faulty agent, or with a correct one."""
    opened: list[Watcher] = []

    def make(fault: str | None, game: Game) -> Watcher:
        path = CORRECT if fault is None else student_file(tmp_path, fault)
        opened.append(Watcher(path, game))
        return opened[-1]

    yield make
    for watcher in opened:
        watcher.window.close()
        watcher.session.close()


MakeWatcher = Callable[[str | None, Game], Watcher]


def test_the_agent_moves_with_the_courses_announcements(
    watch: MakeWatcher, capfd: pytest.CaptureFixture[str]
) -> None:
    watcher = watch("prints", Game.new("course", seed=5))
    watcher.examined()
    for number in (1, 2):
        watcher.click("ai")
        watcher.wait_for(lambda number=number: len(watcher.game.position.numbers) == number)  # type: ignore[misc]
    out, err = capfd.readouterr()
    assert out.splitlines() == ["No known safe moves, AI making random move.", "AI making safe move."]
    assert err == ""


def test_missed_cells_have_a_sign_and_why_proves_them(watch: MakeWatcher) -> None:
    watcher = watch("no subset rule", Game.on(*BOARD))
    watcher.click((0, 0))
    watcher.click((0, 1))
    watcher.examined()
    signs = [watcher.board.help_marks.at(cell).sign for cell in ((0, 2), (1, 2), (1, 1))]
    assert signs == [MISSED, MISSED, ""]
    watcher.click("why")
    watcher.wait_for(lambda: watcher.board.help_marks.at((0, 2)).sign == SAFE)
    assert watcher.session.overlay is not None
    assert any("Subtract" in line for line in watcher.session.overlay.lines)


def test_wrong_beliefs_have_another_sign(watch: MakeWatcher) -> None:
    watcher = watch("marks a neighbour as safe", Game.on(*BOARD))
    watcher.click((0, 0))
    before = watcher.pixels()
    watcher.examined()
    assert watcher.board.help_marks.at((0, 1)).sign == WRONG
    assert watcher.pixels() != before


def test_the_knowledge_is_shown_with_a_key(watch: MakeWatcher) -> None:
    watcher = watch(None, Game.on(*BOARD))
    watcher.click((0, 0))
    watcher.click((0, 1))
    watcher.examined()
    watcher.type("k")
    watcher.window.draw()
    assert watcher.session.overlay is not None
    assert watcher.session.overlay.step == (2, 2)
    watcher.type(",")
    assert watcher.session.overlay.title.startswith("Row 1, column 1 shows 1.")


def test_escape_closes_the_text_first_and_then_goes_to_the_start_screen(watch: MakeWatcher) -> None:
    watcher = watch("no subset rule", Game.on(*BOARD))
    watcher.click((0, 0))
    watcher.click((0, 1))
    watcher.examined()
    watcher.key(pygame.K_ESCAPE)
    assert isinstance(watcher.window.screen, BoardScreen)
    watcher.key(pygame.K_ESCAPE)
    assert isinstance(watcher.window.screen, StartScreen)
    assert watcher.window.running


@pytest.mark.parametrize("fault", ["raises", "hangs"])
def test_the_window_stays_usable_when_the_agent_fails(watch: MakeWatcher, fault: str) -> None:
    watcher = watch(fault, Game.on(*BOARD))
    watcher.click((0, 0))
    watcher.click("ai")
    start = time.monotonic()
    watcher.window.tick()
    watcher.click("hint")  # While the agent may still be running.
    assert time.monotonic() - start < 1.5
    watcher.wait_for(
        lambda: "The AI cannot move until you start a new board" in watcher.session.message
    )
    assert len(watcher.game.position.numbers) == 1
    watcher.click((0, 1))
    assert len(watcher.game.position.numbers) == 2
    watcher.type("r")
    watcher.examined()


def test_the_settings_keep_the_built_in_agent(watch: MakeWatcher) -> None:
    watcher = watch(None, Game.new("beginner", seed=5))
    watcher.type("o")
    watcher.click("agent")
    watcher.click("back")
    assert watcher.session.agent_name == CORRECT.name
    assert watcher.session.built_in_agent != "logic"
