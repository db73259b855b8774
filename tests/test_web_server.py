"""The server as a process: killed in the middle of a game, it goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the web page is an extra")


class Server:
    """A `sapper serve` that can be killed."""

    def __init__(self, games: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        code = "from sapper.cli import main; main()"
        options = ["serve", "--port", str(self.port), "--games", str(games), "--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *options], stdout=subprocess.PIPE, env={**os.environ}
        )
        for _ in range(600):
            try:
                self.ask("/openapi.json")
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def ask(self, path: str, body: object = None) -> Any:  # noqa: ANN401 - it is JSON.
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing is killed here")
def test_a_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    name = server.ask("/api/games", {"level": "expert"})["name"]
    server.ask(f"/api/games/{name}/moves", {"do": "open", "cell": [8, 8]})
    before = server.ask(f"/api/games/{name}/moves", {"do": "flag", "cell": [0, 0]})
    server.kill()
    server = Server(tmp_path / "games.sqlite")
    after = server.ask(f"/api/games/{name}")
    assert after["cells"] == before["cells"]
    assert server.ask(f"/api/games/{name}/moves", {"do": "undo"})["moves"] == 1
    server.kill()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code = "from sapper.cli import main; main()"
        options = ["serve", "--port", port, "--games", str(tmp_path / "g.sqlite"), "--no-browser"]
        done = subprocess.run(
            [sys.executable, "-c", code, *options], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
