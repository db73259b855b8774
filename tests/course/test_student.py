"""A student's file as an agent: it plays, its mistakes are found, and its faults do no harm."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from sapper.course.examination import examine
from sapper.course.scripts import Claim, Moment
from sapper.course.student import Student, StudentFile
from sapper.errors import SapperError
from sapper.game.game import Game, Outcome
from sapper.position import Cell, Position
from sapper.proof.proof import Kind, Proof
from tests.support.processes import needs_proc, wait_until_ended
from tests.support.student_files import CORRECT, line_of, student_file

SUBSET = Position.parse("1 1 #\n# # #", mines=1)
"""The cells of the first number are a subset of the second's, so column 3 is safe."""
LONG = 60.0
"""Seconds that nothing here may take: far more than anything needs."""


@pytest.mark.parametrize("seed", range(4))
def test_a_correct_agent_plays_a_game_without_mistakes(seed: int) -> None:
    game = Game.new("course", seed=seed)
    with Student(CORRECT, seed=seed) as student:
        while not game.over and (choice := student.decide(game.position)) is not None:
            game.open(choice.cell)
            if choice.safe:
                assert not game.exploded
            assert student.examine(game.position).is_clean
        if not game.over:  # The course's game is won by flagging the mines.
            for mine in student.known_mines(game.position):
                game.flag(mine)
            assert game.outcome is Outcome.WON


def test_the_agent_learns_the_numbers_in_the_order_of_opening() -> None:
    game = Game.on("5x1/2", [(0, 1), (0, 3)])
    with Student(CORRECT) as student:
        for cell in ((0, 2), (0, 0), (0, 4)):
            game.open(cell)
            student.examine(game.position)
        told = [number for change in student.changes for number in change.numbers]
    assert told == [((0, 2), 2), ((0, 0), 1), ((0, 4), 1)]


def test_after_an_undone_move_the_agent_starts_again() -> None:
    game = Game.on("5x1/2", [(0, 1), (0, 3)])
    with Student(CORRECT) as student:
        for cell in ((0, 2), (0, 0)):
            game.open(cell)
            student.examine(game.position)
        game.undo()
        after = student.examine(game.position)
        assert after.beliefs.moves_made == {(0, 2)}
        game.open((0, 4))
        student.examine(game.position)
        assert [change.numbers[0][0] for change in student.changes] == [(0, 2), (0, 4)]


def test_a_missed_cell_is_found_and_proved(tmp_path: Path) -> None:
    with Student(student_file(tmp_path, "no subset rule")) as student:
        found = student.examine(SUBSET)
    assert found.missed_safes == {(0, 2), (1, 2)}
    assert not found.wrong
    proof = found.explain((1, 2))
    assert isinstance(proof, Proof)
    assert (proof.verdict, proof.kind) == ("safe", Kind.SUBSET)
    assert list(found.lines()) == ["Missed: row 1, column 3; row 2, column 3 are safe."]


def test_a_false_belief_is_refuted_by_a_proof(tmp_path: Path) -> None:
    position = Position.parse("# 1", mines=1)
    with Student(student_file(tmp_path, "marks the opposite")) as student:
        found = student.examine(position)
    assert (0, 0) in found.false
    proof = found.explain((0, 0))
    assert isinstance(proof, Proof)
    assert proof.verdict == "mine"


def test_an_unfounded_belief_is_refuted_by_a_layout(tmp_path: Path) -> None:
    position = Position.parse("# 1 # #", mines=1)
    with Student(student_file(tmp_path, "marks a neighbour as safe")) as student:
        found = student.examine(position)
    assert (found.unfounded, found.false) == (frozenset({(0, 0)}), frozenset())
    assert found.counterexample((0, 0)) == frozenset({(0, 0)})
    assert found.explain((0, 0)) == (
        "Mines at row 1, column 1 fit all numbers that matter, and then row 1, column 1 is a mine.",
    )


def test_a_belief_that_follows_by_other_rules_is_not_wrong() -> None:
    # Two numbers share one cell; only the mine count settles the rest.
    position = Position.parse("# 1 # 1 #", mines=1)
    beliefs = Moment(mines=frozenset({(0, 2)}), safes=frozenset({(0, 0), (0, 1), (0, 3), (0, 4)}))
    assert examine(position, beliefs).is_clean


def test_beliefs_about_open_cells_and_cells_off_the_board_are_wrong() -> None:
    position = Position.parse("# 1 #", mines=1)
    found = examine(position, Moment(mines=frozenset({(0, 1), (7, 7)})))
    assert (found.false, found.off_board) == (frozenset({(0, 1)}), frozenset({(7, 7)}))
    assert found.explain((0, 1)) == ("The cell is open, so it is not a mine.",)
    assert "off the board, such as (7, 7)" in "".join(found.lines())


@pytest.mark.parametrize(
    ("fault", "at", "message"),
    [
        ("raises", "1 / 0", "in add_knowledge: ZeroDivisionError: division by zero"),
        ("exits", "SystemExit(3)", "in make_safe_move: it ends the program (SystemExit)"),
        ("moves off the board", None, "make_safe_move returned (-1, 0), which is not on the board"),
        ("opens an open cell", None, "make_safe_move returned (0, 1), which is already open"),
        ("returns a list", None, "make_safe_move returned [0, 0], not a cell (i, j) or None"),
        ("mines become None", None, "after row 1, column 2 was opened, ai.mines should be a set"),
    ],
)
def test_a_fault_is_an_error_that_names_the_line(
    tmp_path: Path, fault: str, at: str | None, message: str
) -> None:
    path = student_file(tmp_path, fault)
    with Student(path) as student:
        with pytest.raises(SapperError) as caught:
            student.decide(Position.parse("# 1 #", mines=1))
        where = f"minesweeper.py, line {line_of(path, at)} " if at else "minesweeper.py: "
        assert str(caught.value).startswith(where + message)
        with pytest.raises(SapperError) as again:
            student.decide(Position.blank(1, 3, mines=1))
        assert str(again.value) == str(caught.value)


def test_a_hanging_agent_is_stopped(tmp_path: Path) -> None:
    path = student_file(tmp_path, "hangs")
    start = time.monotonic()
    with Student(path, seconds=1.0) as student, pytest.raises(SapperError) as caught:
        student.decide(Position.parse("# 1 #", mines=1))
    line = line_of(path, "while 1: pass")
    said = f"minesweeper.py, line {line} in add_knowledge: a call was still running after 1 second"
    assert str(caught.value) == said
    assert time.monotonic() - start < LONG


@needs_proc
def test_closing_ends_the_process_even_while_a_question_waits(tmp_path: Path) -> None:
    with Student(student_file(tmp_path, "marks its process ID")) as student:
        ((pid, _),) = student.examine(Position.blank(1, 3, mines=1)).off_board
    wait_until_ended([pid], LONG)
    with pytest.raises(SapperError, match="no longer running"):
        student.decide(Position.blank(1, 3, mines=1))

    student = Student(student_file(tmp_path, "hangs"), seconds=LONG)
    failed = threading.Event()

    def ask() -> None:
        with pytest.raises(SapperError):
            student.decide(Position.parse("# 1 #", mines=1))
        failed.set()

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.5)
    student.close()
    assert failed.wait(LONG / 2)
    thread.join()


def test_what_the_agent_prints_is_not_seen(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Student(student_file(tmp_path, "prints")) as student:
        assert student.decide(Position.parse("# . #", mines=0)) is not None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:", "minesweeper.py, line 1: SyntaxError: invalid syntax"),
        ("\nimport nothing_of_this_name", "minesweeper.py, line 2: ModuleNotFoundError: "),
        ("x = 1", "minesweeper.py: the file has no class MinesweeperAI"),
        ("class MinesweeperAI: pass", "minesweeper.py: the class MinesweeperAI has no method "),
    ],
)
def test_a_broken_file_is_reported(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(source)
    with pytest.raises(SapperError) as caught:
        StudentFile(path).check()
    assert str(caught.value).startswith(message)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SapperError, match="no such file"):
        StudentFile(tmp_path / "nothing.py").check()
    with pytest.raises(SapperError, match="it is not a file"):
        StudentFile(tmp_path).check()


def test_the_changes_add_up_to_the_agents_knowledge() -> None:
    game = Game.new("beginner", seed=3)
    sentences: Counter[Claim] = Counter()
    mines: frozenset[Cell] = frozenset()
    safes: frozenset[Cell] = frozenset()
    with Student(CORRECT, seed=3) as student:
        while not game.over and (choice := student.decide(game.position)) is not None:
            game.open(choice.cell)
        student.examine(game.position)
        for change in student.changes:
            sentences -= Counter([*change.removed, *(old for old, _ in change.changed)])
            sentences += Counter([*change.added, *(new for _, new in change.changed)])
            mines |= change.new_mines
            safes |= change.new_safes
            assert sentences == Counter(change.after.knowledge)
            assert (mines, safes) == (change.after.mines, change.after.safes)
            for old, new in change.changed:
                assert new.cells < old.cells


def test_a_server_cannot_reach_a_students_file() -> None:
    code = (
        "import sys, pkgutil, importlib, sapper.web\n"
        "for each in pkgutil.iter_modules(sapper.web.__path__, 'sapper.web.'):\n"
        "    importlib.import_module(each.name)\n"
        "print([name for name in sys.modules if name in"
        " ('sapper.course.student', 'sapper.course.submission', 'sapper.course.host')])"
    )
    pytest.importorskip("fastapi", reason="the server needs the extra web")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
