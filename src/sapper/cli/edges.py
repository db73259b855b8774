"""Where words and files come in and go out: cells and names read, errors named, text written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sapper.errors import SapperError
from sapper.formats import read_any
from sapper.formats._disk import file_name, write_text
from sapper.game import Game
from sapper.position import Cell, Position
from sapper.record import Record

__all__ = ["errors_in", "name_of", "parse_cell", "read_board", "write_text"]


def parse_cell(text: str) -> Cell:
    """Return the cell of a text ROW,COLUMN, counted from 0.

    >>> parse_cell("3, 4")
    (3, 4)
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", text, re.ASCII)
    if match is None:
        raise SapperError(f"{text!r} is not a cell ROW,COLUMN, counted from 0")
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
