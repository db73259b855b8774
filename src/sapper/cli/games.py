"""Commands about boards and recorded games: measures and reviews."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

import sapper
from sapper import formats
from sapper.arena.runs import check_jobs
from sapper.cli.inputs import errors_in, name_of, parse_cell
from sapper.cli.numbers import number, whole_number
from sapper.cli.options import AsJson, FirstClick, Force, Jobs, PromiseName, Seed
from sapper.cli.outputs import check_outputs
from sapper.errors import SapperError
from sapper.game.setup import Setup
from sapper.position import parse_size
from sapper.storage.files import write_text

_MOST_PLAYOUTS: Final = 1_000_000


def measure(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|LEVEL",
            help="File with a board, a game or a replay; or a level, as for watch.",
        ),
    ],
    seed: Seed = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    as_json: AsJson = False,
) -> None:
    """Measure a board (3BV, openings, ZiNi) or a recorded game (speed, efficiency).

    --seed, --promise and --first select a board of a LEVEL.
    """
    from sapper import terminal

    is_level = source.strip().lower() in sapper.LEVELS or parse_size(source) is not None
    if is_level:
        game = sapper.Game.new(source, seed=seed, promise=promise)
        cell = None if first is None else parse_cell(first)
        game.open(Setup.of(game.level, first=cell, promise=game.promise).first)
        measured: sapper.BoardMeasures | sapper.GameMeasures = sapper.measure(game)
    elif (seed, promise, first) != (None, None, None):
        raise SapperError(
            f"--seed, --promise and --first are only for levels, and {name_of(source)} is not a level"
        )
    elif not os.path.lexists(source):
        raise SapperError(f"{name_of(source)} is neither a level nor a file")
    else:
        measured = _measure_file(source)
    if as_json:
        seeds = {"seed": str(game.seed)} if is_level else {}
        print(json.dumps(measured.to_json() | seeds))
        return
    if is_level:
        print(f"Minesweeper {game.level.name}, seed {game.seed}, promise: {game.promise}")
    terminal.print_measures(measured, Console(highlight=False))


def _measure_file(file: str) -> sapper.BoardMeasures | sapper.GameMeasures:
    content = formats.read(Path(file))
    with errors_in(file):
        if isinstance(content, sapper.Position):
            raise SapperError("a position has no minefield to measure")
        if isinstance(content, sapper.Record):
            return sapper.measure_record(content)
        return sapper.measure(content)


def review(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Recorded game: a .json record or a replay.")
    ],
    every: Annotated[bool, typer.Option("--all", help="List every move.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Explain each mistake, and prove the cells it missed.")
    ] = False,
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write a web page with every position."),
    ] = None,
    force: Force = False,
    playouts: Annotated[
        int,
        typer.Option(
            parser=whole_number(0, _MOST_PLAYOUTS),
            metavar="N",
            help="Number of playouts where the chance of winning cannot be computed exactly.",
        ),
    ] = 512,
    seconds: Annotated[
        float,
        typer.Option(
            parser=number(0),
            metavar="SECONDS",
            help="Time limit. Moves that were not analysed by then get no label.",
        ),
    ] = 60.0,
    jobs: Jobs = None,
) -> None:
    """Assess every move of a recorded game, with luck separated from skill."""
    from sapper import terminal

    check_jobs(jobs)
    check_outputs({"the review page": html}, {"the input": file}, force=force)
    record = formats.read(Path(file))
    with errors_in(file):
        if not isinstance(record, sapper.Record):
            what = "a position" if isinstance(record, sapper.Position) else "a board"
            raise SapperError(f"this is {what}; a review needs a recorded game")
        reviewed = terminal.make_review(record, playouts=playouts, seconds=seconds, jobs=jobs)
    if html is not None:
        write_text(html, reviewed.html())
    if as_json:
        print(json.dumps(reviewed.to_json()))
    else:
        terminal.print_review(reviewed, Console(highlight=False), every=every, why=why)
