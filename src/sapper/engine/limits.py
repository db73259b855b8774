"""Limits on the time, work and memory of an answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Protocol

from sapper.arguments import integer
from sapper.caching import cached_property
from sapper.engine.selection import core
from sapper.errors import LimitReached, SapperError
from sapper.text import quoted

_MEBIBYTE: Final = 2**20
_LONGEST: Final = 1e9
"""More seconds than the engine can count: no limit."""
_MOST: Final = 2**63 - 1


@dataclass(frozen=True)
class Limit:
    """A limit on an answer: seconds, states that the engine visits, and MiB of memory.

    One limit covers everything that one call does. Each of the three can be arbitrarily large.

    >>> Limit(seconds=0.5)
    Limit(seconds=0.5, states=2000000, memory=1024)
    """

    seconds: float = 10.0
    states: int = 2_000_000
    memory: int = 1024

    def __post_init__(self) -> None:
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)):
            raise TypeError(f"the seconds of a limit must be a number, not {quoted(self.seconds)}")
        for name in ("states", "memory"):
            value = integer(getattr(self, name), f"the {name} of a limit")
            object.__setattr__(self, name, value)
        if not (self.seconds >= 0 and self.states >= 0 and self.memory >= 0):
            raise SapperError(f"a limit must not be negative: {self}")

    @classmethod
    def given(cls, limit: Limit | None, default: Limit | None = None) -> Limit:
        """Return the limit that a caller passed, or the default if it is None.

        >>> Limit.given(None, Limit(seconds=1)).seconds
        1
        >>> Limit.given(2.5)
        Traceback (most recent call last):
        TypeError: a limit must be a Limit or None, not 2.5; write Limit(seconds=2.5)
        """
        if isinstance(limit, Limit):
            return limit
        if limit is None:
            return Limit() if default is None else default
        hint = f"; write Limit(seconds={limit})" if isinstance(limit, (int, float)) else ""
        raise TypeError(f"a limit must be a Limit or None, not {quoted(limit)}{hint}")

    @cached_property
    def amounts(self) -> tuple[float, int, int]:
        """Seconds, states and bytes, capped at what the engine can count."""
        seconds, states = min(self.seconds, _LONGEST), min(self.states, _MOST)
        return float(seconds), states, min(self.memory * _MEBIBYTE, _MOST)

    def start(self) -> Budget:
        """Return a budget that starts now."""
        if core is None:
            return PythonBudget(*self.amounts)
        budget: Budget = core.Budget(*self.amounts)
        return budget

    def start_within(self, budget: Budget) -> Budget:
        """Return a budget that starts now and does not exceed what is left of another.

        >>> Limit(seconds=10).start_within(Limit(seconds=1).start()).seconds_left <= 1
        True
        """
        check_budget(budget)
        seconds = min(self.seconds, budget.seconds_left)
        return Limit(seconds, min(self.states, budget.states_left), self.memory).start()


class Budget(Protocol):
    """What is left of a limit. All the work on one answer shares one budget."""

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is up."""
        ...

    @property
    def states_left(self) -> int:
        """The number of states that may still be visited."""
        ...

    def renew(self) -> Budget:
        """Return a budget that ends at the same time, with its full number of states.

        A search that asks many questions renews the budget for each: the time limits all of them
        together, the states each of them.
        """
        ...

    def spend(self, states: int) -> None:
        """Deduct states; raise `LimitReached` if too few are left, or if the time is up."""
        ...

    def check(self) -> None:
        """Raise `LimitReached` if the time is up."""
        ...

    def reserve(self, bytes: int) -> None:
        """Raise `LimitReached` if a step needs more memory than allowed."""
        ...


def check_budget(budget: Budget) -> None:
    """Raise `TypeError` unless this is a budget.

    >>> check_budget(Limit().start())
    >>> check_budget(Limit())
    Traceback (most recent call last):
    TypeError: a budget is what Limit.start returns, not Limit(seconds=10.0, ...)
    """
    if not isinstance(budget, PythonBudget) and not (core and isinstance(budget, core.Budget)):
        raise TypeError(f"a budget is what Limit.start returns, not {quoted(budget)}")


class PythonBudget:
    """A budget without the compiled engine.

    >>> budget = PythonBudget(seconds=10.0, states=5, memory=2**20)
    >>> budget.spend(3)
    >>> budget.states_left
    2
    >>> budget.spend(3)
    Traceback (most recent call last):
    sapper.errors.LimitReached: the limit of 5 states was reached
    >>> budget.reserve(2**21)
    Traceback (most recent call last):
    sapper.errors.LimitReached: the memory limit of 1 MiB was reached
    """

    def __init__(self, seconds: float, states: int, memory: int) -> None:
        self._seconds, self._memory = seconds, memory
        self._end = time.monotonic() + seconds
        self._all_states = self.states_left = states

    @property
    def seconds_left(self) -> float:
        return max(self._end - time.monotonic(), 0.0)

    def renew(self) -> PythonBudget:
        renewed = PythonBudget(self._seconds, self._all_states, self._memory)
        renewed._end = self._end
        return renewed

    def spend(self, states: int) -> None:
        if states > self.states_left:
            raise LimitReached(f"the limit of {self._all_states} states was reached")
        self.states_left -= states
        self.check()

    def check(self) -> None:
        if time.monotonic() > self._end:
            raise LimitReached(f"the limit of {self._seconds:g} seconds was reached")

    def reserve(self, bytes: int) -> None:
        if bytes > self._memory:
            raise LimitReached(f"the memory limit of {self._memory // _MEBIBYTE} MiB was reached")
