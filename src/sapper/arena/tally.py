"""Tally: how a game went, and what many add up to, exactly and in any order, without keeping them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from sapper.arena.statistics import Moments
from sapper.position import Cell


class Played(NamedTuple):
    """How a game went."""

    seed: int | None
    """The board's seed, as in `Game.new(level, seed=seed)`; None if the board was read from a file."""
    won: bool
    left: int
    """How many cells without a mine were never opened."""
    decisions: int
    """How often the agent was asked; a player of the engine opens all cells that are safe at once."""
    guesses: int | None
    """How often it risked a cell; None if it does not say."""
    survival: float | None
    """The chance to survive all its guesses, by the risks it gave; None if it gives none."""
    solved: float | None
    """The chance to win when the rest of the game was first solved; None if it never was."""
    seconds: float
    """How long it worked, in CPU time."""
    lost_at: Cell | None = None
    """The cell whose mine ended the game; None if it was won, or the agent gave up."""
    luck: float = 0.0
    """What luck in guesses, before it was solved, added to its chance to win: none on the average."""

    @property
    def score(self) -> float:
        """The chance to win where it was solved, else 1 if won and 0 if not, without the luck."""
        return (float(self.won) if self.solved is None else self.solved) - self.luck

    def columns(self, width: int) -> tuple[int | float | None, ...]:
        """Return the game as the columns of a table: the cell as its number, row by row from 0.

        >>> Played(7, False, 3, 2, 1, 0.5, None, 0.25, lost_at=(1, 2), luck=-0.25).columns(width=9)
        (7, False, 3, 2, 1, 0.5, None, 0.25, 11, -0.25)
        """
        *fields, at, luck = self
        return (*fields, None if at is None else at[0] * width + at[1], luck)


@dataclass
class Tally:
    """What games add up to. Its parts are whole numbers, so that neither order nor grouping matters.

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
    """How many games came to a point from which they were solved."""
    guesses: int = 0
    guess_tellers: int = 0
    """How many games are by an agent that says how often it guesses."""
    lost_with: Counter[int] = field(default_factory=Counter)
    """How many lost games had so many safe cells left."""
    losses: Counter[Cell] = field(default_factory=Counter)
    """How many games were lost by the mine of each cell."""
    nanoseconds: int = 0

    @classmethod
    def of(cls, games: Iterable[Played]) -> Tally:
        """Return what games add up to."""
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
        """Whether scores say more than who won."""
        return self.scores != Moments.of_ones(self.wins, self.games)

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
    """What the games of two agents on the same boards add up to, board by board.

    >>> won, lost = Played(1, True, 0, 3, 1, 0.5, 0.75, 0.1), Played(1, False, 9, 1, 1, 0.8, None, 0.1)
    >>> pairs = Pairs()
    >>> pairs.add([won, won], [won, lost])
    >>> pairs.only_first, pairs.only_second, pairs.differences.mean, pairs.score_differences.mean
    (1, 0, -0.5, -0.375)
    """

    games: int = 0
    only_first: int = 0
    """How many boards only the first agent won."""
    only_second: int = 0
    score_differences: Moments = field(default_factory=Moments)
    """By how much the score of the second agent was larger."""

    @property
    def differences(self) -> Moments:
        """By how much the second agent won more: 1, 0 or -1 for each board."""
        return Moments.of_ones(self.only_second, self.games, minus=self.only_first)

    def add(self, first: Iterable[Played], second: Iterable[Played]) -> None:
        """Count more boards, with how both agents' games on them went."""
        for one, other in zip(first, second, strict=True):
            self.games += 1
            if one.won != other.won:
                self.only_first += one.won
                self.only_second += other.won
            self.score_differences.add(other.score - one.score)
