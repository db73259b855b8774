"""Agents: they choose a cell to open, and may give a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from sapper.analysis import Chance
from sapper.caching import cached_property
from sapper.errors import IllegalMove
from sapper.position import Cell, Position
from sapper.text import quoted


@runtime_checkable
class Agent(Protocol):
    """Anything with a method `choose` that returns a hidden cell to open."""

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        ...


@dataclass(frozen=True, repr=False)
class Choice:
    """A cell to open, and the reason.

    >>> choice = Choice((0, 1), True, lambda: "safe: " + "its number is 0")
    >>> choice
    Choice(cell=(0, 1), safe=True, reason='safe: its number is 0')
    """

    cell: Cell
    safe: bool
    """Whether the cell is known to be safe."""
    explanation: str | Callable[[], str] = field(compare=False)
    """The reason, or a function that computes it."""
    risk: Chance | None = None
    """The probability that the cell is a mine, if the agent knows it."""
    win_chance: Chance | None = None
    """The probability of winning with perfect play, if the agent has solved the rest of the game."""

    @cached_property
    def reason(self) -> str:
        """Why the agent opens this cell; computed lazily."""
        return self.explanation if isinstance(self.explanation, str) else self.explanation()

    def __repr__(self) -> str:
        return f"Choice(cell={self.cell}, safe={self.safe}, reason={self.reason!r})"


@runtime_checkable
class ReasoningAgent(Agent, Protocol):
    """An agent that gives reasons, and says which cells it knows to be mines."""

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and the reason; None if the agent would open no cell."""
        ...

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that the agent knows to be mines."""
        ...


def chosen_cell(choice: Choice | None) -> Cell:
    """Return the cell of a choice; raise `IllegalMove` if there is no choice."""
    if choice is None:
        raise IllegalMove("no cell is left to open: all hidden cells are known to be mines")
    return choice.cell


def with_reasons(agent: Agent) -> ReasoningAgent:
    """Return the agent itself if it gives reasons, or else a wrapper that gives none.

    >>> class First:
    ...     def choose(self, position):
    ...         return min(position.hidden)
    >>> with_reasons(First()).decide(Position.parse("# .", mines=0))
    Choice(cell=(0, 0), safe=False, reason='no reason given')
    """
    if isinstance(agent, ReasoningAgent):
        return agent
    if not isinstance(agent, Agent):
        raise TypeError(f"an agent must have a method 'choose', but {quoted(agent)} has none")
    return _WithoutReasons(agent)


class _WithoutReasons:
    """Wraps an agent that only chooses cells."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, position: Position) -> Cell:
        return self._agent.choose(position)

    def decide(self, position: Position) -> Choice | None:
        if len(position.hidden) == position.mines:
            return None
        return Choice(self._agent.choose(position), False, "no reason given")

    def known_mines(self, position: Position) -> frozenset[Cell]:  # noqa: ARG002
        return frozenset()
