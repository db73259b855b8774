"""Positions of games."""

from __future__ import annotations

import random

from sapper import Game, Position, analyse


def game_positions(level: str, count: int) -> list[Position]:
    """Return positions of a game in which safe cells are opened one by one."""
    game, generator = Game.new(level, seed=3), random.Random(3)
    positions: list[Position] = []
    game.open((game.level.height // 2, game.level.width // 2))
    while len(positions) < count and not game.over:
        positions.append(game.position)
        safe = analyse(game.position).safe
        assert game.minefield is not None
        game.open(generator.choice(sorted(safe or game.position.hidden - game.minefield.mines)))
    return positions
