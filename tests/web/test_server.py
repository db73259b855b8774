"""The server as a process: it survives being killed, and clients that do not behave."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sapper.web
from tests.support.processes import children_of, needs_proc, wait_until_ended
from tests.support.web_games import lost_game

pytest.importorskip("uvicorn", reason="the web page is an extra")

IMPATIENT = """
from sapper.web import connection
connection.REQUEST_SECONDS = 1.0
connection.READ_SECONDS = 1.0
connection.MOST_CONNECTIONS = 60
"""
"""Settings that make a test short."""


class Server:
    """A `sapper serve` that can be killed."""

    def __init__(self, games: Path, *options: str, setup: str = "") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        code = f"{setup}\nfrom sapper.cli import main; main()"
        options = ("serve", "--port", str(self.port), "--games", str(games), "--no-browser", *options)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *options], stdout=subprocess.PIPE, start_new_session=True
        )
        for _ in range(600):
            try:
                self.ask("/openapi.json")
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def ask(self, path: str, body: object = None, **headers: str) -> Any:  # noqa: ANN401 - it is JSON.
        data = None if body is None else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, given)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        """Return a connection from an address of this machine."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=60, source_address=(address, 0)
        )

    def send(self, data: bytes) -> list[bytes]:
        """Send data on a connection; return the heads of all responses until the server closes it."""
        received = b""
        with self.connect() as client:
            try:
                client.sendall(data)
                while part := client.recv(2**16):
                    received += part
            except OSError:  # The server does not read the rest.
                pass
        return re.findall(rb"HTTP/1\.1 .*?\r\n\r\n", received, re.DOTALL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    games = tmp_path_factory.mktemp("web") / "games.sqlite"
    made = Server(games, "--allow-host", "sapper.example", setup=IMPATIENT)
    yield made
    made.kill()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_game_continues_after_the_server_was_killed(tmp_path: Path) -> None:
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


def test_the_error_names_a_port_that_is_taken(tmp_path: Path) -> None:
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


def test_the_owner_can_allow_other_hosts(server: Server) -> None:
    assert server.ask("/openapi.json", Host="sapper.example")
    with pytest.raises(urllib.error.HTTPError) as error:
        server.ask("/openapi.json", Host="evil.example")
    assert error.value.code == 421
    assert json.load(error.value)["kind"] == "WrongHost"
    error.value.close()


def test_no_request_can_start_a_program(server: Server, tmp_path: Path) -> None:
    mark = tmp_path / "owned"
    name = server.ask("/api/games", {"level": "beginner"})["name"]
    for path in ("/api/games", f"/api/games/{name}/agent"):
        for agent in (f"program:touch {mark}", f"program:sh -c 'touch {mark}'", "os:abort"):
            with pytest.raises(urllib.error.HTTPError) as error:
                server.ask(path, {"agent": agent})
            assert error.value.code == 422
            error.value.close()
    assert not mark.exists()


HALF_SENT = (
    b"",
    b"GET",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTT",  # A second request that never ends.
)


@pytest.mark.parametrize("sent", HALF_SENT)
def test_a_half_sent_request_is_cut_off(server: Server, sent: bytes) -> None:
    with server.connect() as client:
        client.sendall(sent)
        start = time.monotonic()
        while client.recv(2**16):  # Until the server closes the connection.
            pass
        assert time.monotonic() - start < 50


def test_a_slowly_sent_request_is_cut_off(server: Server) -> None:
    """A byte now and then does not keep a connection alive."""
    with server.connect() as client, pytest.raises(OSError):  # noqa: PT011, PT012
        client.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(200):
            time.sleep(0.2)
            client.sendall(b"x")


def test_a_client_that_does_not_read_is_cut_off(server: Server) -> None:
    script = (Path(sapper.web.__file__).parent / "static" / "js" / "board.js").read_bytes()
    request = b"GET /js/board.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with server.connect() as client:
        client.sendall(1000 * request)
        time.sleep(5)  # Much longer than the server waits.
        received = 0
        try:
            while data := client.recv(2**16):
                received += len(data)
        except ConnectionResetError:
            pass
        assert 0 < received < 1000 * len(script)
    assert server.ask("/openapi.json")


def test_too_many_connections_are_closed_and_the_server_recovers(server: Server) -> None:
    clients = [server.connect() for _ in range(200)]
    try:
        time.sleep(0.5)
        closed = 0
        for client in clients:
            client.settimeout(0.01)
            try:
                closed += client.recv(1) == b""
            except TimeoutError:
                pass
            except OSError:
                closed += 1
        assert closed >= 100
    finally:
        for client in clients:
            client.close()
    assert server.ask("/api/analyse", {"position": "3x1/1\n# 1 #"})["layouts"] == "2"


HOST = b"Host: localhost\r\n"
JSON = b"Content-Type: application/json\r\n"
SECOND = b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"


@pytest.mark.parametrize(
    "lengths",
    [
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        b"TRANSFER-ENCODING: Chunked\r\n",
    ],
)
def test_a_body_in_chunks_is_rejected(server: Server, lengths: bytes) -> None:
    """A proxy may take what follows for a part of the body, and this server for another request."""
    sent = b"POST /api/games HTTP/1.1\r\n" + HOST + JSON + lengths + b"\r\n0\r\n\r\n" + SECOND
    (head,) = server.send(sent)
    assert head.startswith(b"HTTP/1.1 411 Length Required")
    assert b"nosniff" in head


@pytest.mark.parametrize(
    "headers",
    [b"".join(b"X-%d: 1\r\n" % n for n in range(101)), b"X: " + b"x" * 30_000 + b"\r\n"],
    ids=["too many", "too large"],
)
def test_too_large_a_head_is_rejected(server: Server, headers: bytes) -> None:
    (head,) = server.send(b"GET / HTTP/1.1\r\n" + HOST + headers + b"\r\n")
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert b"nosniff" in head


def test_a_body_that_nobody_reads_does_not_keep_a_connection_open(server: Server) -> None:
    """A byte now and then, after the response, is a way to use up all connections."""
    with server.connect() as client, pytest.raises(OSError):  # noqa: PT011, PT012
        client.sendall(b"GET /icon.svg HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000\r\n\r\n")
        for _ in range(200):
            time.sleep(0.1)
            client.sendall(b"x")


@pytest.mark.skipif(sys.platform != "linux", reason="needs several loopback addresses")
def test_a_client_with_many_connections_does_not_lock_out_others(server: Server) -> None:
    hostile = [server.connect("127.0.0.3") for _ in range(100)]
    try:
        time.sleep(0.5)
        with server.connect("127.0.0.4") as honest:
            honest.sendall(SECOND)
            assert honest.recv(2**16).startswith(b"HTTP/1.1 200")
    finally:
        for client in hostile:
            client.close()


@pytest.mark.parametrize(
    "sent", [b"\0\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"G" * 100_000, b"\r\n" * 9]
)
def test_invalid_http_gets_a_normal_error(server: Server, sent: bytes) -> None:
    with server.connect() as client:
        received = b""
        try:
            client.sendall(sent)
            while data := client.recv(2**16):
                received += data
        except OSError:  # The server does not read the rest.
            pass
    if received:
        head, _, body = received.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 4")
        assert b"nosniff" in head
        assert json.loads(body)["error"]
    assert server.ask("/openapi.json")


# Ending ------------------------------------------------------------------------------------------


def review(server: Server) -> socket.socket:
    """Ask for a review that takes many seconds; return when it has begun."""
    body = json.dumps({"record": lost_game()}).encode()
    client = server.connect()
    head = b"POST /api/review HTTP/1.1\r\n" + HOST + JSON + b"Accept: application/x-ndjson\r\n"
    client.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    received = b""
    while b"done" not in received:
        received += client.recv(2**16)
    return client


needs_playouts = pytest.mark.skipif(
    sapper.engine_name == "python", reason="without playouts, the review is done too soon"
)


def slow_record() -> bytes:
    """Return the record of a game that takes a minute to read: 200 rows are opened and closed again."""
    at = {"at": 0, "by": "player"}
    moves = [{"do": "open", "cell": [0, 0], **at}, {"do": "undo", **at}] * 10_000
    size = {"width": 200, "height": 200, "mines": 0, "minefield": ["." * 200] * 200}
    rules = {"rules": "usual", "promise": "none", "seed": None, "first": None}
    return json.dumps({"format": "sapper game", "version": 1, **size, **rules, "moves": moves}).encode()


@needs_proc
def test_busy_workers_end_when_the_server_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    body = slow_record()
    with server.connect() as client:
        head = (
            b"POST /api/files/json HTTP/1.1\r\n" + HOST + b"Content-Type: application/octet-stream\r\n"
        )
        client.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        workers: set[int] = set()
        while len(workers) < 3:  # For quick and for long tasks, and Python's resource tracker.
            workers = children_of(server.process.pid)
            time.sleep(0.05)
        time.sleep(1)
        server.kill()
        wait_until_ended(workers, 15)


@needs_proc
@needs_playouts
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_busy_server_can_be_stopped(tmp_path: Path, number: signal.Signals) -> None:
    """It waits neither for a review nor for a client that does not read."""
    server = Server(tmp_path / "games.sqlite")
    with review(server), server.connect() as deaf:
        deaf.sendall(1000 * (b"GET /js/board.js HTTP/1.1\r\n" + HOST + b"\r\n"))
        time.sleep(1)
        workers = children_of(server.process.pid)
        assert workers
        server.process.send_signal(number)
        server.process.wait(10)
        wait_until_ended(workers, 5)
    assert [path.name for path in tmp_path.iterdir()] == ["games.sqlite"]
    server.kill()


@needs_proc
def test_workers_share_neither_sockets_nor_files_with_the_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    name = server.ask("/api/games", {"level": "beginner"})["name"]
    server.ask(f"/api/games/{name}/moves", {"do": "open", "cell": [0, 0]})

    def opened(pid: int) -> set[str]:
        return {os.readlink(file) for file in Path(f"/proc/{pid}/fd").iterdir()}

    own = {file for file in opened(server.process.pid) if file.startswith("socket:") or "games" in file}
    assert any("games" in file for file in own)
    workers = children_of(server.process.pid)
    assert workers
    for worker in workers:
        assert not own & opened(worker)
    server.kill()
