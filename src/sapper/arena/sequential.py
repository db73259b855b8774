"""Sequential tests: two agents play until one of two hypotheses is decided."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sapper.errors import SapperError

BATCH: Final = 200
"""A test is decided only after a multiple of this many games, so that speed changes nothing."""


class Verdict(str, Enum):
    """The decision of a sequential test about the second of two agents."""

    BETTER = "better"
    """Its win rate is higher."""
    NOT_BETTER = "not better"
    """Its win rate is not higher by the given number of points."""
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class SequentialTest:
    """Wald's sequential probability ratio test for two agents on the same boards.

    The null hypothesis is that both have the same win rate; the alternative is that the second agent's
    win rate is higher by `points` percentage points. `alpha` is the false-positive rate, `beta` the
    false-negative rate. The verdict `better` does not say by how much.

    >>> test = SequentialTest(points=2)
    >>> test.verdict(only_first=100, only_second=160, games=1000)
    <Verdict.BETTER: 'better'>
    >>> SequentialTest(points=2, alpha=0.6, beta=0.4)
    Traceback (most recent call last):
    sapper.errors.SapperError: alpha and beta must be positive with a sum below 1, not 0.6 and 0.4
    """

    points: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.points < 100:
            raise SapperError(f"the points of a test must be between 0 and 100, not {self.points}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            rates = f"{self.alpha} and {self.beta}"
            raise SapperError(f"alpha and beta must be positive with a sum below 1, not {rates}")

    @property
    def low(self) -> float:
        """The log-likelihood ratio at or below which the verdict is `not better`."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """The log-likelihood ratio at or above which the verdict is `better`."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, only_first: int, only_second: int, games: int) -> float:
        """Return the log-likelihood ratio of the two hypotheses; positive favours the alternative.

        The probability that exactly one agent wins is unknown. Each hypothesis uses its
        maximum-likelihood estimate.

        >>> SequentialTest(points=5).ratio(10, 10, 100) < 0 < SequentialTest(points=5).ratio(8, 16, 100)
        True
        """
        counts = (only_first, only_second, games - only_first - only_second)
        return _likelihood(self.points / 100, *counts) - _likelihood(0.0, *counts)

    def verdict(self, only_first: int, only_second: int, games: int) -> Verdict:
        """Return the verdict after some games, given how many boards only one of the agents won."""
        ratio = self.ratio(only_first, only_second, games) if games else 0.0
        if ratio >= self.high:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if ratio <= self.low else Verdict.UNDECIDED

    def to_json(self, only_first: int, only_second: int, games: int) -> dict[str, Any]:
        """Return the test and its verdict as an object for `json.dumps`."""
        return {
            "points": self.points,
            "alpha": self.alpha,
            "beta": self.beta,
            "batch": BATCH,
            "log_likelihood_ratio": self.ratio(only_first, only_second, games),
            "low": self.low,
            "high": self.high,
            "verdict": self.verdict(only_first, only_second, games).value,
        }


def _likelihood(difference: float, only_first: int, only_second: int, both: int) -> float:
    """Return the maximum log-likelihood of the counts, given the difference of the win rates.

    The probability that only the second agent wins is the larger root of a quadratic: the numerator of
    the derivative.
    """
    games = only_first + only_second + both
    middle = (only_first + only_second) * (1 + difference) + 2 * difference * (only_second + both)
    product = only_second * difference * (1 + difference)
    root = math.sqrt(max(middle * middle - 8 * games * product, 0.0))
    second = (middle + root) / (4 * games)
    chances = (second - difference, second, 1 - 2 * second + difference)
    counts = (only_first, only_second, both)
    return math.fsum(
        count * math.log(max(chance, 1e-300))
        for count, chance in zip(counts, chances, strict=True)
        if count
    )


class RunningTest:
    """A sequential test that is applied to games as they are played.

    >>> test = RunningTest(SequentialTest(points=20))
    >>> test.add((False, True) for _ in range(199)), test.add([(False, True)])
    (<Verdict.UNDECIDED: 'undecided'>, <Verdict.BETTER: 'better'>)
    """

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._only_first = self._only_second = self._games = 0

    def add(self, pairs: Iterable[tuple[bool, bool]]) -> Verdict:
        """Count boards, given which agents won each; decide only at the end of a batch."""
        for first, second in pairs:
            self._only_first += first and not second
            self._only_second += second and not first
            self._games += 1
        if self._games % BATCH:
            return Verdict.UNDECIDED
        return self._test.verdict(self._only_first, self._only_second, self._games)
