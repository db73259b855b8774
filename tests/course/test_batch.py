"""Checks of many submissions: which files count, bad files, reruns, and tables."""

from __future__ import annotations

import csv
import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from sapper import minesweeper
from sapper.course import batch
from sapper.course.batch import Results, Row, check_all, check_submission, find_submissions
from sapper.course.batch_table import batch_page, csv_table, table_cells
from sapper.course.report import CHECKS
from sapper.errors import BadFile

OURS = Path(minesweeper.__file__).read_text(encoding="utf-8")
NO_CLASSES = "x = 1\n"
ALL_PASSED = {check.name: "passed" for check in CHECKS}


def names_of(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_submissions(folder)]


def write(folder: Path, **sources: str) -> None:
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


def test_files_and_folders_are_found(tmp_path: Path) -> None:
    write(tmp_path, ben=NO_CLASSES, runner=NO_CLASSES)
    (tmp_path / ".hidden.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    for folder in ("alice", "carol", "x.py", "y.py"):
        (tmp_path / folder).mkdir()
    for folder in ("alice", "x.py"):
        (tmp_path / folder / "minesweeper.py").write_text("")
    (tmp_path / "carol" / "other.py").write_text("")
    assert names_of(tmp_path) == ["alice/minesweeper.py", "ben.py", "x.py/minesweeper.py", "y.py"]


def test_a_directory_without_submissions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"neither \*\.py files nor \*/minesweeper\.py"):
        find_submissions(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs links and pipes")
def test_no_bad_file_stops_the_others(tmp_path: Path) -> None:
    write(tmp_path, a_good=OURS, empty="", syntax="x = (", nothing=NO_CLASSES)
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    (tmp_path / "directory.py").mkdir()
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(tmp_path / "pipe.py")
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(2**30)
    (tmp_path / "ending.py").write_text("import os\nos._exit(0)\n")
    rows = check_all(tmp_path, Results(tmp_path / "results.jsonl"), games=2)
    assert {row.name: row.verdict() for row in rows} == {
        "a_good.py": "correct",
        "binary.py": "not checked",
        "dangling.py": "not checked",
        "directory.py": "not checked",
        "empty.py": "incorrect",
        "ending.py": "not checked",
        "huge.py": "not checked",
        "loop.py": "not checked",
        "nothing.py": "incorrect",
        "pipe.py": "not checked",
        "syntax.py": "not checked",
    }
    assert [row.name for row in rows] == sorted(row.name for row in rows)
    assert all(row.problem for row in rows if row.verdict() != "correct")


def test_a_failure_of_the_checker_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("broken")

    write(tmp_path, a=NO_CLASSES)
    monkeypatch.setattr(batch, "check", fail)
    row = check_submission(tmp_path / "a.py", "a.py", games=0)
    assert (row.verdict(), row.problem) == (
        "not checked",
        "the checker failed: AssertionError: broken",
    )


def test_games_are_the_same_in_every_run(tmp_path: Path) -> None:
    write(tmp_path, a=OURS)
    one, two = (check_submission(tmp_path / "a.py", "a.py", games=40) for _ in range(2))
    assert (one.played, one.wins) == (two.played, two.wins)
    assert one.played == 40
    assert 10 <= one.wins <= 38  # Logic alone wins a good half of the games on the course's board.


def test_an_agent_that_hangs_loses_a_few_games_and_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "_GAME_SECONDS", 0.2)
    hanging = OURS.replace('"""Return a cell that is known to be safe', 'while True: pass\n        """')
    assert hanging != OURS
    write(tmp_path, a=hanging)
    assert batch._play(tmp_path / "a.py", 100, threading.Event()) == (0, 3)


# Reruns ------------------------------------------------------------------------------------------


def test_a_rerun_checks_only_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def check_quickly(path: Path, name: str, *, games: int, cancelled: object) -> Row:  # noqa: ARG001
        checked.append(name)
        return Row(name, batch.digest_of(path), batch.checker_version(), ALL_PASSED, games=games)

    monkeypatch.setattr(batch, "check_submission", check_quickly)
    file = tmp_path / "results.jsonl"

    def rerun(games: int = 5) -> list[str]:
        checked.clear()
        assert len(check_all(tmp_path, Results(file), games=games)) == 3
        return sorted(checked)

    write(tmp_path, a="1", b="2", c="3")
    assert rerun() == ["a.py", "b.py", "c.py"]
    assert rerun() == []
    write(tmp_path, b="4")
    assert rerun() == ["b.py"]
    assert rerun(games=6) == ["a.py", "b.py", "c.py"]
    monkeypatch.setattr(batch, "checker_version", lambda: "another")
    assert rerun(games=6) == ["a.py", "b.py", "c.py"]


def test_an_incomplete_last_line_costs_one_result(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    write(tmp_path, a="1", b="2")
    rows = {
        name: Row(name, batch.digest_of(tmp_path / name), batch.checker_version(), ALL_PASSED, games=5)
        for name in ("a.py", "b.py")
    }
    results = Results(file)
    for row in rows.values():
        results.add(row)
    file.write_bytes(file.read_bytes()[:-20])
    results = Results(file)
    assert results.get("a.py", tmp_path / "a.py", games=5) == rows["a.py"]
    assert results.get("b.py", tmp_path / "b.py", games=5) is None
    results.add(rows["b.py"])
    assert Results(file).get("b.py", tmp_path / "b.py", games=5) == rows["b.py"]


@pytest.mark.parametrize("text", ["hello\n", "[]\n", '{"name": 1}\n', '{"name": "a", "wins": "x"}\n'])
def test_another_file_is_not_taken_for_results(tmp_path: Path, text: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(text)
    with pytest.raises(BadFile, match="not a file with results"):
        Results(file)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    write(tmp_path, a=NO_CLASSES, b=NO_CLASSES, c=NO_CLASSES)
    file = tmp_path / "results.jsonl"

    def interrupt(_: Row) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_all(tmp_path, Results(file), games=0, jobs=1, done=interrupt)
    assert len(file.read_text().splitlines()) == 1
    assert not [each for each in threading.enumerate() if each.name == "sapper-check"]


# Tables ------------------------------------------------------------------------------------------

DONE = Row("a.py", "x", "v", ALL_PASSED, "", 61, 100, 1000, 900, 512, 0.5, 3.25)


def test_the_cells_of_a_row() -> None:
    assert table_cells(DONE) == (
        "a.py",
        "correct",
        "14 of 14",
        "",
        "61.0 %",
        "512 of 900",
        "0.50 s",
        "3.2 s",
    )
    advised = replace(DONE, statuses=ALL_PASSED | {"speed": "advice"}, problem="It is slow.")
    assert table_cells(advised)[1:4] == ("correct", "14 of 14", "")
    assert table_cells(advised, strict=True)[1:4] == ("incorrect", "18 of 19", "Speed")


@pytest.mark.parametrize("name", ["=1+1.py", "+1.py", "-1.py", "@x.py", "\t=1.py"])
def test_no_cell_of_the_csv_is_a_formula(name: str) -> None:
    rows = [replace(DONE, name=name, problem=name)]
    cells = next(csv.DictReader(csv_table(rows).splitlines()))
    assert not str(cells["name"]).startswith(("=", "+", "-", "@", "\t"))
    assert (cells["wins"], cells["games"], cells["share_found"]) == ("512", "900", "0.61")


def test_the_page_escapes_names_and_messages() -> None:
    bad = replace(DONE, name="<b>.py", statuses={"imports": "failed"}, problem="<script>`x`\x1b")
    page = batch_page([bad], title="<title>")
    assert "<script>" not in page
    assert "<b>" not in page
    assert "\x1b" not in page
    assert "<code>x</code>" in page


def test_rows_survive_as_json() -> None:
    row = json.loads(json.dumps(DONE.to_json()))
    assert (row["verdict"], row["wins"], row["games"], row["share_found"]) == (
        "correct",
        512,
        900,
        0.61,
    )


def test_one_incorrect_submission_decides_the_exit_code() -> None:
    unchecked, wrong = Row("b.py", "", ""), replace(DONE, statuses={"imports": "failed"})
    assert batch.exit_code([DONE]) == 0
    assert batch.exit_code([DONE, unchecked]) == 2
    assert batch.exit_code([DONE, unchecked, wrong]) == 1
