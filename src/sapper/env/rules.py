"""The rules of the environments: the level, the first cell and the rewards."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real

from sapper.errors import BadLevel, SapperError
from sapper.levels import Level, Promise
from sapper.position import Cell, Position
from sapper.text import quoted


@dataclass(frozen=True)
class Rewards:
    """The rewards for the steps of a game.

    Opening safe cells earns `progress` times their share of all safe cells; winning adds `win`. Opening
    a mine earns `mine`, and choosing an open cell earns `repeat`.

    >>> Rewards().of_step(opened=12, safe=48, outcome="playing")
    0.25
    >>> Rewards(progress=0).of_step(opened=12, safe=48, outcome="won")
    1.0
    """

    progress: float = 1.0
    win: float = 1.0
    mine: float = -1.0
    repeat: float = -0.1

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if not isinstance(value, Real) or isinstance(value, bool):
                raise TypeError(f"the reward {name!r} must be a number, not {quoted(value)}")
            try:
                number = float(value)
            except OverflowError:  # An integer with hundreds of digits.
                number = inf
            if not isfinite(number):
                raise SapperError(f"the reward {name!r} must be a finite number, not {quoted(value)}")
            object.__setattr__(self, name, number)

    def of_step(self, *, opened: int, safe: int, outcome: str) -> float:
        """Return the reward for a step, given the safe cells it opened and the outcome."""
        if outcome == "lost":
            return float(self.mine)
        if outcome == "playing" and opened == 0:
            return float(self.repeat)
        return float(self.progress * opened / safe + (self.win if outcome == "won" else 0.0))


@dataclass(frozen=True)
class Rules:
    """The kind of games that an environment plays.

    >>> Rules.of("beginner", promise="safe").promise
    <Promise.SAFE: 'safe'>
    >>> Rules.of("course")
    Traceback (most recent call last):
    sapper.errors.BadLevel: games with the course's rules are won by flags, which environments lack: ...
    """

    level: Level
    promise: Promise
    first: Cell | None

    @classmethod
    def of(
        cls, level: str | Level, *, promise: str | Promise | None = None, first: Cell | None = None
    ) -> Rules:
        """Return the rules; raise `BadLevel` if they allow no game."""
        level = Level.named(level)
        if level.course_rules:
            lacking = "games with the course's rules are won by flags, which environments lack"
            raise BadLevel(f"{lacking}: use the level {level.size!r} instead")
        if level.mines == level.height * level.width:
            raise BadLevel(f"a {level.size} board has no safe cell to open")
        promise = level.promise if promise is None else Promise.named(promise)
        level.check_promise(promise)
        if first is not None:
            first = Position.blank(level.height, level.width, level.mines).check_cell(first)
            if promise is Promise.NONE:
                raise BadLevel("a first cell requires the promise 'safe' or 'open'")
        return cls(level, promise, first)

    @property
    def safe(self) -> int:
        """The number of cells without a mine."""
        return self.level.height * self.level.width - self.level.mines
