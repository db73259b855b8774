"""Running the server until it is stopped."""

from __future__ import annotations

import os
import socket
from typing import Final

import uvicorn
from fastapi import FastAPI

from sapper.web.connection import Connection

STOP_SECONDS: Final = 5
"""Seconds after which requests are cut off when the server is stopped. They have ended before."""
PROXIES: Final = "127.0.0.1,::1,::ffff:127.0.0.1"
"""The addresses of proxies that may say whose request they pass on (`X-Forwarded-For`): this machine.

The environment variable `FORWARDED_ALLOW_IPS` replaces them.
"""


class _Server(uvicorn.Server):
    """A server that does not wait for its work to be done when it is stopped."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop all work first: clients that wait are told so."""
        self.config.app.state.server.stop_work()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def run(app: FastAPI, listening: socket.socket) -> None:
    """Serve an application on a socket until the process gets SIGINT (Ctrl-C) or SIGTERM."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",  # Below, every malformed request would be a line.
        access_log=False,
        server_header=False,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", PROXIES),
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    _Server(config).run(sockets=[listening])
