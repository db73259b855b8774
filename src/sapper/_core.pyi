"""The compiled engine."""

def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none."""
