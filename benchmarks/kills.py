"""Kill programs at random times while they write: `python -m benchmarks.kills [--kills N]`.

After each `kill -9`, everything that the program had reported as saved must still be there. Four
programs take turns: one adds games to the history, one records a game, `sapper bench --save` is resumed
afterwards, and `sapper serve` is restarted afterwards.
"""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import sapper
from benchmarks.support import command_line, end_progress, show_progress
from sapper import arena
from sapper.profile.history import History

HISTORY = """
import sys
from sapper import Entry, Level, Promise, Record
from sapper.profile.history import FinishedGame, History
moves = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3)))
record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), moves, seed=None)
history = History.open(sys.argv[1])
while True:
    history.add(FinishedGame.of(record, kind="given"))
    print("saved", flush=True)
"""
RECORD = """
import sys
from sapper import Game
from sapper.formats import Recorder
game = Game.new("30x16/20", seed=4)
recorder = Recorder(sys.argv[1], game)
game.open((4, 4))
recorder.note("open", (4, 4))
while True:
    print("saved", flush=True)
    recorder.note("click", (0, 0))
"""
MAIN = "from sapper.cli import main; main()"
GAMES = 200_000


def lines_before_kill(command: list[str], seconds: float) -> int:
    """Run a program, kill it some time after its first line, and return how many lines it printed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        time.sleep(seconds)
        process.kill()
        lines += process.stdout.readlines()
    return sum(line == "saved\n" for line in lines)


def kill_history(folder: Path, random: Random) -> None:
    """Every game that was added is in the history, and at most one more."""
    before = len(History.open(folder).games())
    saved = lines_before_kill([sys.executable, "-c", HISTORY, str(folder)], random.uniform(0, 0.2))
    history = History.open(folder)
    assert history.trouble is None, history.trouble
    assert len(history.games()) - before - saved in (0, 1)


def kill_record(folder: Path, random: Random) -> None:
    """The record can be read, and has every move that was noted."""
    file = folder / "game.json"
    file.unlink(missing_ok=True)
    saved = lines_before_kill([sys.executable, "-c", RECORD, str(file)], random.uniform(0, 0.3))
    record = sapper.read(file)
    assert isinstance(record, sapper.Record)
    assert len(record.entries) - saved in (0, 1), (len(record.entries), saved)


def kill_bench(folder: Path, random: Random) -> None:
    """A saved run can be resumed, and its games are those of a run that was never killed."""
    file = folder / "runs.sqlite"
    options = f"bench 5x5/4 --agent safest --games {GAMES} --jobs 1 --save {file} --resume --json"
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *options.split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        time.sleep(random.uniform(0.3, 2.5))
        process.kill()
    if not file.exists():
        return
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = database.execute("SELECT name FROM sqlite_master").fetchall()
        if ("games",) not in tables:
            return
        played = database.execute("SELECT seed, won FROM games ORDER BY number").fetchall()
    wanted = _expected(len(played))
    assert [(int(seed), bool(won)) for seed, won in played] == wanted[: len(played)]
    if len(played) == GAMES:
        file.unlink()


_PLAYED: list[tuple[int, bool]] = []


def _expected(games: int) -> list[tuple[int, bool]]:
    """Return the seeds and outcomes of the first games of the run."""
    if len(_PLAYED) < games:
        run = arena.bench("5x5/4", agent="safest", games=GAMES, jobs=1)
        _PLAYED[:] = [(game.seed or 0, game.won) for game in run.played]
    return _PLAYED


def kill_server(folder: Path, random: Random) -> None:
    """After a restart, the server knows every move that it had answered."""
    file = folder / "games.sqlite"
    process, port = _serve(file)
    try:
        name = _ask(port, "/api/games", {"level": "expert"})["name"]
        moves = _ask(port, f"/api/games/{name}/moves", {"do": "open", "cell": [8, 8]})["moves"]
        for number in range(random.randrange(40)):
            body = {"do": "flag", "cell": [0, number % 8]}
            moves = _ask(port, f"/api/games/{name}/moves", body)["moves"]
    finally:
        process.kill()
        process.wait()
    process, port = _serve(file)
    try:
        assert _ask(port, f"/api/games/{name}")["moves"] == moves
    finally:
        process.kill()
        process.wait()


def _serve(file: Path) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["serve", "--port", str(port), "--games", str(file), "--no-browser"]
    process = subprocess.Popen([sys.executable, "-c", MAIN, *options], stdout=subprocess.DEVNULL)
    for _ in range(600):
        try:
            _ask(port, "/openapi.json")
        except OSError:
            time.sleep(0.1)
        else:
            return process, port
    process.kill()
    raise AssertionError("the server did not start within a minute")


def _ask(port: int, path: str, body: object = None) -> Any:  # noqa: ANN401 - It is JSON.
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


PROGRAMS: dict[str, Callable[[Path, Random], None]] = {
    "history": kill_history,
    "record": kill_record,
    "bench": kill_bench,
    "server": kill_server,
}


def main() -> None:
    """Kill the programs in turn, and print how often each was killed."""
    parser = command_line(__doc__)
    parser.add_argument("--kills", type=int, default=200, help="total number of kills")
    parser.add_argument("--seed", type=int, default=1, help="seed for the random times")
    options = parser.parse_args()
    random, counts = Random(options.seed), Counter[str]()
    with TemporaryDirectory() as name:
        for number in range(options.kills):
            program = list(PROGRAMS)[number % len(PROGRAMS)]
            PROGRAMS[program](Path(name), random)
            counts[program] += 1
            show_progress(f"{number + 1:,} of {options.kills:,} kills")
    end_progress()
    totals = ", ".join(f"{program} {count:,}" for program, count in counts.items())
    print(f"{options.kills:,} kills ({totals}): nothing was lost.")


if __name__ == "__main__":
    main()
