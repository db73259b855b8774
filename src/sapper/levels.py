"""Levels: named boards, and the guarantee for the first click."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from sapper import arguments
from sapper.errors import BadLevel
from sapper.position import check_size, format_size, parse_size
from sapper.text import quoted


class Promise(str, Enum):
    """The guarantee for the first click.

    >>> Promise("open") is Promise.OPEN
    True
    """

    NONE = "none"
    """No guarantee: the cell may be a mine."""
    SAFE = "safe"
    """The cell is not a mine."""
    OPEN = "open"
    """The cell is not a mine, and has no adjacent mines."""

    def __str__(self) -> str:
        return self.value

    @classmethod
    def named(cls, name: str | Promise) -> Promise:
        """Return the promise with this name.

        >>> Promise.named("sure")
        Traceback (most recent call last):
        sapper.errors.BadLevel: 'sure' is not a promise: choose none, safe or open
        """
        if isinstance(name, str):  # A promise is a string too.
            try:
                return cls(name)
            except ValueError:
                pass
        raise BadLevel(f"{quoted(name)} is not a promise: choose none, safe or open")


@dataclass(frozen=True)
class Level:
    """The size of a board, its number of mines, and its rules.

    Under the course's rules there is no cascade, and flagging exactly the mines wins. Under the usual
    rules an empty cell opens its neighbours, and opening every safe cell wins.

    >>> LEVELS["expert"].height, LEVELS["expert"].width, LEVELS["expert"].mines
    (16, 30, 99)
    >>> Level.named("40x20/150").name
    '40x20/150'
    """

    name: str
    height: int
    width: int
    mines: int
    promise: Promise = Promise.OPEN
    course_rules: bool = False

    def __post_init__(self) -> None:
        arguments.text(self.name, "the name of a level")
        arguments.boolean(self.course_rules, "course_rules")
        check_size(self.height, self.width, self.mines, BadLevel)
        for side in ("height", "width", "mines"):  # Convert NumPy integers.
            object.__setattr__(self, side, int(getattr(self, side)))
        object.__setattr__(self, "promise", Promise.named(self.promise))
        self.check_promise(self.promise)

    @property
    def size(self) -> str:
        """The level as `WIDTHxHEIGHT/MINES`."""
        return format_size(self.height, self.width, self.mines)

    @classmethod
    def named(cls, name: str | Level) -> Level:
        """Return the level with this name, or a level of the size `WIDTHxHEIGHT/MINES`.

        >>> Level.named("beginner").size
        '9x9/10'
        """
        if isinstance(name, Level):
            return name
        level = LEVELS.get(arguments.text(name, "the name of a level").strip().lower())
        if level is not None:
            return level
        size = parse_size(name)
        if size is None:
            levels = ", ".join(LEVELS)
            raise BadLevel(
                f"{quoted(name)} is not a level: choose {levels} or WIDTHxHEIGHT/MINES, such as 9x9/10"
            )
        return cls.custom(*size)

    @classmethod
    def custom(cls, height: int, width: int, mines: int) -> Level:
        """Return a level of any size, with the strongest promise that its mines allow.

        >>> Level.custom(height=3, width=3, mines=5).promise
        <Promise.SAFE: 'safe'>
        """
        check_size(height, width, mines, BadLevel)
        height, width, mines = int(height), int(width), int(mines)
        for promise in (Promise.OPEN, Promise.SAFE, Promise.NONE):
            if mines <= most_mines(height, width, promise):
                break
        return cls(format_size(height, width, mines), height, width, mines, promise)

    @classmethod
    def of_size(cls, height: int, width: int, mines: int, *, course_rules: bool = False) -> Level:
        """Return the named level with this size and these rules, or a custom level.

        >>> Level.of_size(16, 30, 99).name, Level.of_size(8, 8, 8).name
        ('expert', '8x8/8')
        >>> Level.of_size(8, 8, 8, course_rules=True).name
        'course'
        """
        custom = cls.custom(height, width, mines)
        for level in LEVELS.values():
            if (level.size, level.course_rules) == (custom.size, course_rules):
                return level
        if course_rules:
            return cls(custom.size, height, width, mines, Promise.NONE, course_rules=True)
        return custom

    def check_promise(self, promise: Promise) -> None:
        """Raise `BadLevel` if there are too many mines for the promise."""
        promise = Promise.named(promise)
        most = most_mines(self.height, self.width, promise)
        if self.mines > most:
            board = f"a board of {self.width} x {self.height} cells"
            raise BadLevel(
                f"{self.mines} mines are too many to promise {promise.value!r}: {board} can have at"
                f" most {most}"
            )


def most_mines(height: int, width: int, promise: Promise) -> int:
    """Return the most mines that a board can have if every first click is to keep the promise.

    >>> most_mines(3, 3, Promise.OPEN), most_mines(9, 9, Promise.OPEN), most_mines(9, 9, Promise.SAFE)
    (0, 72, 80)
    """
    kept_free = {
        Promise.NONE: 0,
        Promise.SAFE: 1,
        Promise.OPEN: min(height, 3) * min(width, 3),
    }
    return height * width - kept_free[Promise.named(promise)]


LEVELS: Final[dict[str, Level]] = {
    level.name: level
    for level in (
        Level("course", 8, 8, 8, Promise.NONE, course_rules=True),
        Level("beginner", 9, 9, 10),
        Level("intermediate", 16, 16, 40),
        Level("expert", 16, 30, 99),
    )
}
"""The named levels."""
