"""What an agent has missed or wrongly believes in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from sapper.agents.agent import ReasoningAgent
from sapper.analysis import Limit, analyse
from sapper.course.knowledge_change import KnowledgeChange
from sapper.course.logic import find_layout
from sapper.course.scripts import Cells, Moment
from sapper.errors import LimitReached
from sapper.minesweeper import MinesweeperAI
from sapper.position import Cell, Position, describe_cell, describe_cells
from sapper.proof.proof import Kind, Proof, find_proof
from sapper.text import capitalised

_LIMIT: Final = Limit(seconds=2)
_MOST_NUMBERS: Final = 250
"""The search for a layout is recursive: it looks at no more numbers than this."""


@dataclass(frozen=True)
class Examination:
    """A comparison of an agent's beliefs with what follows from the open numbers.

    >>> position = Position.parse("# 1 . .", mines=1)
    >>> found = examine(position, Moment(safes=frozenset({(0, 0)})))
    >>> found.false, found.missed_mines, found.is_clean
    (frozenset({(0, 0)}), frozenset(), False)
    >>> list(found.lines())
    ['Wrong: the agent believes that row 1, column 1 is safe.']
    """

    position: Position
    beliefs: Moment
    missed_safes: Cells
    """Hidden cells that are safe by counting and subsets, and that the agent has not marked."""
    missed_mines: Cells
    """The same for mines."""
    false: Cells
    """Cells that the agent has marked, although the numbers prove the opposite."""
    unfounded: Cells
    """Cells that the agent has marked, although they may be safe and may be mines."""
    off_board: Cells = frozenset()
    """Marked cells that do not exist."""

    @property
    def missed(self) -> Cells:
        """All missed cells."""
        return self.missed_safes | self.missed_mines

    @property
    def wrong(self) -> Cells:
        """The cells of all wrong beliefs."""
        return self.false | self.unfounded

    @property
    def is_clean(self) -> bool:
        """Whether the agent has missed nothing and believes nothing wrong."""
        return not (self.missed or self.wrong or self.off_board)

    @property
    def cells(self) -> list[Cell]:
        """The cells to explain, wrong beliefs first."""
        groups = (self.false, self.unfounded, self.missed_safes, self.missed_mines)
        return [cell for group in groups for cell in sorted(group)]

    def lines(self) -> Iterator[str]:
        """Generate one sentence for each kind of mistake."""
        for label, cells in (("Wrong", self.false), ("Unfounded", self.unfounded)):
            for belief in self._beliefs(cells):
                yield f"{label}: the agent believes that {belief}."
        if self.off_board:
            yield f"Wrong: the agent has marked cells off the board, such as {min(self.off_board)}."
        if self.missed_safes:
            yield f"Missed: {_are(self.missed_safes, 'safe', 'safe')}."
        if self.missed_mines:
            yield f"Missed: {_are(self.missed_mines, 'a mine', 'mines')}."

    def _beliefs(self, cells: Cells) -> Iterator[str]:
        as_safe, as_mines = cells & self.beliefs.safes, cells & self.beliefs.mines
        if as_safe:
            yield _are(as_safe, "safe", "safe")
        if as_mines:
            yield _are(as_mines, "a mine", "mines")

    def belief(self, cell: Cell) -> str:
        """Return what the agent believes about a cell: 'safe', 'a mine' or 'both safe and a mine'."""
        is_safe, is_mine = cell in self.beliefs.safes, cell in self.beliefs.mines
        return "both safe and a mine" if is_safe and is_mine else "a mine" if is_mine else "safe"

    def headline(self, cell: Cell) -> str:
        """Return what the agent has done wrong about a cell."""
        name = capitalised(describe_cell(cell))
        if cell in self.false:
            return f"{name}: the agent believes that it is {self.belief(cell)}, which is wrong."
        if cell in self.unfounded:
            return f"{name}: the agent believes that it is {self.belief(cell)}; that does not follow."
        verdict = "safe" if cell in self.missed_safes else "a mine"
        return f"{name}: the agent has missed that it is {verdict}."

    def explain(self, cell: Cell) -> Proof | tuple[str, ...]:
        """Return a proof of what the cell is, or sentences that show why nothing is certain."""
        if not self.position.is_hidden(cell):
            return ("The cell is open, so it is not a mine.",)
        proof = self.proof(cell)
        if proof is not None:
            return proof
        layout = self.counterexample(cell)
        if layout is None:
            return ("It may be safe, and it may be a mine.",)
        return self.explain_layout(cell, layout)

    def proof(self, cell: Cell) -> Proof | None:
        """Return the proof of what a missed or wrongly marked cell is; None if nothing is certain."""
        if cell in self.unfounded or not self.position.is_hidden(cell):
            return None
        is_mine = cell in self.missed_mines or (cell in self.false and cell in self.beliefs.safes)
        for verdict in ("mine", "safe") if is_mine else ("safe", "mine"):
            for most in (Kind.CHAIN, Kind.MINE_COUNT):
                found = find_proof(self.position, cell, verdict, most=most, budget=_LIMIT.start())
                if found is not None:
                    return found
        return None

    def counterexample(self, cell: Cell) -> Cells | None:
        """Return mines that fit the numbers around a cell, but not the agent's belief about it.

        Only numbers are considered that are connected to the cell by hidden cells. None if there are
        too many of them.
        """
        numbers = _connected_numbers(self.position, cell)
        if len(numbers) > _MOST_NUMBERS:
            return None
        is_mine = cell in self.beliefs.mines
        size = self.position.height, self.position.width
        return find_layout(*size, numbers, {cell: not is_mine})

    def explain_layout(self, cell: Cell, layout: Cells) -> tuple[str, ...]:
        """Return the sentences that explain why a layout refutes a belief."""
        verdict = "a mine" if cell in layout else "safe"
        if not _connected_numbers(self.position, cell):
            return (f"No open number says anything about {describe_cell(cell)}.",)
        where = (
            f"Mines at {describe_cells(layout)} fit" if layout else "A board without mines there fits"
        )
        said = f"{where} all numbers that matter, and then {describe_cell(cell)} is {verdict}."
        if len(layout) > self.position.mines:
            return said, "The board has fewer mines, but the agent does not know how many."
        return (said,)


@runtime_checkable
class ExaminedAgent(ReasoningAgent, Protocol):
    """An agent whose beliefs can be examined."""

    def examine(self, position: Position) -> Examination:
        """Compare what the agent believes with what follows from the position."""
        ...

    @property
    def changes(self) -> tuple[KnowledgeChange, ...]:
        """How the agent's knowledge has changed since the game began."""
        ...

    def close(self) -> None:
        """End the agent."""
        ...


def examine(position: Position, beliefs: Moment, reference: MinesweeperAI | None = None) -> Examination:
    """Compare beliefs with what follows from a position.

    `reference` is an agent that knows the numbers of the position already.
    """
    numbers = position.numbers
    if reference is None:
        reference = MinesweeperAI(position.height, position.width)
        for cell, number in numbers.items():
            reference.add_knowledge(cell, number)
    marked = beliefs.safes | beliefs.mines
    off_board = frozenset(
        (i, j) for i, j in marked if not (0 <= i < position.height and 0 <= j < position.width)
    )
    false = set(beliefs.mines & numbers.keys())
    false |= beliefs.mines & reference.safes | beliefs.safes & reference.mines
    known = reference.safes | reference.mines
    doubtful = marked - off_board - known - numbers.keys()
    unfounded: Cells = frozenset()
    if doubtful:
        # If that takes too long, nothing is held against the agent.
        with suppress(LimitReached):
            analysis = analyse(position, limit=_LIMIT)
            false |= doubtful & (beliefs.safes & analysis.mines | beliefs.mines & analysis.safe)
            unfounded = doubtful - analysis.safe - analysis.mines
    return Examination(
        position,
        beliefs,
        missed_safes=frozenset(reference.safes - numbers.keys() - marked),
        missed_mines=frozenset(reference.mines - marked),
        false=frozenset(false),
        unfounded=unfounded,
        off_board=off_board,
    )


def _connected_numbers(position: Position, cell: Cell) -> Mapping[Cell, int]:
    """Return the numbers that are connected to a hidden cell by hidden cells that numbers share."""
    found: dict[Cell, int] = {}
    waiting, seen = [cell], {cell}
    while waiting:
        for near in position.neighbours(waiting.pop()):
            if not position.is_hidden(near) and near not in found:
                found[near] = position[near]
                hidden = {each for each in position.neighbours(near) if position.is_hidden(each)}
                waiting += hidden - seen
                seen |= hidden
    return found


def _are(cells: Cells, one: str, many: str) -> str:
    return f"{describe_cells(cells)} {f'is {one}' if len(cells) == 1 else f'are {many}'}"
