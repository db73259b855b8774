"""Files of every format: one function to read them, one to write them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, TypeAlias

from sapper.errors import BadFile
from sapper.formats.code import VERSION, board_code, game_from_code, is_code_like
from sapper.formats.mbf import game_from_mbf, game_to_mbf
from sapper.formats.mine import is_mine_text, position_from_mine, position_to_mine
from sapper.formats.records import check_cells, record_from_json, record_to_json
from sapper.formats.replays import REPLAYS, read_replay
from sapper.game.game import Game
from sapper.game.record import Record
from sapper.position import Position
from sapper.storage.files import errors_named, read_limited, replace_file

Content: TypeAlias = Game | Position | Record
"""What a file may contain: a board to play, a position, or a recorded game."""

MOST_BYTES: Final = 16 * 2**20
"""Larger files are not read."""


def read(path: str | os.PathLike[str]) -> Content:
    """Return what is in a file: a `Game` to play, a `Position`, or the `Record` of a game.

    The suffix determines the format: `.mbf`, `.mine` or `.json`; for replays `.avf`, `.evf`, `.rmv` or
    `.mvf`. Any other file is read as text: a position, a board code or a record.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Path(folder, "board.mbf"), Game.on("3x2/1", [(0, 2)]))
    ...     game = read(Path(folder, "board.mbf"))
    >>> game.minefield.mines
    {(0, 2)}
    """
    path = Path(path)
    with errors_named(path, "read"):
        return read_bytes(read_limited(path, MOST_BYTES), kind=path.suffix.lower().removeprefix("."))


def read_bytes(data: bytes, *, kind: str, most_cells: int | None = None) -> Content:
    """Return what the bytes of a file contain; `kind` is the suffix of its name, in lower case.

    A board with more than `most_cells` cells is an error.

    >>> read_bytes(b"3x1/1\\n# 1 #", kind="txt", most_cells=2)
    Traceback (most recent call last):
    sapper.errors.BadFile: the board has 3 cells; at most 2 are allowed
    """
    if kind == "mbf":
        return _checked(game_from_mbf(data), most_cells)
    if kind in REPLAYS:
        return _checked(read_replay(data, kind=kind), most_cells)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"it is not UTF-8 text: byte {error.start + 1:,} is invalid") from error
    if kind == "mine":
        return _checked(position_from_mine(text), most_cells)
    if kind == "json":
        return record_from_json(text, most_cells=most_cells)
    return _checked(_from_text(text), most_cells)


def _checked(content: Content, most_cells: int | None) -> Content:
    board = content if isinstance(content, Position) else content.level
    check_cells(board.height * board.width, most_cells)
    return content


def read_any(source: str | os.PathLike[str]) -> Content:
    """Return the content of a file, or the board of a code.

    >>> read_any("a9x9-10.o.sBw.f4-4.pUk").first
    (4, 4)
    """
    # Unlike `Path.exists`, this accepts a text that is too long for a file name.
    if isinstance(source, str) and is_code_like(source) and not os.path.exists(source):
        return game_from_code(source)
    return read(source)


def position_from_text(text: str, *, mines: int | None = None) -> Position:
    """Return the position of a text, in Sapper's format or that of a `.mine` file.

    >>> position_from_text("3x1x1" + chr(10) + "H1H") == position_from_text("# 1 #", mines=1)
    True
    """
    if is_mine_text(text):
        text = str(position_from_mine(text))
    return Position.parse(text, mines=mines)


def _from_text(text: str) -> Content:
    """Return the content of a text, whose start determines the format."""
    text = text.strip()
    if text.startswith("{"):
        return record_from_json(text)
    if text.startswith(VERSION):
        return game_from_code(text)
    return position_from_text(text)


def write(path: str | os.PathLike[str], content: Content) -> None:
    """Write a game, a position or a record to a file; the suffix determines the format.

    The board of a game is written to an `.mbf` file or, as a code, to a `.txt` file; its moves to a
    `.json` file. A position is written to a `.txt` or `.mine` file, a record to a `.json` file. An
    existing file is replaced atomically.

    >>> write("position.json", Position.parse("1 # #", mines=1))
    Traceback (most recent call last):
    sapper.errors.BadFile: position.json: a position is written to a .txt or .mine file
    """
    path = Path(path)
    suffix = path.suffix.lower()
    with errors_named(path, "write"):
        match content, suffix:
            case Game(), ".mbf":
                data = game_to_mbf(content)
            case Game(), ".txt":
                data = f"{board_code(content)}\n".encode()
            case Game(), ".json":
                data = record_to_json(Record.of(content)).encode()
            case Position(), ".txt":
                data = f"{content}\n".encode()
            case Position(), ".mine":
                data = position_to_mine(content).encode()
            case Record(), ".json":
                data = record_to_json(content).encode()
            case _:
                raise BadFile(_endings(content))
        replace_file(path, data)


def _endings(content: Content) -> str:
    """Return the message that names the suffixes for this content."""
    match content:
        case Game():
            return "a game is written to an .mbf, .txt or .json file"
        case Position():
            return "a position is written to a .txt or .mine file"
        case Record():
            return "a record is written to a .json file"
    raise TypeError(f"only a game, a position or a record can be written, not {type(content).__name__}")
