"""`sapper.course.checker`: correct agents pass, and every fault is named and shown."""

from __future__ import annotations

import random
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import minesweeper
from sapper.course.checker import check
from sapper.course.games import CheckGame, random_games, shrink
from sapper.course.logic import derive, find_layout
from sapper.course.report import CHECKS, Report, Result, Status
from sapper.minesweeper import MinesweeperAI, neighbours
from tests.support.oracle import FULL
from tests.support.student_faults import AGENTS, FAULTS, Fault

EACH = [fault for number, fault in enumerate(FAULTS) if FULL or number % 4 == 0]
"""All faults in a full run, otherwise every fourth."""


def check_source(folder: Path, source: str) -> Report:
    file = folder / "minesweeper.py"
    file.write_text(source, encoding="utf-8")
    return check(file)


def problems(report: Report) -> list[Result]:
    return [result for result in report.results if result.problem is not None]


@pytest.mark.parametrize("path", sorted(AGENTS.glob("*.py")), ids=lambda path: path.stem)
def test_correct_agents_of_different_designs_pass(path: Path) -> None:
    report = check(path)
    assert [result.check.name for result in report.failures()] == []
    assert report.exit_code() == 0
    assert report.share_found == 1


def test_the_model_answer_passes_without_advice() -> None:
    report = check(minesweeper.__file__)
    assert report.exit_code(strict=True) == 0
    assert [result.status for result in report.results] == [Status.PASSED] * len(CHECKS)


@pytest.mark.parametrize("fault", EACH, ids=lambda fault: fault.name)
def test_the_first_check_that_fails_names_the_fault(tmp_path: Path, fault: Fault) -> None:
    report = check_source(tmp_path, fault.source())
    assert report.unreadable is None
    first = problems(report)[0]
    assert first.check.name == fault.check
    assert report.exit_code(strict=True) == 1
    assert report.exit_code() == (1 if first.check.required else 0)
    assert first.problem is not None
    if fault.cells is not None:
        assert first.problem.cells <= fault.cells


def test_a_missed_cell_is_derived_in_the_terms_of_the_course(tmp_path: Path) -> None:
    fault = next(fault for fault in FAULTS if fault.name == "one round only")
    report = check_source(tmp_path, fault.source())
    problem = next(result.problem for result in report.failures() if result.check.name == fault.check)
    assert problem is not None
    assert problem.message.startswith("The agent does not find out that")
    assert any("is a subset of" in reason for reason in problem.reasons)
    assert problem.steps
    assert problem.knows is not None
    assert problem.cell not in problem.knows.mines | problem.knows.safes


def test_a_false_belief_is_refuted_by_a_layout(tmp_path: Path) -> None:
    fault = next(fault for fault in FAULTS if fault.name == "probable mines marked")
    report = check_source(tmp_path, fault.source())
    problem = next(result.problem for result in report.failures() if result.check.name == "soundness")
    assert problem is not None
    assert problem.layout is not None
    for cell, number in problem.numbers.items():
        around = neighbours(cell, problem.height, problem.width)
        assert len(around & problem.layout) == number
    assert problem.cell not in problem.layout


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def f(:\n    pass\n", "SyntaxError", 1),
        ("import random\nraise OSError('no')\n", "OSError: no", 2),
        ("x = input()\n", "EOFError", 1),
        ("import sys\nsys.exit(3)\n", "ends the program", 2),
        ("import os\nos._exit(3)\n", "exit code 3", None),
    ],
)
def test_a_file_that_cannot_be_imported_is_not_checked(
    tmp_path: Path, source: str, message: str, line: int | None
) -> None:
    report = check_source(tmp_path, source)
    assert report.exit_code() == 2
    assert report.unreadable is not None
    assert message in report.unreadable.message
    assert report.unreadable.line == line


@pytest.mark.parametrize("content", [b"\x00\xff" * 1000, b"(" * 100_000, b"\xff", b"x" * 2_000_000])
def test_a_file_that_is_not_python_is_not_checked(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "minesweeper.py"
    file.write_bytes(content)
    assert check(file).exit_code() == 2


def test_a_missing_file_and_a_directory_are_not_checked(tmp_path: Path) -> None:
    assert check(tmp_path / "nothing.py").exit_code() == 2
    assert check(tmp_path).exit_code() == 2


def test_a_missing_package_is_named_with_its_line(tmp_path: Path) -> None:
    report = check_source(tmp_path, "import random\nimport numpy as np\n")
    assert report.exit_code() == 1
    first = problems(report)[0]
    assert first.check.name == "imports"
    assert first.problem is not None
    assert (first.problem.line, first.problem.source) == (2, "import numpy as np")


NAIVE = (AGENTS / "naive.py").read_text(encoding="utf-8")


def test_a_fixed_number_of_passes_is_incomplete(tmp_path: Path) -> None:
    ours = Path(minesweeper.__file__).read_text(encoding="utf-8")
    passes = """
class MinesweeperAI(MinesweeperAI):
    def update_knowledge(self):
        for cell in self.moves_made - self.safes:
            self.mark_safe(cell)
        for _ in range(8):
            for cell in set().union(*(s.known_mines() for s in self.knowledge)):
                self.mark_mine(cell)
            for cell in set().union(*(s.known_safes() for s in self.knowledge)):
                self.mark_safe(cell)
            self.knowledge = [s for s in self.knowledge if s.cells]
            for one in list(self.knowledge):
                for two in list(self.knowledge):
                    if one.cells < two.cells:
                        new = Sentence(two.cells - one.cells, two.count - one.count)
                        if new not in self.knowledge:
                            self.knowledge.append(new)
"""
    report = check_source(tmp_path, ours + passes)
    assert [result.check.name for result in report.failures()] == ["completeness"]


def test_agents_that_share_state_are_named(tmp_path: Path) -> None:
    first, second = "def __init__(self, height=8, width=8):", "self.mines = set()"
    head, tail = NAIVE.rsplit(first, 1)
    shared = head + "found = set()\n\n    " + first + tail.replace(second, "self.mines = self.found", 1)
    report = check_source(tmp_path, shared)
    first_problem = problems(report)[0].problem
    assert first_problem is not None
    assert "agents share it" in first_problem.message


def test_a_slow_agent_is_not_called_endless(tmp_path: Path) -> None:
    """Its calls end, so the report says that it is slow, and does not call it correct."""
    slow = NAIVE.replace("import random\n", "import random\nimport time\n", 1)
    head, tail = slow.split("    def add_knowledge(self, cell, count):\n", 1)
    slow = head + "    def add_knowledge(self, cell, count):\n        time.sleep(0.6)\n" + tail
    report = check_source(tmp_path, slow)
    assert report.failures() == []
    assert report.exit_code() == 2
    undecided = {each.check.name for each in report.results if each.status is Status.SKIPPED}
    assert {"soundness", "completeness"} <= undecided


# Logic ------------------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> CheckGame:
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = [(i, j) for i in range(height) for j in range(width)]
    mines = draw(st.frozensets(st.sampled_from(cells)))
    safe = [cell for cell in cells if cell not in mines]
    openings = draw(st.lists(st.sampled_from(safe), unique=True)) if safe else []
    return CheckGame(height, width, mines, tuple(openings))


@settings(max_examples=300 if FULL else 60, deadline=None)
@given(games())
def test_a_layout_is_found_exactly_if_there_is_one(game: CheckGame) -> None:
    numbers = game.numbers
    hidden = [
        (i, j) for i in range(game.height) for j in range(game.width) if (i, j) not in game.openings
    ]
    if len(hidden) > 10:
        return
    layouts = [
        frozenset(mines)
        for mines in chain.from_iterable(combinations(hidden, k) for k in range(len(hidden) + 1))
        if all(
            len(neighbours(cell, game.height, game.width) & set(mines)) == number
            for cell, number in numbers.items()
        )
    ]
    for cell in hidden:
        for is_mine in (False, True):
            found = find_layout(game.height, game.width, numbers, {cell: is_mine})
            possible = any((cell in layout) == is_mine for layout in layouts)
            assert (found is not None) == possible
            if found is not None:
                assert (cell in found) == is_mine
                for number, count in numbers.items():
                    assert len(neighbours(number, game.height, game.width) & found) == count


@settings(max_examples=300 if FULL else 60, deadline=None)
@given(games())
def test_a_cell_is_derived_exactly_if_the_model_answer_knows_it(game: CheckGame) -> None:
    ai = MinesweeperAI(game.height, game.width)
    for cell, number in game.numbers.items():
        ai.add_knowledge(cell, number)
    for i in range(game.height):
        for j in range(game.width):
            if (i, j) not in game.openings:
                derivation = derive(game.height, game.width, game.numbers, (i, j))
                assert (derivation is not None) == ((i, j) in ai.mines | ai.safes)
                if derivation is not None:
                    assert derivation.is_mine == ((i, j) in ai.mines)


def test_shrinking_keeps_what_matters() -> None:
    source = random.Random(1)
    for game in random_games(6, 6, 10, seed=source.randrange(1000)):
        if len(game.mines) >= 3 and game.openings:
            small = shrink(game, lambda each: len(each.mines) >= 3 and len(each.openings) >= 1)
            assert len(small.mines) == 3
            assert len(small.openings) == 1
            used = small.mines | set(small.openings)
            assert {i for i, _ in used} == set(range(small.height))
            assert {j for _, j in used} == set(range(small.width))
