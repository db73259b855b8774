"""An agent that compares all pairs of sentences until nothing changes."""

import random


class Minesweeper:
    """The game."""

    def __init__(self, height=8, width=8, mines=8):
        self.height = height
        self.width = width
        self.board = [[False] * width for _ in range(height)]
        self.mines = set()
        self.mines_found = set()
        for k in random.sample(range(height * width), mines):
            self.mines.add((k // width, k % width))
            self.board[k // width][k % width] = True

    def print(self):
        for row in self.board:
            print("--" * self.width + "-")
            for mine in row:
                print("|X" if mine else "| ", end="")
            print("|")
        print("--" * self.width + "-")

    def is_mine(self, cell):
        i, j = cell
        return self.board[i][j]

    def nearby_mines(self, cell):
        total = 0
        for i, j in self.mines:
            if (i, j) != cell and abs(i - cell[0]) <= 1 and abs(j - cell[1]) <= 1:
                total += 1
        return total

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
        if len(self.cells) == self.count:
            return self.cells.copy()
        return set()

    def known_safes(self):
        if self.count == 0:
            return set(self.cells)
        return set()

    def mark_mine(self, cell):
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell):
        if cell in self.cells:
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
        # somebody may have put cells into self.mines or self.safes
        for sentence in self.knowledge:
            for mine in sentence.cells & self.mines:
                sentence.mark_mine(mine)
            for safe in sentence.cells & self.safes:
                sentence.mark_safe(safe)

        # 1) remember the move
        self.moves_made.add(cell)

        # 2) the cell is safe
        self.mark_safe(cell)

        # 3) a sentence about the neighbours that are not known yet
        cells = set()
        for neighbour in self.neighbours(cell):
            if neighbour in self.mines:
                count -= 1
            elif neighbour not in self.safes:
                cells.add(neighbour)
        self.knowledge.append(Sentence(cells, count))

        # 4) and 5), again and again
        while self.mark_certain_cells() or self.infer_sentences():
            pass

    def neighbours(self, cell):
        result = []
        for i in range(cell[0] - 1, cell[0] + 2):
            for j in range(cell[1] - 1, cell[1] + 2):
                if (i, j) != cell and 0 <= i < self.height and 0 <= j < self.width:
                    result.append((i, j))
        return result

    def mark_certain_cells(self):
        mines = set()
        safes = set()
        for sentence in self.knowledge:
            mines |= sentence.known_mines()
            safes |= sentence.known_safes()
        for mine in mines:
            self.mark_mine(mine)
        for safe in safes:
            self.mark_safe(safe)
        self.remove_useless_sentences()
        return len(mines) + len(safes) > 0

    def remove_useless_sentences(self):
        useful = []
        for sentence in self.knowledge:
            if sentence.cells and sentence not in useful:
                useful.append(sentence)
        self.knowledge = useful

    def infer_sentences(self):
        inferred = []
        for a in self.knowledge:
            for b in self.knowledge:
                if a.cells < b.cells:
                    new = Sentence(b.cells - a.cells, b.count - a.count)
                    if new not in self.knowledge and new not in inferred:
                        inferred.append(new)
        self.knowledge.extend(inferred)
        return len(inferred) > 0

    def make_safe_move(self):
        for cell in self.safes:
            if cell not in self.moves_made:
                return cell
        return None

    def make_random_move(self):
        choices = []
        for i in range(self.height):
            for j in range(self.width):
                if (i, j) not in self.moves_made and (i, j) not in self.mines:
                    choices.append((i, j))
        if not choices:
            return None
        return random.choice(choices)
