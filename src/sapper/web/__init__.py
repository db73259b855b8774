"""The web page and its server: `sapper serve`."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Collection
from pathlib import Path

from sapper.errors import SapperError
from sapper.extras import install_command
from sapper.storage.folders import data_folder

__all__ = ["games_file", "serve"]


def games_file() -> Path:
    """Return the default file for games, in the player's data folder."""
    return data_folder() / "web-games.sqlite"


def serve(
    *,
    games: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int | None = None,
    allowed_hosts: Collection[str] = (),
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Serve the page until the server is stopped; `begun` is called when it accepts connections."""
    try:
        from sapper.web.app import Options, create_app
        from sapper.web.guard import Hosts
        from sapper.web.running import run
    except ImportError as reason:
        needed = f"the web page requires the extra 'web': run {install_command('web')}"
        raise SapperError(f"{needed} ({reason})") from reason
    hosts = Hosts.of(host, extra=allowed_hosts)
    options = Options(games, hosts=hosts) if workers is None else Options(games, workers, hosts)
    app = create_app(options)
    with _listen(host, port) as listening:
        begun()
        run(app, listening)


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `SapperError` with the reason if that fails.

    `::` means all addresses of this machine, including IPv4 addresses.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        both = family is socket.AF_INET6 and socket.has_dualstack_ipv6() and host == "::"
        listening = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    except (OSError, UnicodeError) as error:  # `UnicodeError` if the host name is invalid.
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise SapperError(f"port {port} is in use: choose another with --port") from error
        reason = getattr(error, "strerror", None) or error
        raise SapperError(f"cannot listen on port {port} of {host}: {reason}") from error
    return listening
