"""The agents that play in a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from sapper import arena
from sapper.agents.specs import AgentSpec, ImportedAgent, parse_agent_spec


def default_agent() -> str:
    """Return the default agent: the strongest fast one that the engine in use has.

    >>> default_agent() in {"strong", "safest"}
    True
    """
    return "strong" if "strong" in arena.engine_players() else "safest"


def parse_agents(texts: Sequence[str]) -> list[AgentSpec]:
    """Return the agents named on the command line.

    Modules are also searched for in the current directory.

    >>> [str(agent) for agent in parse_agents(["logic", "program:bot"])]
    ['logic', 'program:bot']
    """
    agents = list(map(parse_agent_spec, texts))
    if any(isinstance(agent, ImportedAgent) for agent in agents):
        with suppress(OSError):  # The current directory may have been deleted.
            here = os.getcwd()
            if here not in sys.path:
                sys.path.insert(0, here)
    return agents


def are_fast(agents: Sequence[AgentSpec]) -> bool:
    """Return whether every agent plays thousands of games per second.

    >>> are_fast(parse_agents(["logic"]))
    False
    """
    return set(map(str, agents)) <= set(arena.engine_players()) - {"strong-high"}
