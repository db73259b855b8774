"""`Sentence` does what the course specifies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.minesweeper import Cell, Sentence

CELLS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


@pytest.mark.parametrize("make", [list, set, tuple, frozenset, iter])
def test_any_iterable_of_cells_is_kept_as_a_set(make: type) -> None:
    assert Sentence(make([(0, 0), (0, 1)]), 1).cells == {(0, 0), (0, 1)}


def test_a_sentence_copies_the_given_set() -> None:
    cells = {(0, 0), (0, 1)}
    Sentence(cells, 1).mark_safe((0, 0))
    assert cells == {(0, 0), (0, 1)}


def test_sentences_with_equal_cells_and_counts_are_equal() -> None:
    assert Sentence([(0, 0), (1, 1)], 1) == Sentence([(1, 1), (0, 0)], 1)
    assert Sentence([(0, 0)], 1) != Sentence([(0, 0)], 0)
    assert Sentence([(0, 0)], 1) != Sentence([(0, 1)], 1)
    assert Sentence([(0, 0)], 1) != "{(0, 0)} = 1"


def test_a_sentence_prints_its_cells_and_count() -> None:
    assert str(Sentence({(2, 3)}, 1)) == "{(2, 3)} = 1"


@given(CELLS, st.integers(0, 8))
def test_either_all_cells_of_a_sentence_are_known_or_none(cells: frozenset[Cell], count: int) -> None:
    sentence = Sentence(cells, count)
    mines, safes = sentence.known_mines(), sentence.known_safes()
    assert isinstance(mines, set)
    assert isinstance(safes, set)
    assert mines == (cells if count == len(cells) else set())
    assert safes == (cells if count == 0 else set())


def test_known_cells_are_returned_as_a_new_set() -> None:
    sentence = Sentence({(0, 0)}, 1)
    sentence.known_mines().clear()
    assert sentence.cells == {(0, 0)}
    sentence = Sentence({(0, 0)}, 0)
    sentence.known_safes().clear()
    assert sentence.cells == {(0, 0)}


def test_an_empty_sentence_knows_nothing() -> None:
    assert Sentence([], 0).known_mines() == Sentence([], 0).known_safes() == set()


@given(CELLS, st.integers(0, 8), st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_marking_removes_the_cell_from_a_sentence(
    cells: frozenset[Cell], count: int, cell: Cell
) -> None:
    mine, safe = Sentence(cells, count), Sentence(cells, count)
    mine.mark_mine(cell)
    safe.mark_safe(cell)
    assert mine == Sentence(cells - {cell}, count - (cell in cells))
    assert safe == Sentence(cells - {cell}, count)
