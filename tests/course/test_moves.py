"""The moves of the course's agent: safe if possible, otherwise uniformly random."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from benchmarks.games import openings
from sapper.minesweeper import Minesweeper, MinesweeperAI
from tests.support.course_agent import boards, public_state


@given(boards())
def test_moves_are_safe_or_possible_and_change_nothing(game: Minesweeper) -> None:
    ai = MinesweeperAI(game.height, game.width)
    for cell, count in openings(game, ai, 1):
        ai.add_knowledge(cell, count)
        before = public_state(ai)
        safe, chosen = ai.make_safe_move(), ai.make_random_move()
        assert public_state(ai) == before
        if safe is None:
            assert ai.safes == ai.moves_made
        else:
            assert safe in ai.safes - ai.moves_made
        every = {(i, j) for i in range(game.height) for j in range(game.width)}
        free = every - ai.moves_made - ai.mines
        assert (chosen in free) if free else (chosen is None)


def test_random_moves_are_uniform() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((0, 0), 3)  # Leaves 5 cells: each is drawn 2,000 times, give or take 40 (sigma).
    drawn = Counter(ai.make_random_move() for _ in range(10_000))
    assert len(drawn) == 5
    assert all(abs(times - 2_000) < 240 for times in drawn.values())


def test_moves_follow_what_callers_change_by_hand() -> None:
    ai = MinesweeperAI(1, 3)
    ai.safes.add((0, 1))
    assert ai.make_safe_move() == (0, 1)
    ai.moves_made.add((0, 1))
    ai.mines.add((0, 0))
    assert ai.make_safe_move() is None
    assert {ai.make_random_move() for _ in range(20)} == {(0, 2)}


def test_without_a_move_the_answer_is_none() -> None:
    ai = MinesweeperAI(1, 2)
    ai.add_knowledge((0, 0), 1)
    assert ai.make_safe_move() is None
    assert ai.make_random_move() is None
