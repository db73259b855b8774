"""`.mbf` files: a minefield in a few bytes, a format that many Minesweeper programs support.

Byte 0 is the width, byte 1 the height, bytes 2 and 3 the number of mines, the higher byte first; then
two bytes for each mine: its column and its row, from 0.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from sapper.errors import BadFile, SapperError
from sapper.game.game import Game
from sapper.levels import Level
from sapper.position import describe_cell

LARGEST_MBF_SIDE: Final = 255
"""The largest height and width that fit in one byte."""
_HEADER: Final = 4


def game_to_mbf(game: Game) -> bytes:
    """Return the minefield of a game as the bytes of an `.mbf` file, its mines row by row.

    >>> game_to_mbf(Game.on("3x2/1", [(0, 2)])).hex(" ")
    '03 02 00 01 02 00'
    """
    level = game.level
    if game.minefield is None:
        raise BadFile("the mines are placed at the first click, so there is no board to write yet")
    if max(level.height, level.width) > LARGEST_MBF_SIDE:
        raise BadFile(
            f"a {level.width}x{level.height} board is too large for .mbf:"
            f" its width and height can be at most {LARGEST_MBF_SIDE}"
        )
    coordinates = bytes(side for row, column in sorted(game.minefield.mines) for side in (column, row))
    return bytes((level.width, level.height)) + level.mines.to_bytes(2, "big") + coordinates


def game_from_mbf(data: bytes) -> Game:
    """Return a new game on the minefield of an `.mbf` file, without a promise.

    >>> game = game_from_mbf(bytes.fromhex("03 02 00 01 02 00"))
    >>> game.level.size, game.minefield.mines
    ('3x2/1', {(0, 2)})
    """
    if len(data) < _HEADER:
        raise BadFile(f"an .mbf file has at least {_HEADER} bytes, not {len(data)}")
    width, height, count = data[0], data[1], int.from_bytes(data[2:_HEADER], "big")
    length = _HEADER + 2 * count
    if len(data) != length:
        raise BadFile(f"an .mbf file with {count} mines has {length} bytes, not {len(data)}")
    mines = list(zip(data[_HEADER + 1 :: 2], data[_HEADER::2], strict=True))
    for mine, times in Counter(mines).items():
        if times > 1:
            raise BadFile(f"it has {times} mines at {describe_cell(mine)}")
    try:
        return Game.on(Level.of_size(height, width, count), mines)
    except SapperError as error:
        raise BadFile(str(error)) from error
