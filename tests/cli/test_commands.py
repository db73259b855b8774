"""The `sapper` command: output, errors and exit codes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sapper
from tests.support.subprocesses import ROOT, run, sapper_command


def test_watch_plays_a_game_with_reasons() -> None:
    done = sapper_command("watch", "beginner", "--seed", "7")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "Minesweeper beginner, seed 7, promise: open"
    assert "the first click is guaranteed to be safe" in lines[1]
    assert any("safe: follows from the" in line for line in lines)
    assert lines[-1].startswith(("Won", "Lost"))
    assert "\x1b" not in done.stdout


def test_the_same_seed_prints_the_same_game() -> None:
    first, second = (sapper_command("watch", "--seed", "5").stdout for _ in range(2))
    assert first == second


def test_losing_is_not_an_error() -> None:
    endings = set()
    for seed in range(40):
        done = sapper_command("watch", "4x4/3", "--seed", str(seed), "--promise", "none")
        assert done.returncode == 0
        endings.add(done.stdout.splitlines()[-1].split(":")[0])
        if endings == {"Won", "Lost"}:
            return
    pytest.fail(f"40 games, and all ended alike: {endings}")


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("watch", "experts"), "'experts' is not a level"),
        (("watch", "2x2/9"), "9 mines do not fit"),
        (("watch", "--seed", "-1"), "-1"),
        (("watch", "--agent", "oracle"), "unknown agent 'oracle'"),
        (("watch", "--promise", "sure"), "'sure' is not a promise"),
        (("watch", "9x9/80", "--promise", "open"), "80 mines are too many"),
        (("play", "--level", "2000x2000/9"), "not 2000"),
    ],
)
def test_bad_input_is_one_line_on_standard_error(arguments: tuple[str, ...], trouble: str) -> None:
    done = sapper_command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert trouble in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_unknown_options_are_refused() -> None:
    done = sapper_command("watch", "--sed", "1")
    assert (done.returncode, done.stdout) == (2, "")


def test_version_names_the_engine() -> None:
    done = sapper_command("--version")
    assert done.stdout == f"sapper {sapper.__version__}, {sapper.engine_name} engine\n"


def test_the_python_engine_is_noted_unless_it_was_requested() -> None:
    code = (
        "import sys; sys.modules['sapper._core'] = None; from sapper.cli import main;"
        "sys.argv[1:] = ['watch', '2x2/1', '--seed', '1']; main()"
    )
    done = run("-c", code, SAPPER_ENGINE="")
    assert done.returncode == 0
    assert "pure-Python engine" in done.stderr


def test_both_engines_play_the_same_games() -> None:
    pytest.importorskip("sapper._core", reason="there is no compiled engine")
    games = [
        sapper_command("watch", "expert", "--seed", "9", SAPPER_ENGINE=engine).stdout
        for engine in ("compiled", "python")
    ]
    assert games[0] == games[1] != ""


@pytest.mark.parametrize(
    "arguments", [("runner.py",), ("runner.py", "--level", "beginner", "--seed", "4")]
)
def test_without_a_display_the_runner_plays_in_the_terminal(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 0
    assert "Note: cannot open the window" in done.stderr
    assert "Minesweeper" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1].startswith(("Won", "Lost"))


def test_the_runner_refuses_bad_input() -> None:
    done = run("runner.py", "--level", "nowhere")
    assert done.returncode == 2
    assert "'nowhere' is not a level" in done.stderr


def test_the_course_module_imports_from_a_bare_checkout() -> None:
    done = run("-S", "-c", "import minesweeper; print(minesweeper.__file__)")
    assert done.stdout.strip() == str(ROOT / "minesweeper.py")


def test_watch_records_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = sapper_command("watch", "beginner", "--seed", "7", "--record", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    record = sapper.read(path)
    assert isinstance(record, sapper.Record)
    assert record.seed == 7
    assert {entry.by for entry in record.entries} == {"logic"}
    assert done.stdout.splitlines()[-1].lower().startswith(record.outcome.value)
    before = path.read_bytes()
    again = sapper_command("watch", "beginner", "--seed", "7", "--record", str(path))
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == f"Error: {path} already exists: use --force to overwrite it\n"
    assert path.read_bytes() == before


def test_play_records_even_without_a_window(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = sapper_command("play", "--seed", "7", "--record", str(path))
    assert done.returncode == 0
    assert isinstance(sapper.read(path), sapper.Record)
    refused = sapper_command("play", "--record", str(path))
    assert refused.returncode == 2
    assert "already exists" in refused.stderr


def test_hints_for_a_mine_file(tmp_path: Path) -> None:
    position = sapper.Position.parse("# 1 # #", mines=2)
    path = tmp_path / "position.mine"
    sapper.write(path, position)
    (tmp_path / "position.txt").write_text(str(position))
    text = sapper_command("hint", str(tmp_path / "position.txt"))
    mine = sapper_command("hint", str(path), "--mines", "2")
    assert (mine.returncode, mine.stderr) == (0, "")
    assert mine.stdout == text.stdout
    other = sapper_command("hint", str(path), "--mines", "3")
    assert other.stderr == f"Error: {path}: the first line says 2 mines, but 3 were asked for\n"
    path.write_text("4x1x2\nH1HX")
    wrong = sapper_command("hint", str(path))
    assert wrong.returncode == 2
    symbols = "0 1 2 3 4 5 6 7 8 H F ?"
    assert wrong.stderr == f"Error: {path}: 'X' in row 1, column 4 is not a cell: use {symbols}\n"


def test_a_long_agent_name_does_not_stop_a_recorded_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    bot = f"program:{sys.executable} -c 'from sapper.cli import main; main()' engine"
    spaces = " " * 200
    done = sapper_command(
        "watch", "5x5/3", "--seed", "1", "--agent", bot + spaces, "--record", str(path)
    )
    assert (done.returncode, done.stderr) == (0, "")
    record = sapper.read(path)
    assert isinstance(record, sapper.Record)
    assert {entry.by for entry in record.entries} == {(bot + spaces)[:100]}
