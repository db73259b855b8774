"""What an agent is: it chooses a cell to open, and may say why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from sapper.analysis import Chance
from sapper.position import Cell, Position


@runtime_checkable
class Agent(Protocol):
    """Anything that chooses a hidden cell to open."""

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        ...


class _Reason:
    """A text, or what makes one: then it is made when it is first read."""

    def __get__(self, choice: Choice | None, owner: type[Choice]) -> str:
        if choice is None:
            raise AttributeError("a choice has no reason unless it is given")
        reason = choice.__dict__["reason"]
        if not isinstance(reason, str):
            reason = choice.__dict__["reason"] = reason()
        return str(reason)

    def __set__(self, choice: Choice, reason: str | Callable[[], str]) -> None:
        choice.__dict__["reason"] = reason


@dataclass(frozen=True)
class Choice:
    """A cell to open, and why.

    >>> Choice((0, 1), True, lambda: "safe: " + "nothing is around it")
    Choice(cell=(0, 1), safe=True, reason='safe: nothing is around it')
    """

    cell: Cell
    safe: bool
    """Whether the cell is known to be safe."""
    reason: _Reason = _Reason()
    """A text, which may be given as a function: it is called when somebody reads the reason."""
    risk: Chance | None = field(default=None, repr=False)
    """The chance that the cell is a mine, if the agent knows it."""
    win_chance: Chance | None = field(default=None, repr=False)
    """The chance to win with perfect play, if the agent has solved the rest of the game."""


@runtime_checkable
class ReasoningAgent(Agent, Protocol):
    """An agent that says why, and which cells it knows to be mines."""

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why, or None when it would open none of them."""
        ...

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that it knows to be mines."""
        ...
