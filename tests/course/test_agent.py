"""The course's contract of `MinesweeperAI`: its attributes and the five steps of `add_knowledge`."""

from __future__ import annotations

import copy
import pickle

from benchmarks.games import game_of_size, shuffled_openings
from sapper.minesweeper import Cell, MinesweeperAI, Sentence, neighbours
from tests.support.course_agent import check_fixpoint, check_invariants, public_state


def test_a_new_agent_knows_nothing() -> None:
    ai = MinesweeperAI()
    assert (ai.height, ai.width) == (8, 8)
    assert public_state(ai) == (set(), set(), set(), [])
    ai = MinesweeperAI(height=2, width=3)
    assert (ai.height, ai.width) == (2, 3)


def test_marking_updates_every_sentence() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((1, 1), 3)
    ai.mark_mine((0, 0))
    ai.mark_safe((0, 1))
    around = neighbours((1, 1), 3, 3) - {(0, 0), (0, 1)}
    assert ai.knowledge == [Sentence(around, 2)]
    assert (0, 0) in ai.mines
    assert (0, 1) in ai.safes


def test_steps_1_and_2_the_cell_was_opened_and_is_safe() -> None:
    ai = MinesweeperAI()
    ai.add_knowledge((4, 4), 3)
    assert ai.moves_made == ai.safes == {(4, 4)}


def test_step_3_the_sentence_is_about_undetermined_neighbours() -> None:
    ai = MinesweeperAI(3, 3)
    ai.mines.add((0, 0))
    ai.safes.add((0, 1))
    ai.add_knowledge((1, 1), 4)
    undetermined = {(0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    assert ai.knowledge == [Sentence(undetermined, 3)]


def test_step_4_certain_cells_are_marked() -> None:
    ai = MinesweeperAI(1, 5)
    ai.add_knowledge((0, 0), 1)
    ai.add_knowledge((0, 4), 0)
    assert ai.mines == {(0, 1)}
    assert ai.safes == {(0, 0), (0, 3), (0, 4)}


def test_step_5_a_subset_is_subtracted() -> None:
    ai = MinesweeperAI(2, 4)
    ai.add_knowledge((0, 0), 1)
    ai.add_knowledge((0, 1), 2)
    assert Sentence({(0, 2), (1, 2)}, 1) in ai.knowledge


def test_the_last_fact_may_unlock_the_first_sentence() -> None:
    """A chain of sentences along a row is resolved from its far end in one call."""
    width = 41
    ai = MinesweeperAI(1, width)
    for column in range(1, width - 1, 2):
        ai.add_knowledge((0, column), 1)
    assert ai.mines == set()
    ai.add_knowledge((0, width - 1), 0)
    assert ai.mines == {(0, column) for column in range(2, width - 1, 4)}
    assert ai.safes | ai.mines == {(0, column) for column in range(width)}
    assert ai.knowledge == []


def test_add_knowledge_ends_by_calling_update_knowledge() -> None:
    """The call sees the opened cell and the new sentence."""
    calls: list[tuple[set[Cell], list[Sentence]]] = []

    class Recording(MinesweeperAI):
        def update_knowledge(self) -> None:
            calls.append((set(self.moves_made), list(self.knowledge)))
            super().update_knowledge()

    Recording(1, 3).add_knowledge((0, 1), 1)
    assert calls == [({(0, 1)}, [Sentence({(0, 0), (0, 2)}, 1)])]


def test_update_knowledge_uses_what_was_added_by_hand() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((0, 0), 1)
    ai.knowledge.append(Sentence({(0, 1), (1, 0)}, 1))
    ai.mark_safe((0, 1))
    ai.update_knowledge()
    assert ai.mines == {(1, 0)}
    assert ai.safes == {(0, 0), (0, 1), (1, 1)}
    assert ai.knowledge == []


def test_a_copy_is_independent() -> None:
    game = game_of_size(9, 9, 12, 5)
    openings = shuffled_openings(game, 5)
    ai = MinesweeperAI(9, 9)
    for cell, count in openings[:40]:
        ai.add_knowledge(cell, count)
    before = public_state(ai)
    copies = [copy.deepcopy(ai), pickle.loads(pickle.dumps(ai))]
    for cell, count in openings[40:]:
        for each in copies:
            each.add_knowledge(cell, count)
            check_invariants(each)
            check_fixpoint(each)
    assert public_state(ai) == before
    for cell, count in openings[40:]:
        ai.add_knowledge(cell, count)
    assert all((each.safes, each.mines) == (ai.safes, ai.mines) for each in copies)
