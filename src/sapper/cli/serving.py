"""The command that serves the web page."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from sapper.cli.edges import name_of
from sapper.errors import SapperError


def serve(
    host: Annotated[
        str,
        typer.Option(help="Who may come: 127.0.0.1 is this machine alone, 0.0.0.0 all that reach it."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    games: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where games are kept; in your data folder if not given."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes for long analyses; one a core but one if not given."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Serve the web page: play, analyse and learn in any browser."""
    from sapper import web

    if games is None:
        games = web.games_file()
    try:
        games.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SapperError(
            f"{name_of(str(games.parent))}: it cannot be made: {error.strerror}"
        ) from error
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    address = f"http://{shown}:{port}/"

    def tell() -> None:
        print(f"Sapper is at {address} (Ctrl-C stops it)", flush=True)
        if browser:
            opening = threading.Timer(1.0, webbrowser.open, [address])
            opening.daemon = True
            opening.start()

    web.serve(host=host, port=port, games=games, workers=workers, begun=tell)
