"""Games: playing a minefield, recording what happens, and setting up boards."""

from __future__ import annotations

from sapper.errors import BadRecord
from sapper.game.game import Action, Game, Outcome
from sapper.game.record import Entry, Moment, Record
from sapper.game.setup import Setup

__all__ = [
    "Action",
    "BadRecord",
    "Entry",
    "Game",
    "Moment",
    "Outcome",
    "Record",
    "Setup",
]
