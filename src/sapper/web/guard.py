"""Guard: reject unacceptable requests, and add security headers to every response."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
from collections.abc import Collection
from dataclasses import dataclass
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
"""Headers of every response."""

BODY_SECONDS: Final = 20.0
"""The time limit for a client to send a body."""
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?P<port>:\d{1,5})?", re.ASCII)
_log = logging.getLogger(__name__)


def host_name(host: str) -> str | None:
    """Return the name in a `Host` header without its port, in lower case; None if it is malformed.

    >>> host_name("LocalHost:8000"), host_name("[::1]:8000"), host_name("a b")
    ('localhost', '::1', None)
    """
    match = _HOST.fullmatch(host)
    return None if match is None else match["name"].strip("[]").rstrip(".").lower()


@dataclass(frozen=True)
class Hosts:
    """The host names that a server answers to.

    Another site's page can make a browser send requests to this machine, but the browser then names the
    other site as the host. So only known names are accepted. If the server listens on all addresses,
    all IP addresses are accepted too: they cannot belong to another site.

    >>> hosts = Hosts.of("127.0.0.1", extra=["sapper.example"])
    >>> hosts.accept("localhost:8000"), hosts.accept("sapper.example"), hosts.accept("evil.example")
    (True, True, False)
    >>> Hosts.of("0.0.0.0").accept("192.168.1.5:8000")
    True
    """

    names: frozenset[str]
    any_address: bool = False

    @classmethod
    def of(cls, listening: str, *, extra: Collection[str] = ()) -> Hosts:
        """Return the names of a server that listens on an address, including `extra` names."""
        every = listening in ("", "0.0.0.0", "::")
        names = {*LOOPBACK, *(name.lower().rstrip(".") for name in extra)}
        return cls(frozenset(names if every else names | {listening.lower()}), every)

    def accept(self, host: str) -> bool:
        """Return whether a `Host` header names this server."""
        name = host_name(host)
        return name is not None and (name in self.names or (self.any_address and _is_address(name)))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class _Rejected(Exception):
    """A request is not accepted."""

    def __init__(self, status: int, kind: str, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.body = json.dumps({"error": error, "kind": kind}).encode()


class Guard:
    """Middleware that accepts only requests for this server, from its own page, that are not too large.

    Every response has the same security headers, and every error the same kind of body.
    """

    def __init__(self, app: ASGIApp, *, hosts: Hosts, most_bytes: int) -> None:
        self._app = app
        self._hosts = hosts
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False
        body = _Body(receive, self._most_bytes)

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if body.rejected is not None and not started:
                return  # Drop the application's response to an incomplete body.
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message["headers"], *HEADERS]}
            await send(message)

        rejected: _Rejected | None
        try:
            self._check(scope)
            await self._app(scope, body.receive, send_guarded)
            rejected = body.rejected
        except _Rejected as error:
            rejected = error
        except Exception:
            if started:
                raise
            _log.exception("%s %s failed", scope["method"], scope["path"])
            rejected = _Rejected(500, "Broken", "internal server error")
        if rejected is not None and not started:
            body.rejected = None
            await _send_rejection(rejected, send_guarded)

    def _check(self, scope: Scope) -> None:
        """Raise `_Rejected` unless this is a request for this server, from its own page, as JSON."""
        headers = scope["headers"]
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        if len(hosts) != 1 or not self._hosts.accept(hosts[0]):
            shown = hosts[0][:60] if hosts else ""
            hint = "its owner can add a name with --allow-host"
            raise _Rejected(421, "WrongHost", f"this server does not answer to {shown!r}; {hint}")
        origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
        for origin in origins:
            if origin.partition("://")[2].lower() != hosts[0].lower():
                raise _Rejected(403, "WrongOrigin", "requests from other sites are not accepted")
        sizes = [value for name, value in headers if name == b"content-length"]
        for size in sizes:
            if not size.isdigit() or int(size[:20]) > self._most_bytes:
                raise _too_large(self._most_bytes)
        if scope["method"] in ("POST", "PUT", "PATCH") and scope["path"].startswith("/api/"):
            self._check_media_type(scope)

    def _check_media_type(self, scope: Scope) -> None:
        """Require a media type that another site's page can send only with the server's permission."""
        kinds = [value.decode("latin-1") for name, value in scope["headers"] if name == b"content-type"]
        kind = kinds[0].partition(";")[0].strip().lower() if len(kinds) == 1 else ""
        is_file = scope["path"].startswith("/api/files/")
        wanted = "application/octet-stream" if is_file else "application/json"
        if kind != wanted:
            raise _Rejected(415, "WrongMediaType", f"the Content-Type must be {wanted}")


def _too_large(most_bytes: int) -> _Rejected:
    return _Rejected(413, "TooLarge", f"the request is larger than {most_bytes:,} bytes")


class _Body:
    """The body of a request, with a size limit and a time limit."""

    def __init__(self, receive: Receive, most_bytes: int) -> None:
        self._receive = receive
        self._most_bytes = most_bytes
        self._size = 0
        self._is_whole = False
        self._end = asyncio.get_running_loop().time() + BODY_SECONDS
        self.rejected: _Rejected | None = None
        """Why the body was rejected, even if the application ignores the error."""

    async def receive(self) -> Message:
        """Receive the next part."""
        if self._is_whole:  # Only the end of the connection can follow, at any time.
            return await self._receive()
        seconds = self._end - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._receive(), max(seconds, 0))
        except (TimeoutError, asyncio.TimeoutError):
            raise self._reject(
                _Rejected(408, "TooSlow", "the request body arrived too slowly")
            ) from None
        self._size += len(message.get("body", b""))
        if self._size > self._most_bytes:
            raise self._reject(_too_large(self._most_bytes))
        self._is_whole = not message.get("more_body", False)
        return message

    def _reject(self, rejected: _Rejected) -> _Rejected:
        self.rejected = rejected
        return rejected


async def _send_rejection(rejected: _Rejected, send: Send) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(rejected.body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": rejected.status, "headers": headers})
    await send({"type": "http.response.body", "body": rejected.body})
