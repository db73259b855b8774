"""Games on the server: no move is lost, and a move that was not stored was not made."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sapper
from sapper.session.saved import session_to_json
from sapper.session.session import Session

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

pytest.importorskip("fastapi", reason="the web page is an extra")
testclient = pytest.importorskip("fastapi.testclient", reason="tests of the web page need httpx")

from sapper.web import games as games_module  # noqa: E402
from sapper.web.app import Options, create_app  # noqa: E402
from sapper.web.games import MOST_IDLE, Games  # noqa: E402
from sapper.web.replies import Refused  # noqa: E402
from sapper.web.tasks import run_task  # noqa: E402


def serve(file: Path) -> TestClient:
    app = create_app(Options(file, workers=1))
    client: TestClient = testclient.TestClient(app, base_url="http://localhost")
    return client


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestClient]]:
    """Two servers with one file."""
    file = tmp_path_factory.mktemp("web") / "games.sqlite"
    with ExitStack() as stack:
        yield [stack.enter_context(serve(file)) for _ in range(2)]


def begin(client: TestClient, **asked: object) -> str:
    answer = client.post("/api/games", json={"level": "16x16/1", **asked})
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["name"]
    return name


def move(client: TestClient, name: str, do: str, cell: sapper.Cell | None = None) -> Any:  # noqa: ANN401
    return client.post(f"/api/games/{name}/moves", json={"do": do, "cell": cell})


# One game, many requests -------------------------------------------------------------------------


def test_two_servers_lose_no_move(servers: list[TestClient]) -> None:
    name = begin(servers[0])
    cells = [(i, j) for i in range(6) for j in range(4)]

    def flag(number: int) -> int:
        for _ in range(20):  # Told to try again, a client does.
            answer = move(servers[number % 2], name, "flag", cells[number])
            if answer.status_code == 200:
                break
            assert answer.json()["kind"] in ("Conflict", "Storage", "Busy"), answer.text
        return int(answer.status_code)

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(flag, range(len(cells)))) == {200}
    for server in servers:
        state = server.get(f"/api/games/{name}").json()
        assert state["moves"] == len(cells)
        assert state["cells"].count("F") == len(cells)


def test_a_game_is_not_lost_when_many_others_are_played(servers: list[TestClient]) -> None:
    name = begin(servers[0])
    move(servers[0], name, "flag", (0, 0))
    others = [begin(servers[0]) for _ in range(100)]  # More than a worker remembers.
    for other in others:
        assert move(servers[0], other, "flag", (1, 1)).json()["moves"] == 1
    assert move(servers[0], name, "flag", (0, 1)).json()["cells"][:3] == "FF#"


def test_looking_at_a_game_changes_nothing(servers: list[TestClient]) -> None:
    name = begin(servers[0])
    with ThreadPoolExecutor(4) as pool:
        looks = [pool.submit(servers[0].get, f"/api/games/{name}") for _ in range(20)]
        for number in range(10):
            assert move(servers[0], name, "flag", (0, number)).status_code == 200
        assert all(look.result().status_code == 200 for look in looks)
    assert servers[0].get(f"/api/games/{name}").json()["moves"] == 10


def test_a_session_survives_a_change_of_servers(servers: list[TestClient]) -> None:
    """Redo, hints, proofs, heat maps and messages do not depend on what a worker remembers."""
    first, second = servers
    code = sapper.board_code(sapper.generate("beginner", seed=7))
    name = begin(first, code=code)
    move(first, name, "ai")

    def ask(client: TestClient, what: str) -> Any:  # noqa: ANN401 - it is JSON.
        answer = client.post(f"/api/games/{name}/help", json={"what": what})
        assert answer.status_code == 200, answer.text
        return answer.json()["overlay"]

    area = ask(first, "hint")
    assert area["target"] is None
    target = ask(second, "hint")["target"]
    assert target is not None
    assert ask(first, "why")["step"] is None
    assert ask(second, "next")["step"][0] == 1
    assert ask(first, "previous")["step"] is None
    assert ask(second, "heat")["risks"]
    state = first.get(f"/api/games/{name}").json()
    assert state["overlay"]["risks"]
    before = move(second, name, "flag", tuple(target)).json()
    assert before["overlay"]["risks"]
    undone = move(first, name, "undo").json()
    redone = move(second, name, "redo").json()
    assert (undone["moves"], redone["moves"]) == (before["moves"] - 1, before["moves"])
    assert redone["cells"] == before["cells"]


# Time --------------------------------------------------------------------------------------------


def stored_game() -> str:
    """Return a stored session in which a cell was opened."""
    session = Session("beginner", seed=7)
    session.open((4, 4))
    return json.dumps(session_to_json(session) | {"seconds": 0.0})


@pytest.mark.parametrize("jump", [-1e9, -5.0, 3.0, 1e9])
def test_the_clock_survives_changes_of_the_system_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    with closing(Games(tmp_path / "games.sqlite")) as games:
        name = games.new_name()
        games.add(name, "session")
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + jump)
        idle = games.find(name).idle
    assert 0 <= idle <= MOST_IDLE
    assert jump < 0 or idle >= min(jump, MOST_IDLE) - 1


def test_time_passes_between_requests() -> None:
    text = stored_game()
    facts = {"name": "x", "session": text, "what": "move", "do": "flag", "cell": (0, 0)}
    reply = run_task("play", {**facts, "idle": 12.5})
    assert b'"seconds":12.5,' in reply.body
    assert b'"seconds":12.5,' in run_task("play", {**facts, "idle": 12.5}).body  # Not remembered.


# What can go wrong with the file -----------------------------------------------------------------


def refused(answer: Any) -> str:  # noqa: ANN401 - a response of httpx.
    assert answer.status_code == 503
    assert answer.json()["kind"] == "Storage"
    assert answer.headers["x-content-type-options"] == "nosniff"
    error: str = answer.json()["error"]
    return error


def check_flag_was_not_set(client: TestClient, name: str) -> None:
    """The flag of the failed move is not there: repeating the move sets it and does not remove it."""
    looked = client.get(f"/api/games/{name}")
    assert looked.status_code == 200, looked.text
    assert looked.json()["cells"][0] == "#"
    assert move(client, name, "flag", (0, 0)).json()["cells"][0] == "F"


def test_a_move_is_not_made_while_the_file_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_module, "LOCK_SECONDS", 0.1)
    file = tmp_path / "games.sqlite"
    with serve(file) as client:
        name = begin(client)
        with closing(sqlite3.connect(file)) as other:
            other.execute("BEGIN EXCLUSIVE")
            assert "locked" in refused(move(client, name, "flag", (0, 0)))
            assert "locked" in refused(client.post("/api/games", json={}))
        check_flag_was_not_set(client, name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Give a folder to a user who is not root, and become this user."""
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.iterdir()):
        os.chown(path, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_a_move_is_not_made_if_the_file_is_read_only() -> None:
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = Path(name_of_folder)
        with serve(folder / "games.sqlite") as client:
            name = begin(client)
            with unprivileged(folder):
                for path in folder.iterdir():
                    path.chmod(0o400)
                folder.chmod(0o500)
                refused(move(client, name, "flag", (0, 0)))
                folder.chmod(0o700)
                for path in folder.iterdir():
                    path.chmod(0o600)
                check_flag_was_not_set(client, name)


def test_a_move_is_not_made_if_the_disk_is_full(small_disk: Path) -> None:
    with serve(small_disk / "games.sqlite") as client:
        name = begin(client)
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="space"):  # noqa: PT012
            while True:
                file.write(b"x" * 4096)
        moves, answer = 0, move(client, name, "flag", (0, 0))
        while answer.status_code == 200 and moves < 500:  # What was allocated before is used first.
            moves += 1
            answer = move(client, name, "flag", (0, 0))
        assert "full" in refused(answer)
        filler.unlink()
        assert client.get(f"/api/games/{name}").json()["moves"] == moves
        assert move(client, name, "flag", (0, 0)).json()["moves"] == moves + 1


def test_a_file_that_is_damaged_while_the_server_runs_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with serve(file) as client:
        name = begin(client)
        copy = tmp_path / "copy.sqlite"
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"games.sqlite{suffix}").unlink(missing_ok=True)
        file.write_bytes(b"garbage" * 1000)
        refused(move(client, name, "flag", (0, 0)))
        refused(client.get(f"/api/games/{name}"))
        assert file.read_bytes() == b"garbage" * 1000  # It was not changed.
        shutil.copy(copy, file)
        check_flag_was_not_set(client, name)


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_stops_the_server_from_starting(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "games.sqlite"
    file.write_bytes(content)
    with pytest.raises(sapper.SapperError, match=r"games\.sqlite.*--games"):
        Games(file)
    assert file.read_bytes() == content


def test_games_of_the_first_version_are_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(
            "CREATE TABLE games (name TEXT PRIMARY KEY, changed REAL NOT NULL, session TEXT NOT NULL);"
            "PRAGMA application_id = 0x53617057; PRAGMA user_version = 1;"
        )
        database.execute("INSERT INTO games VALUES (?, 0, 'old')", ("n" * 22,))
    with closing(Games(file)) as games:
        game = games.find("n" * 22)
        assert (game.session, game.idle) == ("old", MOST_IDLE)
        assert games.replace(game, "new")


def test_the_oldest_games_make_room_for_new_ones(tmp_path: Path) -> None:
    with closing(Games(tmp_path / "games.sqlite", most=3)) as games:
        names = [games.new_name() for _ in range(5)]
        for name in names:
            games.add(name, "session")
            time.sleep(0.002)  # The clock may be coarse.
        for name in names[:2]:
            with pytest.raises(Refused):
                games.find(name)
        for name in names[2:]:
            assert games.find(name).session == "session"


def test_a_game_has_a_maximum_number_of_moves() -> None:
    text = stored_game()
    facts = {"name": "x", "idle": 0.0, "what": "move", "do": "flag", "cell": (0, 0)}
    stored = json.loads(text)
    stored["entries"] = [[0.0, "click", [0, 0], "player"]] * 20_001 + stored["entries"]
    many = json.dumps(stored)
    with pytest.raises(Refused) as error:
        run_task("play", {**facts, "session": many})
    assert error.value.facts["kind"] == "TooManyMoves"
