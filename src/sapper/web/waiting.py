"""Waiting for work as long as the client does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

from fastapi import Request

from sapper.web.tasks import Refused

Found = TypeVar("Found")

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
