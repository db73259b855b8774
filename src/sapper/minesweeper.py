"""Minesweeper, and an agent that plays it by logic.

The idea, in four steps:

1. An open cell shows a number, which says how many of its neighbours are mines. Such a statement is a
   `Sentence`: exactly `count` of these cells are mines, written `{cells} = count`.
2. Some sentences make their cells certain. `{A, B} = 0`: both are safe. `{A, B} = 2`: both are mines.
   A cell that is certain can be removed from every other sentence, which may make more cells certain.
3. Two sentences can imply a third. If one sentence's cells are a subset of another's, subtract it: from
   `{A, B} = 1` and `{A, B, C} = 2` follows `{C} = 1`.
4. Repeat 2 and 3 until nothing new follows. Cells that are known to be safe can be opened without risk.

`Minesweeper` is the game, `Sentence` is a piece of knowledge, and `MinesweeperAI` is the agent, which
collects sentences and draws conclusions. A cell is a pair `(i, j)`: row and column, counted from 0.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from operator import index

Cell = tuple[int, int]
Claim = tuple[frozenset[Cell], int]  # the cells and the count of a sentence


def neighbours(cell: Cell, height: int, width: int) -> set[Cell]:
    """Return the cells one step away from this one, including diagonally.

    >>> sorted(neighbours((0, 0), height=8, width=8))
    [(0, 1), (1, 0), (1, 1)]
    """
    i, j = cell
    rows = range(max(i - 1, 0), min(i + 2, height))
    columns = range(max(j - 1, 0), min(j + 2, width))
    return {(row, column) for row in rows for column in columns if row != i or column != j}


def _check_size(height: int, width: int) -> None:
    if height < 1 or width < 1:
        raise ValueError(f"a board needs at least one cell, not {height} rows of {width} cells")


class Minesweeper:
    """The game: where the mines are, and which of them the player has flagged.

    >>> game = Minesweeper(height=2, width=2, mines=4)
    >>> game.is_mine((0, 1)), game.nearby_mines((0, 1)), game.won()
    (True, 3, False)
    """

    def __init__(self, height: int = 8, width: int = 8, mines: int = 8) -> None:
        _check_size(height, width)
        if not 0 <= mines <= height * width:
            raise ValueError(f"{mines} mines do not fit on {height} rows of {width} cells")
        everywhere = [(i, j) for i in range(height) for j in range(width)]
        self._lay(height, width, random.sample(everywhere, mines))

    @classmethod
    def with_mines(cls, height: int, width: int, mines: Iterable[Cell]) -> Minesweeper:
        """Return the game whose mines are exactly these cells.

        >>> Minesweeper.with_mines(2, 3, [(0, 0)]).nearby_mines((1, 1))
        1
        """
        _check_size(height, width)
        mines = set(mines)
        for i, j in mines:
            if not (0 <= i < height and 0 <= j < width):
                raise ValueError(f"the mine {(i, j)} is not on the {height} rows of {width} cells")
        game = cls.__new__(cls)
        game._lay(height, width, mines)
        return game

    def _lay(self, height: int, width: int, mines: Iterable[Cell]) -> None:
        self.height = height
        self.width = width
        self.mines = set(mines)
        self.mines_found: set[Cell] = set()
        self.board = [[False] * width for _ in range(height)]
        for i, j in self.mines:
            self.board[i][j] = True

    def print(self) -> None:
        """Print the mines as text."""
        line = "--" * self.width + "-"
        for row in self.board:
            print(line)
            print("".join("|X" if mine else "| " for mine in row) + "|")
        print(line)

    def is_mine(self, cell: Cell) -> bool:
        """Return whether the cell is a mine."""
        i, j = cell
        return self.board[i][j]

    def nearby_mines(self, cell: Cell) -> int:
        """Return the number of neighbours that are mines, not counting the cell itself."""
        return sum(self.board[i][j] for i, j in neighbours(cell, self.height, self.width))

    def won(self) -> bool:
        """Return whether the player has flagged exactly the mines."""
        return self.mines_found == self.mines


class Sentence:
    """A piece of knowledge: exactly `count` of these cells are mines.

    >>> sentence = Sentence({(0, 0), (0, 1), (0, 2)}, 2)
    >>> sentence.mark_safe((0, 1))
    >>> sorted(sentence.known_mines())
    [(0, 0), (0, 2)]
    """

    def __init__(self, cells: Iterable[Cell], count: int) -> None:
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.cells == other.cells and self.count == other.count

    def __str__(self) -> str:
        return f"{self.cells} = {self.count}"

    def __repr__(self) -> str:
        return f"Sentence({self.cells}, {self.count})"

    def known_mines(self) -> set[Cell]:
        """Return all cells if their number equals the count, otherwise the empty set."""
        return set(self.cells) if self.count == len(self.cells) else set()

    def known_safes(self) -> set[Cell]:
        """Return all cells if the count is 0, otherwise the empty set."""
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell: Cell) -> None:
        """Remove a cell that is known to be a mine, and decrement the count."""
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell: Cell) -> None:
        """Remove a cell that is known to be safe, and leave the count alone."""
        self.cells.discard(cell)


class MinesweeperAI:
    """The agent: it collects sentences, draws conclusions, and knows which cells are safe.

    >>> ai = MinesweeperAI(height=1, width=5)
    >>> ai.add_knowledge((0, 1), 1)  # One of its two neighbours is a mine. Which?
    >>> ai.knowledge == [Sentence({(0, 0), (0, 2)}, 1)]
    True
    >>> ai.make_safe_move() is None
    True
    >>> ai.add_knowledge((0, 3), 0)  # Neither neighbour of this cell is a mine.
    >>> ai.mines, ai.make_safe_move() in {(0, 2), (0, 4)}
    ({(0, 0)}, True)
    """

    # How many pairs of sentences one call may compare. Numbers need a few hundred. A sentence about
    # the whole board, added by hand, would need more than a computer can do.
    MOST_COMPARISONS = 1_000_000

    def __init__(self, height: int = 8, width: int = 8) -> None:
        _check_size(height, width)
        self.height = height
        self.width = width
        self.moves_made: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.knowledge: list[Sentence] = []
        self._removed: dict[Cell, bool] = {}  # what `update_knowledge` is marking
        self._forget()

    def mark_mine(self, cell: Cell) -> None:
        """Mark a cell as a mine, and update every sentence."""
        self.mines.add(cell)
        for sentence in self._sentences_to_update(cell):
            sentence.mark_mine(cell)

    def mark_safe(self, cell: Cell) -> None:
        """Mark a cell as safe, and update every sentence."""
        self.safes.add(cell)
        for sentence in self._sentences_to_update(cell):
            sentence.mark_safe(cell)

    def _sentences_to_update(self, cell: Cell) -> list[Sentence]:
        """Return all sentences, or none if `update_knowledge` has already removed the cell."""
        return [] if cell in self._removed else self.knowledge

    def add_knowledge(self, cell: Cell, count: int) -> None:
        """Learn that a cell was opened, is safe and shows `count`, and everything that follows.

        If that cannot be true, raise a `ValueError` that says why, and change nothing.
        """
        cell, count, around = self._check(cell, count)
        was_opened = cell in self.moves_made
        self.moves_made.add(cell)  # Step 1.
        sentence = Sentence(around - self.mines - self.safes, count - len(around & self.mines))
        self.knowledge.append(sentence)  # Step 3.
        try:
            self.update_knowledge()  # Step 2, as for all cells in `moves_made`, and steps 4 and 5.
        except BaseException as reason:
            self.knowledge[:] = [other for other in self.knowledge if other is not sentence]
            if not was_opened:
                self.moves_made.discard(cell)
            if isinstance(reason, ValueError):
                raise ValueError(f"{cell} cannot show {count}: {reason}") from None
            raise

    def _check(self, cell: Cell, count: int) -> tuple[Cell, int, set[Cell]]:
        """Return the cell, the count and the neighbours, if there is such a cell and such a count."""
        try:
            i, j = map(index, cell)
            is_cell = isinstance(cell, tuple) and 0 <= i < self.height and 0 <= j < self.width
        except (TypeError, ValueError):
            is_cell = False
        if not is_cell:
            board = f"a board with {self.height} rows of {self.width} cells"
            raise ValueError(f"{cell!r} cannot show {count!r}: it is not a cell of {board}")
        around = neighbours((i, j), self.height, self.width)
        try:
            count = index(count)
        except TypeError:
            raise ValueError(f"{cell} cannot show {count!r}: that is not an integer") from None
        if not 0 <= count <= len(around):
            raise ValueError(f"{cell} cannot show {count}: it has {len(around)} neighbours")
        return (i, j), count, around

    def _claim(self, cells: Iterable[Cell], count: int) -> Claim:
        """Return what a sentence says about those of its cells that are still undetermined."""
        cells = frozenset(cells)
        return cells - self.mines - self.safes, index(count) - len(cells & self.mines)

    def update_knowledge(self) -> None:
        """Mark what is certain and infer new sentences, until nothing new follows.

        Call it after marking cells or adding sentences by hand. If they contradict each other, it
        raises a `ValueError` and changes nothing.
        """
        before = self.knowledge[:]
        marks: dict[Cell, bool] = {}
        try:
            marks = self._infer(self._new_claims())  # First draw all conclusions, then publish them.
            self.knowledge[:] = self._sentences.values()
            self._removed = marks
            for cell, is_mine in marks.items():
                (self.mark_mine if is_mine else self.mark_safe)(cell)
        except BaseException:
            self.knowledge[:] = before
            self.mines.difference_update(marks)
            self.safes.difference_update(marks)
            self._forget()
            raise
        finally:
            self._removed = {}

    def _forget(self) -> None:
        """Empty the index of the knowledge base."""
        self._sentences: dict[frozenset[Cell], Sentence] = {}  # the sentences in `knowledge`
        self._counts: dict[frozenset[Cell], int] = {}  # their counts
        self._about: defaultdict[Cell, set[frozenset[Cell]]] = defaultdict(set)  # those about a cell
        self._mentioned: set[Cell] = set()  # the cells that sentences mention

    def _new_claims(self) -> list[Claim]:
        """Return what is not in the index yet. If a caller has changed what is, start again."""
        if not self.mines.isdisjoint(self.safes):
            raise ValueError(f"{self.mines & self.safes} are marked as mines and as safe")
        indexed = self.knowledge[: len(self._counts)]
        if not (
            [sentence.cells for sentence in indexed] == list(self._counts)
            and [sentence.count for sentence in indexed] == list(self._counts.values())
            and self._mentioned.isdisjoint(self.mines)
            and self._mentioned.isdisjoint(self.safes)
        ):
            self._forget()
        new = self.knowledge[len(self._counts) :]
        claims = [self._claim(sentence.cells, sentence.count) for sentence in new]
        return [*claims, self._claim(self.moves_made - self.safes, 0)]

    def _infer(self, agenda: list[Claim]) -> dict[Cell, bool]:
        """Work through the agenda; return the cells that became certain, and whether each is a mine."""
        counts, sentences, about = self._counts, self._sentences, self._about
        marks: dict[Cell, bool] = {}
        comparisons_left = self.MOST_COMPARISONS + 1_000 * len(agenda)
        while agenda:
            cells, count = agenda.pop()
            if not marks.keys().isdisjoint(cells):  # Some of its cells are certain by now.
                count -= sum([marks.get(cell, False) for cell in cells])
                cells = cells.difference(marks)
            if not 0 <= count <= len(cells) or counts.get(cells, count) != count:
                raise ValueError("it contradicts what is known")
            if not cells or cells in counts:
                continue  # It says nothing new.
            if count == 0 or count == len(cells):
                # Step 4: mark its cells, and look again at the sentences that mention them.
                self._mentioned -= cells
                for cell in cells:
                    marks[cell] = count > 0
                    for other in tuple(about[cell]):
                        agenda.append((other, counts.pop(other)))
                        del sentences[other]
                        for each in other:
                            about[each].remove(other)
                    del about[cell]
            else:
                # Step 5: subtract it from the sentences that contain it, and from it those it contains.
                counts[cells] = count
                sentences[cells] = Sentence(cells, count)
                self._mentioned |= cells
                related: set[frozenset[Cell]] = set()
                for cell in cells:
                    related |= about[cell]
                    about[cell].add(cells)
                for other in related:
                    if cells < other:
                        agenda.append((other - cells, counts[other] - count))
                    elif other < cells:
                        agenda.append((cells - other, count - counts[other]))
                comparisons_left -= len(related)
                if comparisons_left < 0:
                    raise ValueError("too many sentences follow; is one about very many cells?")
        return marks

    def make_safe_move(self) -> Cell | None:
        """Return a cell that is known to be safe and has not been opened, or None."""
        return next(iter(self.safes - self.moves_made), None)

    def make_random_move(self) -> Cell | None:
        """Return a random cell that has not been opened and is not known to be a mine, or None."""
        cells = [
            (i, j)
            for i in range(self.height)
            for j in range(self.width)
            if (i, j) not in self.moves_made and (i, j) not in self.mines
        ]
        return random.choice(cells) if cells else None
