"""The course's agent takes every manual change into account: one example of each kind."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.games import shuffled_openings
from sapper.minesweeper import Minesweeper, MinesweeperAI, Sentence, neighbours
from tests.support.course_agent import boards, check_fixpoint, check_invariants, public_state

# The harmless changes are made on this board:          1 2 # 1
# The subset rule makes its lower right corner safe.    # # # #


def agent() -> MinesweeperAI:
    ai = MinesweeperAI(2, 4)
    ai.add_knowledge((0, 0), 1)
    ai.add_knowledge((0, 1), 2)
    return ai


def rebuild(ai: MinesweeperAI) -> None:
    ai.knowledge = [Sentence(sentence.cells, sentence.count) for sentence in ai.knowledge]


def freeze(ai: MinesweeperAI) -> None:
    for sentence in ai.knowledge:
        sentence.cells = frozenset(sentence.cells)  # type: ignore[assignment]


def use_lists(ai: MinesweeperAI) -> None:
    for sentence in ai.knowledge:
        sentence.cells = list(sentence.cells)  # type: ignore[assignment]


def use_numpy(ai: MinesweeperAI) -> None:
    numpy = pytest.importorskip("numpy")
    for sentence in ai.knowledge:
        sentence.count = numpy.uint8(sentence.count)


def copy_sets(ai: MinesweeperAI) -> None:
    ai.mines, ai.safes, ai.moves_made = set(ai.mines), set(ai.safes), set(ai.moves_made)


def sort(ai: MinesweeperAI) -> None:
    ai.knowledge.sort(key=lambda sentence: sorted(sentence.cells))


def copy_sentences(ai: MinesweeperAI) -> None:
    ai.knowledge = copy.deepcopy(ai.knowledge)


@pytest.mark.parametrize(
    "change", [sort, rebuild, copy_sentences, freeze, use_lists, use_numpy, copy_sets]
)
def test_a_change_that_adds_nothing_changes_no_conclusion(
    change: Callable[[MinesweeperAI], None],
) -> None:
    ai = agent()
    change(ai)
    ai.add_knowledge((0, 3), 1)
    assert ai.safes == {(0, 0), (0, 1), (0, 3), (1, 3)}
    check_invariants(ai)
    check_fixpoint(ai)


def test_a_sentence_swapped_for_another_is_forgotten() -> None:
    ai = agent()
    ai.knowledge[:] = [Sentence({(0, 2)}, 0), *ai.knowledge[1:]]
    ai.update_knowledge()
    assert (0, 2) in ai.safes
    check_fixpoint(ai)


@pytest.mark.parametrize("count", [0, 2])
def test_a_count_edited_in_place_is_used(count: int) -> None:
    ai = MinesweeperAI(1, 3)
    ai.add_knowledge((0, 1), 1)
    ai.knowledge[0].count = count
    ai.update_knowledge()
    assert (ai.mines if count else ai.safes) >= {(0, 0), (0, 2)}
    assert ai.knowledge == []


def test_cells_exchanged_in_place_are_used() -> None:
    """The sentence has as many cells as before, but not the same ones."""
    ai = MinesweeperAI(1, 5)
    ai.add_knowledge((0, 1), 1)
    ai.knowledge[0].cells.remove((0, 2))
    ai.knowledge[0].cells.add((0, 4))
    ai.add_knowledge((0, 3), 0)
    assert ai.mines == {(0, 0)}


def test_a_deleted_sentence_is_forgotten_and_its_conclusions_are_kept() -> None:
    ai = agent()
    ai.knowledge.clear()
    ai.add_knowledge((0, 3), 1)
    assert ai.safes == {(0, 0), (0, 1), (0, 3)}
    assert ai.knowledge == [Sentence({(0, 2), (1, 2), (1, 3)}, 1)]


def test_a_cell_added_to_moves_made_is_marked_as_safe() -> None:
    ai = MinesweeperAI(1, 3)
    ai.add_knowledge((0, 1), 1)
    ai.moves_made.add((0, 0))
    ai.update_knowledge()
    assert ai.safes == {(0, 0), (0, 1)}
    assert ai.mines == {(0, 2)}


def test_another_set_of_mines_is_used() -> None:
    ai = MinesweeperAI(1, 3)
    ai.add_knowledge((0, 1), 1)
    ai.mines = {(0, 2)}
    ai.update_knowledge()
    assert ai.safes == {(0, 0), (0, 1)}


def test_a_sentence_may_be_about_any_cells() -> None:
    """Cells off the board and far apart are taken at their word."""
    ai = MinesweeperAI(2, 2)
    ai.knowledge += [Sentence({(5, 5), (0, 0)}, 1), Sentence({(0, 0)}, 0)]
    ai.update_knowledge()
    assert ai.mines == {(5, 5)}
    assert ai.safes == {(0, 0)}


@given(boards(), st.data())
def test_cells_added_by_hand_are_taken_into_account(game: Minesweeper, data: st.DataObject) -> None:
    """Facts added to `mines` and `safes` early or late lead to the same conclusions."""
    fed = shuffled_openings(game, 2)
    half = len(fed) // 2
    by_hand = MinesweeperAI(game.height, game.width)
    for cell, count in fed[:half]:
        by_hand.add_knowledge(cell, count)
    cells = [(i, j) for i in range(game.height) for j in range(game.width)]
    added = data.draw(st.sets(st.sampled_from(cells), max_size=4))
    at_once = MinesweeperAI(game.height, game.width)
    for ai in (by_hand, at_once):
        ai.mines |= added & game.mines
        ai.safes |= added - game.mines
    for cell, count in fed[half:]:
        by_hand.add_knowledge(cell, count)
        check_invariants(by_hand)
        check_fixpoint(by_hand)
    for cell, count in fed:
        at_once.add_knowledge(cell, count)
    assert (by_hand.safes, by_hand.mines) == (at_once.safes, at_once.mines) or half == len(fed)


def test_a_sentence_about_the_whole_board_is_an_error_and_not_a_hang(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MinesweeperAI, "MOST_COMPARISONS", 20_000)
    generator = random.Random(1)
    cells = [(i, j) for i in range(16) for j in range(16)]
    mines = set(generator.sample(cells, 40))
    ai = MinesweeperAI(16, 16)
    ai.knowledge.append(Sentence(cells, 40))
    before = public_state(ai)
    with pytest.raises(ValueError, match="too many sentences follow"):  # noqa: PT012
        for cell in generator.sample(sorted(set(cells) - mines), 120):
            before = public_state(ai)
            ai.add_knowledge(cell, len(neighbours(cell, 16, 16) & mines))
    assert public_state(ai) == before
