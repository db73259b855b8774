"""`.mine` files: a position as text, in the format of the best-known web analyser.

The first line is `WIDTHxHEIGHTxMINES`; then a line for each row: `0` to `8`, `H` for a hidden cell, `F`
for a flag, `?` for a hidden cell that is known to be a mine.
"""

from __future__ import annotations

import re
from typing import Final

from sapper.errors import BadPosition
from sapper.position import FLAG, Position, check_size, check_text_length, read_rows

_SYMBOLS: Final = "012345678HF"
_CODES: Final = {symbol: code for code, symbol in enumerate(_SYMBOLS)} | {"?": FLAG}
_LONGEST_SIZE: Final = 100
"""More characters than the first line can have."""
_SIZE: Final = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})", re.ASCII | re.IGNORECASE)


def is_mine_text(text: str) -> bool:
    """Return whether a text starts like a `.mine` file.

    >>> is_mine_text("3x1x1"), is_mine_text("3x1/1")
    (True, False)
    """
    lines = text.lstrip()[:_LONGEST_SIZE].splitlines()
    return bool(lines) and _SIZE.fullmatch(lines[0].strip()) is not None


def position_to_mine(position: Position) -> str:
    """Return the position as the text of a `.mine` file.

    >>> print(position_to_mine(Position.parse("# 2 F", mines=2)), end="")
    3x1x2
    H2F
    """
    symbols = "".join(_SYMBOLS[code] for code in position.codes)
    starts = range(0, len(symbols), position.width)
    rows = (symbols[start : start + position.width] for start in starts)
    size = f"{position.width}x{position.height}x{position.mines}"
    return "\n".join((size, *rows)) + "\n"


def position_from_mine(text: str) -> Position:
    """Return the position of a `.mine` file. A `?` is read as a flag.

    >>> print(position_from_mine("3x1x2\\nH2?"))
    3x1/2
    # 2 F
    """
    check_text_length(text)
    lines = [line.strip() for line in text.strip().splitlines()]
    size = _SIZE.fullmatch(lines[0]) if lines else None
    if size is None:
        raise BadPosition("the first line of a .mine position must be WIDTHxHEIGHTxMINES")
    width, height, mines = map(int, size.groups())
    check_size(height, width, mines)
    rows = lines[1:]
    if len(rows) != height:
        raise BadPosition(f"the first line says {height} rows, but there are {len(rows)}")
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise BadPosition(f"the first line says {width} columns, but row {number} has {len(row)}")
    return Position(height, width, mines, read_rows(rows, _CODES))
