"""The command that serves the web page."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from sapper.cli.inputs import name_of
from sapper.cli.numbers import whole_number
from sapper.errors import SapperError
from sapper.storage.files import system_text


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on; 127.0.0.1 accepts connections from this machine only,"
            " 0.0.0.0 from everywhere.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(parser=whole_number(1, 65535), metavar="N", help="Port to listen on.")
    ] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Another host name that the server answers to, such as that of a proxy in front of it."
            " May be repeated.",
        ),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File to store games in.", show_default="in your data directory"
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1),
            metavar="N",
            help="Processes for long tasks.",
            show_default="one per core, minus one",
        ),
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
        directory = name_of(str(games.parent))
        raise SapperError(f"cannot create {directory}: {system_text(error)}") from error
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    address = f"http://{shown}:{port}/"

    def tell() -> None:
        print(f"Serving Sapper at {address} (press Ctrl-C to stop)", flush=True)
        if browser:
            opening = threading.Timer(1.0, webbrowser.open, [address])
            opening.daemon = True
            opening.start()

    web.serve(
        host=host,
        port=port,
        games=games,
        workers=workers,
        allowed_hosts=allow_host or (),
        begun=tell,
    )
