"""Results: what the games of one agent, or of two on the same boards, show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sapper.agents.specs import PROGRAM_PREFIX
from sapper.arena.plans import Plan
from sapper.arena.sequential import SequentialTest, Verdict
from sapper.arena.statistics import (
    Estimate,
    Times,
    estimate_difference,
    estimate_rate,
    estimate_score,
    histogram,
    mcnemar,
)
from sapper.arena.tally import Pairs, Played, Tally
from sapper.caching import cached_property
from sapper.position import Cell, describe_cell
from sapper.text import plural

_LONGEST_BAR: Final = 40


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a run.

    >>> from sapper.arena import bench
    >>> result = bench("5x5/4", games=20, seed=1, jobs=1)
    >>> result
    <Result: safest on 5x5/4, 17 of 20 games won>
    >>> print(result)
    5x5/4, seed 1, first click at row 4, column 4, promise: open
    safest: 17 of 20 games won, 85.00 % (63.96 to 94.76)
    ...
    >>> result.games, result.rate.low < result.wins / 20 < result.rate.high
    (20, True)
    >>> sum(result.endings) == sum(result.losses.values()) == result.games - result.wins
    True
    """

    plan: Plan
    agent: str
    tally: Tally
    """The totals of the games."""
    times: Times
    """The durations of all decisions, in CPU time."""
    seconds: float
    """The wall-clock time of the run."""
    played: Sequence[Played] = ()
    """The games, if they were kept."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.tally.games

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self.tally.wins

    @cached_property
    def rate(self) -> Estimate:
        """The win rate."""
        return estimate_rate(self.wins, self.games)

    @property
    def solved(self) -> int:
        """The number of games whose endgame was solved exactly."""
        return self.tally.solved

    @cached_property
    def score(self) -> Estimate:
        """The mean score: the win rate with less influence of luck."""
        return estimate_score(self.tally.scores)

    @property
    def guesses(self) -> float | None:
        """The mean number of guesses per game; None if the agent does not report guesses."""
        tally = self.tally
        return tally.guesses / tally.guess_tellers if tally.guess_tellers else None

    @cached_property
    def endings(self) -> list[int]:
        """The number of games lost with 0 to 10 % of the safe cells open, 10 to 20 %, and so on."""
        level = self.plan.setup.level
        safe = level.height * level.width - level.mines
        return histogram((1 - left / safe, count) for left, count in self.tally.lost_with.items())

    @cached_property
    def losses(self) -> dict[Cell, int]:
        """The number of games lost at each cell: those in which its mine exploded."""
        return dict(sorted(self.tally.losses.items()))

    @property
    def game_seconds(self) -> float:
        """The mean CPU time per game."""
        return self.tally.nanoseconds / 1e9 / self.games

    def to_json(self) -> dict[str, Any]:
        """Return the result as an object for `json.dumps`, described in docs/arena.md."""
        level, seed = self.plan.setup.level, self.plan.seed
        return {
            "agent": self.agent,
            "level": level.name,
            "width": level.width,
            "height": level.height,
            "mines": level.mines,
            "first": list(self.plan.setup.first),
            "promise": self.plan.setup.promise.value,
            "seed": None if seed is None else str(seed),
            "games_asked": self.plan.games,
            "games": self.games,
            "wins": self.wins,
            "rate": vars(self.rate),
            "solved_games": self.solved,
            "score": vars(self.score),
            "guesses_a_game": self.guesses,
            "lost_by_share_opened": self.endings,
            "seconds": self.seconds,
            "cpu_seconds_a_game": self.game_seconds,
            "cpu_seconds_a_move": {
                "median": self.times.quantile(0.5),
                "p99": self.times.quantile(0.99),
                "worst": self.times.longest,
            },
        }

    def __repr__(self) -> str:
        return f"<Result: {self.agent} on {self.plan.setup.level.name}, {self._wins_of_games}>"

    def __str__(self) -> str:
        if not self.games:
            return f"{_heading(self.plan)}\n{self.agent}: no games played"
        return "\n".join([_heading(self.plan), *self._summary(), *self._histogram()])

    @property
    def _wins_of_games(self) -> str:
        return f"{self.wins:,} of {self.games:,} games won"

    def _summary(self) -> Iterator[str]:
        times = self.times
        clock = "time" if self.agent.startswith(PROGRAM_PREFIX) else "CPU time"
        yield f"{self.agent}: {self._wins_of_games}, {self.rate.percent()}"
        if self.tally.tells_luck:
            solved = f"; {plural(self.solved, 'endgame')} solved exactly" if self.solved else ""
            yield f"  adjusted for luck in guesses: {self.score.percent()}{solved}"
        if self.guesses is not None:
            yield f"  guesses per game: {self.guesses:.2f}"
        yield (
            f"  {clock} per game: {format_seconds(self.game_seconds)}; per move:"
            f" median {format_seconds(times.quantile(0.5))},"
            f" 99 % under {format_seconds(times.quantile(0.99))},"
            f" longest {format_seconds(times.longest)}"
        )
        yield f"  games per second: {self.games / self.seconds:,.0f}"

    def _histogram(self) -> Iterator[str]:
        lost = sum(self.endings)
        if lost:
            yield "  lost games, by share of safe cells opened:"
            first = next(tenth for tenth, count in enumerate(self.endings) if count)
            for tenth, count in list(enumerate(self.endings))[first:]:
                bar = "#" * round(_LONGEST_BAR * count / max(self.endings))
                share = f"{10 * tenth:3} to {10 * tenth + 10:3} %"
                yield f"    {share}  {100 * count / lost:5.1f} %  {bar}".rstrip()


@dataclass(frozen=True, repr=False)
class Comparison:
    """The results of two agents on the same boards.

    >>> from sapper.arena import compare
    >>> both = compare("safest", "safest", "5x5/4", games=20, jobs=1)
    >>> both
    <Comparison: safest 19, safest 19 of 20 games won on 5x5/4>
    >>> both.difference.value, both.only_first, both.only_second
    (0.0, 0, 0)
    """

    first: Result
    second: Result
    pairs: Pairs
    """The totals of the games, board by board."""
    test: SequentialTest | None = None
    """The test that may have stopped the games early."""

    @property
    def only_first(self) -> int:
        """The number of boards that only the first agent won."""
        return self.pairs.only_first

    @property
    def only_second(self) -> int:
        """The number of boards that only the second agent won."""
        return self.pairs.only_second

    @property
    def p_value(self) -> float:
        """The p-value of McNemar's exact test of whether both agents are equally good."""
        return mcnemar(self.only_first, self.only_second)

    @property
    def verdict(self) -> Verdict | None:
        """The decision of the sequential test, if there was one."""
        return None if self.test is None else self.test.verdict(*self._counts)

    @property
    def _counts(self) -> tuple[int, int, int]:
        return self.only_first, self.only_second, self.first.games

    @cached_property
    def difference(self) -> Estimate:
        """The win rate of the second agent minus that of the first."""
        return estimate_difference(self.pairs.differences)

    @cached_property
    def score_difference(self) -> Estimate:
        """The mean score of the second agent minus that of the first."""
        return estimate_difference(self.pairs.score_differences)

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as an object for `json.dumps`, described in docs/arena.md."""
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

    def __repr__(self) -> str:
        one, other = self.first, self.second
        wins = f"{one.agent} {one.wins:,}, {other.agent} {other.wins:,} of {one.games:,} games won"
        return f"<Comparison: {wins} on {one.plan.setup.level.name}>"

    def __str__(self) -> str:
        heading = _heading(self.first.plan)
        if not self.first.games:
            return f"{heading}\n{self.first.agent}, {self.second.agent}: no games played"
        summaries = (*self.first._summary(), *self.second._summary())
        return "\n".join([heading, *summaries, *self._differences()])

    def _differences(self) -> Iterator[str]:
        first, second = self.first.agent, self.second.agent
        yield f"{second} - {first}, on the same boards: {self.difference.points()}"
        if self.first.tally.tells_luck or self.second.tally.tells_luck:
            yield f"  adjusted for luck in guesses: {self.score_difference.points()}"
        yield (
            f"  boards won only by {second}: {self.only_second:,}; only by {first}:"
            f" {self.only_first:,}; {format_p_value(self.p_value)} (McNemar's exact test)"
        )
        if self.test is not None:
            yield from self._decision(self.test)

    def _decision(self, test: SequentialTest) -> Iterator[str]:
        planned, games = self.first.plan.games, self.first.games
        decision = {
            Verdict.BETTER: f"{self.second.agent} is better",
            Verdict.NOT_BETTER: f"{self.second.agent} is not better by {_points(test.points)}",
            Verdict.UNDECIDED: "undecided",
        }[test.verdict(*self._counts)]
        yield f"  sequential test (alpha {test.alpha:g}, beta {test.beta:g}): {decision}"
        if games < planned:
            yield (
                f"    stopped after {games:,} of {planned:,} games; the interval and p-value above do"
                " not account for that"
            )
        else:
            yield f"    after all {planned:,} games"


def _points(points: float) -> str:
    """Return a number of percentage points for people.

    >>> _points(1.0), _points(0.5)
    ('1 point', '0.5 points')
    """
    return f"{points:g} point{'' if points == 1 else 's'}"


def _heading(plan: Plan) -> str:
    setup = plan.setup
    boards = "boards from a file" if plan.seed is None else f"seed {plan.seed}"
    level = setup.level.name
    size = "" if level == setup.level.size else f" ({setup.level.size})"
    first = f"first click at {describe_cell(setup.first)}"
    return f"{level}{size}, {boards}, {first}, promise: {setup.promise}"


def format_p_value(p_value: float) -> str:
    """Return a p-value for people.

    >>> format_p_value(0.21875), format_p_value(0.0)
    ('p = 0.219', 'p < 1e-300')
    """
    return "p < 1e-300" if p_value < 1e-300 else f"p = {p_value:.3g}"


def format_seconds(seconds: float) -> str:
    """Return a duration for people.

    >>> format_seconds(0.0000123), format_seconds(0.5), format_seconds(3)
    ('12.3 µs', '500 ms', '3 s')
    """
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"
