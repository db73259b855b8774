"""Who plays the games of a command: if it is not said, where agents are found, and who is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from sapper import arena


def usual_player() -> str:
    """Return who plays if nobody is named: the strongest of the engine in use that is quick.

    >>> usual_player() in {"strong", "safest"}
    True
    """
    return "strong" if "strong" in arena.engine_players() else "safest"


def look_here_for(agents: Sequence[str]) -> None:
    """Let agents that are `module:attribute` be found in the current folder."""
    if any(":" in agent for agent in agents):
        sys.path.insert(0, os.getcwd())


def are_quick(agents: Sequence[str]) -> bool:
    """Return whether all of them play thousands of games in seconds.

    >>> are_quick(["logic"])
    False
    """
    return set(agents) <= set(arena.engine_players()) - {"strong-high"}
