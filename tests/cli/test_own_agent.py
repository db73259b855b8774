"""`--ai FILE`: a student's file makes the AI's moves in `watch`, `play` and `runner.py`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.command import refusal, run_command
from tests.support.processes import children_of, command_line, needs_proc, wait_until_ended
from tests.support.student_files import CORRECT, line_of, student_file

ROOT = Path(__file__).parents[2]
LONG = 60.0


def test_watch_shows_no_mistakes_of_a_correct_agent() -> None:
    done = run_command("watch", "--seed", 5, "--ai", CORRECT)
    assert (done.code, done.err) == (0, "")
    assert "the agent believes that it is safe" in done.out
    assert not any(word in done.out for word in ("Missed", "Wrong", "Unfounded"))
    assert done.out.splitlines()[-1].startswith(("Won", "Lost"))


def test_watch_shows_what_was_missed_and_why(tmp_path: Path) -> None:
    path = student_file(tmp_path, "no subset rule")
    plain = run_command("watch", "--seed", 5, "--ai", path).out
    assert "   Missed: row" in plain
    assert "the agent has missed" not in plain
    explained = run_command("watch", "--seed", 5, "--ai", path, "--why").out
    assert "the agent has missed that it is safe" in explained
    assert "is safe (subset):" in explained


def test_the_example_in_the_docs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    example = page.split("--ai minesweeper.py\n")[1].split("\n\n")[0].splitlines()
    out = run_command("watch", "--seed", 5, "--ai", student_file(tmp_path, "no subset rule")).out
    shown = [line[4:] for line in example if line != "    ..."]
    assert len(shown) == 3
    assert set(shown) <= set(out.splitlines())


def test_watch_shows_wrong_beliefs_and_why(tmp_path: Path) -> None:
    path = student_file(tmp_path, "marks a neighbour as safe")
    done = run_command("watch", "--seed", 5, "--ai", path, "--why").out
    assert "   Unfounded: the agent believes that row" in done
    assert "fit all numbers that matter, and then row" in done


def test_watch_shows_the_knowledge_step_by_step() -> None:
    done = run_command("watch", "--seed", 5, "--ai", CORRECT, "--knowledge").out
    assert "     Added: {row" in done
    assert "     Marked as safe: row" in done
    assert done.count("     Now: ") == done.count(" shows ")


def test_watch_ends_when_the_agent_has_no_moves_left(tmp_path: Path) -> None:
    path = student_file(tmp_path, "takes all other cells for mines")
    done = run_command("watch", "--seed", 5, "--ai", path)
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith(("Not finished", "Lost"))


def test_an_agent_that_fails_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = student_file(tmp_path, "raises")
    done = run_command("watch", "--seed", 5, "--ai", path)
    assert done.code == 2
    line = line_of(path, "1 / 0")
    error = f"minesweeper.py, line {line} in add_knowledge: ZeroDivisionError: division by zero"
    assert done.err == f"Error: {error}\n"


@pytest.mark.parametrize("command", ["play", "watch"])
def test_a_file_that_cannot_be_used_is_refused_at_once(tmp_path: Path, command: str) -> None:
    path = tmp_path / "minesweeper.py"
    assert refusal(command, "--ai", path) == f"cannot read {path}: no such file or directory"
    path.write_text("x = (\n")
    assert refusal(command, "--ai", path).startswith("minesweeper.py, line 1: SyntaxError: ")
    path.write_text("x = 1\n")
    assert refusal(command, "--ai", path) == "minesweeper.py: the file has no class MinesweeperAI"


def test_options_that_exclude_each_other() -> None:
    said = refusal("watch", "--ai", CORRECT, "--agent", "strong")
    assert said == "--ai cannot be combined with --agent"
    assert refusal("watch", "--knowledge") == "--knowledge needs --ai FILE"


def test_a_server_has_no_such_option() -> None:
    assert "--ai" in run_command("play", "--help").out
    assert "--ai" not in run_command("serve", "--help").out
    assert "no such option" in refusal("serve", "--ai", CORRECT).lower()


def test_runner_takes_the_file_too(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "runner.py"), "--seed", "5", "--ai"]
    unset = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"}
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    path = student_file(tmp_path, "no subset rule")
    done = subprocess.run(
        [*command, str(path)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0
    assert "Missed: row" in done.stdout
    path.write_text("def f(:")
    done = subprocess.run(
        [*command, str(path)], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: minesweeper.py, line 1: SyntaxError: invalid syntax\n"


@needs_proc
@pytest.mark.parametrize("command", ["watch", "play"])
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_stays_behind(tmp_path: Path, command: str, stop: signal.Signals) -> None:
    path = student_file(tmp_path, "hangs")
    places = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "sapper", command, "--seed", "5", "--ai", str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **places, "SDL_VIDEODRIVER": "dummy"},
    )

    def hosts() -> set[int]:
        return {each for each in children_of(process.pid) if "host.py" in command_line(each)}

    try:
        # The file is checked in a process that ends soon, and plays in another.
        end = time.monotonic() + LONG
        started: set[int] = set()
        while not (started and started == hosts()):
            assert time.monotonic() < end
            started = hosts()
            time.sleep(1.0)
        process.send_signal(stop)
        process.wait(LONG)
        wait_until_ended(started, LONG)
    finally:
        process.kill()
        process.wait()
