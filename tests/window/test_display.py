"""Opening and closing the window, and the error if there is no display."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sapper
from sapper.profile.history import History

pytest.importorskip("pygame", reason="the window needs pygame-ce")

ROOT = Path(__file__).parents[2]
REPAIR = "pip install --force-reinstall --no-deps pygame-ce"


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    kept["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-c", code], env=kept | variables, capture_output=True, text=True, timeout=120
    )


TELL = """
import sys
from sapper.window import NoDisplay, run
try:
    run()
except NoDisplay as reason:
    print(reason)
pygame = sys.modules.get("pygame")
print(bool(pygame) and (pygame.display.get_init() or pygame.font.get_init()))
"""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there always is a display")
def test_without_a_display_the_error_says_so() -> None:
    done = run_python(TELL)
    assert done.stdout.splitlines() == [
        "no display was found: neither DISPLAY nor WAYLAND_DISPLAY is set",
        "False",
    ]
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there always is a display")
def test_a_display_that_cannot_be_opened_is_an_error() -> None:
    reason, started = run_python(TELL, DISPLAY=":98765").stdout.splitlines()
    assert reason.startswith("no display was found")
    assert started == "False"


def test_without_pygame_the_error_says_so() -> None:
    code = "import sys; sys.modules['pygame'] = None\n" + TELL
    reason, _ = run_python(code, DISPLAY=":0").stdout.splitlines()
    assert reason == f"the window needs pygame-ce, which is not installed; run: {REPAIR}"


@pytest.mark.parametrize("content", ["", "ver = '2.6.1'\n", None])
def test_pygame_in_place_of_pygame_ce_is_reported(content: str | None, tmp_path: Path) -> None:
    """The older pygame, or the empty folder that `pip uninstall pygame` leaves of both."""
    (tmp_path / "pygame").mkdir()
    if content is not None:
        (tmp_path / "pygame" / "__init__.py").write_text(content)
    kept = "[path for path in sys.path if 'site-packages' not in path]"
    hide = f"import sys; sys.path = [{str(tmp_path)!r}] + {kept}"
    tell = TELL.split("pygame = sys")[0]
    code = f"from sapper.window import run\n{hide}\n{tell}"
    done = run_python(code, DISPLAY=":0")
    expected = f"the window needs pygame-ce, but pygame is installed in its place; run: {REPAIR}"
    assert (done.stdout.splitlines(), done.stderr) == ([expected], "")


def test_requirements_name_pygame_ce_with_the_version_that_the_package_needs() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    (needed,) = re.findall(r'^ *"(pygame-ce.*)",$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert [line for line in lines if not line.startswith("#")] == [needed, "-e ."]


def test_importing_sapper_needs_no_pygame() -> None:
    code = "import sys, sapper, sapper.window; print('pygame' in sys.modules)"
    assert run_python(code).stdout == "False\n"


def test_run_returns_when_the_player_leaves_and_can_run_again() -> None:
    code = """
import pygame
from sapper.window import run
for _ in range(2):
    pygame.display.init()
    pygame.event.post(pygame.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode=""))
    pygame.event.post(pygame.Event(pygame.KEYDOWN, key=pygame.K_a, unicode=""))
    pygame.event.post(pygame.Event(pygame.QUIT))
    run("course", seed=3)
print(pygame.display.get_init(), pygame.font.get_init())
"""
    done = run_python(code, SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["No known safe moves, AI making random move."] * 2 + [
        "False False"
    ]


def test_finished_games_are_added_to_the_history(tmp_path: Path) -> None:
    """On a 2x1 board with one mine, the first opening wins or loses."""
    code = """
import pygame
from sapper import Game
from sapper.profile.history import History
from sapper.window import run
pygame.display.init()
keys = (pygame.K_RETURN, pygame.K_HOME, pygame.K_SPACE, pygame.K_i, pygame.K_ESCAPE)
for key in keys:
    pygame.event.post(pygame.Event(pygame.KEYDOWN, key=key, unicode=""))
    pygame.event.post(pygame.Event(pygame.KEYUP, key=key))
pygame.event.post(pygame.Event(pygame.QUIT))
run(Game.on("2x1/1", [(0, 0)]), history=History(FOLDER))
"""
    code = code.replace("FOLDER", repr(str(tmp_path)))
    done = run_python(code, SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    assert done.stderr == ""
    (game,) = History(tmp_path)
    assert (game.level, game.kind, game.won, game.helped) == ("2x1/1", "given", False, False)


def play_in_window(folder: Path, arguments: list[str], keys: str) -> str:
    """Play by `sapper play`, press some of pygame's keys by their names, and exit abruptly."""
    code = f"""
import os, sys
import pygame
from sapper.cli import main
pygame.display.init()
for name in {keys.split()!r}:
    key = getattr(pygame, "K_" + name)
    pygame.event.post(pygame.Event(pygame.KEYDOWN, key=key, unicode=""))
    pygame.event.post(pygame.Event(pygame.KEYUP, key=key))
from sapper.window.app import Window
run = Window.run
def run_and_die(self):
    for event in pygame.event.get():
        self.handle(event)
    self.tick()
    print(self.session.message, self.session.game.position, flush=True)
    os._exit(0)
Window.run = run_and_die
sys.argv[1:] = {["play", *arguments]!r}
main()
"""
    data = {"SAPPER_DATA": str(folder), "SAPPER_CONFIG": str(folder)}
    done = run_python(code, SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1", **data)
    assert done.stderr == ""
    return done.stdout


def test_a_killed_game_can_be_resumed(tmp_path: Path) -> None:
    level = ["--level", "beginner", "--seed", "7"]
    begun = play_in_window(tmp_path, level, "ESCAPE RETURN LEFT SPACE")
    assert "You opened" in begun
    record = History(tmp_path).load_unfinished()
    assert record is not None
    assert [entry.kind for entry in record.entries] == ["open"]
    resumed = play_in_window(tmp_path, ["--resume"], "RETURN")
    assert "Game resumed." in resumed
    assert str(record.replay().position) in resumed
    assert History(tmp_path).load_unfinished() == record  # It is still there, until a move is made.


def test_a_finished_game_of_the_course_keeps_the_unfinished_game(tmp_path: Path) -> None:
    level = ["--level", "beginner", "--seed", "7"]
    play_in_window(tmp_path, level, "ESCAPE RETURN LEFT SPACE")
    unfinished = History(tmp_path).load_unfinished()
    assert unfinished is not None
    play_in_window(tmp_path, ["--seed", "3"], "RETURN" + 70 * " a")
    assert len(History(tmp_path).games()) == 1
    assert History(tmp_path).load_unfinished() == unfinished


def test_what_is_played_in_the_window_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code = """
import sys
import pygame
from sapper.cli import main
pygame.display.init()
for key in (pygame.K_RETURN, pygame.K_LEFT, pygame.K_f, pygame.K_f, pygame.K_a):
    pygame.event.post(pygame.Event(pygame.KEYDOWN, key=key, unicode=""))
    pygame.event.post(pygame.Event(pygame.KEYUP, key=key))
pygame.event.post(pygame.Event(pygame.QUIT))
sys.argv[1:] = ["play", "--seed", "3", "--record", PATH]
main()
"""
    code = code.replace("PATH", repr(str(path)))
    done = run_python(code, SDL_VIDEODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    assert done.stderr == ""
    record = sapper.read(path)
    assert isinstance(record, sapper.Record)
    assert [(entry.kind, entry.by) for entry in record.entries] == [
        ("flag", "player"),
        ("flag", "player"),
        ("open", "logic"),
    ]


def test_a_file_is_opened_with_the_settings_of_the_player(tmp_path: Path) -> None:
    path = tmp_path / "board.mbf"
    game = sapper.Game.new("expert", seed=3)
    game.open((8, 8))
    sapper.write(path, game)
    (tmp_path / "settings.toml").write_text('theme = "dark"\ntext_scale = 9\n')
    code = """
import sys
import pygame
from sapper.cli import main
from sapper.window.app import Window
draw = Window.draw
def look(self):
    draw(self)
    print(self.title, self.look.theme.name, self.session.game.level.name)
Window.draw = look
pygame.display.init()
pygame.event.post(pygame.Event(pygame.WINDOWEXPOSED))
pygame.event.post(pygame.Event(pygame.QUIT))
sys.argv[1:] = ["play", "--open", PATH]
main()
"""
    code = code.replace("PATH", repr(str(path)))
    done = run_python(
        code,
        SDL_VIDEODRIVER="dummy",
        PYGAME_HIDE_SUPPORT_PROMPT="1",
        SAPPER_CONFIG=str(tmp_path),
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "Minesweeper — expert dark expert"
