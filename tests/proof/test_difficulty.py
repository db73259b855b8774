"""Difficulty: which kind of proof the next safe cell needs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from sapper import Kind, Position, SapperError, analyse, difficulty, explain
from sapper.game.game import Game
from tests.support.strategies import possible_positions


@given(possible_positions())
@settings(max_examples=60)
def test_a_position_is_as_hard_as_its_easiest_safe_cell(position: Position) -> None:
    grade = difficulty(position)
    safe = analyse(position).safe
    if safe:
        proofs = [explain(position, cell) for cell in safe]
        assert grade.score == min(proof.difficulty for proof in proofs)
        assert grade.hardest == min(proof.kind for proof in proofs)
        assert grade.guesses == 0
    else:
        assert grade.hardest is None
        assert grade.guesses == (len(position.hidden) > position.mines)


def test_games_are_graded_from_their_first_click() -> None:
    kinds = set()
    for seed in range(6):
        game = Game.new("beginner", seed=seed)
        game.open((4, 4))
        begun = difficulty(game)
        game.open(min(game.position.hidden))  # Later moves do not change the grade.
        assert difficulty(game) == begun
        kinds.add(begun.hardest)
    assert len(kinds) > 1


def test_a_board_without_mines_needs_no_proof() -> None:
    game = Game.new("3x3/0", seed=1, promise="none")
    game.open((0, 0))
    assert str(difficulty(game)) == "nothing to prove"
    assert difficulty(Position.parse("# #", mines=2)).guesses == 0


def test_a_row_of_1_2_2_1_is_solved_by_a_chain() -> None:
    grade = difficulty(Position.parse("# # # #\n1 2 2 1", mines=2))
    assert dict(grade.kinds) == {Kind.CHAIN: 1}


def test_a_game_that_has_not_begun_has_no_difficulty() -> None:
    with pytest.raises(SapperError, match="not begun"):
        difficulty(Game.new("beginner", seed=1))
