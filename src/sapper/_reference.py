"""The plain-Python engine: the same answers as the compiled one, slower, and the text to learn from.

So far it draws boards. A board is a function of its size, the number of mines, the cells that the
promise keeps free, and a seed; docs/seeds.md writes the method down, and it never changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from minesweeper import neighbours

_WORD = 2**64
_STEP = 0x9E3779B97F4A7C15


def _mixed(word: int) -> int:
    """Return the 64-bit word with its bits well mixed, one to one (the finish of SplitMix64)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def _random_halves(seed: int) -> Iterator[int]:
    """Generate random 32-bit numbers without end: the upper halves of a SplitMix64 sequence."""
    state = _mixed((seed + _STEP) % _WORD)
    while True:
        state = (state + _STEP) % _WORD
        yield _mixed(state) >> 32


def _below(limit: int, halves: Iterator[int]) -> int:
    """Return a random number from 0 to `limit - 1`, each as likely as any other.

    The product spreads 2**32 numbers over the limits; those that would make some results likelier
    than others are drawn again (Lemire's method).
    """
    while True:
        product = next(halves) * limit
        if product % 2**32 >= 2**32 % limit:
            return product >> 32


def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none.

    `first` is the place of the first click, `promise` how far around it no mine may be: 0 nowhere, 1 on
    the cell, 2 on its neighbours too.

    >>> draw_mines(2, 4, mines=3, first=0, promise=2, seed=7).hex(" ")
    '00 00 01 00 00 00 01 01'
    """
    kept_free = set()
    if promise:
        kept_free = {divmod(first, width)}
        if promise == 2:
            kept_free |= neighbours(divmod(first, width), height, width)
    free = [place for place in range(height * width) if divmod(place, width) not in kept_free]
    board = bytearray(height * width)
    halves = _random_halves(seed)
    for drawn in range(mines):  # A shuffle that stops when it has dealt enough.
        place = drawn + _below(len(free) - drawn, halves)
        free[drawn], free[place] = free[place], free[drawn]
        board[free[drawn]] = 1
    return bytes(board)
