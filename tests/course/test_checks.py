"""A copy of the course's own automatic checks: our file passes them.

The course checks `minesweeper.py` alone in an empty folder, and so do these tests.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sapper import minesweeper

Cells = set[tuple[int, int]]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(Path(minesweeper.__file__), folder)
    return folder / "minesweeper.py"


@pytest.fixture(scope="module")
def module(copied: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("copied_minesweeper", copied)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_file_imports_only_the_standard_library(copied: Path) -> None:
    code = "import minesweeper; minesweeper.MinesweeperAI().add_knowledge((0, 0), 0)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=copied.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# The openings of a 4 x 5 board, and what must be known after them.
@pytest.mark.parametrize(
    ("openings", "mines"),
    [
        ([((2, 4), 1), ((2, 3), 1), ((1, 4), 0), ((3, 2), 0)], {(3, 4)}),
        ([((2, 0), 2), ((3, 1), 0)], {(1, 0), (1, 1)}),
    ],
)
def test_mines_are_inferred(
    module: ModuleType, openings: list[tuple[tuple[int, int], int]], mines: Cells
) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    for cell, count in openings:
        ai.add_knowledge(cell, count)
    assert ai.mines == mines


def test_several_sentences_are_combined(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    for cell, count in [((3, 0), 2), ((2, 0), 3), ((1, 2), 1)]:
        ai.add_knowledge(cell, count)
    assert {(1, 0), (2, 1), (3, 1)} <= ai.mines


def test_safe_cells_are_inferred_from_later_openings(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    for cell, count in [((0, 1), 1), ((1, 0), 1), ((1, 2), 1), ((3, 1), 0), ((0, 4), 0), ((3, 4), 0)]:
        ai.add_knowledge(cell, count)
    assert {(0, 0), (0, 2)} <= ai.safes


def test_an_empty_cell_makes_its_neighbours_safe(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    ai.add_knowledge((0, 0), 0)
    assert ai.safes == {(0, 0), (0, 1), (1, 0), (1, 1)}


@pytest.mark.parametrize(
    ("cell", "count", "cells"),
    [
        ((1, 1), 2, {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}),
        ((3, 4), 1, {(2, 3), (2, 4), (3, 3)}),
    ],
)
def test_a_sentence_about_the_neighbours_is_added(
    module: ModuleType, cell: tuple[int, int], count: int, cells: Cells
) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    ai.add_knowledge(cell, count)
    assert module.Sentence(cells, count) in ai.knowledge
    assert ai.moves_made == ai.safes == {cell}


def test_known_mines_stay_out_of_new_sentences(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    ai.add_knowledge((0, 0), 3)
    ai.mines.update({(0, 1), (1, 0), (1, 1)})
    ai.add_knowledge((0, 2), 3)
    assert module.Sentence({(0, 3), (1, 2), (1, 3)}, 1) in ai.knowledge


def test_known_safe_cells_stay_out_of_new_sentences(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=4, width=5)
    ai.add_knowledge((0, 0), 0)
    ai.safes.update({(0, 1), (1, 0), (1, 1)})
    ai.add_knowledge((0, 2), 2)
    assert module.Sentence({(0, 3), (1, 2), (1, 3)}, 2) in ai.knowledge


def test_safe_moves(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=3, width=3)
    ai.add_knowledge((0, 2), 0)
    assert ai.make_safe_move() in {(0, 1), (1, 1), (1, 2)}
    ai = module.MinesweeperAI(height=3, width=3)
    ai.add_knowledge((0, 0), 1)
    assert ai.make_safe_move() is None


def test_random_moves_avoid_mines_and_opened_cells(module: ModuleType) -> None:
    ai = module.MinesweeperAI(height=3, width=3)
    ai.add_knowledge((0, 0), 3)
    for _ in range(50):
        assert ai.make_random_move() not in {(0, 0), (0, 1), (1, 0), (1, 1)}
