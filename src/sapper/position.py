"""Position: what a player can see. Immutable; parsed from text and printed as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, groupby, repeat
from typing import TYPE_CHECKING, Final, Protocol

from sapper import arguments
from sapper.arguments import integer
from sapper.caching import cached_property
from sapper.errors import BadPosition, MissingMineCount
from sapper.minesweeper import neighbours
from sapper.text import listed, plural, quoted

if TYPE_CHECKING:
    from sapper.analysis import Analysis

Cell = tuple[int, int]
"""Row and column, counted from 0."""

HIDDEN: Final = 9
"""The code of a hidden cell; the codes 0 to 8 are open cells with these numbers."""
FLAG: Final = 10
"""The code of a hidden cell that the player has flagged."""
IS_HIDDEN: Final = bytes(code >= HIDDEN for code in range(256))
"""For `bytes.translate`: maps the codes of hidden cells to 1, and numbers to 0."""
LARGEST_SIDE: Final = 1000
"""The largest height and width of a board."""
LONGEST_TEXT: Final = 4_000_000
"""The most characters of a position as text: twice the length of the largest board."""

MOST_NAMED: Final = 24
"""`describe_cells` names at most this many cells; more are only counted."""

_SYMBOLS: Final = ".12345678#F"
_CODES: Final = {symbol: code for code, symbol in enumerate(_SYMBOLS)} | {"0": 0}
_IS_FLAG: Final = bytes(code == FLAG for code in range(256))
_IS_NUMBER: Final = bytes(code < HIDDEN for code in range(256))
_SIZE: Final = re.compile(r"(\d{1,9})\s*[xX]\s*(\d{1,9})\s*/\s*(\d{1,9})", re.ASCII)


def check_size(height: int, width: int, mines: int, error: type[ValueError] = BadPosition) -> None:
    """Raise `error` unless a board can have this size and this number of mines.

    A size that is not an integer raises `TypeError`.

    >>> check_size(16, 30, 99)
    >>> check_size(2, 2, 5)
    Traceback (most recent call last):
    sapper.errors.BadPosition: 5 mines do not fit on a board of 2 x 2 cells
    """
    for side, length in (("height", height), ("width", width)):
        if not 1 <= integer(length, f"the {side} of a board") <= LARGEST_SIDE:
            raise error(f"the {side} of a board is 1 to {LARGEST_SIDE} cells, not {quoted(length)}")
    if not 0 <= integer(mines, "the number of mines") <= int(height) * int(width):
        raise error(f"{quoted(mines)} mines do not fit on a board of {width} x {height} cells")


def check_text_length(text: str) -> None:
    """Raise `BadPosition` if a text is too long to be a position; splitting it would take much memory.

    >>> check_text_length("x" * 5_000_000)
    Traceback (most recent call last):
    sapper.errors.BadPosition: the text of a position has at most 4,000,000 characters, not 5,000,000
    """
    if len(text) > LONGEST_TEXT:
        raise BadPosition(
            f"the text of a position has at most {LONGEST_TEXT:,} characters, not {len(text):,}"
        )


def read_rows(rows: Sequence[str], codes: Mapping[str, int]) -> bytes:
    """Return the codes of the cells in rows of symbols.

    >>> read_rows(["#1", ".F"], {".": 0, "1": 1, "#": HIDDEN, "F": FLAG}).hex(" ")
    '09 01 00 0a'
    """
    for number, row in enumerate(rows, start=1):
        if not codes.keys() >= set(row):
            column, symbol = next(each for each in enumerate(row, start=1) if each[1] not in codes)
            raise BadPosition(
                f"{symbol!r} in row {number}, column {column} is not a cell: use {_choices(codes)}"
            )
        if len(row) != len(rows[0]):
            cells = plural(len(row), "cell")
            raise BadPosition(f"row {number} has {cells}, but row 1 has {len(rows[0])}")
    return bytes(codes[symbol] for row in rows for symbol in row)


def _choices(codes: Mapping[str, int]) -> str:
    """Return the symbols for a message, with the numbers as a range.

    >>> _choices(_CODES)
    '. or 0, 1 to 8, # or F'
    """
    numbers = {str(number) for number in range(1, 9)}
    others = [symbol for symbol in codes if symbol not in numbers]
    if set(others) == {".", "0", "#", "F"} and numbers <= codes.keys():
        return ". or 0, 1 to 8, # or F"
    return " ".join(codes)


def parse_size(text: str) -> tuple[int, int, int] | None:
    """Return the height, width and mines of a text `WIDTHxHEIGHT/MINES`; None for any other text.

    >>> parse_size("30x16/99")
    (16, 30, 99)
    """
    match = _SIZE.fullmatch(arguments.text(text, "the size of a board").strip())
    if match is None:
        return None
    width, height, mines = map(int, match.groups())
    return height, width, mines


def format_size(height: int, width: int, mines: int) -> str:
    """Return the size as `WIDTHxHEIGHT/MINES`, which `parse_size` reads.

    >>> format_size(16, 30, 99)
    '30x16/99'
    """
    return f"{width}x{height}/{mines}"


def describe_cell(cell: Cell) -> str:
    """Return the row and column of a cell for people, counted from 1.

    >>> describe_cell((2, 3))
    'row 3, column 4'
    """
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def describe_cells(cells: Collection[Cell]) -> str:
    """Return the rows and columns of cells for people, counted from 1; many cells are only counted.

    >>> describe_cells([(0, 0), (0, 1), (0, 2), (2, 4), (2, 5)])
    'row 1, columns 1 to 3; row 3, columns 5 and 6'
    >>> describe_cells([(0, column) for column in range(99)])
    '99 cells'
    """
    if len(cells) > MOST_NAMED:
        return plural(len(cells), "cell")
    rows = groupby(sorted(cells), key=lambda cell: cell[0])
    return "; ".join(
        f"row {row + 1}, {_columns([column + 1 for _, column in each])}" for row, each in rows
    )


def _columns(columns: list[int]) -> str:
    if len(columns) == 1:
        return f"column {columns[0]}"
    runs: list[list[int]] = []
    for column in columns:
        if runs and column == runs[-1][-1] + 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    parts = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(column) for column in run]
    return f"columns {listed(parts)}"


def cells_where(marks: bytes, width: int) -> Iterator[Cell]:
    """Generate the cells whose mark is not 0. There is one mark per cell, row by row.

    >>> list(cells_where(bytes([0, 1, 0, 0, 0, 2]), width=3))
    [(0, 1), (1, 2)]
    """
    return map(divmod, compress(range(len(marks)), marks), repeat(width))


class HasPosition(Protocol):
    """Anything with a position, such as a `Game`."""

    @property
    def position(self) -> Position:
        """What the player can see now."""
        ...


def position_of(source: Position | HasPosition) -> Position:
    """Return the position itself, or the current position of a game.

    >>> blank = Position.blank(1, 3, mines=1)
    >>> position_of(blank) is blank
    True
    >>> position_of("# # #")
    Traceback (most recent call last):
    TypeError: expected a Position or a Game, not '# # #'; Position.parse reads text
    """
    if isinstance(source, Position):
        return source
    try:
        position = source.position
    except AttributeError:
        position = None
    if isinstance(position, Position):
        return position
    hint = "; Position.parse reads text" if isinstance(source, str) else ""
    raise TypeError(f"expected a Position or a Game, not {quoted(source)}{hint}")


def surroundings(position: Position, cell: Cell) -> object:
    """Return a key. Hidden cells with equal keys and equal risks are equally likely to show a 0.

    Cells far from all numbers differ only in their number of neighbours.

    >>> blank = Position.blank(1, 5, mines=1)
    >>> surroundings(blank, (0, 1)) == surroundings(blank, (0, 2))
    True
    """
    i, j = cell
    for row in range(max(i - 2, 0), min(i + 3, position.height)):
        start = row * position.width
        near = position.codes[start + max(j - 2, 0) : start + min(j + 3, position.width)]
        if min(near) < HIDDEN:
            return cell
    return len(position.neighbours(cell))


@dataclass(frozen=True, repr=False)
class Position:
    """What a player can see: the size, the number of mines, open numbers, hidden cells and flags.

    `codes` has one byte per cell, row by row: 0 to 8 for an open cell with this number, `HIDDEN` or
    `FLAG` for a hidden cell.

    >>> position = Position.parse("# 2 F / . 1 #".replace(" / ", chr(10)), mines=1)
    >>> position[0, 1], position[0, 2] == FLAG, position.is_hidden((0, 2))
    (2, True, True)
    >>> print(position)
    3x2/1
    # 2 F
    . 1 #
    """

    height: int
    width: int
    mines: int
    codes: bytes

    def __post_init__(self) -> None:
        check_size(self.height, self.width, self.mines)
        for name in ("height", "width", "mines"):  # Convert NumPy integers.
            object.__setattr__(self, name, int(getattr(self, name)))
        if not isinstance(self.codes, bytes):
            if not isinstance(self.codes, (bytearray, memoryview)):
                raise TypeError(f"the codes of a position must be bytes, not {quoted(self.codes)}")
            object.__setattr__(self, "codes", bytes(self.codes))
        if len(self.codes) != self.height * self.width:
            size = f"{self.width} x {self.height}"
            raise BadPosition(f"a board of {size} cells was given {len(self.codes)} cells")
        if max(self.codes) > FLAG:
            raise BadPosition(f"{max(self.codes)} is not the code of a cell")

    @classmethod
    def unchecked(cls, height: int, width: int, mines: int, codes: bytes) -> Position:
        """Return a position from values that are known to be valid, without checking them again."""
        position = cls.__new__(cls)
        position.__dict__.update(height=height, width=width, mines=mines, codes=codes)
        return position

    @classmethod
    def blank(cls, height: int, width: int, mines: int) -> Position:
        """Return the position in which every cell is hidden.

        >>> print(Position.blank(height=1, width=3, mines=1))
        3x1/1
        # # #
        """
        check_size(height, width, mines)
        return cls(height, width, mines, bytes([HIDDEN]) * (int(height) * int(width)))

    @classmethod
    def parse(cls, text: str, *, mines: int | None = None) -> Position:
        """Return the position that the text shows.

        Each line is a row: `#` is a hidden cell, `F` a flag, `.` or `0` an empty cell, `1` to `8` a
        number. Spaces are ignored. A first line `WIDTHxHEIGHT/MINES` may give the size and the number
        of mines; without it, `mines` is required.

        >>> Position.parse("1 # #", mines=1) == Position.parse("3x1/1" + chr(10) + "1##")
        True
        """
        if mines is not None:
            mines = integer(mines, "the number of mines")
        check_text_length(arguments.text(text, "a position"))
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        size = parse_size(lines[0]) if lines else None
        rows = ["".join(line.split()) for line in (lines[1:] if size else lines)]
        if not rows:
            raise BadPosition("the text has no rows of cells")
        height, width = len(rows), len(rows[0])
        if size is not None and mines is not None and size[2] != mines:
            raise BadPosition(
                f"the first line says {plural(size[2], 'mine')}, but {quoted(mines)} were asked for"
            )
        codes = read_rows(rows, _CODES)
        if size is not None and size[:2] != (height, width):
            said = f"{size[1]} x {size[0]}"
            raise BadPosition(f"the first line says {said} cells, but there are {width} x {height}")
        if size is None and mines is None:
            raise MissingMineCount(
                f"the number of mines is missing: begin with a line {width}x{height}/MINES"
            )
        mines = size[2] if size is not None else mines
        assert mines is not None
        return cls(height, width, mines, codes)

    def __str__(self) -> str:
        lines = [format_size(self.height, self.width, self.mines)]
        for start in range(0, len(self.codes), self.width):
            lines.append(" ".join(_SYMBOLS[code] for code in self.codes[start : start + self.width]))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    def __contains__(self, cell: object) -> bool:
        """Return whether this is a cell of the board."""
        return self._find_cell(cell) is not None

    def _find_cell(self, cell: object) -> Cell | None:
        """Return a cell of the board as a tuple of two plain integers; None for anything else."""
        match cell:
            # The pattern `int(i), int(j)` is ten times slower.
            case (i, j):
                if type(i) is not int or type(j) is not int or type(cell) is not tuple:
                    try:
                        i, j = integer(i, "a row"), integer(j, "a column")
                    except TypeError:
                        return None
                    cell = i, j
                if 0 <= i < self.height and 0 <= j < self.width:
                    return cell
        return None

    def check_cell(self, cell: Cell, error: type[ValueError] = BadPosition) -> Cell:
        """Return the cell as a tuple of two plain integers; raise `error` if it is not on the board.

        >>> Position.blank(2, 2, mines=1).check_cell([1, 0])
        (1, 0)
        >>> Position.blank(2, 2, mines=1).check_cell((2, 0))
        Traceback (most recent call last):
        sapper.errors.BadPosition: (2, 0) is not a cell of a board of 2 x 2 cells
        """
        found = self._find_cell(cell)
        if found is None:
            size = f"{self.width} x {self.height}"
            raise error(f"{quoted(cell)} is not a cell of a board of {size} cells")
        return found

    def __getitem__(self, cell: Cell) -> int:
        """Return the code of the cell: its number, or `HIDDEN` or `FLAG`."""
        i, j = self.check_cell(cell)
        return self.codes[i * self.width + j]

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the cells, row by row."""
        return ((i, j) for i in range(self.height) for j in range(self.width))

    def __len__(self) -> int:
        return len(self.codes)

    def is_hidden(self, cell: Cell) -> bool:
        """Return whether the cell is hidden; a flagged cell is hidden too."""
        return self[cell] >= HIDDEN

    @cached_property
    def hidden(self) -> frozenset[Cell]:
        """The hidden cells, flagged or not."""
        return frozenset(cells_where(self.codes.translate(IS_HIDDEN), self.width))

    @cached_property
    def flags(self) -> frozenset[Cell]:
        """The cells that the player has flagged."""
        return frozenset(cells_where(self.codes.translate(_IS_FLAG), self.width))

    @cached_property
    def numbers(self) -> dict[Cell, int]:
        """The open cells and their numbers, row by row."""
        cells = cells_where(self.codes.translate(_IS_NUMBER), self.width)
        return dict(zip(cells, self.codes.translate(None, delete=bytes([HIDDEN, FLAG])), strict=True))

    def opened_since(self, before: Position) -> dict[Cell, int] | None:
        """Return the numbers that were opened since an earlier position of the game, row by row.

        None if `before` is not an earlier position: it is of another board, or shows other numbers.

        >>> before = Position.parse("# 1 # #", mines=1)
        >>> before.opened((0, 2), 1).opened_since(before)
        {(0, 2): 1}
        >>> before.opened_since(before.opened((0, 2), 1)) is None
        True
        """
        before = position_of(before)
        if (before.height, before.width, before.mines) != (self.height, self.width, self.mines):
            return None
        old, new, width = before.codes, self.codes, self.width
        opened = {}
        for start in range(0, len(new), width):
            end = start + width
            if old[start:end] != new[start:end]:  # Most rows have not changed.
                for index in range(start, end):
                    if old[index] < HIDDEN and old[index] != new[index]:
                        return None
                    if new[index] < HIDDEN <= old[index]:
                        opened[divmod(index, width)] = new[index]
        return opened

    def opened(self, cell: Cell, number: int) -> Position:
        """Return the position after this hidden cell is opened and shows the number.

        >>> print(Position.blank(1, 3, mines=1).opened((0, 1), 1))
        3x1/1
        # 1 #
        """
        i, j = cell = self.check_cell(cell)
        if not self.is_hidden(cell):
            raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
        if integer(number, "the number of a cell") not in range(HIDDEN):
            raise BadPosition(f"a cell shows 0 to 8, not {quoted(number)}")
        codes = bytearray(self.codes)
        codes[i * self.width + j] = number
        return Position(self.height, self.width, self.mines, bytes(codes))

    def neighbours(self, cell: Cell) -> frozenset[Cell]:
        """Return the neighbours of a cell.

        >>> sorted(Position.blank(2, 2, 1).neighbours((0, 0)))
        [(0, 1), (1, 0), (1, 1)]
        """
        return frozenset(neighbours(self.check_cell(cell), self.height, self.width))

    def svg(self, analysis: Analysis | None = None) -> str:
        """Return an SVG picture of the position; with its analysis, a heat map of the risks.

        >>> Position.blank(1, 3, mines=1).svg().startswith("<svg ")
        True
        """
        from sapper.drawing.board import draw_svg  # It imports this module.

        return draw_svg(self, analysis)

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return self.svg()
