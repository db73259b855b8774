"""Waiting: clients hear about progress, and work stops when its client goes away."""

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
from tests.support.web_games import lost_game

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Message

    from sapper.session.background import Report

pytest.importorskip("fastapi", reason="the web page is an extra")

from sapper.web.app import Options, create_app
from sapper.web.replies import Data, Reply, to_json
from sapper.web.waiting import LINES, line_by_line
from sapper.web.workers import Lane

needs_playouts = pytest.mark.skipif(
    sapper.engine_name == "python", reason="without playouts, the review is done too soon"
)

ENOUGH = 300
"""Seconds: more than anything here takes."""


class Client:
    """Asks for the review of a long game, and goes away when `gone` is set.

    If it is `deaf`, it reads nothing after the first line, so the server cannot send any more.
    """

    def __init__(self, accept: str = LINES, *, version: str = "2.3", deaf: bool = False) -> None:
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": version},
            "http_version": "1.1",
            "method": "POST",
            "path": "/api/review",
            "query_string": b"",
            "headers": [
                (b"host", b"localhost"),
                (b"content-type", b"application/json"),
                (b"accept", accept.encode()),
            ],
        }
        self._asked = [json.dumps({"record": lost_game()}).encode()]
        self._deaf = deaf
        self._heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.gone = asyncio.Event()

    async def ask(self, app: FastAPI) -> None:
        await asyncio.wait_for(app(self._scope, self._receive, self._send), ENOUGH)

    async def line(self) -> Data:
        """Return the next line."""
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
    """Wait until a condition holds."""

    async def wait() -> None:
        while not is_so():
            await asyncio.sleep(0.05)

    await asyncio.wait_for(wait(), ENOUGH)


@needs_playouts
@pytest.mark.parametrize(
    ("accept", "version", "deaf"),
    [("*/*", "2.3", False), (LINES, "2.3", False), (LINES, "2.3", True), (LINES, "2.4", False)],
    ids=["plain", "lines", "lines-unread", "lines-server-tells-only-when-asked"],
)
def test_work_stops_when_its_client_disconnects(
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
            await answering  # It ends without an error.
            await until(lambda: not worker.is_alive())
            assert worker.exitcode != 0  # It was stopped in the middle.

    asyncio.run(run())


@needs_playouts
def test_the_last_line_says_that_a_worker_has_ended(tmp_path: Path) -> None:
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
@pytest.mark.parametrize(
    ("lane", "kind"),
    [({"timeout": 0.01}, "LimitReached"), ({"timeout": 60.0, "most_waiting": 0}, "Busy")],
    ids=["too slow", "too many requests"],
)
def test_the_last_line_says_that_there_is_no_review(
    tmp_path: Path, lane: dict[str, Any], kind: str
) -> None:
    async def run() -> None:
        async with serving(tmp_path) as app:
            workers = app.state.server.workers
            workers.reviews = Lane(0 if kind == "Busy" else 1, **lane)
            client = Client()
            await client.ask(app)
            line = await client.line()
            assert (line["status"], line["kind"]) == (503, kind)

    asyncio.run(run())


async def lines(work: Callable[[Report], Awaitable[Reply]]) -> list[Data]:
    return [json.loads(line) async for line in line_by_line(work)]


def test_progress_comes_before_the_result() -> None:
    async def count(report: Report) -> Reply:
        for done in (1, 2):
            report(done, 2)
        return Reply(to_json({"answer": 2}))

    heard = asyncio.run(lines(count))
    assert heard == [{"done": 1, "of": 2}, {"done": 2, "of": 2}, {"found": {"answer": 2}}]


def test_an_unexpected_error_ends_the_lines() -> None:
    async def fail(report: Report) -> Reply:
        report(1, 2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(asyncio.wait_for(lines(fail), ENOUGH))


def test_work_stops_when_nobody_reads_its_lines() -> None:
    async def run() -> None:
        stopped = asyncio.Event()

        async def endless(report: Report) -> Reply:
            try:
                report(1, 2)
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return Reply(b"")

        generated = line_by_line(endless)
        assert json.loads(await anext(generated)) == {"done": 1, "of": 2}
        await generated.aclose()
        await asyncio.wait_for(stopped.wait(), ENOUGH)

    asyncio.run(run())
