"""The compiled engine."""

from collections.abc import Sequence

class LimitReached(Exception):
    pass

def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none."""

def analyse(
    height: int, width: int, mines: int, codes: bytes, trust_flags: bool, seconds: float, states: int
) -> tuple[bool, bool, float, bytes, bytes]:
    """
    Return whether the position is possible, whether the risks are exact, the logarithm of
    the number of layouts, the risks as doubles, and a byte for each cell: 1 if it is
    certainly safe, 2 if it is certainly a mine.
    """

def shows(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    cell: int,
    seconds: float,
    states: int,
) -> list[float]:
    """
    Return the chances of the numbers 0 to 8 that the cell shows, given that it is safe.
    """

def frontier_size(height: int, width: int, mines: int, codes: bytes, trust_flags: bool) -> int:
    """Return how many unknown cells touch numbers."""

def count(
    height: int,
    width: int,
    mines: int,
    codes: bytes,
    trust_flags: bool,
    primes: Sequence[int],
    seconds: float,
    states: int,
) -> tuple[int, int, int, list[list[int]]]:
    """
    Return the fewest mines on the frontier, the cells beyond it, the mines left, and for
    each prime the ways to lay each number of mines on the frontier, modulo the prime.
    """

def time_analyses(positions: Sequence[tuple[int, int, int, bytes]], repeats: int) -> list[float]:
    """
    Return the least seconds that the analysis of each position (height, width, mines,
    codes) took, over some repeats.
    """
