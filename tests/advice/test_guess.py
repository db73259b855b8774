"""Explanations of guesses are true, and appear only if a guess is needed."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings

from sapper import Position, SapperError, analyse, explain_guess, perfect_moves, win_chance
from sapper.game.game import Game
from tests.support.strategies import possible_positions


@given(possible_positions())
@settings(max_examples=60)
def test_a_guess_is_explained_if_no_cell_is_safe(position: Position) -> None:
    analysis = analyse(position)
    if analysis.safe or analysis.best is None:
        with pytest.raises(SapperError, match="no guess is needed"):
            explain_guess(position)
        return
    guess = explain_guess(position)
    assert guess.choice in guess.candidates
    assert len({each.cell for each in guess.candidates}) == len(guess.candidates)
    for each in guess.candidates:
        assert each.risk == analysis.risk[each.cell]
        assert 0 <= each.goes_on <= each.survives + 1e-9 <= 1 - each.risk + 2e-9
        if each.win_chance is not None:
            shown = {n: float(chance) for n, chance in analysis.shows(each.cell).items()}
            after = {n: position.opened(each.cell, n) for n in shown}
            true = sum(
                chance
                * float(win_chance(after[n]) if len(after[n].hidden) > after[n].mines else Fraction(1))
                for n, chance in shown.items()
            )
            assert each.win_chance == pytest.approx(true)
            assert each.win_chance <= float(win_chance(position)) + 1e-9
    if guess.choice.win_chance is not None:
        assert guess.choice.win_chance == pytest.approx(float(win_chance(position)))
    json.dumps(guess.to_json())
    assert str(guess).count("\n") == len(guess.candidates) + 2


def test_a_forced_coin_toss_is_named() -> None:
    toss = explain_guess(Position.parse("# #\n1 1", mines=1))
    assert toss.toss == {(0, 0), (0, 1)}
    assert "forced coin toss: one of row 1, columns 1 and 2 is a mine" in str(toss)
    # The cell beside it may tell which of two it is: it touches only one of them.
    assert explain_guess(Position.parse("# 1 # # #", mines=2)).toss == frozenset()


@given(possible_positions())
@settings(max_examples=60)
def test_a_cell_wins_more_than_any_other_only_if_it_is_the_only_perfect_move(
    position: Position,
) -> None:
    analysis = analyse(position)
    if analysis.safe or analysis.best is None:
        return
    guess = explain_guess(position)
    if "more than any other cell" in guess.why:
        assert perfect_moves(position) == {guess.choice.cell}
    if "no other cell wins more" in guess.why:
        assert len(perfect_moves(position)) > 1
    if "no other cell can be opened" in guess.why:
        assert len(position.hidden - analysis.mines) == 1


def test_equally_good_cells_are_named() -> None:
    guess = explain_guess(Position.parse("# # #", mines=1))
    assert guess.why == (
        "with perfect play it wins 66.7 % of the time, and no other cell wins more"
        " (equally good: row 1, column 3)."
    )


@pytest.mark.compiled
def test_guesses_of_expert_games_have_a_reason() -> None:
    reasons = set()
    for seed in range(6):
        game = Game.new("expert", seed=seed, promise="open")
        game.open((3, 3))
        while not game.over:
            safe = analyse(game.position).safe
            if safe:
                game.open(min(safe))
                continue
            guess = explain_guess(game.position)
            assert guess.why.endswith(".")
            assert "\n" not in guess.why
            reasons.add(guess.why.split(" ")[0])
            game.open(guess.choice.cell)
    assert len(reasons) > 2
