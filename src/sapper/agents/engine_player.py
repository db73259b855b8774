"""The engine's own players, asked for a decision within a limit."""

from __future__ import annotations

from sapper.analysis import Limit, contradiction
from sapper.engine import Decision, engine
from sapper.errors import LimitReached
from sapper.position import Position


def decide_within(player: str, position: Position, limit: Limit) -> Decision | None:
    """Return what a player of the engine does; None if the limit is reached first.

    A position that no minefield can produce raises `InconsistentPosition`.
    """
    budget = limit.start()
    try:
        decision = engine.decide(player, position, budget)
    except LimitReached:
        return None
    if decision is None:
        raise contradiction(position, budget)
    return decision
