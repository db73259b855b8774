"""Statistics: rates and means with 95 % confidence intervals, and durations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_Z: Final = 1.959964
"""The 97.5 % quantile of the standard normal distribution."""

_DIGITS: Final = 1074
"""Binary digits after the point of the smallest positive float."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % confidence interval.

    >>> str(Estimate(0.5, 0.4, 0.6)), Estimate(0.5, 0.4, 0.6).percent()
    ('0.5 (0.4 to 0.6)', '50.00 % (40.00 to 60.00)')
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value} ({self.low} to {self.high})"

    def percent(self) -> str:
        """Return a rate in percent.

        >>> Estimate(0.5, 0.4, 0.6).percent()
        '50.00 % (40.00 to 60.00)'
        """
        return f"{100 * self.value:.2f} % ({100 * self.low:.2f} to {100 * self.high:.2f})"

    def points(self) -> str:
        """Return a difference of rates in percentage points.

        >>> Estimate(0.05, -0.01, 0.11).points()
        '+5.00 points (-1.00 to +11.00)'
        """
        return f"{100 * self.value:+.2f} points ({100 * self.low:+.2f} to {100 * self.high:+.2f})"


def estimate_rate(wins: int, games: int) -> Estimate:
    """Return the win rate with Wilson's interval.

    >>> rate = estimate_rate(8, 10)
    >>> rate.value, round(rate.low, 4), round(rate.high, 4)
    (0.8, 0.4902, 0.9433)
    """
    rate, spread = wins / games, _Z * _Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(rate * (1 - rate) / games + spread / games / 4) / (1 + spread)
    return Estimate(rate, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass(repr=False)
class Moments:
    """The number of values, their sum and the sum of their squares.

    The sums are exact, because every float is a multiple of 2**-1074. So the order and grouping of the
    values does not change the result.

    >>> few, more = Moments.of([0.1, 0.7]), Moments.of([0.2])
    >>> few + more == more + few == Moments.of([0.2, 0.1, 0.7])
    True
    >>> Moments.of([0.25, 0.5]).mean
    0.375
    """

    count: int = 0
    total: int = 0
    """In units of 2**-1074."""
    squares: int = 0
    """In units of 2**-2148."""

    @classmethod
    def of(cls, values: Iterable[float]) -> Moments:
        """Return the moments of some values."""
        moments = cls()
        for value in values:
            moments.add(value)
        return moments

    @classmethod
    def of_ones(cls, ones: int, count: int, *, minus: int = 0) -> Moments:
        """Return the moments of `count` values: `ones` are 1, `minus` are -1, and the others 0.

        >>> Moments.of_ones(2, 4, minus=1) == Moments.of([1.0, 1.0, -1.0, 0.0])
        True
        """
        return cls(count, (ones - minus) << _DIGITS, (ones + minus) << 2 * _DIGITS)

    def add(self, value: float) -> None:
        """Add a value."""
        numerator, denominator = value.as_integer_ratio()
        shift = _DIGITS + 1 - denominator.bit_length()  # The denominator is a power of 2.
        self.count += 1
        self.total += numerator << shift
        self.squares += numerator * numerator << 2 * shift

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares)

    def __repr__(self) -> str:
        return f"<Moments: {self.count:,} values" + (f", mean {self.mean:.6g}>" if self.count else ">")

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return self.total / (1 << _DIGITS) / self.count

    @property
    def variance(self) -> float:
        """The variance of the values, rounded only once."""
        apart = self.count * self.squares - self.total * self.total
        return apart / (self.count * self.count << 2 * _DIGITS)


def estimate_score(scores: Moments) -> Estimate:
    """Return the mean score with Agresti and Coull's interval.

    It adds two wins and two losses, so that the interval is not too narrow after few games.

    >>> score = estimate_score(Moments.of([1.0, 0.5, 0.5, 0.0]))
    >>> score.value, round(score.low, 3), round(score.high, 3)
    (0.5, 0.2, 0.8)
    """
    return _estimate_mean(scores, Moments.of_ones(2, 4), least=0.0)


def estimate_difference(differences: Moments) -> Estimate:
    """Return the mean difference between pairs with Bonett and Price's interval.

    It adds two pairs, each won by one side only.

    >>> difference = estimate_difference(Moments.of_ones(2, 100, minus=1))
    >>> difference.value, round(difference.low, 4), round(difference.high, 4)
    (0.01, -0.0331, 0.0527)
    """
    return _estimate_mean(differences, Moments.of_ones(1, 2, minus=1), least=-1.0)


def _estimate_mean(values: Moments, added: Moments, *, least: float) -> Estimate:
    wider, mean = values + added, values.mean
    half = _Z * math.sqrt(wider.variance / wider.count)
    low, high = max(wider.mean - half, least), min(wider.mean + half, 1.0)
    return Estimate(mean, min(low, mean), max(high, mean))  # A score may be below 0 or above 1.


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided p-value of McNemar's exact test.

    It is the probability of a split at least this uneven of the boards that only one side won, if both
    sides are equally good.

    >>> round(mcnemar(1, 5), 5), mcnemar(3, 3), mcnemar(0, 0)
    (0.21875, 1.0, 1.0)
    """
    boards, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer >= boards:
        return 1.0
    log_ways = math.lgamma(boards + 1) - math.lgamma(fewer + 1) - math.lgamma(boards - fewer + 1)
    term = total = math.exp(log_ways - boards * math.log(2))
    for count in range(fewer, 0, -1):  # Each term follows from the one before; they soon vanish.
        term *= count / (boards - count + 1)
        total += term
        if term < 1e-18 * total:
            break
    return min(2 * total, 1.0)


@dataclass(repr=False)
class Times:
    """A histogram of durations. Each step is a sixteenth of an octave (4 %), from a nanosecond on.

    Its memory does not grow with the number of durations.

    >>> times = Times()
    >>> for seconds in (0.001, 0.001, 0.002, 0.5):
    ...     times.add(seconds)
    >>> round(times.quantile(0.5), 4), times.longest
    (0.001, 0.5)
    """

    STEPS = 640
    STEPS_AN_OCTAVE = 16
    OCTAVES_BELOW_A_SECOND = 30

    counts: list[int] = field(default_factory=lambda: [0] * Times.STEPS)
    longest: float = 0.0

    def __repr__(self) -> str:
        return f"<Times: {sum(self.counts):,} durations, the longest {self.longest:.3g} s>"

    def add(self, seconds: float) -> None:
        """Count a duration."""
        octaves = math.log2(max(seconds, 1e-9)) + self.OCTAVES_BELOW_A_SECOND
        self.counts[min(int(self.STEPS_AN_OCTAVE * octaves), self.STEPS - 1)] += 1
        self.longest = max(self.longest, seconds)

    def add_all(self, others: Times) -> None:
        """Count the durations of another histogram."""
        self.counts = [mine + more for mine, more in zip(self.counts, others.counts, strict=True)]
        self.longest = max(self.longest, others.longest)

    def __add__(self, others: Times) -> Times:
        both = Times(self.counts, self.longest)
        both.add_all(others)
        return both

    def quantile(self, share: float) -> float:
        """Return a quantile in seconds, accurate to a few percent; 0 if there are no durations."""
        wanted, seen = share * sum(self.counts), 0
        for step, count in enumerate(self.counts):
            seen += count
            if count and seen >= wanted:
                middle = (step + 0.5) / self.STEPS_AN_OCTAVE - self.OCTAVES_BELOW_A_SECOND
                return min(math.pow(2, middle), self.longest)
        return 0.0


def histogram(shares: Iterable[tuple[float, int]], *, bins: int = 10) -> list[int]:
    """Return a histogram of shares from 0 to 1, each given with its number of occurrences.

    >>> histogram([(0.0, 1), (0.05, 3), (0.95, 1), (1.0, 1)])
    [4, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    counts = [0] * bins
    for share, count in shares:
        counts[min(int(share * bins), bins - 1)] += count
    return counts
