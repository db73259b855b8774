"""An agent whose sentences are frozen sets, found through an index from each cell."""

import random
from collections import defaultdict
from dataclasses import dataclass


class Minesweeper:
    """The game."""

    def __init__(self, height=8, width=8, mines=8):
        self.height = height
        self.width = width
        self.mines = {divmod(k, width) for k in random.sample(range(height * width), mines)}
        self.mines_found = set()
        self.board = [[(i, j) in self.mines for j in range(width)] for i in range(height)]

    def print(self):
        dashes = "--" * self.width + "-"
        for row in self.board:
            print(dashes)
            print("", *("X" if mine else " " for mine in row), "", sep="|")
        print(dashes)

    def is_mine(self, cell):
        return cell in self.mines

    def nearby_mines(self, cell):
        i, j = cell
        around = {(x, y) for x in (i - 1, i, i + 1) for y in (j - 1, j, j + 1)}
        return len((around - {cell}) & self.mines)

    def won(self):
        return self.mines_found == self.mines


@dataclass
class Sentence:
    """Exactly `count` of these cells are mines."""

    cells: frozenset
    count: int

    def __post_init__(self):
        self.cells = frozenset(self.cells)

    def __str__(self):
        return f"{set(self.cells)} = {self.count}"

    def known_mines(self):
        return set(self.cells) if self.count == len(self.cells) else set()

    def known_safes(self):
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells -= {cell}
            self.count -= 1

    def mark_safe(self, cell):
        self.cells -= {cell}


class MinesweeperAI:
    """The player."""

    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width
        self.moves_made = set()
        self.mines = set()
        self.safes = set()
        self.knowledge = []

    def mark_mine(self, cell):
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell):
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.mark_safe(cell)
        self.knowledge.append(Sentence(self.neighbours(cell), count))

        queue = [(sentence.cells, sentence.count) for sentence in self.knowledge]
        self.knowledge = []
        counts = {}
        index = defaultdict(set)  # all groups of cells that contain a cell
        while queue:
            cells, count = queue.pop()
            count -= len(cells & self.mines)
            cells = cells - self.mines - self.safes
            if not cells or cells in counts:
                continue
            if count in (0, len(cells)):
                for each in cells:
                    if count == 0:
                        self.mark_safe(each)
                    else:
                        self.mark_mine(each)
                    for group in list(index[each]):
                        queue.append((group, counts.pop(group)))
                        for member in group:
                            index[member].remove(group)
                continue
            for group in set().union(*(index[each] for each in cells)):
                if group < cells:
                    queue.append((cells - group, count - counts[group]))
                elif cells < group:
                    queue.append((group - cells, counts[group] - count))
            counts[cells] = count
            for each in cells:
                index[each].add(cells)
        self.knowledge = [Sentence(cells, count) for cells, count in counts.items()]

    def neighbours(self, cell):
        rows = [i for i in (cell[0] - 1, cell[0], cell[0] + 1) if i in range(self.height)]
        columns = [j for j in (cell[1] - 1, cell[1], cell[1] + 1) if j in range(self.width)]
        return {(i, j) for i in rows for j in columns} - {cell}

    def make_safe_move(self):
        return next(iter(self.safes - self.moves_made), None)

    def make_random_move(self):
        cells = {(i, j) for i in range(self.height) for j in range(self.width)}
        cells -= self.moves_made | self.mines
        return random.choice(sorted(cells)) if cells else None
