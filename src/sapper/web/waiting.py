"""Waiting for work: as long as the client listens, and telling it how far the work is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeVar

from fastapi import Request

from sapper.background import Report
from sapper.web.tasks import Data, Refused

Found = TypeVar("Found")

LINES: Final = "application/x-ndjson"
GONE: Final = {"error": "the client went away", "kind": "Gone"}


async def while_connected(request: Request, work: Awaitable[Found]) -> Found:
    """Return what the work comes to; it is stopped if the client goes away."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.25)
            if not task.done() and await request.is_disconnected():
                raise Refused(499, GONE)
        return await task
    finally:
        task.cancel()


async def line_by_line(work: Callable[[Report], Awaitable[Data]]) -> AsyncGenerator[str]:
    """Generate lines of JSON: how far the work is, and in the last what it found, or why not.

    The work is stopped if nobody asks for the next line any more.
    """
    said: asyncio.Queue[Data | None] = asyncio.Queue()
    task = asyncio.ensure_future(work(lambda done, count: said.put_nowait({"done": done, "of": count})))
    task.add_done_callback(lambda _: said.put_nowait(None))
    try:
        while (line := await said.get()) is not None:
            yield json.dumps(line) + "\n"
        yield json.dumps(await _last_line(task)) + "\n"
    finally:
        task.cancel()


async def _last_line(work: Awaitable[Data]) -> Data:
    try:
        return {"found": await work}
    except Refused as refused:
        return {"status": refused.status, **refused.facts}
