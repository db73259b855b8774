"""A game for tests of the server: a large one, whose review takes a while."""

from __future__ import annotations

import sapper


def lost_game() -> str:
    """Return the record of an expert game that was lost late, as text."""
    game = sapper.Game.new("expert", seed=4)
    agent = sapper.agents.Safest()
    game.open((3, 3))
    while not game.over:
        game.open(agent.choose(game.position))
    return sapper.formats.record_to_json(sapper.Record.of(game))
