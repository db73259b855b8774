"""The web page and its server: `sapper serve`."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from sapper._folders import data_folder
from sapper.errors import SapperError

__all__ = ["games_file", "serve"]


def games_file() -> Path:
    """Return where games are kept if nothing else is said: in the user's data folder."""
    return data_folder() / "web-games.sqlite"


def serve(
    *,
    games: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int | None = None,
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Serve the page until somebody stops it; `begun` is called once it can be asked for."""
    try:
        import uvicorn

        from sapper.web.app import Options, create_app
    except ImportError as reason:
        needed = "the web page needs the extra web: pip install 'sapper[web]'"
        raise SapperError(f"{needed} ({reason})") from reason
    options = Options(games) if workers is None else Options(games, workers)
    app = create_app(options)
    with _listen(host, port) as listening:
        begun()
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; an error that names what is wrong, if none can."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family, reuse_port=False)
    except OSError as error:
        raise SapperError(f"port {port} of {host} cannot be used: {error.strerror or error}") from error
    return listening
