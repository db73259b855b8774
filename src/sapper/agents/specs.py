"""Agent specifications: the agents that the owner of this computer may name on the command line.

A plain string names a built-in agent and nothing else (`agents.named`). Only a specification can start
a program or import a class, and only the command line parses one. So text from a client, a file or
another program never runs code.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from sapper.agents.agent import Agent, Choice, ReasoningAgent
from sapper.agents.built_in import AgentName, named
from sapper.agents.program import PATIENCE, Program
from sapper.errors import IllegalMove, SapperError
from sapper.position import Cell, Position, describe_cell
from sapper.text import quoted

PROGRAM_PREFIX: Final = "program:"


@dataclass(frozen=True)
class BuiltInAgent:
    """One of Sapper's own agents."""

    name: AgentName

    def __str__(self) -> str:
        return self.name.value

    def create(self, *, seed: int | None = None, seconds: float | None = None) -> Agent:
        """Return a new agent."""
        return named(self.name, seed=seed, seconds=seconds)


@dataclass(frozen=True)
class ProgramAgent:
    """A program that speaks the engine protocol; creating the agent starts it."""

    command: str

    def __str__(self) -> str:
        return PROGRAM_PREFIX + self.command

    def create(self, *, seed: int | None = None, seconds: float | None = None) -> Agent:
        """Start the program and return it as an agent."""
        return Program(self.command, seed=seed, seconds=PATIENCE if seconds is None else seconds)


@dataclass(frozen=True)
class ImportedAgent:
    """A class, function or agent in a Python module; creating the agent imports it and calls it."""

    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.module}:{self.attribute}"

    def create(self, *, seed: int | None = None, seconds: float | None = None) -> Agent:  # noqa: ARG002
        """Import it; call it if it is a class or function, with the seed if it takes one.

        Errors in its code become `SapperError`s that name the agent and the line.
        """
        with _errors_of(self):
            try:
                maker: Callable[..., Any] = getattr(import_module(self.module), self.attribute)
            except (ImportError, AttributeError, ValueError) as reason:
                raise SapperError(f"the agent '{self}' cannot be loaded: {reason}") from reason
            if not callable(maker) and not isinstance(maker, Agent):
                raise SapperError(
                    f"'{self}' is {quoted(maker)}, not a class or function that returns an agent"
                )
            agent = make_agent(maker, seed)
        guard = _GuardedReasoning if isinstance(agent, ReasoningAgent) else _Guarded
        return guard(agent, self)


@contextmanager
def _errors_of(spec: ImportedAgent) -> Iterator[None]:
    """Turn errors in the code of an agent into errors that name it."""
    try:
        yield
    except SapperError:
        raise
    except (Exception, SystemExit) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename}, line {last.lineno}"
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise SapperError(f"the agent '{spec}' failed: {what} ({where})") from error


class _Guarded:
    """An imported agent whose errors name it."""

    def __init__(self, agent: Agent, spec: ImportedAgent) -> None:
        self._agent, self._spec = agent, spec

    def choose(self, position: Position) -> Cell:
        with _errors_of(self._spec):
            cell = self._agent.choose(position)
        return self._checked(cell, position)

    def _checked(self, cell: Cell, position: Position) -> Cell:
        """Return the cell; raise an error that names the agent if it cannot be opened."""
        chose = f"the agent '{self._spec}' chose"
        if cell not in position:
            size = f"{position.width} x {position.height}"
            raise IllegalMove(f"{chose} {quoted(cell)}, which is not a cell of a board of {size} cells")
        if not position.is_hidden(cell):
            raise IllegalMove(f"{chose} {describe_cell(cell)}, which is already open")
        return cell


class _GuardedReasoning(_Guarded):
    """An imported agent that gives reasons, and whose errors name it."""

    _agent: ReasoningAgent

    def decide(self, position: Position) -> Choice | None:
        with _errors_of(self._spec):
            choice = self._agent.decide(position)
        if choice is not None:
            self._checked(choice.cell, position)
        return choice

    def known_mines(self, position: Position) -> frozenset[Cell]:
        with _errors_of(self._spec):
            return self._agent.known_mines(position)


AgentSpec = BuiltInAgent | ProgramAgent | ImportedAgent


def parse_agent_spec(text: str) -> AgentSpec:
    """Return the agent that the owner named: built-in, `program:COMMAND` or `module:Class`.

    Never call this with text from a client, a file or another program.

    >>> parse_agent_spec("strong")
    BuiltInAgent(name=<AgentName.STRONG: 'strong'>)
    >>> parse_agent_spec("program:python bot.py")
    ProgramAgent(command='python bot.py')
    >>> parse_agent_spec("bots:Careful")
    ImportedAgent(module='bots', attribute='Careful')
    >>> parse_agent_spec("nobody")
    Traceback (most recent call last):
    sapper.errors.SapperError: unknown agent 'nobody': choose logic, safest, strong, ...
    """
    if text.startswith(PROGRAM_PREFIX):
        return ProgramAgent(text.removeprefix(PROGRAM_PREFIX))
    module, colon, attribute = text.partition(":")
    if colon:
        return ImportedAgent(module, attribute)
    try:
        return BuiltInAgent(AgentName.parse(text))
    except SapperError as error:
        raise SapperError(f"{error}, {PROGRAM_PREFIX}COMMAND or module:Class") from None


def make_agent(maker: Agent | Callable[..., Any], seed: int | None) -> Agent:
    """Return the agent that a class or function creates. An object with `choose` is an agent already.

    The seed is passed to a parameter called `seed`, or else to the first one without a default.

    >>> class First:
    ...     def choose(self, position):
    ...         return min(position.hidden)
    >>> isinstance(make_agent(First, 7), First), isinstance(make_agent(First(), 7), First)
    (True, True)
    >>> make_agent(str, 7)
    Traceback (most recent call last):
    sapper.errors.SapperError: str returned '7', which is not an agent: it has no method 'choose'
    """
    if isinstance(maker, Agent) and not isinstance(maker, type):
        return maker
    if _has_seed(maker):
        agent = maker(seed=seed)
    elif _needs_one(maker):
        agent = maker(seed)
    else:
        agent = maker()
    if not isinstance(agent, Agent):
        name = getattr(maker, "__qualname__", repr(maker))
        raise SapperError(
            f"{name} returned {quoted(agent)}, which is not an agent: it has no method 'choose'"
        )
    return agent


def _has_seed(maker: Callable[..., Any]) -> bool:
    """Return whether a class or function has a parameter called `seed`."""
    try:
        parameter = inspect.signature(maker).parameters.get("seed")
    except (TypeError, ValueError):  # Some built-in callables have no signature.
        return False
    return parameter is not None and parameter.kind in (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    )


def _needs_one(maker: Callable[..., Any]) -> bool:
    """Return whether a class or function has to be called with exactly one argument."""
    try:
        signature = inspect.signature(maker)
        signature.bind(0)
    except TypeError:
        return False
    except ValueError:  # Some built-in callables have no signature.
        return True
    try:
        signature.bind()
    except TypeError:
        return True
    return False
