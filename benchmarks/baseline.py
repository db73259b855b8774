"""The course's agent written the straightforward way: compare all pairs until nothing changes."""

from __future__ import annotations

from itertools import permutations

from sapper.minesweeper import Cell, Sentence, neighbours


class PairwiseAI:
    """The baseline for `MinesweeperAI`: the same rules, without an index."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.moves_made: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.knowledge: list[Sentence] = []

    def mark_mine(self, cell: Cell) -> None:
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell: Cell) -> None:
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell: Cell, count: int) -> None:
        self.moves_made.add(cell)
        self.mark_safe(cell)
        around = neighbours(cell, self.height, self.width)
        count -= len(around & self.mines)
        self.knowledge.append(Sentence(around - self.mines - self.safes, count))
        while self._settle() or self._combine():
            pass

    def _settle(self) -> bool:
        """Mark the cells that a sentence makes certain; return whether there were any."""
        mines: set[Cell] = set().union(*(sentence.known_mines() for sentence in self.knowledge))
        safes: set[Cell] = set().union(*(sentence.known_safes() for sentence in self.knowledge))
        for cell in mines:
            self.mark_mine(cell)
        for cell in safes:
            self.mark_safe(cell)
        kept: list[Sentence] = []
        for sentence in self.knowledge:
            if sentence.cells and sentence not in kept:
                kept.append(sentence)
        self.knowledge = kept
        return bool(mines or safes)

    def _combine(self) -> bool:
        """Add the differences of all pairs; return whether any was new."""
        found: list[Sentence] = []
        for part, whole in permutations(self.knowledge, 2):
            if part.cells < whole.cells:
                sentence = Sentence(whole.cells - part.cells, whole.count - part.count)
                if sentence not in self.knowledge and sentence not in found:
                    found.append(sentence)
        self.knowledge += found
        return bool(found)
