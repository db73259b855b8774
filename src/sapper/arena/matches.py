"""Matches: two agents play the same boards, in turn."""

from __future__ import annotations

from collections.abc import Iterator

from sapper.arena.results import Comparison
from sapper.arena.runs import MOST_AT_ONCE, Run, step_sizes
from sapper.arena.sequential import BATCH, RunningTest, SequentialTest, Verdict
from sapper.arena.tally import Pairs, Played


class Match:
    """Two runs of the same plan. With a test, they stop as soon as it is decided.

    >>> from sapper.arena import Plan
    >>> plan, test = Plan.of("6x6/7", games=1000), SequentialTest(points=20)
    >>> with Run(plan, agent="logic", jobs=1) as one, Run(plan, jobs=1) as other:
    ...     match = Match(one, other, test)
    ...     for games in match.step_sizes():
    ...         _ = match.play(games)
    >>> match.comparison().verdict, one.left, other.left
    (<Verdict.BETTER: 'better'>, 800, 800)
    """

    def __init__(self, first: Run, second: Run, test: SequentialTest | None = None) -> None:
        self.runs = (first, second)
        self.pairs = Pairs()
        self._test = test
        self._running_test = None if test is None else RunningTest(test)
        self._verdict = Verdict.UNDECIDED

    def step_sizes(self) -> Iterator[int]:
        """Yield how many games to play next, until all are played or the test is decided."""
        batch = None if self._running_test is None else BATCH
        for games in step_sizes(*self.runs, batch=batch, most=MOST_AT_ONCE):
            yield games
            if self._verdict is not Verdict.UNDECIDED:
                return

    def play(self, games: int) -> tuple[list[Played], list[Played]]:
        """Let both agents play the next boards; count the games and return them."""
        one, other = self.play_uncounted(games)
        self.count(one, other)
        return one, other

    def play_uncounted(self, games: int) -> tuple[list[Played], list[Played]]:
        """Let both agents play the next boards, and return the games.

        They count once they are passed to `count`. So both agents have always played the same boards,
        even after an error.
        """
        first, second = self.runs
        return first.play_uncounted(games), second.play_uncounted(games)

    def count(self, one: list[Played], other: list[Played]) -> None:
        """Count games that `play_uncounted` returned."""
        for run, played in zip(self.runs, (one, other), strict=True):
            run.count(played)
        self.pairs.add(one, other)
        if self._running_test is not None:
            self._verdict = self._running_test.add(
                (first.won, second.won) for first, second in zip(one, other, strict=True)
            )

    def comparison(self) -> Comparison:
        """Return the result of the games counted so far."""
        first, second = self.runs
        return Comparison(first.result(), second.result(), self.pairs, self._test)
