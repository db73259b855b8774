"""`Minesweeper` does what the course specifies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.minesweeper import Minesweeper, neighbours


def test_the_default_board_is_8_by_8_with_8_mines() -> None:
    game = Minesweeper()
    assert (game.height, game.width, len(game.mines)) == (8, 8, 8)
    assert game.mines_found == set()


@given(height=st.integers(1, 12), width=st.integers(1, 12), data=st.data())
def test_mines_and_board_agree(height: int, width: int, data: st.DataObject) -> None:
    mines = data.draw(st.integers(0, height * width))
    game = Minesweeper(height, width, mines)
    assert len(game.mines) == mines
    assert [len(row) for row in game.board] == [width] * height
    cells = {(i, j) for i in range(height) for j in range(width)}
    assert {cell for cell in cells if game.is_mine(cell)} == game.mines
    assert {(i, j) for i, j in cells if game.board[i][j] is True} == game.mines


@given(height=st.integers(1, 9), width=st.integers(1, 9), data=st.data())
def test_nearby_mines_counts_the_mines_one_step_away(
    height: int, width: int, data: st.DataObject
) -> None:
    game = Minesweeper(height, width, data.draw(st.integers(0, height * width)))
    for i in range(height):
        for j in range(width):
            near = {(a, b) for a, b in game.mines if max(abs(a - i), abs(b - j)) == 1}
            assert game.nearby_mines((i, j)) == len(near)


def test_the_cell_itself_is_not_counted() -> None:
    assert Minesweeper.with_mines(3, 3, [(1, 1)]).nearby_mines((1, 1)) == 0


def test_flagging_exactly_the_mines_wins() -> None:
    game = Minesweeper(4, 4, 3)
    assert not game.won()
    game.mines_found = set(game.mines)
    assert game.won()
    game.mines_found.add(next((i, j) for i in range(4) for j in range(4) if (i, j) not in game.mines))
    assert not game.won()


def test_print_draws_the_mines(capsys: pytest.CaptureFixture[str]) -> None:
    Minesweeper.with_mines(2, 3, [(0, 1), (1, 2)]).print()
    assert capsys.readouterr().out == "-------\n| |X| |\n-------\n| | |X|\n-------\n"


@pytest.mark.parametrize(
    ("height", "width", "mines", "named"),
    [
        (8, 8, 65, "65 mines"),
        (8, 8, -1, "-1 mines"),
        (0, 8, 0, "0 rows"),
        (8, 0, 0, "0 cells"),
        (-3, 8, 1, "-3 rows"),
    ],
)
def test_impossible_boards_are_refused(height: int, width: int, mines: int, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Minesweeper(height, width, mines)


def test_boards_may_be_full_of_mines_or_have_none() -> None:
    assert len(Minesweeper(3, 2, 6).mines) == 6
    assert Minesweeper(3, 2, 0).mines == set()


def test_with_mines_refuses_mines_off_the_board() -> None:
    with pytest.raises(ValueError, match=r"\(2, 0\)"):
        Minesweeper.with_mines(2, 2, [(2, 0)])


def test_mines_are_random() -> None:
    boards = {frozenset(Minesweeper().mines) for _ in range(20)}
    assert len(boards) == 20  # The probability of two equal boards is 1 in 23 million.


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_neighbours_are_one_step_away(height: int, width: int, data: st.DataObject) -> None:
    cell = data.draw(st.tuples(st.integers(0, height - 1), st.integers(0, width - 1)))
    expected = {
        (i, j)
        for i in range(height)
        for j in range(width)
        if max(abs(i - cell[0]), abs(j - cell[1])) == 1
    }
    assert neighbours(cell, height, width) == expected
