"""Waiting: who goes away is not worked for any longer, and nothing breaks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sapper
from tests.web_games import lost_game

if TYPE_CHECKING:
    from starlette.types import Message

pytest.importorskip("fastapi", reason="the web page is an extra")

import sapper.web.app
from sapper.web.app import Options, create_app

pytestmark = pytest.mark.skipif(
    sapper.engine_name == "python", reason="it plays no games to estimate, and is done too soon"
)

ENOUGH = 300
"""Seconds: less than the review takes, more than anything else here."""


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take longer than any test may."""
    monkeypatch.setattr(sapper.web.app, "REVIEWING", {"playouts": 10**7, "seconds": 2.0 * ENOUGH})
    monkeypatch.setattr(sapper.web.app, "REVIEWED", 2.0 * ENOUGH)


class Client:
    """One that asks once, and goes away when `gone` is set."""

    def __init__(self, path: str, body: object, *, version: str = "2.3", **headers: str) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": version},
            "http_version": "1.1",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")]
            + [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.gone = asyncio.Event()
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self._asked = [{"type": "http.request", "body": json.dumps(body).encode()}]

    async def receive(self) -> Message:
        if self._asked:
            return self._asked.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.heard.put_nowait(message)


@pytest.mark.usefixtures("_slow")
def test_who_goes_away_is_worked_for_no_longer(tmp_path: Path) -> None:
    async def run() -> None:
        app = create_app(Options(tmp_path / "games.sqlite", workers=1))
        async with app.router.lifespan_context(app):
            client = Client("/api/review", {"record": lost_game()})
            answering = asyncio.create_task(app(client.scope, client.receive, client.send))
            await asyncio.sleep(1)
            assert client.heard.empty()
            client.gone.set()
            await asyncio.wait_for(answering, ENOUGH)  # It ends, and without an error.
            other = Client("/api/explain", {"position": "3x1/1\n# 1 #"})
            await asyncio.wait_for(app(other.scope, other.receive, other.send), ENOUGH)
            assert other.heard.get_nowait()["status"] == 200

    asyncio.run(run())
