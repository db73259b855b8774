"""Bad input to the course's agent raises an error that names it, and changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.games import shuffled_openings
from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI, Sentence
from tests.support.course_agent import boards, check_fixpoint, check_invariants, public_state


@pytest.mark.parametrize("cell", [(-1, 0), (0, 8), (8, 0), (0,), (0, 0, 0), "00", None, 3, [0, 0]])
def test_a_cell_off_the_board_is_refused(cell: object) -> None:
    ai = MinesweeperAI()
    ai.add_knowledge((4, 4), 1)
    before = public_state(ai)
    with pytest.raises(ValueError, match="1"):
        ai.add_knowledge(cell, 1)  # type: ignore[arg-type]
    assert public_state(ai) == before


@pytest.mark.parametrize("count", [-1, 4, 9, 1.5, 1.0, "1", None])
def test_an_impossible_count_is_refused(count: object) -> None:
    ai = MinesweeperAI()
    with pytest.raises(ValueError, match=r"\(0, 0\)") as error:
        ai.add_knowledge((0, 0), count)  # type: ignore[arg-type]
    assert repr(count) in str(error.value)
    assert public_state(ai) == public_state(MinesweeperAI())


@pytest.mark.parametrize(
    ("cell", "count", "reason"),
    [
        ((0, 0), 4, "it has 3 neighbours"),
        ((0, 0), -1, "it has 3 neighbours"),
        ((0, 0), 1.0, "that is not an integer"),
        ((0, 0), "1", "that is not an integer"),
        ((0, 0), None, "that is not an integer"),
        ((0.0, 0.0), 1, "it is not a cell of a board with 8 rows of 8 cells"),
        ((0, 8), 1, "it is not a cell of a board with 8 rows of 8 cells"),
    ],
)
def test_an_error_names_the_real_reason(cell: Cell, count: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        MinesweeperAI().add_knowledge(cell, count)
    assert str(error.value).startswith(f"{cell} cannot show {count!r}: ")


def test_numpy_integers_are_integers() -> None:
    numpy = pytest.importorskip("numpy")
    ai, expected = MinesweeperAI(), MinesweeperAI()
    for number in (numpy.int8, numpy.int64, numpy.uint16):
        ai.add_knowledge((number(3), number(4)), number(2))
    expected.add_knowledge((3, 4), 2)
    assert public_state(ai) == public_state(expected)
    assert all(type(part) is int for cell in ai.moves_made for part in cell)
    assert type(ai.knowledge[0].count) is int


@pytest.mark.parametrize(("height", "width"), [(0, 8), (8, 0), (-1, 3)])
def test_an_agent_needs_a_board(height: int, width: int) -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        MinesweeperAI(height, width)


def test_a_known_mine_cannot_have_been_opened() -> None:
    ai = MinesweeperAI(1, 3)
    ai.add_knowledge((0, 0), 1)
    before = public_state(ai)
    with pytest.raises(ValueError, match=r"\(0, 1\) cannot show 0"):
        ai.add_knowledge((0, 1), 0)
    assert public_state(ai) == before


@settings(max_examples=200)
@given(boards(longest=6), st.integers(0, 2**32), st.data())
@example(Minesweeper.with_mines(1, 3, [(0, 1)]), 0, None)
def test_a_wrong_count_is_refused_entirely_or_accepted(
    game: Minesweeper, seed: int, data: st.DataObject | None
) -> None:
    """A count that contradicts what is known leaves the agent exactly as it was."""
    fed = shuffled_openings(game, seed)
    ai = MinesweeperAI(game.height, game.width)
    for number, (cell, count) in enumerate(fed):
        before = public_state(ai)
        lie = data.draw(st.integers(0, 8)) if data else 8
        if lie == count:
            continue
        try:
            ai.add_knowledge(cell, lie)
        except ValueError as error:
            assert str(cell) in str(error)
            assert str(lie) in str(error)
            assert public_state(ai) == before
            ai.add_knowledge(cell, count)
            check_invariants(ai)
            check_fixpoint(ai)
            assert ai.safes.isdisjoint(game.mines), number
        else:
            return  # The rules see no contradiction, so the agent now knows another board.


def test_a_contradiction_between_numbers_is_refused() -> None:
    ai = MinesweeperAI(1, 5)
    ai.add_knowledge((0, 1), 2)  # (0, 0) and (0, 2) are mines.
    before = public_state(ai)
    with pytest.raises(ValueError, match=r"\(0, 3\) cannot show 0: it contradicts what is known"):
        ai.add_knowledge((0, 3), 0)
    assert public_state(ai) == before
    ai.add_knowledge((0, 3), 1)
    assert ai.safes == {(0, 1), (0, 3), (0, 4)}


@pytest.mark.parametrize(
    "sentences",
    [
        [Sentence({(0, 0)}, -1)],
        [Sentence({(0, 0)}, 2)],
        [Sentence((), 1)],
        [Sentence({(0, 0), (0, 1)}, 1), Sentence({(0, 0), (0, 1)}, 2)],
        [Sentence({(0, 0), (0, 1)}, 1), Sentence({(0, 0), (0, 1), (0, 2)}, 0)],
    ],
)
def test_sentences_that_contradict_each_other_are_refused(sentences: list[Sentence]) -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((2, 2), 1)
    ai.knowledge += sentences
    before = public_state(ai)
    with pytest.raises(ValueError, match="contradicts"):
        ai.update_knowledge()
    assert public_state(ai) == before
    del ai.knowledge[-len(sentences) :]
    ai.add_knowledge((0, 0), 0)
    assert ai.mines == set()
    check_invariants(ai)


def test_an_error_leaves_the_same_objects_in_place() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((1, 1), 4)
    knowledge, sentence = ai.knowledge, ai.knowledge[0]
    sentence.count = 9
    with pytest.raises(ValueError, match="contradicts"):
        ai.add_knowledge((0, 0), 1)
    assert ai.knowledge is knowledge
    assert knowledge[0] is sentence


def test_marks_that_contradict_each_other_are_refused() -> None:
    ai = MinesweeperAI(3, 3)
    ai.mark_safe((2, 2))
    ai.mark_mine((2, 2))
    before = public_state(ai)
    for call in (ai.update_knowledge, lambda: ai.add_knowledge((0, 0), 0)):
        with pytest.raises(ValueError, match=r"\(2, 2\)"):
            call()
        assert public_state(ai) == before


def test_an_opened_cell_that_is_a_mine_is_a_contradiction() -> None:
    ai = MinesweeperAI(3, 3)
    ai.moves_made.add((0, 0))
    ai.mines.add((0, 0))
    with pytest.raises(ValueError, match="contradicts"):
        ai.update_knowledge()
    assert ai.safes == set()
