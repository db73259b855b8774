"""A game's board as coloured text."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from minesweeper import Cell
from sapper.game import Game
from sapper.position import FLAG, HIDDEN

# Told apart by brightness as well as by hue; the digits need neither.
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
    """Return the board, the cell of the last move marked, the mines shown once the game is over.

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
