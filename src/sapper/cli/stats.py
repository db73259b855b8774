"""The command that tells how a person has played."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sapper.cli.edges import check_picture, name_of, write_text
from sapper.cli.options import AsJson
from sapper.errors import SapperError
from sapper.profile.history import History, statistics
from sapper.profile.history_plot import draw_history


def stats(
    level: Annotated[
        str | None, typer.Option(help="Only this one: a name or WIDTHxHEIGHT/MINES.")
    ] = None,
    as_json: AsJson = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="Draw times and shares too, as an SVG.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the games are kept.")
    ] = None,
) -> None:
    """Tell how many games were won, how fast, and how many in a row."""
    from sapper import terminal

    if data is not None and not os.path.isdir(data):
        raise SapperError(f"{name_of(str(data))}: there is no such folder")
    check_picture(plot)
    history = History(data)
    games = history.games()
    if history.trouble is not None:
        if not games:
            raise SapperError(history.trouble)
        print(f"Note: {history.trouble}", file=sys.stderr)
    rows = statistics(games, level=level)
    if plot is not None:
        chosen = {row.level for row in rows}
        write_text(plot, draw_history(game for game in games if game.level in chosen))
    if level is not None and games and not rows and not as_json:
        print(f"No games on {level} yet.")
    elif as_json:
        print(json.dumps({"levels": [row.to_json() for row in rows]}))
    else:
        terminal.print_statistics(rows, Console(highlight=False))
