"""Boards by seed: both engines draw the same boards, which keep their promises and never change."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.engine import engine
from sapper.engine.python.minefields import draw_mines
from sapper.engine.selection import load_core
from sapper.levels import Promise, most_mines

REACH = dict(enumerate(Promise))


@st.composite
def draws(draw: st.DrawFn) -> tuple[int, int, int, int, int, int]:
    height, width, reach = draw(st.integers(1, 20)), draw(st.integers(1, 20)), draw(st.integers(0, 2))
    mines = draw(st.integers(0, most_mines(height, width, REACH[reach])))
    first = draw(st.integers(0, height * width - 1))
    return height, width, mines, first, reach, draw(st.integers(0, 2**64 - 1))


@given(draws())
def test_the_engines_draw_the_same_boards(arguments: tuple[int, int, int, int, int, int]) -> None:
    assert engine.draw_mines(*arguments) == draw_mines(*arguments)


@given(draws())
def test_a_board_has_its_mines_and_keeps_its_promise(
    arguments: tuple[int, int, int, int, int, int],
) -> None:
    height, width, mines, first, reach, _ = arguments
    board = draw_mines(*arguments)
    assert len(board) == height * width
    assert sum(board) == mines
    for place, mine in enumerate(board):
        distance = max(abs(place // width - first // width), abs(place % width - first % width))
        assert not (mine and distance < reach)


# These boards must never change: if a change breaks this test, the change is wrong.
@pytest.mark.parametrize(
    ("arguments", "board"),
    [
        ((2, 4, 3, 0, 2, 7), "00100011"),
        ((4, 4, 4, 5, 1, 0), "0100000010110000"),
        ((3, 5, 5, 0, 0, 2**64 - 1), "000001001101001"),
    ],
)
def test_boards_of_a_seed_never_change(arguments: tuple[int, ...], board: str) -> None:
    assert "".join(map(str, draw_mines(*arguments))) == board


def test_a_thousand_expert_boards_never_change() -> None:
    digest = hashlib.sha256()
    for seed in range(1000):
        digest.update(draw_mines(16, 30, 99, seed % 480, seed % 3, seed))
    assert digest.hexdigest()[:32] == "fbd2e4e6c90021a6413d2b4cea4f563e"


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ImportError, match="'fast'"):
        load_core("fast")
    assert load_core("python") is None
