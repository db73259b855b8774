"""An agent that remembers the numbers and works out all sentences again after every move."""

import itertools
import random


def neighbours(cell, height, width):
    i, j = cell
    for x, y in itertools.product(range(i - 1, i + 2), range(j - 1, j + 2)):
        if 0 <= x < height and 0 <= y < width and (x, y) != cell:
            yield x, y


class Minesweeper:
    """The game."""

    def __init__(self, height=8, width=8, mines=8):
        if mines > height * width:
            raise ValueError("too many mines")
        self.height = height
        self.width = width
        self.mines = set()
        self.mines_found = set()
        while len(self.mines) < mines:
            self.mines.add((random.randrange(height), random.randrange(width)))
        self.board = []
        for i in range(height):
            self.board.append([(i, j) in self.mines for j in range(width)])

    def print(self):
        line = "--" * self.width + "-\n"
        rows = ["".join("|X" if mine else "| " for mine in row) + "|\n" for row in self.board]
        print(line + line.join(rows) + line, end="")

    def is_mine(self, cell):
        return cell in self.mines

    def nearby_mines(self, cell):
        return sum(self.is_mine(other) for other in neighbours(cell, self.height, self.width))

    def won(self):
        return self.mines_found == self.mines


class Sentence:
    """Exactly `count` of these cells are mines."""

    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        return isinstance(other, Sentence) and self.cells == other.cells and self.count == other.count

    def __hash__(self):
        return hash((frozenset(self.cells), self.count))

    def __str__(self):
        return f"{self.cells} = {self.count}"

    def known_mines(self):
        if self.count == len(self.cells):
            return set(self.cells)
        return set()

    def known_safes(self):
        if self.count == 0:
            return set(self.cells)
        return set()

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells = self.cells - {cell}
            self.count = self.count - 1

    def mark_safe(self, cell):
        self.cells = self.cells - {cell}


class MinesweeperAI:
    """The player."""

    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width
        self.moves_made = set()
        self.mines = set()
        self.safes = set()
        self.knowledge = []
        self.numbers = []

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
        self.numbers.append((set(neighbours(cell, self.height, self.width)), count))

        # What the numbers say, and what somebody may have added by hand.
        by_hand = [(sentence.cells, sentence.count) for sentence in self.knowledge]
        sentences = set()
        for cells, n in self.numbers + by_hand:
            rest = cells - self.mines - self.safes
            if rest:
                sentences.add((frozenset(rest), n - len(cells & self.mines)))

        self.knowledge = [Sentence(cells, n) for cells, n in self.close(sentences)]

    def close(self, sentences):
        """Return these sentences and all that follow from them; mark the cells that are certain."""
        while True:
            mines = set().union(*(cells for cells, n in sentences if n == len(cells)))
            safes = set().union(*(cells for cells, n in sentences if n == 0))
            for mine in mines:
                self.mark_mine(mine)
            for safe in safes:
                self.mark_safe(safe)
            new = {(cells - mines - safes, n - len(cells & mines)) for cells, n in sentences}
            new = {(cells, n) for cells, n in new if cells}
            if not mines and not safes:
                for (cells1, n1), (cells2, n2) in itertools.permutations(sentences, 2):
                    if cells1 < cells2:
                        new.add((cells2 - cells1, n2 - n1))
            if new == sentences:
                return new
            sentences = new

    def make_safe_move(self):
        for cell in self.safes - self.moves_made:
            return cell
        return None

    def make_random_move(self):
        board = itertools.product(range(self.height), range(self.width))
        unknown = [cell for cell in board if cell not in self.moves_made | self.mines]
        if unknown:
            return random.choice(unknown)
        return None
