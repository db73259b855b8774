"""Games for checks: where the mines are and which cells are opened, and how to make them smaller."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from sapper.course.scripts import Cells, Script
from sapper.minesweeper import neighbours
from sapper.position import Cell


@dataclass(frozen=True)
class CheckGame:
    """A minefield, and the safe cells that are opened, in order.

    >>> game = CheckGame(1, 3, frozenset({(0, 0)}), ((0, 1), (0, 2)))
    >>> game.numbers
    {(0, 1): 1, (0, 2): 0}
    """

    height: int
    width: int
    mines: Cells
    openings: tuple[Cell, ...]

    @property
    def numbers(self) -> dict[Cell, int]:
        """The opened cells, in order, with the numbers that they show."""
        return {
            cell: len(neighbours(cell, self.height, self.width) & self.mines) for cell in self.openings
        }

    @property
    def script(self) -> Script:
        """The script that opens the cells."""
        script = Script(self.height, self.width)
        for cell, number in self.numbers.items():
            script = script.add_knowledge(cell, number)
        return script

    def first(self, openings: int) -> CheckGame:
        """Return the game with its first openings only."""
        return replace(self, openings=self.openings[:openings])


def random_games(
    height: int, width: int, number: int, *, seed: int = 0, unfinished: bool = False
) -> Iterator[CheckGame]:
    """Yield games with all densities of mines, in which the safe cells are opened in random order.

    In unfinished games, only some of them are opened.

    >>> next(random_games(1, 3, 1)).height
    1
    """
    source = random.Random(f"{height}x{width} {seed}")
    cells = [(i, j) for i in range(height) for j in range(width)]
    for _ in range(number):
        mines = frozenset(source.sample(cells, source.randint(0, max(len(cells) // 2, 1))))
        openings = [cell for cell in cells if cell not in mines]
        source.shuffle(openings)
        if unfinished:
            openings = openings[: source.randint(1, max(len(openings), 1))]
        yield CheckGame(height, width, mines, tuple(openings))


def expert_game(height: int = 16, width: int = 30, mines: int = 99, *, seed: int = 1) -> CheckGame:
    """Return a game in which all safe cells of a board are opened in random order.

    >>> len(expert_game().openings)
    381
    """
    source = random.Random(seed)
    cells = [(i, j) for i in range(height) for j in range(width)]
    laid = frozenset(source.sample(cells, mines))
    openings = [cell for cell in cells if cell not in laid]
    source.shuffle(openings)
    return CheckGame(height, width, laid, tuple(openings))


def corridor(length: int) -> CheckGame:
    """Return a game in one row in which the last opening settles all cells, one after another.

    An agent that makes a fixed number of passes does not get to the end.

    >>> corridor(7).openings
    ((0, 5), (0, 3), (0, 1), (0, 0))
    """
    mines = frozenset((0, column) for column in range(2, length, 4))
    openings = [(0, column) for column in range(length - 2, 0, -2)]
    return CheckGame(1, length, mines, (*openings, (0, 0)))


def shrink(
    game: CheckGame, still_fails: Callable[[CheckGame], bool], *, seconds: float = 3.0, tries: int = 400
) -> CheckGame:
    """Return a game that is as small as possible and still fails.

    It leaves out openings, rows, columns and mines, as long as the game fails without them.

    >>> game = next(random_games(8, 8, 1))
    >>> shrink(game, lambda game: len(game.openings) >= 1).openings
    ((0, 0),)
    """
    end = monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(game):
            tries -= 1
            if tries < 0 or monotonic() > end:
                return game
            if still_fails(candidate):
                game, smaller = candidate, True
                break
    return game


def _smaller(game: CheckGame) -> Iterator[CheckGame]:
    """Yield games that are a little smaller, the much smaller ones first."""
    if len(game.openings) > 3:
        yield replace(game, openings=game.openings[len(game.openings) // 2 :])
    if game.height > 1:
        for row in reversed(range(game.height)):
            yield _without_row(game, row)
    if game.width > 1:
        for column in reversed(range(game.width)):
            yield _turned(_without_row(_turned(game), column))
    for k in range(len(game.openings)):
        yield replace(game, openings=game.openings[:k] + game.openings[k + 1 :])
    for mine in sorted(game.mines):
        yield replace(game, mines=game.mines - {mine})


def _without_row(game: CheckGame, row: int) -> CheckGame:
    def moved(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple((i - (i > row), j) for i, j in cells if i != row)

    mines = frozenset(moved(tuple(game.mines)))
    return CheckGame(game.height - 1, game.width, mines, moved(game.openings))


def _turned(game: CheckGame) -> CheckGame:
    """Return the game with rows and columns exchanged."""
    mines = frozenset((j, i) for i, j in game.mines)
    return CheckGame(game.width, game.height, mines, tuple((j, i) for i, j in game.openings))
