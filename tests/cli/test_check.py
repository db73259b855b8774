"""`sapper check`: exit codes, formats, errors, and nothing left behind."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sapper import minesweeper
from tests.support.command import refusal, run_command
from tests.support.student_faults import AGENTS, FAULTS
from tests.support.subprocesses import ROOT, sapper_command

OURS = Path(minesweeper.__file__).read_text(encoding="utf-8")
NONE_RETURNED = OURS.replace(
    "return set(self.cells) if self.count == 0 else set()",
    "return set(self.cells) if self.count == 0 else None",
)
NO_CLASSES = "x = 1\n"
ONE_ROUND = next(fault for fault in FAULTS if fault.name == "one round only")


@pytest.fixture(autouse=True)
def _directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(source: str, name: str = "minesweeper.py") -> None:
    Path(name).write_text(source, encoding="utf-8")


def test_a_correct_agent() -> None:
    write(OURS)
    done = run_command("check", "minesweeper.py", "--strict")
    assert (done.code, done.err) == (0, "")
    assert "Correct: all 19 checks passed.\n" in done.out
    assert "The agent found 100 % of the cells" in done.out
    assert "never solution code" in done.out


def test_an_incorrect_agent() -> None:
    assert NONE_RETURNED != OURS
    write(NONE_RETURNED)
    done = run_command("check", "minesweeper.py")
    assert (done.code, done.err) == (1, "")
    assert "✗ Sentence\n" in done.out
    assert "known_safes()` returned None." in done.out


def test_a_file_that_cannot_be_imported() -> None:
    write("import os\nx = (\n")
    done = run_command("check", "minesweeper.py")
    assert (done.code, done.err) == (2, "")
    assert "minesweeper.py, line 2:\n      x = (\n" in done.out


def test_json() -> None:
    write(NO_CLASSES)
    done = run_command("check", "minesweeper.py", "--json")
    found = json.loads(done.out)
    assert (done.code, found["verdict"]) == (1, "incorrect")
    assert found["checks"][1]["problem"]["message"].startswith("The file has none of the classes")


def test_a_page_is_not_overwritten_without_force() -> None:
    write(NO_CLASSES)
    assert run_command("check", "minesweeper.py", "--html", "report.html").code == 1
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "--force" in refusal("check", "minesweeper.py", "--html", "report.html")
    assert run_command("check", "minesweeper.py", "--html", "report.html", "--force").code == 1
    assert "cannot be both" in refusal("check", "minesweeper.py", "--html", "minesweeper.py", "--force")


def test_errors() -> None:
    assert "neither" in refusal("check", ".")
    assert refusal("check", "nothing.py") == "cannot read nothing.py: no such file or directory"
    Path("loop.py").symlink_to("loop.py")
    assert "a symbolic link" in refusal("check", "loop.py")
    write(NO_CLASSES)
    assert refusal("check", "minesweeper.py", "--jobs", "2").endswith("only for a directory")
    assert refusal("check", ".", "--all") == "--all is only for a single file"
    assert "'0' is not a whole number" in refusal("check", ".", "--jobs", "0")
    Path("sapper-check.jsonl").write_text("mine\n")
    assert "not a file with results" in refusal("check", ".")


def test_a_directory() -> None:
    write(OURS, "good.py")
    write(NO_CLASSES, "wrong.py")
    Path("folder.py").mkdir()
    outputs = ("--csv", "table.csv", "--html", "table.html")
    done = run_command("check", ".", "--games", "2", *outputs)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[-1] == "3 submissions: 1 correct, 1 incorrect, 1 not checked."
    assert Path("table.csv").read_text().splitlines()[0].startswith("name,verdict,passed,checks,")
    assert "wrong.py" in Path("table.html").read_text(encoding="utf-8")
    assert len(Path("sapper-check.jsonl").read_text().splitlines()) == 2
    began = time.monotonic()
    again = run_command("check", ".", "--games", "2", "--json")
    assert time.monotonic() - began < 2
    rows = json.loads(again.out)["submissions"]
    assert [row["verdict"] for row in rows] == ["not checked", "correct", "incorrect"]


def test_the_help_says_that_it_is_no_sandbox() -> None:
    help_text = " ".join(run_command("check", "--help").out.replace("│", " ").split())
    assert "not a sandbox" in help_text


def test_progress_is_not_shown_without_a_terminal() -> None:
    write(NO_CLASSES)
    assert sapper_command("check", "minesweeper.py", cwd=Path.cwd()).stderr == ""


def shown_in(page: str) -> str:
    """Return what a page of the docs says that its only command `$ sapper check` prints."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    block = re.search(r"^    \$ sapper check .*\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    assert block is not None
    return block[1]


def assert_matches(shown: str, printed: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, printed, flags), printed


def test_the_guide_for_students_shows_this_report() -> None:
    write(ONE_ROUND.source())
    done = run_command("check", "minesweeper.py")
    assert_matches(shown_in("check.md"), done.out)


def test_the_guide_for_teachers_shows_this_table() -> None:
    Path("submissions/ben").mkdir(parents=True)
    write((AGENTS / "naive.py").read_text(encoding="utf-8"), "submissions/alice.py")
    write(ONE_ROUND.source(), "submissions/ben/minesweeper.py")
    done = run_command("check", "submissions")
    times = re.compile(r"(\d\.\d\d s|-) +\d+\.\d s$", re.MULTILINE)
    assert_matches(times.sub("", shown_in("check_teachers.md")), times.sub("", done.out))


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("target", ["minesweeper.py", "."])
def test_ctrl_c_leaves_no_process(target: str) -> None:
    """The file hangs while it is imported."""
    write("while True:\n    pass\n")
    here = str(Path.cwd().resolve())
    command = [sys.executable, "-m", "sapper", "check", target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        _wait_until(lambda: len(_processes_about(here)) == 1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")
    _wait_until(lambda: not _processes_about(here))


def _wait_until(condition: object) -> None:
    assert callable(condition)
    end = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def _processes_about(folder: str) -> list[str]:
    """Return the command lines of the processes that run a student's file in a folder."""
    found = []
    for process in os.listdir("/proc"):
        if process.isdecimal():
            try:
                words = Path("/proc", process, "cmdline").read_text(errors="replace").split("\0")
            except OSError:
                continue
            if f"{folder}/minesweeper.py" in words:
                found.append(" ".join(words))
    return found
