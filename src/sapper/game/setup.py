"""Board set-up: the level, the first click and the promise."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.arguments import instance
from sapper.caching import cached_property
from sapper.errors import SapperError
from sapper.levels import Level, Promise
from sapper.minesweeper import neighbours
from sapper.position import Cell, Position, describe_cell
from sapper.text import quoted


@dataclass(frozen=True)
class Setup:
    """What all games of a run share: the level, the first click and the promise.

    >>> Setup.of("expert")
    Setup(level=Level(name='expert', ...), first=(3, 3), promise=<Promise.OPEN: 'open'>)
    >>> Setup.of("course").first
    (0, 0)
    """

    level: Level
    first: Cell
    promise: Promise

    def __post_init__(self) -> None:
        level = instance(self.level, Level, "the level of a setup")
        board = Position.blank(level.height, level.width, level.mines)
        if self.first not in board:
            size = f"{level.width} x {level.height}"
            match self.first:
                case (int(), int()):
                    first = describe_cell(self.first)
                case _:
                    first = quoted(self.first)
            raise SapperError(f"the first click, {first}, is not on a board of {size} cells")
        object.__setattr__(self, "first", board.check_cell(self.first))
        object.__setattr__(self, "promise", Promise.named(self.promise))

    @classmethod
    def of(
        cls,
        level: str | Level,
        *,
        first: Cell | None = None,
        promise: str | Promise | None = None,
    ) -> Setup:
        """Return the setup of a level; the default promise is the level's own.

        The default first click is the corner `(0, 0)`. With the promise `open` it is `(3, 3)`, or as
        far from the corner as a smaller board allows.
        """
        level = Level.named(level)
        promise = level.promise if promise is None else Promise.named(promise)
        level.check_promise(promise)
        if first is None:
            far = 3 if promise is Promise.OPEN else 0
            first = (min(far, level.height - 1), min(far, level.width - 1))
        return cls(level, first, promise)

    @property
    def first_index(self) -> int:
        """The index of the first click, row by row."""
        return self.first[0] * self.level.width + self.first[1]

    @cached_property
    def kept_free(self) -> frozenset[Cell]:
        """The cells that the promise keeps free of mines.

        >>> sorted(Setup.of("9x9/10", promise="safe").kept_free)
        [(0, 0)]
        """
        if self.promise is Promise.NONE:
            return frozenset()
        if self.promise is Promise.SAFE:
            return frozenset({self.first})
        return frozenset({self.first, *neighbours(self.first, self.level.height, self.level.width)})
