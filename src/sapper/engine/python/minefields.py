"""Minefields in pure Python: drawn from seeds, counted, and checked for twins."""

from __future__ import annotations

from sapper.engine.seeds import below, random_halves
from sapper.minesweeper import neighbours


def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return one byte per cell, row by row: 1 for a mine, otherwise 0.

    `first` is the index of the first click. `promise` says what is free of mines: 0 nothing, 1 the
    first click, 2 the first click and its neighbours.

    >>> draw_mines(2, 4, mines=3, first=0, promise=2, seed=7).hex(" ")
    '00 00 01 00 00 00 01 01'
    """
    kept_free = set()
    if promise:
        kept_free = {divmod(first, width)}
        if promise == 2:
            kept_free |= neighbours(divmod(first, width), height, width)
    free = [index for index in range(height * width) if divmod(index, width) not in kept_free]
    board = bytearray(height * width)
    halves = random_halves(seed)
    for drawn in range(mines):  # A shuffle that stops when enough mines are drawn.
        index = drawn + below(len(free) - drawn, halves)
        free[drawn], free[index] = free[index], free[drawn]
        board[free[drawn]] = 1
    return bytes(board)


def count_around(height: int, width: int, minefield: bytes) -> bytes:
    """Return the number of mines around each cell, row by row; the minefield has a 1 for each mine.

    >>> list(count_around(1, 4, b"\\x00\\x01\\x01\\x00"))
    [1, 1, 1, 1]
    """
    rows = [minefield[i * width : (i + 1) * width] for i in range(height)]
    # The mines among three cells in a row: a cell with its left and right neighbours.
    triples = [
        [sum(three) for three in zip(b"\0" + row[:-1], row, row[1:] + b"\0", strict=True)]
        for row in rows
    ]
    no_row = [0] * width
    counts = bytearray()
    for above, here, below_, row in zip(
        [no_row, *triples[:-1]], triples, [*triples[1:], no_row], rows, strict=True
    ):
        columns = zip(above, here, below_, row, strict=True)
        counts.extend(first + second + third - mine for first, second, third, mine in columns)
    return bytes(counts)


def has_twins(height: int, width: int, minefield: bytes, first: int) -> bool:
    """Return whether a mine and a safe cell next to it cannot be told apart.

    That is so if they have the same safe neighbours, apart from each other. Then the board needs a
    guess, unless the safe cell is the first click.

    >>> has_twins(2, 3, b"\\x00\\x00\\x01\\x00\\x00\\x00", first=0)
    True
    """
    mines = {divmod(index, width) for index, mine in enumerate(minefield) if mine}
    for mine in mines:
        i, j = mine
        around_mine = neighbours(mine, height, width) - mines
        for safe in {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)} & around_mine:
            around_safe = neighbours(safe, height, width) - mines
            if around_safe == around_mine - {safe} and safe != divmod(first, width):
                return True
    return False
