"""Commands about games that were played: what they were like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

import sapper
from sapper import formats
from sapper.arena.runs import check_jobs
from sapper.cli.edges import check_output, errors_in, name_of, parse_cell, write_text
from sapper.cli.numbers import number, whole_number
from sapper.cli.options import AsJson, FirstClick, Jobs, PromiseName, Seed
from sapper.errors import SapperError
from sapper.game.setup import Setup
from sapper.position import parse_size
from sapper.reviews.page import is_review_page

_MOST_PLAYOUTS: Final = 1_000_000


def measure(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A board, a game or a replay; or a LEVEL as for watch."),
    ],
    seed: Seed = None,
    promise: PromiseName = None,
    first: FirstClick = None,
    as_json: AsJson = False,
) -> None:
    """Tell how much work a board is, and how fast and how well a game was played.

    Of a LEVEL the board of a seed is measured: --seed, --promise and --first are for that.
    """
    from sapper import terminal

    is_level = source.strip().lower() in sapper.LEVELS or parse_size(source) is not None
    if is_level:
        game = sapper.Game.new(source, seed=seed, promise=promise)
        cell = None if first is None else parse_cell(first)
        game.open(Setup.of(game.level, first=cell, promise=game.promise).first)
        measured: sapper.BoardMeasures | sapper.GameMeasures = sapper.measure(game)
    elif (seed, promise, first) != (None, None, None):
        name = name_of(source)
        raise SapperError(f"{name} is no level: --seed, --promise and --first are for levels")
    else:
        measured = _measure_file(source)
    if as_json:
        print(json.dumps(measured.to_json() | ({"seed": game.seed} if is_level else {})))
        return
    if is_level:
        print(f"Minesweeper {game.level.name}, seed {game.seed}, first click promised {game.promise}")
    terminal.print_measures(measured, Console(highlight=False))


def _measure_file(file: str) -> sapper.BoardMeasures | sapper.GameMeasures:
    read = formats.read(Path(file))
    with errors_in(file):
        if isinstance(read, sapper.Position):
            raise SapperError("a position has no minefield to measure")
        return sapper.measure_record(read) if isinstance(read, sapper.Record) else sapper.measure(read)


def review(
    file: Annotated[str, typer.Argument(help="A game that was played: a record or a replay.")],
    every: Annotated[bool, typer.Option("--all", help="List every move.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Say more of faults, and prove missed cells.")
    ] = False,
    as_json: AsJson = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a page with every board too.")
    ] = None,
    playouts: Annotated[
        int,
        typer.Option(
            parser=whole_number(0, _MOST_PLAYOUTS),
            metavar="N",
            help="Games to play where the chance to win cannot be solved.",
        ),
    ] = 512,
    seconds: Annotated[
        float, typer.Option(parser=number(0), metavar="SECONDS", help="How long it may take.")
    ] = 60.0,
    jobs: Jobs = None,
) -> None:
    """Tell what every move of a game was worth, with luck and skill kept apart."""
    from sapper import terminal

    check_jobs(jobs)
    check_output(html, "a review page", is_review_page, source=file)
    record = formats.read(Path(file))
    with errors_in(file):
        if not isinstance(record, sapper.Record):
            what = "a position" if isinstance(record, sapper.Position) else "a board"
            raise SapperError(f"it is {what}, not a game that was played")
        reviewed = terminal.make_review(record, playouts=playouts, seconds=seconds, jobs=jobs)
    if html is not None:
        write_text(html, reviewed.html())
    if as_json:
        print(json.dumps(reviewed.to_json()))
    else:
        terminal.print_review(reviewed, Console(highlight=False), every=every, why=why)
