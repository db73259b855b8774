"""Plans: the boards that the games of a run are played on, from a seed or from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar, overload

from sapper.arguments import instance, integer
from sapper.caching import cached_property
from sapper.engine.seeds import board_seed
from sapper.errors import SapperError
from sapper.game.game import check_seed
from sapper.game.setup import Setup
from sapper.levels import Level, Promise
from sapper.position import Cell, describe_cell
from sapper.text import quoted

Parsed = TypeVar("Parsed")
MOST_GAMES: Final = 10**15
"""More than a fast computer plays in a thousand years, and within the range of all file formats."""
_HEADER: Final = "WIDTH HEIGHT MINES FIRST_COLUMN FIRST_ROW PROMISE"


@dataclass(frozen=True, repr=False)
class Boards:
    """Minefields that share a setup. Each has one byte per cell, row by row, with 1 for a mine."""

    setup: Setup
    minefields: Sequence[bytes]

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Boards:
        r"""Return the boards of a text: one line with the setup, then one with the mines of each board.

        The first line is `WIDTH HEIGHT MINES FIRST_COLUMN FIRST_ROW PROMISE`. Mines are numbers of
        cells, counted row by row from 0. Blank lines at the end are ignored.

        >>> boards = Boards.parse(["4 2 3 0 0 open", "2 6 7"])
        >>> boards.minefields[0].hex(" ")
        '00 00 01 00 00 00 01 01'
        >>> Boards.parse(["4 2 3 0 0 open", "2 6 6"])
        Traceback (most recent call last):
        sapper.errors.SapperError: line 2: cell 6 is listed twice
        """
        remaining = iter(lines)
        setup = _at_line(1, _parse_header, next(remaining, ""))
        rows = list(remaining)
        while setup.level.mines and rows and not rows[-1].strip():
            rows.pop()
        if not rows:
            raise SapperError("line 2: the first board is missing")
        minefields = [
            _at_line(number, partial(parse_mines, setup), row) for number, row in enumerate(rows, 2)
        ]
        return cls(setup, minefields)

    def __repr__(self) -> str:
        return f"<Boards: {len(self.minefields):,} boards of {self.setup.level.size}>"

    def lines(self) -> Iterator[str]:
        """Yield the lines that `parse` reads.

        >>> text = ["4 2 3 0 0 open", "2 6 7"]
        >>> list(Boards.parse(text).lines()) == text
        True
        """
        setup = self.setup
        row, column = setup.first
        size = f"{setup.level.width} {setup.level.height} {setup.level.mines}"
        yield f"{size} {column} {row} {setup.promise}"
        for minefield in self.minefields:
            yield " ".join(str(index) for index, mine in enumerate(minefield) if mine)


class Board(NamedTuple):
    """One board of a run: its seed, and the minefield if it was read from a file."""

    seed: int
    """The board's seed; for a board from a file, its number."""
    minefield: bytes | None = None


@dataclass(frozen=True)
class SeedRange(Sequence[Board]):
    """The boards of a run with a seed. The seed of a board is computed on access.

    >>> boards = SeedRange(1, range(1000))
    >>> boards[2] == Board(board_seed(1, 2)), len(boards[::2]), boards[::2][1] == boards[2]
    (True, 500, True)
    """

    seed: int
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> Board: ...
    @overload
    def __getitem__(self, at: slice) -> SeedRange: ...
    def __getitem__(self, at: int | slice) -> Board | SeedRange:
        if isinstance(at, slice):
            return SeedRange(self.seed, self.numbers[at])
        return Board(board_seed(self.seed, self.numbers[at]))


@dataclass(frozen=True, repr=False)
class Plan:
    """The games of a run: their setup, their number and their boards.

    >>> plan = Plan.of("beginner", games=3, seed=1)
    >>> plan.boards(1, 3)[1] == Board(board_seed(1, 2))
    True
    """

    setup: Setup
    games: int
    seed: int | None
    """The run's seed; None if the boards were read from a file."""
    minefields: Sequence[bytes] = ()

    @classmethod
    def of(
        cls,
        level: str | Level | None = None,
        *,
        first: Cell | None = None,
        promise: str | Promise | None = None,
        games: int | None = None,
        seed: int = 0,
        boards: Boards | None = None,
    ) -> Plan:
        """Return a plan for games on a level, or on boards from a file.

        The default level is expert, the default number of games 10,000, or all boards. A level, first
        click or promise given along with boards must match them.
        """
        if games is not None and (games := integer(games, "the number of games")) < 1:
            raise SapperError(f"the number of games must be at least 1, not {quoted(games)}")
        if games is not None and games > MOST_GAMES:
            raise SapperError(
                f"the number of games must be at most {MOST_GAMES:,}, not {quoted(games)}"
            )
        if boards is None:
            seed = check_seed(seed)
            setup = Setup.of("expert" if level is None else level, first=first, promise=promise)
            return cls(setup, games or 10_000, seed)
        setup = instance(boards, Boards, "the boards of a plan").setup
        if level is not None and Level.named(level).size != setup.level.size:
            raise SapperError(f"the boards are {setup.level.size}, not {Level.named(level).size}")
        if first is not None and first != setup.first:
            Setup(setup.level, first, setup.promise)  # Raises an error if this is not a cell.
            raise SapperError(
                f"the first click of the boards is at {describe_cell(setup.first)}, not at"
                f" {describe_cell(first)}"
            )
        if promise is not None and Promise.named(promise) is not setup.promise:
            raise SapperError(
                f"the promise of the boards is {setup.promise}, not {Promise.named(promise)}"
            )
        if games is not None and games > len(boards.minefields):
            raise SapperError(f"there are only {len(boards.minefields):,} boards for {games:,} games")
        return cls(setup, games or len(boards.minefields), None, boards.minefields)

    def __repr__(self) -> str:
        boards = "boards from a file" if self.seed is None else f"seed {self.seed}"
        return f"<Plan: {self.games:,} games on {self.setup.level.name}, {boards}>"

    def boards(self, start: int, stop: int) -> Sequence[Board]:
        """Return the boards of the games `start` to `stop - 1`, counted from 0."""
        if self.seed is None:
            return [Board(number, self.minefields[number]) for number in range(start, stop)]
        return SeedRange(self.seed, range(start, stop))

    @cached_property
    def boards_digest(self) -> str | None:
        """A hash that identifies the boards of a file; None for a seed.

        >>> plan = Plan.of(boards=Boards.parse(["3 1 1 0 0 none", "0", "2"]))
        >>> plan.boards_digest[:8], Plan.of("beginner").boards_digest
        ('11635df4', None)
        """
        if self.seed is not None:
            return None
        return sha256(b"".join(self.minefields)).hexdigest()


def _parse_header(line: str) -> Setup:
    words = line.split()
    if len(words) != 6:
        raise SapperError(f"expected {_HEADER}, not {line.strip()[:40]!r}")
    width, height, mines, column, row = (_parse_number(word) for word in words[:5])
    level = Level.custom(height, width, mines)
    return Setup(level, (row, column), Promise.named(words[5]))


def _at_line(number: int, parse: Callable[[str], Parsed], line: str) -> Parsed:
    """Return the parsed line; name its number in errors."""
    try:
        return parse(line)
    except SapperError as error:
        raise SapperError(f"line {number}: {error}") from error


def _parse_number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise SapperError(f"{word[:20]!r} is not a number of at most nine digits")
    return int(word)


def parse_mines(setup: Setup, line: str) -> bytes:
    """Return the minefield of a line that lists its mines as cells counted row by row from 0.

    >>> parse_mines(Setup.of("4x1/2", promise="safe"), "1 3")
    b'\\x00\\x01\\x00\\x01'
    """
    level = setup.level
    minefield = bytearray(level.height * level.width)
    indices = [_parse_number(word) for word in line.split()]
    for index in indices:
        if index >= len(minefield):
            size = f"{level.width} x {level.height}"
            raise SapperError(f"cell {index} is not on a board of {size} cells")
        if minefield[index]:
            raise SapperError(f"cell {index} is listed twice")
        if divmod(index, level.width) in setup.kept_free:
            raise SapperError(
                f"cell {index} cannot be a mine: the first click has the promise {setup.promise}"
            )
        minefield[index] = 1
    if len(indices) != level.mines:
        raise SapperError(f"expected {level.mines} mines, not {len(indices)}")
    return bytes(minefield)
