"""An agent that keeps a list of new sentences and compares each of them with what it knows."""

import random


class Minesweeper:
    """The game."""

    def __init__(self, height=8, width=8, mines=8):
        self.height, self.width = height, width
        everywhere = [(i, j) for i in range(height) for j in range(width)]
        self.mines = set(random.sample(everywhere, mines))
        self.board = [[(i, j) in self.mines for j in range(width)] for i in range(height)]
        self.mines_found = set()

    def print(self):
        line = "--" * self.width + "-"
        print(line)
        for row in self.board:
            print("|" + "|".join("X" if mine else " " for mine in row) + "|")
            print(line)

    def is_mine(self, cell):
        return self.board[cell[0]][cell[1]]

    def nearby_mines(self, cell):
        return len(around(cell, self.height, self.width) & self.mines)

    def won(self):
        return self.mines == self.mines_found


def around(cell, height, width):
    i, j = cell
    steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    cells = {(i + down, j + right) for down, right in steps}
    return {(i, j) for i, j in cells if 0 <= i < height and 0 <= j < width}


class Sentence:
    """Exactly `count` of these cells are mines."""

    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        if not isinstance(other, Sentence):
            return False
        return (self.cells, self.count) == (other.cells, other.count)

    def __str__(self):
        return f"{self.cells} = {self.count}"

    def __sub__(self, other):
        return Sentence(self.cells - other.cells, self.count - other.count)

    def known_mines(self):
        return set(self.cells) if self.count == len(self.cells) else set()

    def known_safes(self):
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell):
        self.cells.discard(cell)


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
        new = Sentence(around(cell, self.height, self.width), count)
        # Anything may have changed since the last time, so look at the old sentences again, too.
        old = self.knowledge
        self.knowledge = []
        self.learn([*old, new])

    def is_finished(self, sentence):
        return sentence.count == 0 or sentence.count == len(sentence.cells)

    def learn(self, new):
        """Add these sentences and everything that follows from them."""
        while new:
            sentence = new.pop()
            for cell in sentence.cells & self.mines:
                sentence.mark_mine(cell)
            for cell in sentence.cells & self.safes:
                sentence.mark_safe(cell)
            if not sentence.cells or sentence in self.knowledge:
                continue
            if self.is_finished(sentence):
                new += self.forget_sentences_about(sentence.cells)
                for cell in sentence.known_mines():
                    self.mark_mine(cell)
                for cell in sentence.known_safes():
                    self.mark_safe(cell)
                continue
            for other in self.knowledge:
                if other.cells < sentence.cells:
                    new.append(sentence - other)
                elif sentence.cells < other.cells:
                    new.append(other - sentence)
            self.knowledge.append(sentence)

    def forget_sentences_about(self, cells):
        forgotten = [sentence for sentence in self.knowledge if sentence.cells & cells]
        self.knowledge = [sentence for sentence in self.knowledge if not sentence.cells & cells]
        return forgotten

    def make_safe_move(self):
        moves = self.safes - self.moves_made
        return moves.pop() if moves else None

    def make_random_move(self):
        everywhere = {(i, j) for i in range(self.height) for j in range(self.width)}
        moves = list(everywhere - self.moves_made - self.mines)
        return random.choice(moves) if moves else None
