"""What the course's agent infers: nothing false, and everything that follows by the subset rule."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.baseline import PairwiseAI
from benchmarks.games import any_game, game_of_size, openings, shuffled_openings
from sapper.minesweeper import Minesweeper, MinesweeperAI, neighbours
from tests.support.course_agent import boards, check_fixpoint, check_invariants, public_state
from tests.support.oracle import FULL


@pytest.mark.parametrize("thousand", range(20 if FULL else 4))
def test_nothing_false_is_ever_claimed(thousand: int) -> None:
    """Thousands of games, 1 x 1 to 16 x 30 cells, 0 to 60 % mines; half played, half in any order."""
    for seed in range(1000 * thousand, 1000 * (thousand + 1)):
        game = any_game(seed)
        ai = MinesweeperAI(game.height, game.width)
        for cell, count in openings(game, ai, seed):
            ai.add_knowledge(cell, count)
            # Cells are never taken back, so what is true at the end was true all along.
        assert ai.safes.isdisjoint(game.mines), f"seed {seed}"
        assert ai.mines <= game.mines, f"seed {seed}"
        check_invariants(ai)


@pytest.mark.parametrize("seed", range(40))
def test_after_every_call_nothing_more_follows(seed: int) -> None:
    game = any_game(seed)
    ai = MinesweeperAI(game.height, game.width)
    for cell, count in openings(game, ai, seed):
        ai.add_knowledge(cell, count)
        check_invariants(ai)
        check_fixpoint(ai)


@given(boards(), st.integers(0, 2**32))
def test_it_finds_everything_that_comparing_all_pairs_finds(game: Minesweeper, seed: int) -> None:
    ai = MinesweeperAI(game.height, game.width)
    pairwise = PairwiseAI(game.height, game.width)
    for cell, count in shuffled_openings(game, seed):
        ai.add_knowledge(cell, count)
        pairwise.add_knowledge(cell, count)
        assert (ai.safes, ai.mines) == (pairwise.safes, pairwise.mines)
        known = {frozenset(sentence.cells): sentence.count for sentence in ai.knowledge}
        assert known == {frozenset(sentence.cells): sentence.count for sentence in pairwise.knowledge}


@given(boards(), st.randoms(use_true_random=False), st.data())
def test_the_order_of_openings_does_not_matter(
    game: Minesweeper, shuffler: random.Random, data: st.DataObject
) -> None:
    fed = shuffled_openings(game, 0)
    fed = fed[: data.draw(st.integers(0, len(fed)))]
    states = []
    for _ in range(3):
        ai = MinesweeperAI(game.height, game.width)
        for cell, count in fed:
            ai.add_knowledge(cell, count)
        known = {(frozenset(sentence.cells), sentence.count) for sentence in ai.knowledge}
        states.append((ai.safes, ai.mines, known))
        shuffler.shuffle(fed)
    assert states[0] == states[1] == states[2]


@pytest.mark.parametrize("seed", range(10))
def test_the_order_does_not_matter_on_expert_boards(seed: int) -> None:
    game = game_of_size(16, 30, 99, seed)
    fed = shuffled_openings(game, seed)[:250]
    results = []
    for order in (fed, sorted(fed), sorted(fed, reverse=True)):
        ai = MinesweeperAI(16, 30)
        for cell, count in order:
            ai.add_knowledge(cell, count)
        results.append((ai.safes, ai.mines))
    assert results[0] == results[1] == results[2]


@given(boards())
def test_opening_a_cell_twice_changes_nothing(game: Minesweeper) -> None:
    ai = MinesweeperAI(game.height, game.width)
    fed = shuffled_openings(game, 1)
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    before = public_state(ai)
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    assert public_state(ai) == before


@pytest.mark.parametrize("seed", range(20))
def test_derived_sentences_stay_within_the_neighbourhood_of_one_number(seed: int) -> None:
    """Hence there are at most 256 sentences per opened cell, and inference always ends."""
    game = any_game(seed)
    ai = MinesweeperAI(game.height, game.width)
    for cell, count in openings(game, ai, seed):
        ai.add_knowledge(cell, count)
    around = [neighbours(cell, game.height, game.width) for cell in ai.moves_made]
    for sentence in ai.knowledge:
        assert any(sentence.cells <= cells for cells in around)


def test_it_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    game = game_of_size(9, 9, 10, 3)
    ai = MinesweeperAI(9, 9)
    for cell, count in openings(game, ai, 1):
        ai.add_knowledge(cell, count)
        ai.make_safe_move()
        ai.make_random_move()
    assert capsys.readouterr() == ("", "")
