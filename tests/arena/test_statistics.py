"""Statistics: confidence intervals, and quantiles of times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import arena
from sapper.arena import Plan, Played
from sapper.arena.statistics import Moments, Times, estimate_difference, estimate_rate, estimate_score
from sapper.arena.tally import Pairs, Tally

pytestmark = pytest.mark.any_engine


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (15, 50, 0.1910, 0.4375), (1, 3, 0.0615, 0.7923)],
)
def test_wilson_intervals_match_published_values(
    wins: int, games: int, low: float, high: float
) -> None:
    rate = estimate_rate(wins, games)
    assert rate.value == wins / games
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-4)


@given(st.lists(st.booleans(), min_size=1), st.integers(1, 5))
def test_more_games_with_the_same_win_rate_narrow_the_interval(won: list[bool], times: int) -> None:
    scores = [float(win) for win in won]
    for estimate in (estimate_score, estimate_difference):
        few, many = estimate(Moments.of(scores)), estimate(Moments.of(scores * times))
        assert few.value == pytest.approx(many.value)
        assert few.high - few.low >= many.high - many.low - 1e-12
        assert -1 <= few.low <= few.high <= 1


@given(st.lists(st.floats(1e-9, 100), min_size=1))
def test_quantiles_of_times_are_accurate_to_five_percent(seconds: list[float]) -> None:
    times = Times()
    for each in seconds:
        times.add(each)
    ordered = sorted(seconds)
    assert times.longest == ordered[-1]
    median = ordered[(len(ordered) - 1) // 2]
    assert times.quantile(0.5) == pytest.approx(median, rel=0.045)


def test_an_interval_contains_its_value() -> None:
    for scores in ([-0.25], [-0.25] * 9, [1.25], [0.5]):
        score = estimate_score(Moments.of(scores))
        assert score.low <= score.value <= score.high


def test_solved_games_count_with_their_win_probability() -> None:
    fields = {"seed": 1, "left": 0, "decisions": 1, "guesses": 1, "survival": 1.0, "seconds": 0.1}
    won = Played(won=True, solved=0.25, **fields)  # type: ignore[arg-type]
    lost = Played(won=False, solved=None, **fields)  # type: ignore[arg-type]
    first = arena.Result(Plan.of(games=2), "a", Tally.of([won, lost]), Times(), 1.0)
    second = arena.Result(Plan.of(games=2), "b", Tally.of([lost, lost]), Times(), 1.0)
    assert (first.rate.value, first.score.value, first.solved) == (0.5, 0.125, 1)
    pairs = Pairs()
    pairs.add([won, lost], [lost, lost])
    both = arena.Comparison(first, second, pairs)
    assert (both.difference.value, both.score_difference.value) == (-0.5, -0.125)
    assert (both.only_first, both.only_second) == (1, 0)
