"""Input of commands: cells, boards and positions, from the command line or from files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from sapper.errors import MissingMineCount, SapperError
from sapper.formats import position_from_text, read, read_any
from sapper.formats.code import is_code_like
from sapper.formats.records import record_from_json
from sapper.formats.replays import REPLAYS
from sapper.game.game import Game
from sapper.game.record import Record
from sapper.position import Cell, Position
from sapper.storage.files import file_name


def parse_cell(text: str) -> Cell:
    """Return the cell of a text ROW,COLUMN. The text counts from 1, the cell from 0.

    >>> parse_cell("3, 4")
    (2, 3)
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", text, re.ASCII)
    row, column = map(int, match.groups()) if match else (0, 0)
    if min(row, column) < 1:
        raise SapperError(f"{text[:40]!r} is not a cell: write ROW,COLUMN, both counted from 1")
    return row - 1, column - 1


@contextmanager
def errors_in(file: str) -> Iterator[None]:
    """Name the file in errors about its content."""
    try:
        yield
    except SapperError as error:
        raise SapperError(f"{name_of(file)}: {error}") from error


def name_of(file: str) -> str:
    """Return the name of a file for a message, on one line."""
    if file == "-":
        return "standard input"
    return file_name(file)


def read_board(source: str) -> Game:
    """Return a new game on the board of a code or a file. A recorded game starts from its beginning.

    >>> read_board("a9x9-10.o.sBw.f4-4.pUk").first
    (4, 4)
    """
    if not is_code_like(source) and not os.path.lexists(source):
        raise SapperError(f"{name_of(source)} is neither a board code nor a file")
    content = read_any(source)
    if isinstance(content, Position):
        raise SapperError(f"{name_of(source)}: a position has no minefield to play on")
    return content.begin() if isinstance(content, Record) else content


def read_position(file: str, *, mines: int | None, move: int | None) -> Position:
    """Return the position in a file. In a recorded game, it is the position after `move` moves.

    `-` is standard input. `mines` is for a text that does not state the number of mines, `move` is for
    records; by default, the position is the one at the end of the game.
    """
    from sapper.terminal import read_text  # It loads Rich, which most commands do not need.

    if Path(file).suffix.lower().removeprefix(".") in REPLAYS:
        content = read(file)
        if isinstance(content, Record):
            with errors_in(file):
                return _position_of(content, mines, move)
    text = read_text(file)
    with errors_in(file):
        if text.lstrip().startswith("{"):
            return _position_of(record_from_json(text), mines, move)
        if move is not None:
            raise SapperError("--move is only for recorded games")
        try:
            return position_from_text(text, mines=mines)
        except MissingMineCount as error:
            raise SapperError(
                "the number of mines is missing: add --mines N, or a first line such as 9x9/10"
            ) from error


def _position_of(record: Record, mines: int | None, move: int | None) -> Position:
    """Return the position of a recorded game after `move` moves, or at its end."""
    if mines is not None:
        raise SapperError("a recorded game states its number of mines: omit --mines")
    if move is None:
        return record.replay().position
    if not 0 <= move <= len(record.entries):
        raise SapperError(f"there is no move {move}: the game has {len(record.entries)} moves")
    if move == 0:
        return record.begin().position
    return next(islice(record.moments(), move - 1, None)).after
