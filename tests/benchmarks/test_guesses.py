"""The gains of guesses, checked against whole games on all minefields."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from benchmarks.guesses import Trials, gain_left, guesses_of, play
from sapper import Game, Level, Outcome, Position, Promise, analyse
from sapper.analysis import win_chance_after
from sapper.game.game import minefield_of
from sapper.game.setup import Setup

pytestmark = pytest.mark.compiled


def test_gains_of_guesses_add_up_to_the_difference_of_wins() -> None:
    level = Level.of_size(3, 4, 4)
    games = wins = 0
    gain = 0.0
    for seed, mines in enumerate(combinations(range(12), 4)):
        minefield = minefield_of(level, bytes(place in mines for place in range(12)))
        game = Game(level, seed=seed, promise=Promise.NONE, minefield=minefield)
        game.open((0, 0))
        gain += sum(guess.gain for guess in guesses_of("safest", game, Trials(2000)))
        games, wins = games + 1, wins + (game.outcome is Outcome.WON)
    perfect = win_chance_after(Position.blank(3, 4, 4), [(0, 0)])  # As `strong` plays so few layouts.
    assert wins / games < perfect - 0.03
    assert gain / games == pytest.approx(wins / games - float(perfect), abs=0.002)


def test_nothing_is_gained_by_the_same_guesses() -> None:
    setup = Setup.of("intermediate", promise="safe")
    guesses = [guess for seed in range(5) for guess in play("strong", setup, Trials(), seed)]
    assert guesses
    assert not any(guess.is_other or guess.gain for guess in guesses)


def test_a_bad_guess_leaves_more_to_gain_than_a_good_one() -> None:
    position = Position.parse("\n".join(["1 " + "# " * 15] + ["# " * 16] * 15), mines=40)
    analysis, trials = analyse(position), Trials(100, others=3)
    beside, corner = (0, 1), (0, 15)
    assert analysis.risk[beside] > 2 * analysis.risk[corner]
    assert gain_left(analysis, beside, trials, Random(1)) > 0.05
    assert abs(gain_left(analysis, corner, trials, Random(1))) < 0.05


def test_games_that_come_to_the_same_position_draw_their_own_layouts() -> None:
    level = Level.of_size(3, 4, 4)
    gains = set[float]()
    for seed in range(3):
        minefield = minefield_of(level, bytes(place in (3, 4, 6, 11) for place in range(12)))
        game = Game(level, seed=seed, promise=Promise.NONE, minefield=minefield)
        game.open((0, 0))
        gains.add(sum(guess.gain for guess in guesses_of("safest", game, Trials(100))))
    assert len(gains) == 3
