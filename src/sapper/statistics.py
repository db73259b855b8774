"""Statistics: rates and means with their 95 % intervals, and how long things took."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

_Z: Final = 1.959964
"""A normal value is within so many standard deviations of its mean 95 times out of 100."""


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


def estimate_score(scores: Sequence[float]) -> Estimate:
    """Return the mean of scores from 0 to 1, with Agresti and Coull's interval.

    It is as if two games more were won and two lost, so that few games promise no certainty.

    >>> score = estimate_score([1.0, 0.5, 0.5, 0.0])
    >>> score.value, round(score.low, 3), round(score.high, 3)
    (0.5, 0.2, 0.8)
    """
    return _estimate_mean(scores, (0.0, 0.0, 1.0, 1.0), least=0.0)


def estimate_difference(differences: Sequence[float]) -> Estimate:
    """Return the mean of differences from -1 to 1 between pairs, with Bonett and Price's interval.

    It is as if there were two pairs more, one won by each side alone.

    >>> difference = estimate_difference([0.0] * 97 + [1.0, 1.0, -1.0])
    >>> difference.value, round(difference.low, 4), round(difference.high, 4)
    (0.01, -0.0331, 0.0527)
    """
    return _estimate_mean(differences, (-1.0, 1.0), least=-1.0)


def _estimate_mean(values: Sequence[float], added: tuple[float, ...], *, least: float) -> Estimate:
    count = len(values) + len(added)
    mean = math.fsum((*values, *added)) / count
    variance = math.fsum((value - mean) ** 2 for value in (*values, *added)) / count
    half = _Z * math.sqrt(variance / count)
    plain = math.fsum(values) / len(values)
    return Estimate(plain, max(mean - half, least), min(mean + half, 1.0))


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

    def quantile(self, share: float) -> float:
        """Return the seconds that this share of all did not exceed, to some percent; 0 of none."""
        wanted, seen = share * sum(self.counts), 0
        for step, count in enumerate(self.counts):
            seen += count
            if count and seen >= wanted:
                middle = (step + 0.5) / self.STEPS_AN_OCTAVE - self.OCTAVES_BELOW_A_SECOND
                return min(math.pow(2, middle), self.longest)
        return 0.0


def histogram(shares: Iterable[float], *, bins: int = 10) -> list[int]:
    """Return how many shares from 0 to 1 are in each of so many equal parts.

    >>> histogram([0.0, 0.05, 0.95, 1.0])
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    counts = [0] * bins
    for share in shares:
        counts[min(int(share * bins), bins - 1)] += 1
    return counts
