"""Comparisons: two agents on the same boards, and which wins more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sapper.arena.runs import MOST_AT_ONCE, Result, Run, paced
from sapper.arena.sequential import BATCH, Referee, SequentialTest, Verdict
from sapper.arena.statistics import Estimate, estimate_difference, mcnemar
from sapper.arena.tally import Pairs, Played
from sapper.caching import cached_property


@dataclass(frozen=True)
class Comparison:
    """What two agents did on the same boards.

    >>> from sapper.arena import compare
    >>> both = compare("safest", "safest", "5x5/4", games=20, jobs=1)
    >>> both.difference.value, both.only_first, both.only_second
    (0.0, 0, 0)
    """

    first: Result
    second: Result
    pairs: Pairs
    """What the games add up to, board by board."""
    test: SequentialTest | None = None
    """The test that may have ended it early."""

    @property
    def only_first(self) -> int:
        """How many boards only the first agent won."""
        return self.pairs.only_first

    @property
    def only_second(self) -> int:
        """How many boards only the second agent won."""
        return self.pairs.only_second

    @property
    def p_value(self) -> float:
        """How likely so uneven a share of those boards is if both are equally good: McNemar's test."""
        return mcnemar(self.only_first, self.only_second)

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test decided, if there was one."""
        return None if self.test is None else self.test.verdict(*self._counts)

    @property
    def _counts(self) -> tuple[int, int, int]:
        return self.only_first, self.only_second, self.first.games

    @cached_property
    def difference(self) -> Estimate:
        """By how much the second agent's share of games won is larger."""
        return estimate_difference(self.pairs.differences)

    @cached_property
    def score_difference(self) -> Estimate:
        """By how much its mean score is larger: the same with less left to luck."""
        return estimate_difference(self.pairs.score_differences)

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as an object for `json.dumps`; docs/arena.md says what it holds."""
        return {
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "only_first_won": self.only_first,
            "only_second_won": self.only_second,
            "mcnemar_p": self.p_value,
            "sequential": self.test and self.test.to_json(*self._counts),
            "difference": vars(self.difference),
            "score_difference": vars(self.score_difference),
        }


class Match:
    """Two runs of the same plan that play in turn; with a test, only until it is decided.

    >>> from sapper.arena import Plan
    >>> plan, test = Plan.of("6x6/7", games=1000), SequentialTest(points=20)
    >>> with Run(plan, agent="logic", jobs=1) as one, Run(plan, jobs=1) as other:
    ...     match = Match(one, other, test)
    ...     for games in match.paced():
    ...         _ = match.play(games)
    >>> match.comparison().verdict, one.left, other.left
    (<Verdict.BETTER: 'better'>, 800, 800)
    """

    def __init__(self, first: Run, second: Run, test: SequentialTest | None = None) -> None:
        self.runs = (first, second)
        self.pairs = Pairs()
        self._test = test
        self._referee = None if test is None else Referee(test)
        self._verdict = Verdict.UNDECIDED

    def paced(self) -> Iterator[int]:
        """Generate how many games to play next, until they are played or the test is decided."""
        batch = None if self._referee is None else BATCH
        for games in paced(*self.runs, batch=batch, most=MOST_AT_ONCE):
            yield games
            if self._verdict is not Verdict.UNDECIDED:
                return

    def play(self, games: int) -> tuple[list[Played], list[Played]]:
        """Let both play their next games, and return how they went."""
        one, other = self.play_ahead(games)
        self.count(one, other)
        return one, other

    def play_ahead(self, games: int) -> tuple[list[Played], list[Played]]:
        """Let both play their next games; they do not `count` yet.

        So none counts before all are played: whatever happens, both have played as many.
        """
        first, second = self.runs
        return first.play_ahead(games), second.play_ahead(games)

    def count(self, one: list[Played], other: list[Played]) -> None:
        """Let games of both count that were played ahead."""
        for run, played in zip(self.runs, (one, other), strict=True):
            run.count(played)
        self.pairs.add(one, other)
        if self._referee is not None:
            self._verdict = self._referee.add(
                (first.won, second.won) for first, second in zip(one, other, strict=True)
            )

    def comparison(self) -> Comparison:
        """Return what the games so far show."""
        first, second = self.runs
        return Comparison(first.result(), second.result(), self.pairs, self._test)
