"""The agent `logic`: the course's agent, which learns the numbers of a position."""

from __future__ import annotations

import random
from functools import partial
from math import inf

from sapper.agents.agent import Choice, chosen_cell
from sapper.analysis import Limit
from sapper.arguments import integer
from sapper.errors import LimitReached, SapperError
from sapper.minesweeper import MinesweeperAI
from sapper.position import IS_HIDDEN, Cell, Position, cells_where, describe_cell, position_of
from sapper.proof.proof import Kind, Proof, find_proof


class Logic:
    """The course's agent: opens a cell it knows to be safe, or else a random cell.

    A random cell is never one that it knows to be a mine.

    It passes the numbers of the position to `MinesweeperAI`, so it needs no history. If it is given the
    positions of one game in turn, it only reads the new numbers.

    >>> agent = Logic(seed=1)
    >>> agent
    Logic(seed=1)
    >>> agent.decide(Position.parse("# . #", mines=0))
    Choice(cell=(0, 0), safe=True, reason='safe: follows from the 0 at row 1, column 2')
    >>> agent.decide(Position.parse("# # #", mines=1)).reason
    'no safe cell known: random guess'
    """

    def __init__(self, *, seed: int | None = None, limit: Limit | None = None) -> None:
        self._random = random.Random(None if seed is None else integer(seed, "a seed"))
        self._limit = Limit.given(limit, Limit(seconds=inf))
        self._repr = "" if seed is None else f"seed={seed!r}"
        self._start(Position.blank(1, 1, 0))

    def __repr__(self) -> str:
        return f"Logic({self._repr})"

    @property
    def ai(self) -> MinesweeperAI:
        """The course's agent and its knowledge."""
        return self._ai

    def choose(self, position: Position) -> Cell:
        """Return the cell to open next.

        >>> Logic().choose(Position.parse("1 # .", mines=1))
        Traceback (most recent call last):
        sapper.errors.SapperError: no minefield can produce this position: (0, 2) cannot show 0: ...
        """
        return chosen_cell(self.decide(position))

    def decide(self, position: Position) -> Choice | None:
        """Return the cell to open next and the reason; None if every hidden cell is a known mine."""
        position = position_of(position)
        self._read(position)
        safe = min(self._ai.safes - self._ai.moves_made, default=None)
        if safe is not None:
            return Choice(safe, True, partial(_reason, position, frozenset(self._ai.mines), safe))
        hidden = cells_where(position.codes.translate(IS_HIDDEN), position.width)
        unknown = [cell for cell in hidden if cell not in self._ai.mines]
        if not unknown:
            return None
        return Choice(self._random.choice(unknown), False, "no safe cell known: random guess")

    def known_mines(self, position: Position) -> frozenset[Cell]:
        """Return the hidden cells that the agent knows to be mines.

        >>> Logic().known_mines(Position.parse("# 1 .", mines=1))
        frozenset({(0, 0)})
        """
        self._read(position_of(position))
        return frozenset(self._ai.mines)

    def explain(self, position: Position, cell: Cell) -> Proof:
        """Return a proof of what the agent knows about a cell: the sentences that it follows from.

        The agent knows only the rules of the course. A cell that it does not know raises `SapperError`,
        even if there is a proof by other rules.

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
            raise SapperError(
                f"the agent does not know whether {describe_cell(cell)} is safe or a mine"
            )
        return proof

    def _start(self, position: Position) -> None:
        self._ai = MinesweeperAI(position.height, position.width)
        self._seen = Position.blank(position.height, position.width, position.mines)

    def _read(self, position: Position) -> None:
        """Pass the new numbers to the course's agent; start again if this is another game."""
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
    """Return the numbers that make a cell safe.

    That is one number that has all its mines, or two numbers with equally many mines left, if the
    cells of one are a subset of the other's.
    """

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
