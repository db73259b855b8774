"""Boards as coloured text: whole boards, or parts with row and column numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from rich.console import Console
from rich.text import Text

from sapper.game.game import Game
from sapper.position import FLAG, HIDDEN, Cell

Line: TypeAlias = Sequence[tuple[str, str]]
"""A line of text: pieces with their styles."""

# The colours differ in brightness as well as in hue.
NUMBER_STYLES: Final = (
    "dim",
    "bright_blue",
    "green",
    "bright_red",
    "magenta",
    "yellow",
    "cyan",
    "bold white",
    "bold bright_black",
)


def draw(game: Game, *, last: Cell | None = None) -> Text:
    """Return the board with the last move highlighted. Mines are shown once the game is over.

    >>> game = Game.new("3x2/0", seed=1)
    >>> opened = game.open((0, 0))
    >>> print(draw(game).plain)
    . . .
    . . .
    """
    mines = game.minefield.mines if game.over and game.minefield else frozenset()
    text = Text()
    for i in range(game.level.height):
        for j in range(game.level.width):
            symbol, style = _symbol(game, (i, j), (i, j) in mines)
            if (i, j) == last:
                style += " reverse"
            text.append(symbol, style)
            text.append(" " if j + 1 < game.level.width else "\n" if i + 1 < game.level.height else "")
    return text


def _symbol(game: Game, cell: Cell, is_shown_mine: bool) -> tuple[str, str]:
    code = game.position[cell]
    if cell in game.exploded:
        return "X", "bold bright_white on red"
    if code == FLAG:
        return "F", "bold bright_red"
    if is_shown_mine:
        return "*", "bold"
    if code == HIDDEN:
        return "#", "bright_black"
    return ".12345678"[code], NUMBER_STYLES[code]


def labelled(
    rows: range, columns: range, draw_cell: Callable[[Cell], tuple[str, str]], *, centred: bool = False
) -> Iterator[Line]:
    """Generate the lines of part of a board, with row and column numbers counted from 1.

    A cell has three characters and a style. `centred` aligns the column numbers with the middle
    character instead of the last.

    >>> for line in labelled(range(8, 10), range(2), lambda cell: ("  #", "")):
    ...     print("".join(text for text, style in line))
          1  2
     9 |  #  #
    10 |  #  #
    """
    margin = len(str(rows.stop))
    numbers = "".join(f"{_column_label(column + 1):>3}" for column in columns)
    yield [(" " * (margin + 2 - centred) + numbers, "dim")]
    for row in rows:
        yield [(f"{row + 1:>{margin}} |", "dim"), *(draw_cell((row, column)) for column in columns)]


def _column_label(column: int) -> str:
    """Return the number of a column; empty if there is no room for it."""
    return str(column) if column < 100 or (column < 1000 and column % 5 == 0) else ""


def print_line(line: Line, console: Console) -> None:
    """Print a line without wrapping: with styles in a terminal, otherwise as plain text.

    >>> import sys
    >>> print_line([("1 |", "dim"), (" # ", "bold")], Console(file=sys.stdout))
    1 | #
    """
    if console.is_terminal:
        console.print(Text.assemble(*line), soft_wrap=True)
    else:
        print("".join(text for text, _ in line).rstrip(), file=console.file)
