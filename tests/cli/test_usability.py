"""What a newcomer tries first: help, completion, `python -m sapper`, levels, agents and files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sapper
from sapper.cli import app
from sapper.extras import install_command
from tests.support.command import refusal, run_command
from tests.support.subprocesses import ROOT, run, sapper_command

COMMANDS = sorted(
    str(command.callback.__name__) for command in app.registered_commands if command.callback
)
AGENTS = """
class NoSeed:
    def choose(self, position):
        return min(position.hidden)

class WithSeed(NoSeed):
    def __init__(self, seed):
        self.seed = seed
        assert isinstance(seed, int)

class KeywordSeed(NoSeed):
    def __init__(self, *, seed=None):
        assert isinstance(seed, int)

class Depth(NoSeed):
    def __init__(self, depth=3):
        assert depth == 3

def make():
    return NoSeed()

ready = NoSeed()
nothing = 7
"""


@pytest.fixture(autouse=True)
def _directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def record() -> Path:
    """Return the file of a game with three moves; the third one opens a mine."""
    game = sapper.Game.on("5x1/2", [(0, 1), (0, 4)])
    for cell in ((0, 0), (0, 2), (0, 4)):
        game.open(cell)
    sapper.write("game.json", game)
    return Path("game.json")


# Help and completion -----------------------------------------------------------------------------


def test_python_m_sapper_is_the_command() -> None:
    done = run("-m", "sapper", "--version")
    assert done.stdout == f"sapper {sapper.__version__}, {sapper.engine_name} engine\n"


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_option_h_shows_help(command: str) -> None:
    short, long = (run_command(*command.split(), option) for option in ("-h", "--help"))
    assert short.code == 0
    assert short == long
    assert f"Usage: sapper {command}".strip() in short.out


def test_the_runner_has_help_and_takes_a_level() -> None:
    assert "Usage: runner.py [OPTIONS] [LEVEL]" in run("runner.py", "-h").stdout
    by_name, by_option = (
        run("runner.py", *level, "--seed", "4").stdout
        for level in (["beginner"], ["--level", "beginner"])
    )
    assert by_name == by_option
    assert by_name.startswith("Minesweeper beginner")


def test_completion_is_offered() -> None:
    for shell in ("bash", "zsh", "fish"):
        environment = {
            "_SAPPER_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": "sapper play ",
            "COMP_CWORD": "2",
        }
        arguments = {"_TYPER_COMPLETE_ARGS": "sapper play ", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        done = subprocess.run(
            [sys.executable, "-m", "sapper"],
            env=os.environ | environment | arguments,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert "beginner" in done.stdout, (shell, done.stdout, done.stderr)
    assert "--install-completion" in run_command("-h").out


def test_the_help_of_hint_lists_the_characters_and_mines() -> None:
    text = run_command("hint", "-h").out
    for part in ("#", "F", "1 to 8", ".json", "--mines", "--move"):
        assert part in text


# Levels, errors and extras -----------------------------------------------------------------------


def test_play_takes_a_level_like_watch() -> None:
    played = run_command("play", "beginner", "--seed", 7)
    watched = run_command("watch", "beginner", "--seed", 7)
    assert (played.code, played.out) == (0, watched.out)
    assert "give the level once" in refusal("play", "beginner", "--level", "expert")


def test_without_a_display_a_file_cannot_be_shown(record: Path) -> None:
    line = refusal("play", "--open", record)
    assert line.startswith("cannot open the window to show game.json: ")


@pytest.mark.parametrize(
    "arguments", [["--sed"], ["new"], ["watch", "--sed", "1"], ["new", "5x5/3", "--count", "x"], ["x"]]
)
def test_errors_start_in_lower_case_and_have_no_full_stop(arguments: list[str]) -> None:
    line = refusal(*arguments)
    assert not line[0].isupper()
    assert not line.endswith(".")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("hint --nope", "no such option: --nope: see sapper hint -h"),
        ("watch --sed 1", "no such option: --sed: did you mean --seed?"),
        ("convert", "no such command 'convert': see sapper -h"),
        ("benc", "no such command 'benc': did you mean 'bench'?"),
        (
            "compare logic",
            "missing argument 'AGENT': give two agents, for example: sapper compare logic strong",
        ),
        ("plot", "missing argument 'KIND': choose first-click, density, guesses or losses"),
        (
            "new",
            "missing argument 'LEVEL': choose course, beginner, intermediate, expert or"
            " WIDTHxHEIGHT/MINES, such as 9x9/10",
        ),
        ("measure nosuch", "nosuch is neither a level nor a file"),
        ("watch --board nope", "nope is neither a board code nor a file"),
        (
            "serve --port 99999",
            "invalid value for '--port': '99999' is not a whole number from 1 to 65,535",
        ),
        (
            "new beginner --difficulty chain",
            "--difficulty is only for boards that need no guess: add --no-guess",
        ),
    ],
)
def test_errors_say_what_to_do(command: str, line: str) -> None:
    assert refusal(*command.split()) == line


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_shows_no_types_of_programming_languages(command: str) -> None:
    text = run_command(*command.split(), "-h").out
    for name in ("bool", "<str>", "<int", "<float", "BOOLEAN", "INTEGER", "TEXT"):
        assert name not in text


def test_the_ai_wins_the_game_that_replaces_the_window() -> None:
    done = run("runner.py")
    assert done.stdout.splitlines()[-1].startswith("Won: ")
    assert done.stderr.splitlines()[-1].startswith("Next: sapper watch expert --agent ")


def test_the_advice_for_a_missing_extra_fits_the_installation(tmp_path: Path) -> None:
    package = tmp_path / "src" / "sapper"
    assert install_command("web", package) == "pip install 'sapper[web]'"
    (tmp_path / "pyproject.toml").touch()
    assert install_command("web", package) == f"pip install -e '.[web]' in {tmp_path}"


def test_the_extra_all_has_every_optional_feature() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'all = ["sapper[cluster,env,replays,web]"]' in text


# Agents ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["NoSeed", "WithSeed", "KeywordSeed", "Depth", "make", "ready"])
def test_any_object_that_chooses_is_an_agent(name: str) -> None:
    Path("bots.py").write_text(AGENTS)
    watched = sapper_command("watch", "5x5/3", "--seed", "1", "--agent", f"bots:{name}", cwd=Path.cwd())
    assert (watched.returncode, watched.stderr) == (0, "")
    assert watched.stdout.splitlines()[-1].startswith(("Won", "Lost"))
    options = ("5x5/3", "--agent", f"bots:{name}", "--games", "5", "--json")
    for jobs in ("1", "2"):
        done = sapper_command("bench", *options, "--jobs", jobs, cwd=Path.cwd())
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["games"] == 5


def test_an_object_without_choose_is_not_an_agent() -> None:
    Path("bots.py").write_text(AGENTS)
    done = sapper_command("bench", "5x5/3", "--agent", "bots:nothing", cwd=Path.cwd())
    assert done.returncode == 2
    assert done.stderr == "Error: 'bots:nothing' is 7, not a class or function that returns an agent\n"


@pytest.mark.parametrize(
    ("cell", "trouble"),
    [
        ("(0, 0)", "row 1, column 1, which is already open"),
        ("(9, 9)", "(9, 9), which is not a cell of a board of 5 x 5 cells"),
        ("None", "None, which is not a cell of a board of 5 x 5 cells"),
    ],
)
def test_an_agent_with_an_impossible_move_is_named(cell: str, trouble: str) -> None:
    Path("bots.py").write_text(
        "class Bad:\n"
        "    def choose(self, position):\n"
        f"        return {cell} if position.numbers else (0, 0)\n"
    )
    for command in ("watch", "bench"):
        options = () if command == "watch" else ("--games", "5", "--jobs", "1")
        done = sapper_command(command, "5x5/9", "--agent", "bots:Bad", *options, cwd=Path.cwd())
        assert done.returncode == 2
        assert done.stderr.endswith(f"the agent 'bots:Bad' chose {trouble}\n")


def test_agents_are_named_in_any_case() -> None:
    done = run_command("bench", "5x5/3", "--agent", "Safest", "--games", 3, "--jobs", 1)
    assert (done.code, "safest: " in done.out) == (0, True)


# Recorded games ----------------------------------------------------------------------------------


def test_hints_for_a_recorded_game(record: Path) -> None:
    game = sapper.read(record)
    assert isinstance(game, sapper.Record)
    positions = [str(game.begin().position), *(str(moment.after) for moment in game.moments())]
    for move, position in [*enumerate(positions), (None, positions[-1])]:
        Path("position.txt").write_text(position)
        options = () if move is None else ("--move", move)
        for command in ("hint", "explain"):
            expected = run_command(command, "position.txt")
            found = run_command(command, record, *options)
            assert (found.code, found.out) == (expected.code, expected.out)


def test_moves_and_mines_that_do_not_apply_are_errors(record: Path) -> None:
    assert refusal("hint", record, "--move", 4) == "game.json: there is no move 4: the game has 3 moves"
    assert "omit --mines" in refusal("hint", record, "--mines", 2)
    Path("position.txt").write_text("# 1 #")
    assert "add --mines N" in refusal("hint", "position.txt")
    assert "--move is only for recorded games" in refusal(
        "hint", "position.txt", "--mines", 1, "--move", 1
    )


# JSON --------------------------------------------------------------------------------------------


def test_seeds_and_first_clicks_have_the_same_types_in_all_json() -> None:
    options = ("--agent", "safest", "--games", 3, "--jobs", 1, "--seed", 5, "--json")
    printed = [
        run_command("new", "5x5/3", "--seed", 5, "--format", "json"),
        run_command("bench", "5x5/3", *options),
        run_command("plot", "losses", "5x5/3", *options),
        run_command("measure", "5x5/3", "--seed", 5, "--json"),
    ]
    facts = [json.loads(done.out) for done in printed]
    assert [each["seed"] for each in facts] == ["5"] * 4
    assert [each["first"] for each in facts if "first" in each] == [[3, 3]] * 3
