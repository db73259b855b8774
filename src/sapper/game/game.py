"""Games: opening, flagging, chording and undoing on a minefield, until it is won or lost."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import repeat
from typing import Final, Literal, NamedTuple

from sapper.arguments import instance, integer
from sapper.engine import engine
from sapper.errors import BadLevel, BadPosition, IllegalMove
from sapper.levels import Level, Promise
from sapper.minesweeper import Minesweeper
from sapper.position import FLAG, HIDDEN, Cell, Position, cells_where, describe_cell
from sapper.text import plural, quoted

LARGEST_SEED: Final = 2**64 - 1
_HIDDEN_BYTE: Final = bytes([HIDDEN])
_HIDDEN_RUN: Final = re.compile(_HIDDEN_BYTE + b"+")
_EMPTY_RUN: Final = re.compile(b"\0+")
_NUMBER_RUN: Final = re.compile(b"[^\0]+")
REACH: Final = {Promise.NONE: 0, Promise.SAFE: 1, Promise.OPEN: 2}


class Outcome(Enum):
    """The state of a game.

    >>> Game.new("beginner", seed=1).outcome
    <Outcome.PLAYING: 'playing'>
    """

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True)
class Action:
    """One action of a player: opening, flagging (or unflagging) or chording a cell."""

    kind: Literal["open", "flag", "chord"]
    cell: Cell


@dataclass(slots=True)
class _Change:
    """What an action changed: enough to undo it."""

    action: Action
    indices: Sequence[int]  # The cells that changed, numbered row by row.
    code: int  # The code that they all had.
    drew: bool  # Whether the minefield was drawn for this action.
    exploded: frozenset[Cell]


class _Prepared(NamedTuple):
    """A minefield drawn in advance for a first click."""

    cell: Cell
    minefield: Minesweeper
    numbers: bytes


def check_seed(seed: int, error: type[ValueError] = BadLevel) -> int:
    """Return the seed of a board as a plain integer; raise `error` if it is out of range.

    >>> check_seed(2**64)
    Traceback (most recent call last):
    sapper.errors.BadLevel: a seed is an integer from 0 to 2**64 - 1, not 18446744073709551616
    """
    number = integer(seed, "a seed")
    if not 0 <= number <= LARGEST_SEED:
        raise error(f"a seed is an integer from 0 to 2**64 - 1, not {quoted(number)}")
    return number


def draw_minefield(level: Level, *, first: Cell | None, promise: Promise, seed: int) -> Minesweeper:
    """Return the minefield of a seed: identical on every machine, Python version and engine, forever.

    `first` is the first click; it may be None if nothing is promised.

    >>> field = draw_minefield(Level.named("beginner"), first=(4, 4), promise=Promise.OPEN, seed=7)
    >>> len(field.mines), field.nearby_mines((4, 4))
    (10, 0)
    """
    level = instance(level, Level, "the level of a minefield")
    seed, promise = check_seed(seed), Promise.named(promise)
    level.check_promise(promise)
    if first is None and promise is not Promise.NONE:
        raise BadLevel(f"the promise {promise.value!r} needs a first click")
    index = 0
    if first is not None:
        i, j = Position.blank(level.height, level.width, level.mines).check_cell(first)
        index = i * level.width + j
    drawn = engine.draw_mines(level.height, level.width, level.mines, index, REACH[promise], seed)
    return minefield_of(level, drawn)


def minefield_of(level: Level, drawn: bytes) -> Minesweeper:
    """Return the minefield with a mine for each byte 1, row by row.

    >>> minefield_of(Level.named("3x1/1"), b"\\x00\\x00\\x01").mines
    {(0, 2)}
    """
    cells = level.height * level.width
    if not isinstance(drawn, bytes) or len(drawn) != cells:
        raise BadPosition(f"a minefield of {level.size} must be {cells} bytes, not {quoted(drawn)}")
    return Minesweeper.with_mines(level.height, level.width, cells_where(drawn, level.width))


def _check_minefield(minefield: Minesweeper, level: Level, first: Cell | None) -> None:
    """Raise `BadLevel` unless the minefield fits the level and the first click is safe."""
    if (minefield.height, minefield.width) != (level.height, level.width):
        size = f"{minefield.width} x {minefield.height}"
        raise BadLevel(f"the level {level.size} does not fit a minefield of {size} cells")
    if len(minefield.mines) != level.mines:
        mines = plural(len(minefield.mines), "mine")
        raise BadLevel(f"the level {level.size} does not fit a minefield with {mines}")
    if first is not None and first in minefield.mines:
        raise BadLevel(f"the first click at {describe_cell(first)} is a mine")


def _empty_run(codes: bytearray, numbers: bytes, index: int, row: int, end: int) -> tuple[int, int]:
    """Return the start and end of the run of hidden empty cells around an index, within its row."""
    left, right = row, end
    for values, value in ((numbers, b"\0"), (codes, _HIDDEN_BYTE)):
        left = max(left, row + len(values[row:index].rstrip(value)))
        right = min(right, end - len(values[index:end].lstrip(value)))
    return left, right


class Game:
    """A minefield being played.

    If the level makes a promise for the first click, the mines are drawn when it is made.

    >>> game = Game.new("beginner", seed=7)
    >>> opened = game.open((4, 4))
    >>> game.position[4, 4], len(opened) > 8
    (0, True)
    >>> game.undo()
    Action(kind='open', cell=(4, 4))
    >>> game.position == Position.blank(9, 9, 10)
    True
    """

    def __init__(
        self,
        level: Level,
        *,
        seed: int | None,
        promise: Promise,
        minefield: Minesweeper | None = None,
        first: Cell | None = None,
    ) -> None:
        """Start a game on a given minefield, or on the minefield of a seed."""
        self.level = level = instance(level, Level, "the level of a game")
        self.seed = None if seed is None else check_seed(seed)
        """The seed of the minefield; None if the minefield was given."""
        self.promise = promise = Promise.named(promise)
        level.check_promise(promise)
        if first is not None:
            first = Position.blank(level.height, level.width, level.mines).check_cell(first)
        self.first = first
        """The first click that the minefield was made for; None if there is none."""
        self.exploded: frozenset[Cell] = frozenset()
        """The mines that were opened, which lost the game."""
        self._codes = bytearray([HIDDEN]) * (level.height * level.width)
        self._position: Position | None = None
        self._hidden_count = len(self._codes)
        self._changes: list[_Change] = []
        self._minefield: Minesweeper | None = None
        self._numbers = b""  # The number of each cell, computed when the first cell is opened.
        self._prepared: _Prepared | None = None
        if minefield is not None:
            _check_minefield(instance(minefield, Minesweeper, "the minefield of a game"), level, first)
            self._minefield = minefield
        elif self.seed is None:
            raise BadLevel("a game needs a seed or a minefield")
        elif promise is Promise.NONE:
            self._minefield = self._drawn(None)

    @classmethod
    def new(
        cls, level: str | Level, *, seed: int | None = None, promise: str | Promise | None = None
    ) -> Game:
        """Return a new game on a level, given by its name or as `WIDTHxHEIGHT/MINES`.

        The default seed is random; the default promise is the level's own.

        >>> Game.new("12x6/10", seed=3, promise="safe").level.size
        '12x6/10'
        """
        level = Level.named(level)
        promise = level.promise if promise is None else Promise.named(promise)
        level.check_promise(promise)
        if seed is None:
            seed = secrets.randbits(64)
        return cls(level, seed=seed, promise=promise)

    @classmethod
    def on(cls, level: str | Level, mines: Iterable[Cell], *, first: Cell | None = None) -> Game:
        """Return a new game on given mines; `first`, if given, must be a safe cell to start with.

        >>> game = Game.on("3x2/1", [(0, 2)], first=(0, 0))
        >>> sorted(game.open(game.first))
        [(0, 0), (0, 1), (1, 0), (1, 1)]
        """
        level = Level.named(level)
        board = Position.blank(level.height, level.width, level.mines)
        field = Minesweeper.with_mines(level.height, level.width, map(board.check_cell, mines))
        return cls(level, seed=None, promise=Promise.NONE, minefield=field, first=first)

    # What the player sees --------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the level, the outcome and the board; a finished game shows its mines as `*`.

        >>> game = Game.on("4x1/1", [(0, 2)])
        >>> opened = game.open((0, 0))
        >>> print(game)
        4x1/1: playing
        . 1 # #
        >>> opened = game.open((0, 2))
        >>> print(game)
        4x1/1: lost
        . 1 * #
        """
        size = self.level.size
        name = size if self.level.name == size else f"{self.level.name}, {size}"
        rows = str(self.position).splitlines()[1:]
        if self.over and self._minefield is not None:
            mines, cells = self._minefield.mines, [row.split() for row in rows]
            for i, j in mines:
                cells[i][j] = "*"
            rows = [" ".join(row) for row in cells]
        return "\n".join([f"{name}: {self.outcome.value}", *rows])

    def __repr__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"<Game of {self.level.name}{seed}: {self.outcome.value}>"

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return self.position.svg()

    @property
    def minefield(self) -> Minesweeper | None:
        """Where the mines are; None before the first click if they depend on it."""
        return self._minefield

    @property
    def position(self) -> Position:
        """What the player can see now."""
        if self._position is None:
            level = self.level
            codes = bytes(self._codes)
            self._position = Position.unchecked(level.height, level.width, level.mines, codes)
        return self._position

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions so far, without undone ones."""
        return tuple(change.action for change in self._changes)

    @property
    def flags(self) -> frozenset[Cell]:
        """The cells that the player has flagged."""
        return self.position.flags

    @property
    def begun(self) -> bool:
        """Whether any cell is open.

        >>> Game.new("beginner", seed=1).begun
        False
        """
        return self._hidden_count < len(self._codes)

    @property
    def outcome(self) -> Outcome:
        """Whether the game is being played, won or lost."""
        if self.exploded:
            return Outcome.LOST
        if self._minefield is None:
            return Outcome.PLAYING
        if self.level.course_rules:
            return Outcome.WON if self._minefield.won() else Outcome.PLAYING
        return Outcome.WON if self._hidden_count == self.level.mines else Outcome.PLAYING

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.outcome is not Outcome.PLAYING

    # What the player does --------------------------------------------------------------------

    def open(self, cell: Cell) -> frozenset[Cell]:
        """Open a hidden cell; return all cells that this opened.

        >>> game = Game.new("course", seed=1)
        >>> game.open((0, 0))  # The course has no cascade.
        frozenset({(0, 0)})
        """
        cell, code = self._find_in_play(cell)
        if code == FLAG:
            raise IllegalMove(f"the cell at {describe_cell(cell)} is flagged")
        if code != HIDDEN:
            raise IllegalMove(f"the cell at {describe_cell(cell)} is already open")
        return self._open_all(Action("open", cell), [cell])

    def prepare(self, cell: Cell) -> None:
        """Draw the mines for a first click at this cell in advance, for very large boards.

        Nothing that the player can see changes, so this may run in another thread.

        >>> game = Game.new("beginner", seed=7)
        >>> game.prepare((4, 4))
        >>> game.minefield is None, game.is_prepared((4, 4)), game.is_prepared((0, 0))
        (True, True, False)
        """
        cell = self.position.check_cell(cell, IllegalMove)
        if self._minefield is None:
            minefield = self._drawn(cell)
            self._prepared = _Prepared(cell, minefield, self._count(minefield))

    def is_prepared(self, cell: Cell) -> bool:
        """Return whether the mines are placed, or drawn in advance for a first click at this cell."""
        prepared = self._prepared
        return self._minefield is not None or (prepared is not None and prepared.cell == cell)

    def chord(self, cell: Cell) -> frozenset[Cell]:
        """Open the unflagged neighbours of a number that has as many flags around it as it shows.

        Return the cells that were opened: none if the number of flags does not match.
        """
        cell, number = self._find_in_play(cell)
        if number >= HIDDEN:
            raise IllegalMove(f"the cell at {describe_cell(cell)} shows no number")
        around = {near: self.position[near] for near in self.position.neighbours(cell)}
        hidden = [near for near, code in around.items() if code == HIDDEN]
        if not hidden or list(around.values()).count(FLAG) != number:
            return frozenset()
        return self._open_all(Action("chord", cell), hidden)

    def flag(self, cell: Cell) -> bool:
        """Flag a hidden cell, or remove its flag; return whether it is flagged now."""
        cell, code = self._find_in_play(cell)
        if code < HIDDEN:
            raise IllegalMove(f"the cell at {describe_cell(cell)} is already open")
        index = cell[0] * self.level.width + cell[1]
        change = _Change(Action("flag", cell), [index], code, False, frozenset())
        self._position = None
        self._codes[index] = HIDDEN if code == FLAG else FLAG
        self._changes.append(change)
        self._refresh()
        return code != FLAG

    def undo(self) -> Action:
        """Undo the last action and return it. A lost game can continue after that."""
        if not self._changes:
            raise IllegalMove("there is nothing to undo")
        change = self._changes.pop()
        for index in change.indices:
            self._hidden_count += self._codes[index] < HIDDEN
            self._codes[index] = change.code
        self.exploded -= change.exploded
        if change.drew:
            self._minefield, self._numbers = None, b""
        self._refresh()
        return change.action

    def _find_in_play(self, cell: Cell) -> tuple[Cell, int]:
        """Return a cell of the board and its code; raise `IllegalMove` if the game is over."""
        outcome = self.outcome
        if outcome is not Outcome.PLAYING:
            raise IllegalMove(f"the game is over: it was {outcome.value}")
        i, j = self.position.check_cell(cell, IllegalMove)
        return (i, j), self._codes[i * self.level.width + j]

    def _drawn(self, first: Cell | None) -> Minesweeper:
        assert self.seed is not None
        return draw_minefield(self.level, first=first, promise=self.promise, seed=self.seed)

    def _count(self, minefield: Minesweeper) -> bytes:
        """Return the number of mines around every cell."""
        height, width = self.level.height, self.level.width
        mines = bytearray(height * width)
        for i, j in minefield.mines:
            mines[i * width + j] = 1
        numbers: bytes = engine.count_around(height, width, bytes(mines))
        return numbers

    def _open_all(self, action: Action, cells: Iterable[Cell]) -> frozenset[Cell]:
        drew, prepared = self._minefield is None, self._prepared
        if drew and prepared is not None and prepared.cell == action.cell:
            minefield, numbers = prepared.minefield, prepared.numbers
        else:
            minefield = self._minefield or self._drawn(action.cell)
            numbers = self._numbers or self._count(minefield)
        width = self.level.width
        exploded = frozenset(filter(minefield.is_mine, cells))
        codes = bytearray(self._codes)
        opened = self._spread(
            codes, numbers, [i * width + j for i, j in cells if (i, j) not in exploded]
        )
        change = _Change(action, opened, HIDDEN, drew, exploded)
        # Ctrl-C before this point leaves the game unchanged; after it, the move is complete.
        self._position = None
        self._minefield, self._numbers, self._prepared = minefield, numbers, None
        self._codes, self._hidden_count = codes, self._hidden_count - len(opened)
        self.exploded |= exploded
        self._changes.append(change)
        self._refresh()
        return frozenset(map(divmod, opened, repeat(width)))

    def _spread(self, codes: bytearray, numbers: bytes, waiting: list[int]) -> list[int]:
        """Open safe cells and, except under the course's rules, everything around empty ones.

        Cells are numbered row by row. It works on runs of cells within a row: on a board of a million
        cells, visiting the neighbours of each cell would take many seconds.
        """
        width = self.level.width
        if len(waiting) == 1 and numbers[waiting[0]]:  # The usual case: nothing else opens.
            codes[waiting[0]] = numbers[waiting[0]]
            return waiting
        opened: list[int] = []

        def show(start: int, end: int) -> None:
            codes[start:end] = numbers[start:end]
            opened.extend(range(start, end))

        while waiting:
            index = waiting.pop()
            if codes[index] != HIDDEN:
                continue
            if numbers[index] or self.level.course_rules:
                show(index, index + 1)
                continue
            row = index - index % width
            left, right = _empty_run(codes, numbers, index, row, row + width)
            show(left, right)
            left, right = max(left - 1, row), min(right + 1, row + width)
            for shift in (-width, 0, width):
                if 0 <= row + shift < len(codes):
                    for hidden in _HIDDEN_RUN.finditer(codes, left + shift, right + shift):
                        for empty in _EMPTY_RUN.finditer(numbers, *hidden.span()):
                            waiting.append(empty.start())
                        for number in _NUMBER_RUN.finditer(numbers, *hidden.span()):
                            show(*number.span())
        return opened

    def _refresh(self) -> None:
        self._position = None
        if self._minefield is not None and self.level.course_rules:
            self._minefield.mines_found = set(self.flags)
