"""Random minefields by seed, and orders in which to open their cells. Tests use them, too."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sapper.minesweeper import Minesweeper, MinesweeperAI
from sapper.position import Cell


def any_game(seed: int) -> Minesweeper:
    """Return a minefield of a random size, up to 16 x 30 cells, with up to 60 % mines."""
    generator = random.Random(seed)
    height, width = generator.randint(1, 16), generator.randint(1, 30)
    return game_of_size(height, width, generator.randint(0, height * width * 6 // 10), seed)


def game_of_size(height: int, width: int, mines: int, seed: int) -> Minesweeper:
    """Return the minefield of this size and seed."""
    cells = [(i, j) for i in range(height) for j in range(width)]
    return Minesweeper.with_mines(height, width, random.Random(seed).sample(cells, mines))


def shuffled_openings(game: Minesweeper, seed: int) -> list[tuple[Cell, int]]:
    """Return all safe cells with their numbers, in random order."""
    openings = [
        ((i, j), game.nearby_mines((i, j)))
        for i in range(game.height)
        for j in range(game.width)
        if not game.board[i][j]
    ]
    random.Random(seed).shuffle(openings)
    return openings


def played_openings(game: Minesweeper, ai: MinesweeperAI, seed: int) -> Iterator[tuple[Cell, int]]:
    """Yield all safe cells with their numbers; cells that the agent knows come first."""
    for opening in shuffled_openings(game, seed):
        while (known := min(ai.safes - ai.moves_made, default=None)) is not None:
            yield known, game.nearby_mines(known)
        if opening[0] not in ai.moves_made:
            yield opening


def openings(game: Minesweeper, ai: MinesweeperAI, seed: int) -> Iterator[tuple[Cell, int]]:
    """Yield all safe cells with their numbers: as the agent plays if the seed is odd, else shuffled."""
    return played_openings(game, ai, seed) if seed % 2 else iter(shuffled_openings(game, seed))
