"""The command that shows a player's statistics."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sapper.cli.inputs import name_of
from sapper.cli.options import AsJson, Force
from sapper.cli.outputs import check_outputs
from sapper.errors import SapperError
from sapper.profile.history import History, statistics
from sapper.profile.history_plot import draw_history
from sapper.storage.files import write_text


def stats(
    level: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="Show only this level: a name or WIDTHxHEIGHT/MINES."),
    ] = None,
    as_json: AsJson = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw times and win rates as an SVG file."),
    ] = None,
    force: Force = False,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIRECTORY",
            help="Directory where your games are stored.",
            show_default="$SAPPER_DATA, or your data directory",
        ),
    ] = None,
) -> None:
    """Show your games: wins, best times and streaks."""
    from sapper import terminal

    if data is not None and not os.path.isdir(data):
        raise SapperError(f"{name_of(str(data))}: no such directory")
    check_outputs({"the picture": plot}, force=force)
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
