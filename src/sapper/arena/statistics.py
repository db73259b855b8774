"""Statistics: rates and means with their 95 % intervals, and how long things took."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_Z: Final = 1.959964
"""A normal value is within so many standard deviations of its mean 95 times out of 100."""

_DIGITS: Final = 1074
"""After the binary point, of the smallest float there is."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval: 95 of 100 such intervals hold the true value.

    >>> str(Estimate(0.5, 0.4, 0.6)), Estimate(0.5, 0.4, 0.6).percent()
    ('0.5 (0.4 to 0.6)', '50.00 % (40.00 to 60.00)')
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value} ({self.low} to {self.high})"

    def percent(self, *, signed: bool = False) -> str:
        """Return the estimate in percent, for a difference with its sign."""
        sign = "+" if signed else ""
        value, low, high = 100 * self.value, 100 * self.low, 100 * self.high
        return f"{value:{sign}.2f} % ({low:{sign}.2f} to {high:{sign}.2f})"


def estimate_rate(wins: int, games: int) -> Estimate:
    """Return the share of games won, with Wilson's interval.

    >>> rate = estimate_rate(8, 10)
    >>> rate.value, round(rate.low, 4), round(rate.high, 4)
    (0.8, 0.4902, 0.9433)
    """
    rate, spread = wins / games, _Z * _Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(rate * (1 - rate) / games + spread / games / 4) / (1 + spread)
    return Estimate(rate, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass
class Moments:
    """How many values there are, their sum and that of their squares, for their mean and its interval.

    The sums are exact: every float is a whole multiple of 2**-1074. So whatever their order, and
    however they were grouped, the same values give the same bits.

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
        """Return the moments of these values."""
        moments = cls()
        for value in values:
            moments.add(value)
        return moments

    @classmethod
    def of_ones(cls, ones: int, count: int, *, minus: int = 0) -> Moments:
        """Return the moments of so many values, of which some are 1, some -1, and all others 0.

        >>> Moments.of_ones(2, 4, minus=1) == Moments.of([1.0, 1.0, -1.0, 0.0])
        True
        """
        return cls(count, (ones - minus) << _DIGITS, (ones + minus) << 2 * _DIGITS)

    def add(self, value: float) -> None:
        """Count one more."""
        numerator, denominator = value.as_integer_ratio()
        shift = _DIGITS + 1 - denominator.bit_length()  # The denominator is a power of 2.
        self.count += 1
        self.total += numerator << shift
        self.squares += numerator * numerator << 2 * shift

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return self.total / (1 << _DIGITS) / self.count

    @property
    def variance(self) -> float:
        """The mean square of how far the values are from their mean, rounded once."""
        apart = self.count * self.squares - self.total * self.total
        return apart / (self.count * self.count << 2 * _DIGITS)


def estimate_score(scores: Moments) -> Estimate:
    """Return the mean of scores, with Agresti and Coull's interval.

    It is as if two games more were won and two lost, so that few games promise no certainty.

    >>> score = estimate_score(Moments.of([1.0, 0.5, 0.5, 0.0]))
    >>> score.value, round(score.low, 3), round(score.high, 3)
    (0.5, 0.2, 0.8)
    """
    return _estimate_mean(scores, Moments.of_ones(2, 4), least=0.0)


def estimate_difference(differences: Moments) -> Estimate:
    """Return the mean of differences between pairs, with Bonett and Price's interval.

    It is as if there were two pairs more, one won by each side alone.

    >>> difference = estimate_difference(Moments.of_ones(2, 100, minus=1))
    >>> difference.value, round(difference.low, 4), round(difference.high, 4)
    (0.01, -0.0331, 0.0527)
    """
    return _estimate_mean(differences, Moments.of_ones(1, 2, minus=1), least=-1.0)


def _estimate_mean(values: Moments, added: Moments, *, least: float) -> Estimate:
    wider, mean = values + added, values.mean
    half = _Z * math.sqrt(wider.variance / wider.count)
    low, high = max(wider.mean - half, least), min(wider.mean + half, 1.0)
    return Estimate(mean, min(low, mean), max(high, mean))  # Luck taken out may lead beyond.


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the p-value of McNemar's exact test, two-sided.

    It is the chance that, if both sides were equally good, the boards that just one of them won would
    be shared at least as unevenly as they were.

    >>> round(mcnemar(1, 5), 5), mcnemar(3, 3), mcnemar(0, 0)
    (0.21875, 1.0, 1.0)
    """
    boards, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer >= boards:
        return 1.0
    log_ways = math.lgamma(boards + 1) - math.lgamma(fewer + 1) - math.lgamma(boards - fewer + 1)
    term = total = math.exp(log_ways - boards * math.log(2))
    for count in range(fewer, 0, -1):  # Each term is the next one's, and soon too small to matter.
        term *= count / (boards - count + 1)
        total += term
        if term < 1e-18 * total:
            break
    return min(2 * total, 1.0)


@dataclass
class Times:
    """How long things took, counted in steps of a sixteenth of an octave (4 %) from a nanosecond on.

    However many there are, they need the same memory.

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

    def add(self, seconds: float) -> None:
        """Count one that took so long."""
        octaves = math.log2(max(seconds, 1e-9)) + self.OCTAVES_BELOW_A_SECOND
        self.counts[min(int(self.STEPS_AN_OCTAVE * octaves), self.STEPS - 1)] += 1
        self.longest = max(self.longest, seconds)

    def add_all(self, others: Times) -> None:
        """Count all those of others."""
        self.counts = [mine + more for mine, more in zip(self.counts, others.counts, strict=True)]
        self.longest = max(self.longest, others.longest)

    def __add__(self, others: Times) -> Times:
        both = Times(self.counts, self.longest)
        both.add_all(others)
        return both

    def quantile(self, share: float) -> float:
        """Return the seconds that this share of all did not exceed, to some percent; 0 of none."""
        wanted, seen = share * sum(self.counts), 0
        for step, count in enumerate(self.counts):
            seen += count
            if count and seen >= wanted:
                middle = (step + 0.5) / self.STEPS_AN_OCTAVE - self.OCTAVES_BELOW_A_SECOND
                return min(math.pow(2, middle), self.longest)
        return 0.0


def histogram(shares: Iterable[tuple[float, int]], *, bins: int = 10) -> list[int]:
    """Return how many shares from 0 to 1 are in equal parts; each is given with how often it is there.

    >>> histogram([(0.0, 1), (0.05, 3), (0.95, 1), (1.0, 1)])
    [4, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    counts = [0] * bins
    for share, count in shares:
        counts[min(int(share * bins), bins - 1)] += count
    return counts
