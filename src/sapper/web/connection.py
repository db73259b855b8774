"""Connections: their deadlines and limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sapper.web.clients import client_of
from sapper.web.guard import HEADERS
from sapper.web.replies import to_json

REQUEST_SECONDS: Final = 10.0
"""The time limit for a client to send the head of a request."""
READ_SECONDS: Final = 30.0
"""The time limit for a client to read what was sent to it."""
STOP_SECONDS: Final = 2.0
"""The time limit for a client to read its last response while the server shuts down."""
MOST_CONNECTIONS: Final = 500
"""If there are more connections, the client with the most connections loses one."""
MOST_UNREAD_BYTES: Final = 64 * 2**20
"""If more bytes are unread, the client with the most unread bytes loses a connection."""
MOST_HEAD_BYTES: Final = 16 * 2**10
"""The most bytes in the head of a request."""
_PIECE: Final = MOST_HEAD_BYTES // 2
"""Data goes to the parser in pieces of this size. In one piece, it would accept a larger head."""
MOST_HEADERS: Final = 100
"""The most headers in a request."""


class _Deadline:
    """Aborts a connection after some time, unless the deadline is stopped first."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float, transport: asyncio.Transport) -> None:
        """Start, unless it is already running."""
        if self._timer is None:
            self._timer = self._loop.call_later(seconds, transport.abort)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _StrictParser(h11.Connection):
    """An HTTP parser that accepts only bodies of a known length, and not too many headers.

    A body in chunks of one byte would cost the server far more time than the client. A proxy and this
    server may disagree about a request that has both a length and chunks.
    """

    problem: tuple[int, bytes, str] = 400, b"Bad Request", "this is not a valid HTTP request"
    """The status, its name and the message of the response to an invalid request."""

    def next_event(self) -> Any:  # noqa: ANN401 - h11 has many kinds of events.
        """Return the next event; raise `h11.RemoteProtocolError` if the request is not accepted."""
        try:
            event = super().next_event()
            if isinstance(event, h11.Request):
                _check_headers(event)
        except h11.RemoteProtocolError as error:
            self.problem = _PROBLEMS.get(error.error_status_hint, self.problem)
            raise
        return event


_PROBLEMS: Final = {
    411: (411, b"Length Required", "a request with a body must have a Content-Length header"),
    431: (
        431,
        b"Request Header Fields Too Large",
        f"the limits are {MOST_HEADERS} headers and {MOST_HEAD_BYTES:,} bytes before the body",
    ),
}


def _check_headers(request: h11.Request) -> None:
    if len(request.headers) > MOST_HEADERS:
        raise h11.RemoteProtocolError("too many headers", error_status_hint=431)
    if any(name == b"transfer-encoding" for name, _ in request.headers):
        raise h11.RemoteProtocolError("the body has no length", error_status_hint=411)


class Connection(H11Protocol):
    """A uvicorn connection with deadlines and limits.

    Without them, a client could keep connections open forever by sending half a request, or by not
    reading a response. When a limit is exceeded, the client that uses the most loses a connection.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - they are uvicorn's.
        super().__init__(*args, **kwargs)
        self._parser = _StrictParser(h11.SERVER, MOST_HEAD_BYTES)
        self.conn = self._parser
        self._request_deadline = _Deadline(self.loop)
        self._read_deadline = _Deadline(self.loop)
        self._stop_deadline = _Deadline(self.loop)
        self.owner = ""
        """The client at the other end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # Writing pauses until everything has been read.
        self.owner = "" if self.client is None else client_of(self.client[0])
        if len(self.connections) > MOST_CONNECTIONS:
            self._connection_to_close().transport.abort()
        if not transport.is_closing():
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all deadlines."""
        self._request_deadline.stop()
        self._read_deadline.stop()
        self._stop_deadline.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle data; stop the deadline when the head of a request is complete."""
        for start in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PIECE])
        if self.conn.their_state is h11.IDLE:
            self._expect_request()
        else:
            self._request_deadline.stop()

    def on_response_complete(self) -> None:
        """Close the connection if the client is still sending a body that nobody reads."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            self.transport.close()

    def pause_writing(self) -> None:
        """Start the deadline for reading: the client has unread data."""
        super().pause_writing()
        self._read_deadline.start(READ_SECONDS, self.transport)
        if sum(map(_unread_bytes, self._all())) > MOST_UNREAD_BYTES:
            self._connection_that_reads_least().transport.abort()

    def resume_writing(self) -> None:
        """Stop the deadline for reading."""
        self._read_deadline.stop()
        super().resume_writing()

    def shutdown(self) -> None:
        """Close soon: the server is shutting down."""
        super().shutdown()
        if not self.transport.is_closing() or _unread_bytes(self):
            self._stop_deadline.start(STOP_SECONDS, self.transport)

    def send_400_response(self, msg: str) -> None:
        """Reject a request, with the same kind of body and headers as every error."""
        del msg
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # It is too late for a response.
            self.transport.close()
            return
        status, reason, message = self._parser.problem
        body = to_json({"error": message, "kind": "BadRequest"})
        headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
        response = h11.Response(status_code=status, headers=headers, reason=reason)
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _expect_request(self) -> None:
        if not self.transport.is_closing():
            self._request_deadline.start(REQUEST_SECONDS, self.transport)

    @property
    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _all(self) -> list[Connection]:
        """Return all connections of this server, including this one."""
        return [each for each in self.connections if isinstance(each, Connection)]

    def _connection_to_close(self) -> Connection:
        """Return a connection of the client with the most connections, preferably an idle one."""
        counts = Counter(each.owner for each in self._all())
        most = max(counts.values())
        if counts[self.owner] == most:
            return self
        return max(
            (each for each in self._all() if counts[each.owner] == most),
            key=lambda each: each._is_idle,
        )

    def _connection_that_reads_least(self) -> Connection:
        """Return the connection with the most unread bytes of the client with the most unread bytes."""
        unread: Counter[str] = Counter()
        for each in self._all():
            unread[each.owner] += _unread_bytes(each)
        return max(self._all(), key=lambda each: (unread[each.owner], _unread_bytes(each)))


def _unread_bytes(connection: Connection) -> int:
    """Return the number of sent bytes that the client has not read yet."""
    return connection.transport.get_write_buffer_size()
