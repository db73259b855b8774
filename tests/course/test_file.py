"""The course's file: two identical copies, and no conflict with a student's file of the same name."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import sapper.minesweeper

ROOT = Path(__file__).parents[2]


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python code in a folder, as a student would."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_both_copies_are_identical() -> None:
    packaged = Path(sapper.minesweeper.__file__).read_bytes()
    assert packaged == (ROOT / "minesweeper.py").read_bytes()


def test_a_students_file_does_not_break_sapper(tmp_path: Path) -> None:
    (tmp_path / "minesweeper.py").write_text("raise RuntimeError('not finished yet')\n")
    code = "import sapper; print(sapper.Game.new('beginner', seed=1).level.name)"
    done = run(code, tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "beginner"), done.stderr


def test_sapper_does_not_shadow_a_students_file(tmp_path: Path) -> None:
    (tmp_path / "minesweeper.py").write_text("mine = True\n")
    done = run("import sapper, minesweeper; print(minesweeper.mine)", tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_sapper_installs_no_module_called_minesweeper(tmp_path: Path) -> None:
    done = run("import sapper, minesweeper", tmp_path)
    assert done.returncode == 1
    assert "No module named 'minesweeper'" in done.stderr


def test_the_file_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "minesweeper.py").write_bytes((ROOT / "minesweeper.py").read_bytes())
    code = "import sys, minesweeper; print([m for m in sys.modules if m.startswith('sapper')])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("Minesweeper", "(height=8, width=8, mines=8)"),
        ("Minesweeper.print", "(self)"),
        ("Minesweeper.is_mine", "(self, cell)"),
        ("Minesweeper.nearby_mines", "(self, cell)"),
        ("Minesweeper.won", "(self)"),
        ("Sentence", "(cells, count)"),
        ("Sentence.known_mines", "(self)"),
        ("Sentence.known_safes", "(self)"),
        ("Sentence.mark_mine", "(self, cell)"),
        ("Sentence.mark_safe", "(self, cell)"),
        ("MinesweeperAI", "(height=8, width=8)"),
        ("MinesweeperAI.mark_mine", "(self, cell)"),
        ("MinesweeperAI.mark_safe", "(self, cell)"),
        ("MinesweeperAI.add_knowledge", "(self, cell, count)"),
        ("MinesweeperAI.update_knowledge", "(self)"),
        ("MinesweeperAI.make_safe_move", "(self)"),
        ("MinesweeperAI.make_random_move", "(self)"),
    ],
)
def test_names_and_parameters_are_the_course_s(name: str, signature: str) -> None:
    found: object = sapper.minesweeper
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)
    parameters = inspect.signature(found).parameters.values()
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    assert str(inspect.Signature(plain)) == signature
