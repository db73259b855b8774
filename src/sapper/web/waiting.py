"""Wait for work while the client is connected, and send it progress reports."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeVar

from fastapi import Request

from sapper.session.background import Report
from sapper.web.replies import Data, Refused, Reply, to_json

Found = TypeVar("Found")

LINES: Final = "application/x-ndjson"
GONE: Final = {"error": "the client disconnected", "kind": "Gone"}


async def while_connected(request: Request, work: Awaitable[Found]) -> Found:
    """Return the result of the work; cancel the work if the client disconnects."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.25)
            if not task.done() and await request.is_disconnected():
                raise Refused(499, GONE)
        return await task
    finally:
        task.cancel()


async def line_by_line(work: Callable[[Report], Awaitable[Reply]]) -> AsyncGenerator[bytes]:
    """Generate lines of JSON: progress reports and, in the last line, the result or an error.

    Closing the generator cancels the work.
    """
    progress: asyncio.Queue[Data | None] = asyncio.Queue()
    task = asyncio.ensure_future(
        work(lambda done, count: progress.put_nowait({"done": done, "of": count}))
    )
    task.add_done_callback(lambda _: progress.put_nowait(None))
    try:
        while (line := await progress.get()) is not None:
            yield json.dumps(line).encode() + b"\n"
        yield await _last_line(task) + b"\n"
    finally:
        task.cancel()


async def _last_line(work: Awaitable[Reply]) -> bytes:
    try:
        return b'{"found":' + (await work).body + b"}"
    except Refused as refused:
        return to_json({"status": refused.status, **refused.facts})
