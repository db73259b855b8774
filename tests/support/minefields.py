"""Minefields for tests: from pictures, and any."""

from __future__ import annotations

from hypothesis import strategies as st

from sapper.minesweeper import Minesweeper


def field_of(text: str) -> Minesweeper:
    """Return the minefield that a picture shows; its numbers must be right."""
    rows = [line.split() for line in text.strip().splitlines()]
    cells = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    field = Minesweeper.with_mines(
        len(rows), len(rows[0]), [(i, j) for i, j in cells if rows[i][j] == "*"]
    )
    for i, j in cells:
        assert rows[i][j] == ("*" if field.is_mine((i, j)) else str(field.nearby_mines((i, j))))
    return field


def numbers_of(field: Minesweeper) -> list[list[int]]:
    """Return the rows of numbers, with -1 for mines: what ms-toollib takes for a board."""
    return [
        [-1 if mine else field.nearby_mines((i, j)) for j, mine in enumerate(row)]
        for i, row in enumerate(field.board)
    ]


@st.composite
def minefields(draw: st.DrawFn, side: int, most_cells: int = 1000) -> Minesweeper:
    height = draw(st.integers(1, side))
    width = draw(st.integers(1, min(side, most_cells // height)))
    cells = [(i, j) for i in range(height) for j in range(width)]
    count = draw(st.integers(0, len(cells) // 2) | st.integers(0, len(cells)))
    mines = draw(st.randoms(use_true_random=False)).sample(cells, count)
    return Minesweeper.with_mines(height, width, mines)
