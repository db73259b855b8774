"""A board as JSON."""

from __future__ import annotations

from typing import Any

from sapper.errors import SapperError
from sapper.formats.code import board_code
from sapper.game.game import Game


def board_to_json(game: Game) -> dict[str, Any]:
    """Return the board of a game as an object for `json.dumps`; cells are `[row, column]`.

    >>> board_to_json(Game.on("3x1/1", [(0, 2)], first=(0, 0)))["minefield"]
    [[0, 2]]
    """
    if game.minefield is None:
        raise SapperError("the mines are placed at the first click, so there is no board yet")
    return {
        "width": game.level.width,
        "height": game.level.height,
        "mines": game.level.mines,
        "first": None if game.first is None else list(game.first),
        "minefield": sorted(map(list, game.minefield.mines)),
        "code": board_code(game),
    }
