"""Tallies do not depend on the order and grouping of games, bit for bit."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper.arena import Plan, Played, Run, Tally, bench, compare
from sapper.arena.statistics import Moments, estimate_difference, estimate_score
from sapper.arena.tally import Pairs
from tests.support.players import Reckless

pytestmark = pytest.mark.any_engine

chances = st.floats(0.0, 1.0)


@st.composite
def games(draw: st.DrawFn) -> Played:
    won = draw(st.booleans())
    return Played(
        seed=draw(st.none() | st.integers(0, 2**64 - 1)),
        won=won,
        left=0 if won else draw(st.integers(1, 20)),
        decisions=draw(st.integers(0, 9)),
        guesses=draw(st.none() | st.integers(0, 9)),
        survival=draw(st.none() | chances),
        solved=draw(st.none() | chances),
        seconds=draw(st.floats(0.0, 10.0)),
        lost_at=None if won else draw(st.none() | st.tuples(st.integers(0, 3), st.integers(0, 5))),
        luck=draw(st.floats(-1.0, 2.0)),
    )


@given(st.lists(games(), max_size=10), st.data())
@settings(deadline=None, max_examples=50)
def test_tallies_do_not_depend_on_order_or_grouping(played: list[Played], data: st.DataObject) -> None:
    whole = Tally.of(played)
    shuffled = data.draw(st.permutations(played))
    parts = data.draw(st.lists(st.integers(0, len(played)), max_size=5).map(sorted))
    ends = [0, *parts, len(played)]
    tallies = [Tally.of(shuffled[start:end]) for start, end in pairwise(ends)]
    assert sum(data.draw(st.permutations(tallies)), Tally()) == whole


@given(st.lists(games(), min_size=1, max_size=10))
@settings(deadline=None, max_examples=50)
def test_a_tally_agrees_with_its_games(played: list[Played]) -> None:
    tally = Tally.of(played)
    assert tally.games == len(played)
    assert tally.wins == sum(game.won for game in played)
    assert tally.solved == sum(game.solved is not None for game in played)
    assert tally.scores == Moments.of(game.score for game in played)
    assert sum(tally.lost_with.values()) == tally.games - tally.wins
    assert sum(tally.losses.values()) == sum(game.lost_at is not None for game in played)
    assert tally.guesses == sum(game.guesses or 0 for game in played)


@given(st.lists(st.tuples(games(), games()), min_size=1, max_size=10))
@settings(deadline=None, max_examples=50)
def test_pairs_agree_with_their_games(played: list[tuple[Played, Played]]) -> None:
    pairs = Pairs()
    for one, other in played:  # One board at a time.
        pairs.add([one], [other])
    assert pairs.games == len(played)
    assert pairs.only_first == sum(one.won and not other.won for one, other in played)
    assert pairs.only_second == sum(other.won and not one.won for one, other in played)
    assert pairs.differences == Moments.of(float(other.won - one.won) for one, other in played)
    assert pairs.score_differences == Moments.of(other.score - one.score for one, other in played)


@given(st.lists(st.floats(-1.0, 1.0), min_size=1))
def test_moments_are_exact(values: list[float]) -> None:
    moments, exact = Moments.of(values), [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    assert moments.mean == math.fsum(values) / len(values)
    assert moments.variance == float(sum((value - mean) ** 2 for value in exact) / len(exact))


@given(st.lists(chances, min_size=1))
def test_intervals_match_their_definitions(values: list[float]) -> None:
    for estimate, added, least in (
        (estimate_score, [0.0, 0.0, 1.0, 1.0], 0.0),
        (estimate_difference, [-1.0, 1.0], -1.0),
    ):
        wider = [*values, *added]
        mean = math.fsum(wider) / len(wider)
        spread = math.fsum((value - mean) ** 2 for value in wider) / len(wider)
        half = 1.959964 * math.sqrt(spread / len(wider))
        found = estimate(Moments.of(values))
        assert found.low == pytest.approx(max(mean - half, least), abs=1e-12)
        assert found.high == pytest.approx(min(mean + half, 1.0), abs=1e-12)


@pytest.mark.parametrize("agent", ["safest", "logic"])
def test_results_are_the_same_if_games_are_not_kept(agent: str) -> None:
    kept, forgotten = (
        bench("5x4/5", agent=agent, games=60, seed=2, jobs=1, keep=keep) for keep in (True, False)
    )
    assert (len(kept.played), forgotten.played) == (60, [])
    forgotten.tally.nanoseconds = kept.tally.nanoseconds
    assert forgotten.tally == kept.tally == Tally.of(kept.played)
    assert sum(forgotten.times.counts) == sum(game.decisions for game in kept.played)


def test_comparisons_are_the_same_if_games_are_not_kept() -> None:
    kept, forgotten = (
        compare(Reckless, "logic", "5x4/5", games=60, jobs=1, keep=keep) for keep in (True, False)
    )
    assert forgotten.pairs == kept.pairs
    assert forgotten.pairs.games == 60
    assert (forgotten.first.played, len(kept.first.played)) == ([], 60)


def test_play_and_tally_counts_the_same_games_as_play() -> None:
    plan = Plan.of("5x4/5", games=60, seed=4)
    with Run(plan, jobs=1, keep=False) as run:
        first = run.play(20)
        run.play_and_tally(30)
        last = run.play(99)
    assert (len(first), len(last), run.left) == (20, 10, 0)
    run.tally.nanoseconds = 0
    expected = bench("5x4/5", games=60, seed=4, jobs=1).tally
    expected.nanoseconds = 0
    assert run.tally == expected


def test_a_seed_larger_than_a_signed_integer_is_played() -> None:
    largest = 2**64 - 1
    (game,) = bench("3x3/2", games=1, seed=largest, jobs=1).played
    assert game.seed == sapper.arena.board_seed(largest, 0)
