"""The built-in agents by name."""

from __future__ import annotations

from enum import Enum
from typing import Final

from sapper.agents.agent import ReasoningAgent
from sapper.agents.logic import Logic
from sapper.agents.safest import Safest
from sapper.agents.strong import EFFORTS, Strong
from sapper.analysis import Limit
from sapper.engine import engine
from sapper.errors import SapperError
from sapper.text import quoted


class AgentName(str, Enum):
    """The names of the built-in agents.

    Text from a client, a file or another program is parsed as an `AgentName`, so it can only choose one
    of Sapper's own agents. `agents.specs` parses what the owner of the computer may name in addition.
    """

    LOGIC = "logic"
    SAFEST = "safest"
    STRONG = "strong"
    STRONG_FAST = "strong-fast"
    STRONG_HIGH = "strong-high"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def parse(cls, text: str) -> AgentName:
        """Return the name of a built-in agent, in any case; raise `SapperError` for any other text.

        >>> AgentName.parse("Strong")
        <AgentName.STRONG: 'strong'>
        >>> AgentName.parse("program:touch owned")
        Traceback (most recent call last):
        sapper.errors.SapperError: unknown agent 'program:touch owned': choose logic, safest, ...
        """
        if isinstance(text, str):
            try:
                return cls(text.lower())
            except ValueError:
                pass
        raise SapperError(f"unknown agent {quoted(text)}: choose {', '.join(cls)}")


_EFFORT_OF: Final = {AgentName(name): effort for effort, name in EFFORTS.items()}


def available() -> list[AgentName]:
    """Return the names of the agents that work with the engine in use.

    >>> available()[:2]
    [<AgentName.LOGIC: 'logic'>, <AgentName.SAFEST: 'safest'>]
    """
    return [name for name in AgentName if name not in _EFFORT_OF or name.value in engine.players]


def named(name: str, *, seed: int | None = None, seconds: float | None = None) -> ReasoningAgent:
    """Return a new built-in agent.

    `seconds` limits the time for a move.

    >>> from sapper import Position
    >>> named("logic", seed=1).choose(Position.parse("# .", mines=0))
    (0, 0)
    """
    name = AgentName.parse(name)
    limit = None if seconds is None else Limit(seconds=seconds)
    if name is AgentName.LOGIC:
        return Logic(seed=seed, limit=limit)
    if name is AgentName.SAFEST:
        return Safest(limit=limit)
    return Strong(effort=_EFFORT_OF[name], seconds=seconds)
