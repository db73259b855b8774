"""An agent that also compares sentences of which neither contains the other."""

import random


class Minesweeper:
    """The game."""

    def __init__(self, height=8, width=8, mines=8):
        self.height = height
        self.width = width
        cells = [(i, j) for i in range(height) for j in range(width)]
        random.shuffle(cells)
        if mines > len(cells):
            raise ValueError("more mines than cells")
        self.mines = set(cells[:mines])
        self.board = [[(i, j) in self.mines for j in range(width)] for i in range(height)]
        self.mines_found = set()

    def print(self):
        for i in range(self.height):
            print("--" * self.width + "-")
            for j in range(self.width):
                if self.board[i][j]:
                    print("|X", end="")
                else:
                    print("| ", end="")
            print("|")
        print("--" * self.width + "-")

    def is_mine(self, cell):
        i, j = cell
        return self.board[i][j]

    def nearby_mines(self, cell):
        i, j = cell
        rows = self.board[max(i - 1, 0) : i + 2]
        return sum(sum(row[max(j - 1, 0) : j + 2]) for row in rows) - self.board[i][j]

    def won(self):
        return self.mines_found == self.mines


class Sentence:
    """Exactly `count` of these cells are mines."""

    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        return self.cells == other.cells and self.count == other.count

    def __str__(self):
        return f"{self.cells} = {self.count}"

    def known_mines(self):
        return set(self.cells) if len(self.cells) == self.count else set()

    def known_safes(self):
        return set() if self.count else set(self.cells)

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell):
        if cell in self.cells:
            self.cells.remove(cell)


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
        i, j = cell
        neighbours = set()
        for row in range(max(0, i - 1), min(self.height, i + 2)):
            for column in range(max(0, j - 1), min(self.width, j + 2)):
                neighbours.add((row, column))
        neighbours.remove(cell)
        self.knowledge.append(Sentence(neighbours, count))
        self.tidy()

        found = True
        while found:
            found = False
            for sentence in self.conclusions():
                if sentence not in self.knowledge:
                    self.knowledge.append(sentence)
                    found = True
            self.tidy()

    def tidy(self):
        """Mark the certain cells, and remove them and the sentences that say nothing new."""
        while True:
            for sentence in self.knowledge:
                for cell in sentence.cells & self.mines:
                    sentence.mark_mine(cell)
                for cell in sentence.cells & self.safes:
                    sentence.mark_safe(cell)
            certain = [sentence for sentence in self.knowledge if self.is_certain(sentence)]
            if not certain:
                break
            for sentence in certain:
                for cell in sentence.known_mines():
                    self.mark_mine(cell)
                for cell in sentence.known_safes():
                    self.mark_safe(cell)

        different = []
        for sentence in self.knowledge:
            if sentence.cells and sentence not in different:
                different.append(sentence)
        self.knowledge = different

    def is_certain(self, sentence):
        return bool(sentence.known_mines() or sentence.known_safes())

    def conclusions(self):
        """Return what follows from pairs of sentences."""
        result = []
        for first in self.knowledge:
            for second in self.knowledge:
                if first is second or first.cells.isdisjoint(second.cells):
                    continue
                only_first = first.cells - second.cells
                only_second = second.cells - first.cells
                if not only_first:
                    result.append(Sentence(only_second, second.count - first.count))
                elif only_second and second.count - first.count == len(only_second):
                    # The second needs so many more mines that they fill all the cells it has alone.
                    result.append(Sentence(only_second, len(only_second)))
                    result.append(Sentence(only_first, 0))
        return result

    def make_safe_move(self):
        moves = [cell for cell in self.safes if cell not in self.moves_made]
        return random.choice(moves) if moves else None

    def make_random_move(self):
        moves = [
            (i, j)
            for i in range(self.height)
            for j in range(self.width)
            if (i, j) not in self.moves_made
            if (i, j) not in self.mines
        ]
        return random.choice(moves) if moves else None
