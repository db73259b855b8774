"""Played games, and their totals: exact, in any order, without keeping the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from sapper.arena.statistics import Moments
from sapper.position import Cell


class Played(NamedTuple):
    """A game that was played."""

    seed: int | None
    """The seed of the board, as in `Game.new(level, seed=seed)`; None for a board from a file."""
    won: bool
    left: int
    """The number of safe cells that were never opened."""
    decisions: int
    """The number of decisions. Agents of the engine open all safe cells in one decision."""
    guesses: int | None
    """The number of guesses; None if the agent does not report them."""
    survival: float | None
    """The probability of surviving all guesses, from their risks; None if they are unknown."""
    solved: float | None
    """The probability of winning when the endgame was first solved exactly; None if it never was."""
    seconds: float
    """The CPU time of the agent."""
    lost_at: Cell | None = None
    """The cell of the mine that exploded; None if the game was won, or the agent gave up."""
    luck: float = 0.0
    """How much luck in guesses, before the endgame, added to the chance of winning; 0 on average."""

    @property
    def score(self) -> float:
        """The outcome, or the exact chance of winning from the endgame on, minus the luck."""
        return (float(self.won) if self.solved is None else self.solved) - self.luck

    def columns(self, width: int) -> tuple[int | float | None, ...]:
        """Return the game as columns of a table. Cells are numbers, counted row by row from 0.

        >>> Played(7, False, 3, 2, 1, 0.5, None, 0.25, lost_at=(1, 2), luck=-0.25).columns(width=9)
        (7, False, 3, 2, 1, 0.5, None, 0.25, 11, -0.25)
        """
        *fields, at, luck = self
        return (*fields, None if at is None else at[0] * width + at[1], luck)


@dataclass(repr=False)
class Tally:
    """The totals of games. They are integers, so that order and grouping do not matter.

    >>> won, lost = Played(1, True, 0, 3, 1, 0.5, 0.75, 0.1), Played(2, False, 9, 1, 1, 0.8, None, 0.1)
    >>> tally = Tally.of([won, lost])
    >>> tally.games, tally.wins, tally.solved, tally.scores.mean
    (2, 1, 1, 0.375)
    >>> tally == Tally.of([lost]) + Tally.of([won])
    True
    """

    games: int = 0
    wins: int = 0
    scores: Moments = field(default_factory=Moments)
    solved: int = 0
    """The number of games whose endgame was solved exactly."""
    guesses: int = 0
    guess_tellers: int = 0
    """The number of games whose agent reports its guesses."""
    lost_with: Counter[int] = field(default_factory=Counter)
    """The number of lost games by number of safe cells left."""
    losses: Counter[Cell] = field(default_factory=Counter)
    """The number of games lost at each cell."""
    nanoseconds: int = 0

    @classmethod
    def of(cls, games: Iterable[Played]) -> Tally:
        """Return the totals of some games."""
        tally = cls()
        tally.add(games)
        return tally

    def add(self, games: Iterable[Played]) -> None:
        """Count more games."""
        for game in games:
            self.games += 1
            if game.won:
                self.wins += 1
            else:
                self.lost_with[game.left] += 1
                if game.lost_at is not None:
                    self.losses[game.lost_at] += 1
            self.scores.add(game.score)
            self.solved += game.solved is not None
            if game.guesses is not None:
                self.guesses += game.guesses
                self.guess_tellers += 1
            self.nanoseconds += round(1e9 * game.seconds)

    @property
    def tells_luck(self) -> bool:
        """Whether the scores differ from the outcomes."""
        return self.scores != Moments.of_ones(self.wins, self.games)

    def __repr__(self) -> str:
        return f"<Tally: {self.wins:,} of {self.games:,} games won>"

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.wins + other.wins,
            self.scores + other.scores,
            self.solved + other.solved,
            self.guesses + other.guesses,
            self.guess_tellers + other.guess_tellers,
            self.lost_with + other.lost_with,
            self.losses + other.losses,
            self.nanoseconds + other.nanoseconds,
        )


@dataclass
class Pairs:
    """The totals of two agents on the same boards, board by board.

    >>> won, lost = Played(1, True, 0, 3, 1, 0.5, 0.75, 0.1), Played(1, False, 9, 1, 1, 0.8, None, 0.1)
    >>> pairs = Pairs()
    >>> pairs.add([won, won], [won, lost])
    >>> pairs.only_first, pairs.only_second, pairs.differences.mean, pairs.score_differences.mean
    (1, 0, -0.5, -0.375)
    """

    games: int = 0
    only_first: int = 0
    """The number of boards that only the first agent won."""
    only_second: int = 0
    score_differences: Moments = field(default_factory=Moments)
    """The score of the second agent minus that of the first."""

    @property
    def differences(self) -> Moments:
        """The difference of the outcomes of each board: 1, 0 or -1."""
        return Moments.of_ones(self.only_second, self.games, minus=self.only_first)

    def add(self, first: Iterable[Played], second: Iterable[Played]) -> None:
        """Count more boards, given the games of both agents on them."""
        for one, other in zip(first, second, strict=True):
            self.games += 1
            if one.won != other.won:
                self.only_first += one.won
                self.only_second += other.won
            self.score_differences.add(other.score - one.score)
