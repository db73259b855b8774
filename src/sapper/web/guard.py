"""Guard: what is let in, and what browsers are told about every answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
        b" connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


TOO_LARGE: Final = b'{"error":"the request is too large","kind":"TooLarge"}'


class Guard:
    """Lets no body through that is larger than it may be, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, *, most_bytes: int) -> None:
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        size = 0
        began = False

        async def send_guarded(message: Message) -> None:
            nonlocal began
            if size > self._most_bytes and not began:
                return  # What it says of half a body does not matter.
            if message["type"] == "http.response.start":
                began = True
                message = {**message, "headers": [*message["headers"], *HEADERS]}
            await send(message)

        async def receive_guarded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most_bytes:
                raise _TooLarge
            return message

        said = dict(scope["headers"]).get(b"content-length", b"0")
        if not said.isdigit() or int(said) > self._most_bytes:
            size = self._most_bytes + 1
        else:
            with suppress(_TooLarge):
                await self._app(scope, receive_guarded, send_guarded)
        if size > self._most_bytes and not began:
            size = 0
            start = {"type": "http.response.start", "status": 413}
            answer = [
                (b"content-type", b"application/json"),
                (b"content-length", b"%d" % len(TOO_LARGE)),
            ]
            await send_guarded({**start, "headers": answer})
            await send_guarded({"type": "http.response.body", "body": TOO_LARGE})


class _TooLarge(Exception):
    pass
