"""Input and output of commands: cells, boards and file names; outputs that must not destroy files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapper.errors import SapperError
from sapper.formats import read_any
from sapper.game.game import Game
from sapper.game.record import Record
from sapper.position import Cell, Position
from sapper.storage.files import (
    Recognizer,
    check_apart,
    check_replaceable,
    file_name,
    is_svg,
    write_text,
)

__all__ = [
    "check_output",
    "check_picture",
    "errors_in",
    "name_of",
    "parse_cell",
    "read_board",
    "write_text",
]


def check_output(
    output: Path | None, what: str, is_ours: Recognizer, *, source: str | None = None
) -> None:
    """Raise an error, before any work is done, if an output would destroy another file.

    That is the file that is read, `source`, or a file that Sapper did not write.
    """
    if output is not None:
        check_apart({what: output}, {"the input": None if source in (None, "-") else Path(source)})
        check_replaceable(output, what, is_ours)


def check_picture(output: Path | None, *, source: str | None = None) -> None:
    """Raise an error, before any work is done, if an SVG picture would destroy another file.

    >>> check_picture(Path("position.txt"), source="./position.txt")
    Traceback (most recent call last):
    sapper.errors.SapperError: position.txt cannot be both the input and a picture
    """
    check_output(output, "a picture", is_svg, source=source)


def parse_cell(text: str) -> Cell:
    """Return the cell of a text ROW,COLUMN, counted from 0.

    >>> parse_cell("3, 4")
    (3, 4)
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", text, re.ASCII)
    if match is None:
        raise SapperError(f"{text[:40]!r} is not a cell ROW,COLUMN, counted from 0")
    return int(match[1]), int(match[2])


@contextmanager
def errors_in(file: str) -> Iterator[None]:
    """Name the file in errors about what is in it."""
    try:
        yield
    except SapperError as error:
        raise SapperError(f"{name_of(file)}: {error}") from error


def name_of(file: str) -> str:
    """Return the name of a file so that it stays on one line."""
    if file == "-":
        return "standard input"
    return file_name(file)


def read_board(source: str) -> Game:
    """Return a new game on the board of a code, or on that of a file: a game's from its start.

    >>> read_board("a9x9-10.o.sBw.f4-4.pUk").first
    (4, 4)
    """
    content = read_any(source)
    if isinstance(content, Position):
        raise SapperError(f"{name_of(source)}: it is a position, and has no minefield to play on")
    return content.begin() if isinstance(content, Record) else content
