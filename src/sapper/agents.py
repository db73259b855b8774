"""Agents: each chooses a move from a position."""

from __future__ import annotations

import random
from enum import Enum
from functools import partial
from math import inf
from typing import Final

from sapper._arguments import integer
from sapper._choice import Agent, Choice, ReasoningAgent
from sapper._quoting import quoted
from sapper.analysis import Analyser, Analysis, Chance, Limit, analyse, contradiction
from sapper.engine import engine
from sapper.errors import IllegalMove, LimitReached, SapperError
from sapper.minesweeper import MinesweeperAI
from sapper.position import IS_HIDDEN, Cell, Position, cells_where, describe_cell, position_of
from sapper.program import Program
from sapper.proof import Kind, Proof, find_proof

__all__ = [
    "EFFORTS",
    "Agent",
    "AgentName",
    "Choice",
    "Logic",
    "Program",
    "ReasoningAgent",
    "Safest",
    "Strong",
    "available",
    "named",
    "with_reasons",
]


def _chosen(choice: Choice | None) -> Cell:
    if choice is None:
        raise IllegalMove("no cell is left to open: the hidden ones are all known to be mines")
    return choice.cell


class Logic:
    """The course's agent: opens a cell it knows to be safe, else a random one not known to be a mine.

    It tells `MinesweeperAI` the numbers of the position, so it needs no history; fed the positions of
    one game in turn, it only reads what is new in each.

    >>> agent = Logic(seed=1)
    >>> agent.decide(Position.parse("# . #", mines=0))
    Choice(cell=(0, 0), safe=True, reason='safe: follows from the 0 at row 1, column 2')
    >>> agent.decide(Position.parse("# # #", mines=1)).reason
    'no safe cell known: random'
    """

    def __init__(self, *, seed: int | None = None, limit: Limit | None = None) -> None:
        self._random = random.Random(None if seed is None else integer(seed, "a seed"))
        self._limit = Limit.given(limit, Limit(seconds=inf))
        self._start(Position.blank(1, 1, 0))

    @property
    def ai(self) -> MinesweeperAI:
        """The course's agent, with all that it knows."""
        return self._ai

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next.

        >>> Logic().choose(Position.parse("1 # .", mines=1))
        Traceback (most recent call last):
        sapper.errors.SapperError: no minefield can produce this position: (0, 2) cannot show 0: ...
        """
        return _chosen(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why; None if the hidden cells are all known mines."""
        position = position_of(position)
        self._read(position)
        safe = min(self._ai.safes - self._ai.moves_made, default=None)
        if safe is not None:
            return Choice(safe, True, partial(_reason, position, frozenset(self._ai.mines), safe))
        hidden = cells_where(position.codes.translate(IS_HIDDEN), position.width)
        unknown = [cell for cell in hidden if cell not in self._ai.mines]
        if not unknown:
            return None
        return Choice(self._random.choice(unknown), False, "no safe cell known: random")

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that it knows to be mines.

        >>> Logic().known_mines(Position.parse("# 1 .", mines=1))
        frozenset({(0, 0)})
        """
        self._read(position_of(position))
        return frozenset(self._ai.mines)

    def explain(self, position: Position, cell: Cell) -> Proof:
        """Return why it knows that a cell is safe or a mine: the sentences that this came from.

        Settled cells struck from sentences, and sentences inside others: it knows nothing else. A cell
        that it does not know is a `SapperError`, though there may be a proof of another kind.

        >>> proof = Logic().explain(Position.parse("# 1 . .", mines=1), (0, 0))
        >>> print(proof.steps[0].sentence)
        {(0, 0)} = 1
        """
        position = position_of(position)
        cell = position.check_cell(cell)
        self._read(position)
        known = {cell for cell in self._ai.mines | self._ai.safes if position.is_hidden(cell)}
        verdict = "mine" if cell in self._ai.mines else "safe"
        proof = find_proof(position, cell, verdict, most=Kind.CHAIN) if cell in known else None
        if proof is None:
            raise SapperError(f"the agent does not know whether {describe_cell(cell)} is safe")
        return proof

    def _start(self, position: Position) -> None:
        self._ai = MinesweeperAI(position.height, position.width)
        self._seen = Position.blank(position.height, position.width, position.mines)

    def _read(self, position: Position) -> None:
        """Tell the course's agent the numbers that it has not seen; begin anew in another game."""
        opened = position.opened_since(self._seen)
        if opened is None:
            self._start(position)
            opened = position.numbers
        budget = self._limit.start()
        try:
            for cell, number in opened.items():
                budget.check()
                self._ai.add_knowledge(cell, number)
        except LimitReached:
            self._start(position)
            raise
        except ValueError as reason:
            self._start(position)
            raise SapperError(f"no minefield can produce this position: {reason}") from None
        self._seen = position


def _reason(position: Position, mines: frozenset[Cell], safe: Cell) -> str:
    return f"safe: follows from {_source(position, mines, safe)}"


def _source(position: Position, mines: frozenset[Cell], safe: Cell) -> str:
    """Return the numbers that make a cell safe: one that has all its mines, or two of which one is
    about a part of the other's cells and needs as many mines."""

    def sentence(number: Cell) -> tuple[frozenset[Cell], int]:
        around = position.neighbours(number)
        unknown = frozenset(cell for cell in around - mines if position.is_hidden(cell))
        return unknown, position[number] - len(around & mines)

    def named(number: Cell) -> str:
        return f"the {position[number]} at {describe_cell(number)}"

    numbers = sorted(cell for cell in position.neighbours(safe) if not position.is_hidden(cell))
    for number in numbers:
        if sentence(number)[1] == 0:
            return named(number)
    for number in numbers:
        cells, count = sentence(number)
        touching = {near for cell in cells for near in position.neighbours(cell)}
        for other in sorted(touching):
            if not position.is_hidden(other):
                part, part_count = sentence(other)
                if part <= cells - {safe} and part_count == count:
                    return f"{named(number)} and {named(other)}"
    return "several numbers together"


class Safest:
    """Opens a cell that is certainly safe, else one with the least risk.

    It knows the exact chance of every cell. Of several with the same risk it takes the one most likely
    to open others too.

    >>> Safest().decide(Position.parse("# 1 # #", mines=1)).reason
    'safe: no layout has a mine there'
    >>> Safest().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='no safe cell: the least risk, 20.0 %')
    """

    def __init__(self, *, limit: Limit | None = None) -> None:
        self._analyser = Analyser(limit=limit)

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        return _chosen(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why; None if the hidden cells are all mines."""
        return _least_risk(self._analyser.feed(position))

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines.

        >>> Safest().known_mines(Position.parse("# 1 .", mines=1))
        frozenset({(0, 0)})
        """
        return self._analyser.feed(position).mines


def _least_risk(analysis: Analysis) -> Choice | None:
    """Return the cell with the least risk and what it is; None if the hidden cells are all mines."""
    safest = analysis.safest
    if safest is None:
        return None
    if safest.risk == 0:
        return Choice(safest.cell, True, "safe: no layout has a mine there")
    reason = f"no safe cell: the least risk, {_percent(safest.risk)}"
    return Choice(safest.cell, False, reason, safest.risk)


def _percent(chance: Chance) -> str:
    return f"{100 * float(chance):.1f} %"


def with_reasons(agent: Agent) -> ReasoningAgent:
    """Return an agent that also gives reasons: itself, or a wrapper with none to give.

    >>> class First:
    ...     def choose(self, position):
    ...         return min(position.hidden)
    >>> with_reasons(First()).decide(Position.parse("# .", mines=0))
    Choice(cell=(0, 0), safe=False, reason='its own choice')
    """
    if isinstance(agent, ReasoningAgent):
        return agent
    if not isinstance(agent, Agent):
        raise TypeError(f"an agent must have a method 'choose', but {quoted(agent)} has none")
    return _WithoutReasons(agent)


class _WithoutReasons:
    """An agent that only chooses cells."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, position: Position) -> Cell:
        return self._agent.choose(position)

    def decide(self, position: Position) -> Choice | None:
        if len(position.hidden) == position.mines:
            return None
        return Choice(self._agent.choose(position), False, "its own choice")

    def known_mines(self, position: Position) -> frozenset[Cell]:  # noqa: ARG002
        return frozenset()


EFFORTS: Final = {"fast": "strong-fast", "normal": "strong", "high": "strong-high"}
"""How hard `Strong` may think, and the name of the engine's player that does so."""


class Strong:
    """Opens a cell that is certainly safe, else the one with which it is most likely to win the game.

    Where few layouts are left it plays perfectly. Before that it looks ahead: at the numbers that cells
    of little risk may show, and at how safe the next move is then. It needs the compiled engine.

    `effort` is `fast`, `normal` or `high`, which also plays candidates out on layouts drawn at random.
    `seconds` bounds a move, 10 if not given; then it takes the best cell found so far.

    >>> Strong().decide(Position.parse("# # # # #", mines=1))
    Choice(cell=(0, 0), safe=False, reason='endgame solved: wins 80.0 %, perfect play')
    >>> Strong(effort="fast").decide(Position.blank(9, 9, 10)).reason
    'no safe cell: risks 12.3 %, the most promising'
    >>> Strong(effort="heroic")
    Traceback (most recent call last):
    sapper.errors.SapperError: 'heroic' is not an effort: fast, normal, high
    """

    def __init__(self, *, effort: str = "normal", seconds: float | None = None) -> None:
        if not isinstance(effort, str) or effort not in EFFORTS:
            raise SapperError(f"{quoted(effort)} is not an effort: {', '.join(EFFORTS)}")
        self._player = EFFORTS[effort]
        if self._player not in engine.players:
            raise SapperError("the agent strong needs the compiled engine")
        self._limit = Limit() if seconds is None else Limit(seconds=seconds)

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next."""
        return _chosen(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and why; None if the hidden cells are all mines."""
        position, budget = position_of(position), self._limit.start()
        try:
            decision = engine.decide(self._player, position, budget)
        except LimitReached:  # Then a cell of least risk, with what time is left, or by an estimate.
            return _least_risk(analyse(position, limit=self._limit))
        if decision is None:
            raise contradiction(position, budget)
        if decision.safe:
            cell = divmod(decision.safe[0], position.width)
            return Choice(cell, True, "safe: no layout has a mine there")
        if decision.cell is None:
            return None
        if decision.win_chance is None:
            reason = f"no safe cell: risks {_percent(decision.risk)}, the most promising"
        else:
            reason = f"endgame solved: wins {_percent(decision.win_chance)}, perfect play"
        return Choice(decision.cell, False, reason, decision.risk, decision.win_chance)

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that are certainly mines."""
        return analyse(position, limit=self._limit).mines


class AgentName(str, Enum):
    """The names of the built-in agents.

    Text from a client, a file or another program becomes an `AgentName` or is refused: it can choose
    among Sapper's own agents and nothing else. `agent_specs` is for what else the owner may name.
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
        """Return the built-in agent of this name.

        >>> AgentName.parse("strong")
        <AgentName.STRONG: 'strong'>
        >>> AgentName.parse("program:touch owned")
        Traceback (most recent call last):
        sapper.errors.SapperError: unknown agent 'program:touch owned': choose logic, safest, ...
        """
        if isinstance(text, str):
            try:
                return cls(text)
            except ValueError:
                pass
        raise SapperError(f"unknown agent {quoted(text)}: choose {', '.join(cls)}")


_EFFORT_OF: Final = {AgentName(name): effort for effort, name in EFFORTS.items()}


def available() -> list[AgentName]:
    """Return the names of the agents that the engine in use can play.

    >>> available()[:2]
    [<AgentName.LOGIC: 'logic'>, <AgentName.SAFEST: 'safest'>]
    """
    return [name for name in AgentName if name not in _EFFORT_OF or name.value in engine.players]


def named(name: str, *, seed: int | None = None, seconds: float | None = None) -> ReasoningAgent:
    """Return a new built-in agent.

    `seconds` limits the time for a move.

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
