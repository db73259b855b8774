"""Commands in unusual environments: no traceback, and a meaningful exit code."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import sapper
from sapper.arena.database import Store
from sapper.terminal import watch
from tests.support.command import refusal, run_command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")

SAPPER = f'"{sys.executable}" -c "from sapper.cli import main; main()"'
COMMANDS = [
    *(
        "hint position.txt",
        "hint position.txt --json",
        "explain position.txt",
        "new beginner --count 500",
    ),
    *("stats", "measure beginner --seed 1", "watch 5x5/3 --seed 1", "--version", "--help"),
    "bench 5x5/3 --agent safest --games 5 --jobs 1",
    "plot guesses 5x5/3 --agent safest --games 5 --jobs 1 --json",
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("position.txt").write_text("4x1/2\n# 1 # #\n")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


def shell(command: str, **environment: str | None) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command in which `sapper` is the command. Variables that are None are removed."""
    changed = {**os.environ, "SAPPER_ENGINE": sapper.engine_name, **environment}
    variables = {name: value for name, value in changed.items() if value is not None}
    return subprocess.run(
        ["sh", "-c", command.replace("sapper ", f"{SAPPER} ")],
        env=variables,
        capture_output=True,
        check=False,
        timeout=120,
    )


# Streams -----------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output_is_one_line(command: str) -> None:
    done = shell(f"sapper {command} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == b"Error: cannot write to standard output: no space left on device\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_closing_the_pipe_is_not_an_error(command: str) -> None:
    done = shell(f"sapper {command} | head -0")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_command_stops_when_its_reader_is_gone() -> None:
    done = shell("(sapper new beginner --count 100000; echo $? >&2) | head -1")
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b"1\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_not_an_error(closed: str) -> None:
    done = shell(f"sapper bench 5x5/3 --agent safest --games 3 --jobs 1 --save new.sqlite {closed}")
    assert (done.returncode, done.stderr) == (0, b"")
    with Store(Path("new.sqlite")) as store:  # Nothing was written to it.
        assert store.query("SELECT count(*) FROM games") == [(3,)]


def test_a_closed_standard_input_is_named() -> None:
    done = shell("sapper hint <&-")
    assert (done.returncode, done.stderr) == (
        2,
        b"Error: cannot read standard input: it is closed\n",
    )
    done = shell("sapper engine <&-")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"Error: standard input is closed\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize(
    "command", ["bench 5x5/3 --agent safest --games 5 --jobs 1", "explain position.txt", "--help"]
)
def test_every_encoding_can_show_every_output(encoding: str, command: str) -> None:
    done = shell(f"sapper {command}", PYTHONIOENCODING=encoding, LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    done.stdout.decode(encoding)


@pytest.mark.parametrize(
    ("command", "stream"),
    [
        ("hint --svg position.txt < position.txt", "standard input"),
        ("hint position.txt --json --svg new > new", "standard output"),
        ("hint position.txt --json --svg new 2> new", "standard error"),
        ("bench 5x5/3 --agent safest --games 3 --jobs 1 --csv new > new", "standard output"),
        ("plot losses 5x5/3 --agent safest --games 3 --jobs 1 --svg new > new", "standard output"),
    ],
)
def test_a_file_that_a_stream_is_redirected_to_is_not_replaced(command: str, stream: str) -> None:
    before = Path("position.txt").read_text()
    done = shell(f"sapper {command}")
    error = done.stderr.decode() if stream != "standard error" else Path("new").read_text()
    assert done.returncode == 2
    assert f"cannot be both {stream} and the" in error
    assert Path("position.txt").read_text() == before


# Terminals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["0", "1", "2", "-1", "wide", "99999999999"])
def test_any_terminal_width_works(columns: str) -> None:
    for command in ("hint position.txt", "explain position.txt", "--help", "watch 5x5/3 --why"):
        done = shell(f"sapper {command}", COLUMNS=columns, LINES=columns)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("width", [1, 2, 3, 4, 10])
def test_a_game_is_explained_in_the_narrowest_terminal(width: int) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=width, height=5)
    session = sapper.Session("beginner", seed=3)
    watch(session, console, delay=0, why=True)
    assert session.game.over


def test_colour_can_be_switched_off() -> None:
    done = shell("sapper hint position.txt", NO_COLOR="1", FORCE_COLOR=None)
    assert b"\x1b[3" not in done.stdout


# Names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        *("hint $NAME", "new $NAME", "watch --agent $NAME", "watch --agent program:$NAME", "$NAME"),
        *("bench --agent $NAME:x --games 1", "--$NAME", "stats --data $NAME", "review $NAME"),
        *("measure $NAME", "play --board $NAME", "bench --boards $NAME", "watch --promise $NAME"),
    ],
)
def test_arguments_that_are_not_utf_8_are_named(command: str) -> None:
    done = shell(f"NAME=$(printf '\\377\\376'); sapper {command}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"Error: ")
    assert done.stderr.count(b"\n") == 1
    assert b"\\udcff" in done.stderr


def test_files_whose_names_are_not_utf_8_are_read_and_written() -> None:
    name = os.fsdecode(b"\xff\xfe")
    Path(name).write_text("4x1/2\n# 1 # #\n")
    assert run_command("hint", name, "--svg", f"{name}.svg").code == 0
    options = ("--agent", "safest", "--jobs", 1, "--save", f"{name}.sqlite")
    assert run_command("bench", "5x5/3", *options, "--games", 3, "--csv", f"{name}.csv").code == 0
    resumed = shell(
        "NAME=$(printf '\\377\\376');"
        "sapper bench 5x5/3 --agent safest --jobs 1 --save $NAME.sqlite --games 5 --resume"
    )
    assert resumed.returncode == 0
    assert b"with 3 of 5 games" in resumed.stderr


# Folders -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "code"),
    [
        *(
            ("stats", 0),
            ("new beginner --seed 1", 0),
            ("watch 5x5/3 --seed 1", 0),
            ("play --seed 1", 0),
        ),
        ("bench 5x5/3 --agent safest --games 3 --jobs 1", 0),
        *(("hint position.txt", 2), ("new beginner --out new.txt", 2), ("stats --plot new.svg", 2)),
        ("bench 5x5/3 --agent safest --games 3 --jobs 1 --csv new.csv", 2),
        ("bench 5x5/3 --agent safest --games 3 --jobs 1 --save new.sqlite", 2),
        ("bench 5x5/3 --agent nowhere:Agent --games 3 --jobs 1", 2),
        ("bench 5x5/3 --agent logic --games 3 --jobs 2", 2),
        ("watch 5x5/3 --record new.json", 2),
    ],
)
def test_a_deleted_current_directory_causes_no_traceback(command: str, code: int) -> None:
    done = shell(f"mkdir gone; cd gone; rmdir ../gone; sapper {command}")
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    if code:
        assert done.stderr.startswith(b"Error: ")
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("variable", ["HOME", "XDG", "SAPPER"])
@pytest.mark.parametrize("value", ["/dev/null", "position.txt", "/proc/self/nowhere", "x" * 5000])
def test_games_work_without_a_home_directory(variable: str, value: str, tmp_path: Path) -> None:
    path = value if value.startswith("/") else str(tmp_path / value)
    names: dict[str, dict[str, str | None]] = {
        "HOME": {"HOME": path, "XDG_DATA_HOME": None, "XDG_CONFIG_HOME": None},
        "XDG": {"XDG_DATA_HOME": path, "XDG_CONFIG_HOME": path},
        "SAPPER": {"SAPPER_DATA": path, "SAPPER_CONFIG": path},
    }
    variables = {"SAPPER_DATA": None, "SAPPER_CONFIG": None, **names[variable]}
    played = shell("sapper play --level beginner --seed 3", **variables)
    assert played.returncode == 0, played.stderr
    assert b"Traceback" not in played.stderr
    assert b"Note: Finished games cannot be added to the history: " in played.stderr
    told = shell("sapper stats", **variables)
    assert told.returncode in (0, 2)
    assert b"Traceback" not in told.stderr
    assert told.stderr.count(b"\n") == (1 if told.returncode else 0)


def test_a_user_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_DATA", "~nobody-at-all/games")
    assert refusal("stats") == (
        "SAPPER_DATA is ~nobody-at-all/games, but there is no user ~nobody-at-all"
    )


def test_a_tilde_stands_for_the_home_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SAPPER_DATA", "~/games")
    assert sapper.History().folder == tmp_path / "games"


def no_home(*_: object, **__: object) -> Path:
    raise RuntimeError("could not determine the home directory")


def test_without_a_home_directory_a_game_can_be_played_without_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SAPPER_DATA", "SAPPER_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for name in ("user_data_path", "user_config_path"):
        monkeypatch.setattr(f"platformdirs.{name}", no_home)
    line = refusal("stats")
    assert line.startswith("your home folder is not known: set HOME")
    done = run_command("play", "--level", "beginner", "--seed", 3)
    assert done.code == 0
    assert "Note: games are not kept: your home folder is not known" in done.err
