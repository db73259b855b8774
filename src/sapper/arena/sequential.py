"""Sequential tests: two agents play until it is decided which hypothesis holds, and no longer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sapper.errors import SapperError

BATCH: Final = 200
"""After how many games each a decision may fall: fixed, so that nothing hangs on who is faster."""


class Verdict(str, Enum):
    """What a sequential test has decided about the second of two agents."""

    BETTER = "better"
    """It wins more."""
    NOT_BETTER = "not better"
    """It does not win more by the points asked for."""
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class SequentialTest:
    """Wald's test between two hypotheses about the games that two agents played on the same boards.

    One is that both win equally many, the other that the second wins `points` percentage points more.
    `alpha` is the chance to call it better if the first is true, `beta` to call it not better if the
    second is. That it is better does not say by how much.

    >>> test = SequentialTest(points=2)
    >>> test.verdict(only_first=100, only_second=160, games=1000)
    <Verdict.BETTER: 'better'>
    >>> SequentialTest(points=2, alpha=0.6, beta=0.4)
    Traceback (most recent call last):
    sapper.errors.SapperError: alpha and beta are chances with a sum below 1, not 0.6 and 0.4
    """

    points: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.points < 100:
            raise SapperError(f"the points of a test are between 0 and 100, not {self.points}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            said = f"{self.alpha} and {self.beta}"
            raise SapperError(f"alpha and beta are chances with a sum below 1, not {said}")

    @property
    def low(self) -> float:
        """The ratio from which on down it is not better."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """The ratio from which on up it is better."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, only_first: int, only_second: int, games: int) -> float:
        """Return the logarithm of how much likelier the games are if the second agent is better.

        How often just one of them wins is not known; under each hypothesis it is taken to be what
        makes the games likeliest.

        >>> SequentialTest(points=5).ratio(10, 10, 100) < 0 < SequentialTest(points=5).ratio(8, 16, 100)
        True
        """
        counts = (only_first, only_second, games - only_first - only_second)
        return _likelihood(self.points / 100, *counts) - _likelihood(0.0, *counts)

    def verdict(self, only_first: int, only_second: int, games: int) -> Verdict:
        """Return what is decided after so many games, of which one agent alone has won so many."""
        ratio = self.ratio(only_first, only_second, games) if games else 0.0
        if ratio >= self.high:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if ratio <= self.low else Verdict.UNDECIDED

    def to_json(self, only_first: int, only_second: int, games: int) -> dict[str, Any]:
        """Return the test and what it decided as an object for `json.dumps`."""
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
    """Return the largest log-likelihood of the counts if the second agent wins so much more.

    The chance that only the second wins is the larger root of the derivative's numerator, a quadratic.
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


class Referee:
    """Counts the games of two agents as they are played, and says when to stop.

    >>> referee = Referee(SequentialTest(points=20))
    >>> referee.add((False, True) for _ in range(199)), referee.add([(False, True)])
    (<Verdict.UNDECIDED: 'undecided'>, <Verdict.BETTER: 'better'>)
    """

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._only_first = self._only_second = self._games = 0

    def add(self, pairs: Iterable[tuple[bool, bool]]) -> Verdict:
        """Count boards, each with who won it; decide only where a batch ends."""
        for first, second in pairs:
            self._only_first += first and not second
            self._only_second += second and not first
            self._games += 1
        if self._games % BATCH:
            return Verdict.UNDECIDED
        return self._test.verdict(self._only_first, self._only_second, self._games)
