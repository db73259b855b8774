"""The rules of the environments: the level, the cell that is opened first, what steps are worth."""

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
    """What the steps of a game are worth.

    A step that opens safe cells is worth `progress` times their share of all safe cells, one that wins
    `win` on top of that; one that opens a mine is worth `mine`, one that aims at an open cell `repeat`.

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
            except OverflowError:  # An integer of hundreds of digits.
                number = inf
            if not isfinite(number):
                raise SapperError(f"the reward {name!r} must be a finite number, not {quoted(value)}")
            object.__setattr__(self, name, number)

    def of_step(self, *, opened: int, safe: int, outcome: str) -> float:
        """Return what a step is worth that opened so many of the safe cells and led to this outcome."""
        if outcome == "lost":
            return float(self.mine)
        if outcome == "playing" and opened == 0:
            return float(self.repeat)
        return float(self.progress * opened / safe + (self.win if outcome == "won" else 0.0))


@dataclass(frozen=True)
class Rules:
    """The games of an environment.

    >>> Rules.of("beginner", promise="safe").promise
    <Promise.SAFE: 'safe'>
    >>> Rules.of("course")
    Traceback (most recent call last):
    sapper.errors.BadLevel: the course's rules are won by flags, which an environment does not have: ...
    """

    level: Level
    promise: Promise
    first: Cell | None

    @classmethod
    def of(
        cls, level: str | Level, *, promise: str | Promise | None = None, first: Cell | None = None
    ) -> Rules:
        """Return the rules, or raise `BadLevel` if no game can be played by them."""
        level = Level.named(level)
        if level.course_rules:
            needed = "the course's rules are won by flags, which an environment does not have"
            raise BadLevel(f"{needed}: play its board as {level.size!r}")
        if level.mines == level.height * level.width:
            raise BadLevel(f"a board of {level.size} has no safe cell to open")
        promise = level.promise if promise is None else Promise.named(promise)
        level.check_promise(promise)
        if first is not None:
            first = Position.blank(level.height, level.width, level.mines).check_cell(first)
            if promise is Promise.NONE:
                raise BadLevel("a cell that is opened first must be promised 'safe' or 'open'")
        return cls(level, promise, first)

    @property
    def safe(self) -> int:
        """How many cells have no mine."""
        return self.level.height * self.level.width - self.level.mines
