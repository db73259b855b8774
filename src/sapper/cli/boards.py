"""The command that makes boards."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

import sapper
from sapper import formats
from sapper.boards import Boards, Setup
from sapper.cli.edges import name_of, parse_cell, write_text
from sapper.cli.options import FirstClick, LevelName
from sapper.errors import SapperError
from sapper.position import describe_cell


class BoardFormat(str, Enum):
    """How boards are written."""

    CODE = "code"
    BOARDS = "boards"
    TEXT = "text"
    JSON = "json"
    MBF = "mbf"


def new(
    level: LevelName,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Only boards that can be won by proof alone.")
    ] = False,
    count: Annotated[int, typer.Option(min=1, help="How many boards.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(help="The first board's number, the next ones' follow; random if not given."),
    ] = None,
    first: FirstClick = None,
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="The hardest proof that a board without guesses takes: subset, chain, overlap, cases,"
            " mine-count; ..chain is up to that, chain.. that or harder.",
        ),
    ] = None,
    form: Annotated[
        BoardFormat,
        typer.Option(
            "--format",
            help="A code a line; what bench --boards reads; pictures; an object a line; or .mbf files.",
        ),
    ] = BoardFormat.CODE,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="A new file to write them to; for many .mbf files a folder."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0, help="How long each board may take.")] = 30.0,
) -> None:
    """Make new boards, laid for a first click."""
    if seed is None:
        seed = secrets.randbits(63)
    make = partial(
        sapper.generate,
        level,
        first=None if first is None else parse_cell(first),
        no_guess=no_guess,
        difficulty=difficulty,
        limit=sapper.Limit(seconds=seconds),
    )
    if form is BoardFormat.MBF and out is None:
        raise SapperError("--format mbf needs --out: a file, or a folder for several")
    if out is not None:
        _check_new(out, is_folder=form is BoardFormat.MBF and count > 1)
    written = []
    for number in _counted(count, is_silent=out is None and sys.stdout.isatty()):
        game = make(seed=seed + number)
        if form is BoardFormat.MBF:
            assert out is not None
            size = game.level.name.replace("/", "-")
            formats.write(out if count == 1 else out / f"{size}-{seed + number}.mbf", game)
            continue
        lines = _lines_of(game, form, seed + number, is_first=number == 0)
        if out is None:
            print("\n".join(lines), flush=True)
        written += lines
    if out is not None and form is not BoardFormat.MBF:
        write_text(out, "\n".join(written) + "\n")


def _check_new(path: Path, *, is_folder: bool) -> None:
    """Raise an error unless boards can be written there; nothing that exists is written over."""
    if is_folder:
        if not path.is_dir():
            raise SapperError(f"{name_of(str(path))} is not a folder")
    elif path.is_file():
        raise SapperError(f"{name_of(str(path))} exists already")


def _counted(count: int, *, is_silent: bool) -> Iterable[int]:
    """Generate the numbers of the boards, and show how far it is."""
    console = Console(stderr=True)
    hidden = is_silent or not console.is_terminal
    return track(range(count), "Boards", console=console, transient=True, disable=hidden)


def _lines_of(game: sapper.Game, form: BoardFormat, seed: int, *, is_first: bool) -> list[str]:
    """Return what is written of a board."""
    assert game.first is not None
    assert game.minefield is not None
    level, field = game.level, game.minefield
    cells = [(i, j) for i in range(level.height) for j in range(level.width)]
    match form:
        case BoardFormat.BOARDS:
            setup = Setup(level, game.first, game.promise)
            header, line = Boards(setup, [bytes(cell in field.mines for cell in cells)]).lines()
            return [header, line] if is_first else [line]
        case BoardFormat.JSON:
            return [json.dumps({"seed": str(seed)} | formats.board_to_json(game))]
        case BoardFormat.TEXT:
            title = f"{level.size}, seed {seed}, begin at {describe_cell(game.first)}"
            signs = [
                "*" if cell in field.mines else str(field.nearby_mines(cell) or ".") for cell in cells
            ]
            starts = range(0, len(signs), level.width)
            rows = [" ".join(signs[start : start + level.width]) for start in starts]
            return [*([] if is_first else [""]), title, *rows]
        case _:
            return [formats.board_code(game)]
