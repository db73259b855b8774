"""Run the server until it is stopped."""

from __future__ import annotations

import os
import socket
from typing import Final

import uvicorn
from fastapi import FastAPI

from sapper.web.connection import Connection

STOP_SECONDS: Final = 5
"""Seconds until uvicorn aborts requests at shutdown. All should have ended long before."""
PROXIES: Final = "127.0.0.1,::1,::ffff:127.0.0.1"
"""Trusted proxies, whose `X-Forwarded-For` header names the client: by default, only this machine.

The environment variable `FORWARDED_ALLOW_IPS` replaces them.
"""


class _Server(uvicorn.Server):
    """A server that cancels its work at shutdown instead of waiting for it."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop all work first, so that waiting clients get a response."""
        self.config.app.state.server.stop_work()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def run(app: FastAPI, listening: socket.socket) -> None:
    """Serve an application on a socket until the process gets SIGINT (Ctrl-C) or SIGTERM."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",  # Lower levels log every malformed request.
        access_log=False,
        server_header=False,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", PROXIES),
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    _Server(config).run(sockets=[listening])
