"""Positions as arrays of pixels, with coloured cells and digits."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sapper.position import FLAG, HIDDEN, Position

CELL: Final = 16
"""The width and height of a cell in pixels."""

_DIGITS: Final = (
    ".#. ##. ### ### #.# ### .## ### ###",
    "#.# .#. ..# ..# #.# #.. #.. ..# #.#",
    "#.# .#. ### .## ### ### ### .#. ###",
    "#.# .#. #.. ..# ..# ..# #.# .#. #.#",
    ".#. ### ### ### ..# ##. ### .#. ###",
)
_INK: Final = (
    (0, 0, 0),
    (38, 84, 196),
    (32, 128, 62),
    (200, 50, 47),
    (72, 45, 150),
    (140, 60, 30),
    (20, 130, 140),
    (30, 30, 30),
    (110, 110, 110),
)
_OPEN: Final = (232, 230, 224)
_LINE: Final = (200, 196, 186)
_HIDDEN: Final = (150, 162, 178)
_LIGHT: Final = (186, 196, 208)
_FLAG: Final = (214, 69, 65)


def _tile(code: int) -> NDArray[np.uint8]:
    """Return the picture of a cell with this code."""
    tile = np.empty((CELL, CELL, 3), np.uint8)
    tile[:] = _OPEN if code < HIDDEN else _HIDDEN
    edge = _LINE if code < HIDDEN else _LIGHT
    tile[0, :] = tile[:, 0] = edge
    if 0 < code < HIDDEN:
        rows = [[dot == "#" for dot in line.split()[code]] for line in _DIGITS]
        digit = np.kron(np.array(rows), np.ones((2, 2), bool))  # 3 x 5 dots of 2 x 2 pixels.
        tile[3:13, 5:11][digit] = _INK[code]
    if code == FLAG:
        tile[4:12, 5:11] = _FLAG
    return tile


_TILES: Final = np.stack([_tile(code) for code in range(FLAG + 1)])


def draw_pixels(position: Position) -> NDArray[np.uint8]:
    """Return a picture of a position: an array of height x width x 3 bytes (red, green, blue).

    >>> draw_pixels(Position.blank(2, 3, mines=1)).shape
    (32, 48, 3)
    """
    codes = np.frombuffer(position.codes, np.uint8).reshape(position.height, position.width)
    picture = _TILES[codes].transpose(0, 2, 1, 3, 4)
    return picture.reshape(position.height * CELL, position.width * CELL, 3)
