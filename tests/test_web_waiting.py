"""Waiting: how far the work is, is told; and who goes away is not worked for any longer."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sapper
from tests.web_games import lost_game

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Message

    from sapper.background import Report

pytest.importorskip("fastapi", reason="the web page is an extra")

import sapper.web.app
from sapper.web.app import Options, create_app
from sapper.web.tasks import Data
from sapper.web.waiting import LINES, line_by_line
from sapper.web.workers import Workers

needs_playouts = pytest.mark.skipif(
    sapper.engine_name == "python", reason="it plays no games to estimate, and is done too soon"
)

EASY = {"position": "3x1/1\n# 1 #", "seconds": 4.0, "states": 10_000}
ENOUGH = 300
"""Seconds: more than anything here takes."""


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take long, though their first position is done soon."""
    monkeypatch.setattr(sapper.web.app, "REVIEWING", {"playouts": 4096, "seconds": 2.0 * ENOUGH})
    monkeypatch.setattr(sapper.web.app, "REVIEWED", 2.0 * ENOUGH)


class Client:
    """One that asks for the review of a long game, and goes away when `gone` is set.

    If it is `deaf` it reads nothing after the first line, and the server cannot send any more.
    """

    def __init__(self, accept: str = LINES, *, version: str = "2.3", deaf: bool = False) -> None:
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": version},
            "http_version": "1.1",
            "method": "POST",
            "path": "/api/review",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"accept", accept.encode())],
        }
        self._asked = [json.dumps({"record": lost_game()}).encode()]
        self._deaf = deaf
        self._heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.gone = asyncio.Event()

    async def ask(self, app: FastAPI) -> None:
        await asyncio.wait_for(app(self._scope, self._receive, self._send), ENOUGH)

    async def line(self) -> Data:
        """Return the next line that is heard."""
        line: Data = json.loads(await asyncio.wait_for(self._heard.get(), ENOUGH))
        return line

    async def _receive(self) -> Message:
        if self._asked:
            return {"type": "http.request", "body": self._asked.pop()}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if self._deaf and not self._heard.empty():
            await asyncio.Event().wait()
        if message.get("body"):
            self._heard.put_nowait(message["body"])


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[FastAPI]:
    app = create_app(Options(folder / "games.sqlite", workers=1))
    async with app.router.lifespan_context(app):
        yield app


async def until(is_so: Callable[[], object]) -> None:
    """Wait until it is so."""

    async def wait() -> None:
        while not is_so():
            await asyncio.sleep(0.05)

    await asyncio.wait_for(wait(), ENOUGH)


@needs_playouts
@pytest.mark.usefixtures("_slow")
@pytest.mark.parametrize(
    ("accept", "version", "deaf"),
    [("*/*", "2.3", False), (LINES, "2.3", False), (LINES, "2.3", True), (LINES, "2.4", False)],
    ids=["plain", "lines", "lines, unread", "lines, of a server that tells only when asked"],
)
def test_who_goes_away_is_worked_for_no_longer(
    tmp_path: Path, accept: str, version: str, deaf: bool
) -> None:
    async def run() -> None:
        before = set(multiprocessing.active_children())
        async with serving(tmp_path) as app:
            client = Client(accept, version=version, deaf=deaf)
            answering = asyncio.create_task(client.ask(app))
            if accept == LINES:
                assert (await client.line())["done"] == 1
            else:
                await until(lambda: set(multiprocessing.active_children()) - before)
            (worker,) = set(multiprocessing.active_children()) - before
            client.gone.set()
            await answering  # Its end is no error.
            await until(lambda: not worker.is_alive())
            assert worker.exitcode != 0  # It was stopped in the middle.
            assert (await app.state.workers.run("analyse", EASY, seconds=ENOUGH))["layouts"] == "2"

    asyncio.run(run())


@needs_playouts
@pytest.mark.usefixtures("_slow")
def test_a_broken_worker_is_told_in_the_last_line(tmp_path: Path) -> None:
    async def run() -> None:
        before = set(multiprocessing.active_children())
        async with serving(tmp_path) as app:
            client = Client()
            answering = asyncio.create_task(client.ask(app))
            assert (await client.line())["done"] == 1
            (worker,) = set(multiprocessing.active_children()) - before
            worker.kill()
            await answering
            line = await client.line()
            while "done" in line:
                line = await client.line()
            assert (line["status"], line["kind"]) == (500, "Broken")

    asyncio.run(run())


@needs_playouts
def test_what_takes_too_long_is_told_in_the_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sapper.web.app, "REVIEWED", 0.01)

    async def run() -> None:
        async with serving(tmp_path) as app:
            client = Client()
            await client.ask(app)
            line = await client.line()
            assert (line["status"], line["kind"]) == (503, "LimitReached")

    asyncio.run(run())


def test_a_busy_server_says_so_in_the_only_line(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as app:
            app.state.workers = Workers(1, most_waiting=0)
            client = Client()
            await client.ask(app)
            line = await client.line()
            assert (line["status"], line["kind"]) == (503, "Busy")
            app.state.workers.close()

    asyncio.run(run())


async def told(work: Callable[[Report], Awaitable[Data]]) -> list[Data]:
    return [json.loads(line) async for line in line_by_line(work)]


def test_what_was_done_is_told_before_what_was_found() -> None:
    async def count(report: Report) -> Data:
        for done in (1, 2):
            report(done, 2)
        return {"answer": 2}

    said = asyncio.run(told(count))
    assert said == [{"done": 1, "of": 2}, {"done": 2, "of": 2}, {"found": {"answer": 2}}]


def test_an_error_that_nobody_expected_ends_the_lines() -> None:
    async def fail(report: Report) -> Data:
        report(1, 2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(asyncio.wait_for(told(fail), ENOUGH))


def test_work_ends_with_the_last_who_reads_its_lines() -> None:
    async def run() -> None:
        stopped = asyncio.Event()

        async def endless(report: Report) -> Data:
            try:
                report(1, 2)
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return {}

        lines = line_by_line(endless)
        assert json.loads(await anext(lines)) == {"done": 1, "of": 2}
        await lines.aclose()
        await asyncio.wait_for(stopped.wait(), ENOUGH)

    asyncio.run(run())
