"""The command that makes boards."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import track

import sapper
from sapper import formats
from sapper.arena.plans import Boards
from sapper.cli.edges import name_of, parse_cell, write_text
from sapper.cli.numbers import number, whole_number
from sapper.cli.options import FirstClick, LevelName
from sapper.errors import SapperError
from sapper.game.game import LARGEST_SEED
from sapper.game.setup import Setup
from sapper.position import describe_cell
from sapper.storage.files import check_new

_MOST_BOARDS: Final = 1_000_000


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
    count: Annotated[
        int,
        typer.Option(parser=whole_number(1, _MOST_BOARDS), metavar="N", help="How many boards."),
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(),
            metavar="N",
            help="The first board's number, the next ones' follow; random if not given.",
        ),
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
    seconds: Annotated[
        float, typer.Option(parser=number(0), metavar="SECONDS", help="How long each board may take.")
    ] = 30.0,
) -> None:
    """Make new boards, laid for a first click."""
    if seed is None:
        seed = secrets.randbits(63)
    if seed + count - 1 > LARGEST_SEED:
        raise SapperError(
            f"seeds from {seed} on are not enough for {count:,} boards: 2**64 - 1 is the last"
        )
    make = partial(
        sapper.generate,
        level,
        first=None if first is None else parse_cell(first),
        no_guess=no_guess,
        difficulty=difficulty,
        limit=sapper.Limit(seconds=seconds),
    )
    seeds = range(seed, seed + count)
    if form is BoardFormat.MBF:
        files = _mbf_files(out, sapper.Level.named(level), seeds)
        for at in _counted(count, is_silent=False):
            formats.write(files[at], make(seed=seeds[at]))
        return
    if out is not None:
        check_new(out)
    with _Output(out) as output:
        for at in _counted(count, is_silent=out is None and sys.stdout.isatty()):
            output.write(_lines_of(make(seed=seeds[at]), form, seeds[at], is_first=at == 0))


class _Output:
    """Where the lines of boards go: standard output, or a new file that appears when it is complete.

    If an error or Ctrl-C ends the work, the file gets the boards that were made before.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._boards = 0
        self._lines: list[str] = []

    def __enter__(self) -> _Output:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self._path is None or not self._boards:
            return
        write_text(self._path, "\n".join(self._lines) + "\n")
        if error is not None:
            made = (
                "1 board made before is"
                if self._boards == 1
                else f"{self._boards:,} boards made before are"
            )
            print(f"{made} in {name_of(str(self._path))}.", file=sys.stderr)

    def write(self, lines: list[str]) -> None:
        """Write the lines of a board."""
        self._boards += 1
        if self._path is None:
            print("\n".join(lines), flush=True)
        else:
            self._lines += lines


def _mbf_files(out: Path | None, level: sapper.Level, seeds: range) -> list[Path]:
    """Return the file for each board: the path itself for one, new files in that folder for several."""
    if out is None:
        raise SapperError("--format mbf needs --out: a file, or a folder for several")
    if len(seeds) == 1:
        files = [out]
    else:
        if not out.is_dir():
            raise SapperError(f"{name_of(str(out))} is not a folder")
        name = level.name.replace("/", "-")
        files = [out / f"{name}-{seed}.mbf" for seed in seeds]
    for file in files:
        check_new(file)
    return files


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
