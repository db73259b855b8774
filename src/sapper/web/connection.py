"""Connections: a client that does not send its request, or does not read the response, is cut off."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sapper.web.guard import HEADERS

REQUEST_SECONDS: Final = 10.0
"""How long a client may take to send the head of a request."""
READ_SECONDS: Final = 30.0
"""How long a client may take to read what was sent to it."""
MOST_CONNECTIONS: Final = 500
"""If there are more connections than this, new ones are closed at once."""


class _Deadline:
    """Cuts a connection off after some time, unless it is stopped before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float, transport: asyncio.Transport) -> None:
        """Start, unless it has been started already."""
        if self._timer is None:
            self._timer = self._loop.call_later(seconds, transport.abort)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Connection(H11Protocol):
    """A connection of uvicorn's with deadlines.

    Without them, a client could keep connections open for ever by sending half a request, or by not
    reading a response.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - they are uvicorn's.
        super().__init__(*args, **kwargs)
        self._request_deadline = _Deadline(self.loop)
        self._read_deadline = _Deadline(self.loop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline for the first request."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all deadlines."""
        self._request_deadline.stop()
        self._read_deadline.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle data; the deadline ends when the head of a request is complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_request()
        else:
            self._request_deadline.stop()

    def pause_writing(self) -> None:
        """Start the deadline for reading: the client has not read what was sent."""
        super().pause_writing()
        self._read_deadline.start(READ_SECONDS, self.transport)

    def resume_writing(self) -> None:
        """Stop the deadline for reading."""
        self._read_deadline.stop()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, with the same kind of body and headers as every other error."""
        body = json.dumps({"error": msg, "kind": "BadRequest"}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _expect_request(self) -> None:
        if not self.transport.is_closing():
            self._request_deadline.start(REQUEST_SECONDS, self.transport)
