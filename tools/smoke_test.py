"""Use every part of an installed Sapper once: `python tools/smoke_test.py [PART ...]`.

It needs the package with the extras cluster, env, replays and web, and nothing else. `.ci/run` runs it
with the oldest versions that pyproject.toml allows. It never imports from the checkout: Sapper must be
installed for the Python that runs it.
"""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
FILES = ROOT / "tests" / "data" / "files"
COMMAND = [sys.executable, "-c", "from sapper.cli import main; main()"]
TIMEOUT = 60.0
"""Seconds that one command may take: several times what a busy machine needs."""


def run(*command: str, **variables: str) -> str:
    """Return what a command prints; fail if it fails or prints a traceback."""
    done = subprocess.run(
        command,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    if done.returncode != 0 or "Traceback" in done.stderr:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def sapper(*arguments: str, **variables: str) -> str:
    """Return what a `sapper` command prints."""
    return run(*COMMAND, *arguments, **variables)


def in_terminal(*command: str) -> str:
    """Return what a command writes to a terminal; fail if it fails or writes a traceback."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:
        pass  # Linux reports the end of the other side as an error.
    os.close(ours)
    text = written.decode()
    if process.wait(TIMEOUT) != 0 or "Traceback" in text:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{text}")
    return text


HELP = """
import sys
from sapper.cli import app, main
names = [each.name or each.callback.__name__ for each in app.registered_commands]
for arguments in [[], *([name] for name in names)]:
    sys.argv[1:] = [*arguments, "--help"]
    try:
        main()
    except SystemExit as end:
        assert not end.code, arguments
print("Commands:", *names)
"""


def check_commands() -> None:
    """Every command has help, and the ones that need no extra work."""
    assert sapper("--version").startswith("sapper ")
    for show in (run, in_terminal):
        text = show(sys.executable, "-c", HELP)
        names = text.split("Commands:")[-1].split()
        assert len(names) > 10, text
        assert all(f" {name} [OPTIONS]" in text for name in names), text
    position, game = str(FILES / "position.txt"), str(FILES / "game.json")
    assert sapper("watch", "beginner", "--seed", "7").splitlines()[-1].startswith(("Won", "Lost"))
    assert "Won" in in_terminal(*COMMAND, "watch", "2x1/1", "--seed", "7", "--delay", "0")
    assert "row" in sapper("hint", position)
    assert "row" in in_terminal(*COMMAND, "hint", position)
    assert json.loads(sapper("hint", position, "--json"))
    assert sapper("new", "beginner", "--seed", "7")
    assert sapper("measure", game)
    assert sapper("review", game)
    assert in_terminal(*COMMAND, "review", game)
    assert sapper("stats")
    assert "games won" in in_terminal(*COMMAND, "bench", "5x5/4", "--games", "50", "--agent", "safest")
    refused = subprocess.run(
        [*COMMAND, "watch", "nowhere"], capture_output=True, text=True, check=False
    )
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1), refused.stderr
    refused = subprocess.run([*COMMAND, "watch", "--sed"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2, refused.stderr
    assert "--sed" in refused.stderr


def check_settings() -> None:
    """Settings are written to the user's folder and read back."""
    from sapper.profile.settings import Settings, settings_path

    assert Settings(theme="dark").save() is None
    assert Path.home() in settings_path().parents
    assert Settings.load().theme == "dark"
    settings_path().unlink()


def check_window() -> None:
    """The window opens, draws about thirty frames, plays and records a game, and closes."""
    code = """
import sys, threading
import pygame
from sapper.cli import main
pygame.display.init()
for key in (pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_SPACE, pygame.K_a, pygame.K_h):
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=""))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))
pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(300, 300), rel=(1, 1), buttons=(0, 0, 0)))
for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
    pygame.event.post(pygame.event.Event(kind, pos=(300, 300), button=1))
threading.Timer(0.5, lambda: pygame.event.post(pygame.event.Event(pygame.QUIT))).start()
sys.argv[1:] = ["play", "--level", "beginner", "--seed", "3", "--record", sys.argv[1]]
main()
"""
    from sapper import Record, read

    with TemporaryDirectory() as folder:
        file = Path(folder, "game.json")
        run(sys.executable, "-c", code, str(file), SDL_VIDEODRIVER="dummy")
        record = read(file)
        assert isinstance(record, Record)
        assert {entry.by for entry in record.entries} >= {"player"}, record.entries


def ask(port: int, path: str, body: object = None) -> Any:  # noqa: ANN401 - it is JSON, or a page.
    """Return what the server answers."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        text = answer.read().decode()
    return json.loads(text) if "json" in answer.headers["Content-Type"] else text


def check_web() -> None:
    """The server delivers the page, plays a move, analyses a position, and stops at Ctrl-C."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([*COMMAND, "serve", "--port", str(port), "--no-browser"])
    try:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                page = ask(port, "/")
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > deadline:
                    sys.exit("sapper serve does not answer")
                time.sleep(0.1)
        assert "<html" in page
        assert "/api/games" in ask(port, "/openapi.json")["paths"]
        game = ask(port, "/api/games", {"level": "beginner"})
        moved = ask(port, f"/api/games/{game['name']}/moves", {"do": "open", "cell": [4, 4]})
        assert moved["moves"] == 1
        assert moved["cells"] != game["cells"]
        assert ask(port, "/api/analyse", {"position": (FILES / "position.txt").read_text()})
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
            sys.exit("sapper serve does not stop at Ctrl-C")


def check_env() -> None:
    """A single environment plays an episode; a vector environment takes steps."""
    import gymnasium
    import numpy as np

    import sapper.env  # noqa: F401 - it registers the environment.

    env = gymnasium.make("sapper/Minesweeper-v0", level="beginner", render_mode="rgb_array")
    _, info = env.reset(seed=7)
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, done, _, info = env.step(action)
    assert info["outcome"] in ("won", "lost")
    assert env.render() is not None
    env.close()
    if sapper_engine() == "compiled":
        envs = gymnasium.make_vec("sapper/Minesweeper-v0", num_envs=8, level="beginner")
        envs.reset(seed=7)
        for _ in range(30):
            _, _, terminated, _, infos = envs.step(envs.action_space.sample())
        assert terminated.shape == (8,)
        assert infos["action_mask"].shape == (8, 81)
        envs.close()


def sapper_engine() -> str:
    """Return the name of the engine in use."""
    import sapper

    return sapper.engine_name


def check_replays() -> None:
    """Replays of every format are read, and give the same game."""
    from sapper import Record, read

    records = [read(FILES / f"game.{kind}") for kind in ("avf", "evf", "mvf", "rmv")]
    assert all(isinstance(record, Record) for record in records)
    assert len({str(record.replay().position) for record in records if isinstance(record, Record)}) == 1


def check_cluster() -> None:
    """A cluster of two workers plays the games that one process plays."""
    options = ("bench", "5x5/4", "--agent", "safest", "--games", "40", "--jobs", "2", "--json")
    alone, cluster = json.loads(sapper(*options)), json.loads(sapper(*options, "--cluster", "local"))
    assert (alone["games"], alone["wins"]) == (cluster["games"], cluster["wins"]) == (40, alone["wins"])


PARTS = {
    "commands": check_commands,
    "settings": check_settings,
    "window": check_window,
    "web": check_web,
    "env": check_env,
    "replays": check_replays,
    "cluster": check_cluster,
}


def main() -> None:
    """Check the parts that were asked for, or all."""
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"{unknown[0]!r} is not a part: choose from {', '.join(PARTS)}")
    with TemporaryDirectory(prefix="sapper-smoke-") as home:
        for name in [name for name in os.environ if name.startswith(("SAPPER_", "XDG_"))]:
            del os.environ[name]
        os.environ["HOME"] = home  # The player's own games and settings stay untouched.
        os.chdir(home)  # What counts is what was installed.
        for name in sys.argv[1:] or PARTS:
            start = time.perf_counter()
            PARTS[name]()
            print(f"{name}: passed ({time.perf_counter() - start:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
