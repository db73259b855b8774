"""The engine's own players, asked for a decision within a budget."""

from __future__ import annotations

from sapper.analysis import Budget, contradiction
from sapper.engine import Decision, engine
from sapper.errors import LimitReached
from sapper.position import Position


def decide_within(player: str, position: Position, budget: Budget) -> Decision | None:
    """Return what a player of the engine does; None if the budget runs out first.

    A position that no minefield can produce raises `InconsistentPosition`.
    """
    try:
        decision = engine.decide(player, position, budget)
    except LimitReached:
        return None
    if decision is None:
        raise contradiction(position, budget)
    return decision
