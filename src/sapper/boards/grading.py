"""Grading: a fast way to find the hardest kind of proof that a no-guess board needs."""

from __future__ import annotations

from collections.abc import Set

from sapper.analysis import Budget, Limit, analyse_within
from sapper.engine import engine
from sapper.game.game import Game, minefield_of
from sapper.game.setup import Setup
from sapper.levels import Level
from sapper.minesweeper import MinesweeperAI
from sapper.position import Cell, Position
from sapper.proof.facts import Fact, Kind, Rule, bits
from sapper.proof.knowledge import Knowledge


def hardest_kind(
    setup: Setup, minefield: bytes, *, most: Kind = Kind.MINE_COUNT, budget: Budget | None = None
) -> Kind | None:
    """Return the hardest kind of proof that a board needs; None if harder than `most`, or a guess.

    It is the kind of `difficulty(game).hardest`, but found without the proofs themselves. If the first
    click opens everything, it is `COUNTING`.

    >>> setup = Setup.of("6x1/1", first=(0, 0))
    >>> hardest_kind(setup, bytes([0, 0, 1, 0, 0, 0]))
    <Kind.MINE_COUNT: 6>
    >>> hardest_kind(setup, bytes([0, 0, 1, 0, 0, 0]), most=Kind.CASES) is None
    True
    """
    budget = budget or Limit().start()
    grader = _Grader(setup, minefield, budget)
    hardest, kind = Kind.COUNTING, Kind.SUBSET
    while not grader.game.over:
        budget.check()
        safe = grader.find(kind)
        if safe:
            hardest = kind
            grader.open(safe)
        elif kind is most:
            return None
        else:
            kind = Kind(kind + 1)
    return hardest


class _Grader:
    """A game that is played with certain kinds of proofs only."""

    def __init__(self, setup: Setup, minefield: bytes, budget: Budget) -> None:
        level = setup.level
        usual = Level.custom(level.height, level.width, level.mines)
        self.game = Game.on(usual, minefield_of(level, minefield).mines)
        self._budget = budget
        self._agent = MinesweeperAI(level.height, level.width)
        self.open({setup.first})

    def open(self, safe: Set[Cell]) -> None:
        for cell in safe:
            if not self.game.over and self.game.position.is_hidden(cell):
                self.game.open(cell)

    def find(self, kind: Kind) -> Set[Cell]:
        """Return the cells that are safe by proofs of this kind or a simpler one."""
        position = self.game.position
        if kind <= Kind.SUBSET:
            return _safe_by_two_numbers(position)
        self._learn(position)
        if kind is Kind.CHAIN:
            return self._agent.safes - self._agent.moves_made
        if kind is Kind.OVERLAP:
            return _safe_by_overlaps(self._agent, self._budget)
        safe = analyse_within(position, self._budget.renew()).safe
        if kind is Kind.MINE_COUNT:
            return safe
        return {cell for cell in safe if self._is_safe_without_mine_count(position, cell)}

    def _learn(self, position: Position) -> None:
        for cell, number in position.numbers.items():
            if cell not in self._agent.moves_made:
                self._agent.add_knowledge(cell, number)

    def _is_safe_without_mine_count(self, position: Position, cell: Cell) -> bool:
        numbers, budget = list(position.numbers), self._budget.renew()
        return not engine.is_possible(position, numbers, budget, mines=[cell], use_mine_count=False)


def _safe_by_two_numbers(position: Position) -> set[Cell]:
    """Return the cells that are safe because a subset sentence has all the mines of its superset."""
    hidden = position.hidden
    sentences = [
        (cells, number)
        for cell, number in position.numbers.items()
        if (cells := position.neighbours(cell) & hidden)
    ]
    about: dict[Cell, list[int]] = {}
    for at, (cells, _) in enumerate(sentences):
        for cell in cells:
            about.setdefault(cell, []).append(at)
    safe: set[Cell] = set()
    for cells, count in sentences:
        if count == 0:
            safe |= cells
        for at in about[min(cells)]:
            whole, whole_count = sentences[at]
            if count == whole_count and cells < whole:
                safe |= whole - cells
    return safe


def _safe_by_overlaps(agent: MinesweeperAI, budget: Budget) -> set[Cell]:
    """Return the cells that are safe by the overlap rule, from the agent's sentences."""
    cells = sorted({cell for sentence in agent.knowledge for cell in sentence.cells})
    bit = {cell: 1 << at for at, cell in enumerate(cells)}
    known = Knowledge(
        (
            Fact(sum(map(bit.__getitem__, each.cells)), each.count, each.count, Rule.NUMBER)
            for each in agent.knowledge
        ),
        overlaps=True,
        budget=budget,
    )
    known.conclude()
    return {cells[each.bit_length() - 1] for each in bits(known.safe)} | (
        agent.safes - agent.moves_made
    )
