"""Minesweeper, and an agent that plays it by logic.

The idea, in four steps:

1. An opened cell shows a number. That number says something about the cells around it: *exactly so
   many of these are mines*. Such a statement is a `Sentence`, written `{cells} = count`.
2. Some sentences settle their cells at once. `{A, B} = 0`: both are safe. `{A, B} = 2`: both are
   mines. A settled cell can be struck from every other sentence, which may settle more.
3. Two sentences can make a third. If one's cells are all among the other's, then what is left over is
   known as well: from `{A, B} = 1` and `{A, B, C} = 2` follows `{C} = 1`.
4. Do 2 and 3 until nothing new follows. What is then known to be safe can be opened without risk.

`Minesweeper` is the game, `Sentence` is a piece of knowledge, `MinesweeperAI` is the agent that gathers
sentences and draws the conclusions. A cell is a pair `(i, j)`: row `i` and column `j`, from zero.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

Cell = tuple[int, int]


def neighbours(cell: Cell, height: int, width: int) -> set[Cell]:
    """Return the cells one step away from `cell`, diagonals included, on a board of this size.

    >>> sorted(neighbours((0, 0), height=8, width=8))
    [(0, 1), (1, 0), (1, 1)]
    """
    i, j = cell
    rows = range(max(i - 1, 0), min(i + 2, height))
    columns = range(max(j - 1, 0), min(j + 2, width))
    return {(row, column) for row in rows for column in columns} - {cell}


def _check_size(height: int, width: int) -> None:
    if height < 1 or width < 1:
        raise ValueError(f"a board needs at least one cell, not {height} rows of {width} cells")


class Minesweeper:
    """The game: where the mines are, and which of them the player has found.

    >>> game = Minesweeper(height=2, width=2, mines=4)
    >>> game.is_mine((0, 1)), game.nearby_mines((0, 1)), game.won()
    (True, 3, False)
    """

    def __init__(self, height: int = 8, width: int = 8, mines: int = 8) -> None:
        _check_size(height, width)
        if not 0 <= mines <= height * width:
            raise ValueError(f"{mines} mines do not fit on a board of {height} x {width} cells")
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
                raise ValueError(f"the mine {(i, j)} is not on a board of {height} x {width} cells")
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
        """Return how many of the cell's neighbours are mines; the cell itself does not count."""
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

    # Sentences change as cells are settled, so they have equality but, on purpose, no hash.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.cells == other.cells and self.count == other.count

    def __str__(self) -> str:
        return f"{self.cells} = {self.count}"

    def __repr__(self) -> str:
        return f"Sentence({self.cells}, {self.count})"

    def known_mines(self) -> set[Cell]:
        """Return all its cells when as many are mines as there are cells, otherwise none."""
        return set(self.cells) if self.count == len(self.cells) else set()

    def known_safes(self) -> set[Cell]:
        """Return all its cells when none of them is a mine, otherwise none."""
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell: Cell) -> None:
        """Take out a cell known to be a mine: one cell less, and one mine less."""
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell: Cell) -> None:
        """Take out a cell known to be safe: one cell less, and as many mines."""
        self.cells.discard(cell)


class MinesweeperAI:
    """The agent: it gathers sentences, combines them, and knows which cells are safe.

    >>> ai = MinesweeperAI(height=1, width=5)
    >>> ai.add_knowledge((0, 1), 1)  # one of its two neighbours is a mine: which?
    >>> ai.knowledge == [Sentence({(0, 0), (0, 2)}, 1)]
    True
    >>> ai.make_safe_move() is None
    True
    >>> ai.add_knowledge((0, 3), 0)  # no mine on either side of this one
    >>> ai.mines, ai.make_safe_move() in {(0, 2), (0, 4)}
    ({(0, 0)}, True)
    """

    def __init__(self, height: int = 8, width: int = 8) -> None:
        _check_size(height, width)
        self.height = height
        self.width = width

        # What the agent knows. A cell is *settled* when it is in `mines` or in `safes`.
        self.moves_made: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.knowledge: list[Sentence] = []

        # An index of the knowledge: sentences that have to do with each other are looked up instead
        # of compared, all with all. A sentence changes, so it is named by its `id`, which does not.
        self._about: dict[Cell, dict[int, Sentence]] = {}  # the sentences that mention the cell
        self._exactly: dict[frozenset[Cell], Sentence] = {}  # the sentence about just these cells
        self._place: dict[int, int] = {}  # where the sentence stands in `knowledge`
        self._indexed = 0  # how many sentences and settled cells the index has seen

        # The work of one `add_knowledge`: what is still to do, and how to take back what was done.
        self._to_settle: dict[int, Sentence] = {}
        self._to_combine: dict[int, Sentence] = {}
        self._added: dict[int, Sentence] = {}
        self._settled: list[Cell] = []
        self._before: dict[int, tuple[Sentence, frozenset[Cell], int]] = {}

    # What the agent is told ----------------------------------------------------------------

    def mark_mine(self, cell: Cell) -> None:
        """Remember that the cell is a mine, and tell every sentence."""
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell: Cell) -> None:
        """Remember that the cell is safe, and tell every sentence."""
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell: Cell, count: int) -> None:
        """Learn that the cell was opened, is safe and shows `count`, and all that follows from it.

        What cannot be true is a `ValueError`, and leaves the agent as it was.
        """
        around = self._check(cell, count)
        try:
            self._catch_up()
            self._settle(cell, self.safes)
            self._add_unsettled(around, count)
            self._conclude()
        except ValueError as reason:
            self._take_back()
            raise ValueError(f"{cell} cannot show {count}: {reason}") from None
        self._keep()
        self.moves_made.add(cell)

    def _check(self, cell: Cell, count: int) -> set[Cell]:
        """Return the cell's neighbours, if it is a cell and can show this count."""
        rows, columns = range(self.height), range(self.width)
        is_pair = isinstance(cell, tuple) and len(cell) == 2
        if not (is_pair and cell[0] in rows and cell[1] in columns):
            board = f"a board of {self.height} x {self.width} cells"
            raise ValueError(f"{cell!r} cannot show {count!r}: it is not a cell of {board}")
        around = neighbours(cell, self.height, self.width)
        if not isinstance(count, int) or not 0 <= count <= len(around):
            raise ValueError(f"{cell} cannot show {count!r}: it has {len(around)} neighbours")
        return around

    # What the agent concludes --------------------------------------------------------------

    def _conclude(self) -> None:
        """Settle cells and combine sentences until nothing new follows.

        Settling goes first: it leaves fewer and shorter sentences to combine.
        """
        while self._to_settle or self._to_combine:
            if self._to_settle:
                _, sentence = self._to_settle.popitem()
                if not 0 <= sentence.count <= len(sentence.cells):
                    raise ValueError("it contradicts what is already known")
                known = self.mines if sentence.count else self.safes
                for cell in sentence.known_mines() or sentence.known_safes():
                    self._settle(cell, known)
            else:
                _, sentence = self._to_combine.popitem()
                self._combine(sentence)

    def _settle(self, cell: Cell, known: set[Cell]) -> None:
        """Add the cell to `known`, the mines or the safes, and strike it from every sentence."""
        if cell in self.mines or cell in self.safes:
            if cell not in known:
                raise ValueError("it contradicts what is already known")
            return
        known.add(cell)
        self._settled.append(cell)
        mark = Sentence.mark_mine if known is self.mines else Sentence.mark_safe
        for name, sentence in self._about.pop(cell, {}).items():
            if name not in self._to_combine:
                cells = frozenset(sentence.cells)
                self._exactly.pop(cells, None)
                self._before.setdefault(name, (sentence, cells, sentence.count))
                self._to_combine[name] = sentence
            mark(sentence, cell)
            self._look_at(sentence)

    def _add(self, cells: frozenset[Cell], count: int) -> None:
        """Take in the sentence, unless it is known already."""
        if not cells and count == 0:
            return
        known = self._exactly.get(cells)
        if known is None or known.count != count:
            sentence = Sentence(cells, count)
            name = id(sentence)
            self._added[name] = self._to_combine[name] = sentence
            for cell in cells:
                self._about.setdefault(cell, {})[name] = sentence
            self._look_at(sentence)

    def _add_unsettled(self, cells: set[Cell], count: int) -> None:
        """Take in what the sentence says about those of its cells that are not settled."""
        unsettled = frozenset(cells - self.safes - self.mines)
        self._add(unsettled, count - len(cells & self.mines))

    def _look_at(self, sentence: Sentence) -> None:
        """Note whether the sentence settles its cells, or cannot be true."""
        if not 0 < sentence.count < len(sentence.cells):
            self._to_settle[id(sentence)] = sentence

    def _combine(self, sentence: Sentence) -> None:
        """Add what follows from this sentence and each that is a part of it, or that it is a part of.

        Only sentences that share a cell with it can be either, and `_about` knows those.
        """
        cells, count = frozenset(sentence.cells), sentence.count
        if not cells:
            return
        twin = self._exactly.setdefault(cells, sentence)
        if twin is not sentence:
            if twin.count != count:
                raise ValueError("it contradicts what is already known")
            self._drop(sentence)
            return
        related: dict[int, Sentence] = {}
        for cell in cells:
            related.update(self._about[cell])
        is_new = id(sentence) in self._added
        for other in related.values():
            if cells < other.cells:
                self._add(frozenset(other.cells - cells), other.count - count)
            elif is_new and other.cells < cells:  # An old one that lost a cell gained no parts.
                self._add(cells - other.cells, count - other.count)

    def _drop(self, sentence: Sentence) -> None:
        """Empty a sentence that says nothing new; `_keep` takes empty ones out."""
        for cell in sentence.cells:
            del self._about[cell][id(sentence)]
        sentence.cells.clear()
        sentence.count = 0

    # How a call of `add_knowledge` begins and ends -----------------------------------------

    def _catch_up(self) -> None:
        """Take in what was changed by hand since the last call: cells marked, sentences added."""
        if self._indexed == self._extent():
            return
        if not self.mines.isdisjoint(self.safes):
            raise ValueError(f"{self.mines & self.safes} are marked as mines and as safe")
        self._about, self._exactly, self._place = {}, {}, {}
        for sentence in self.knowledge:
            self._add_unsettled(sentence.cells, sentence.count)

    def _extent(self) -> int:
        return len(self.knowledge) + len(self.mines) + len(self.safes)

    def _keep(self) -> None:
        """Bring `knowledge` up to date: emptied sentences leave it, those added come in."""
        if not self._place:
            self.knowledge.clear()
        for name, (sentence, _, _) in self._before.items():
            if not sentence.cells and name in self._place:
                place = self._place.pop(name)
                last = self.knowledge.pop()
                if last is not sentence:  # The last sentence moves into the gap.
                    self.knowledge[place] = last
                    self._place[id(last)] = place
        for name, sentence in self._added.items():
            if sentence.cells:
                self._place[name] = len(self.knowledge)
                self.knowledge.append(sentence)
        self._indexed = self._extent()
        self._forget_work()

    def _take_back(self) -> None:
        """Make everything as it was before this call."""
        for sentence, cells, count in self._before.values():
            sentence.cells, sentence.count = set(cells), count
        self.mines.difference_update(self._settled)
        self.safes.difference_update(self._settled)
        self._index()
        self._to_settle.clear()
        self._to_combine.clear()
        self._forget_work()

    def _forget_work(self) -> None:
        self._added.clear()
        self._settled.clear()
        self._before.clear()

    def _index(self) -> None:
        """Make the index of `knowledge` anew."""
        self._about, self._exactly, self._place = {}, {}, {}
        for place, sentence in enumerate(self.knowledge):
            self._place[id(sentence)] = place
            self._exactly[frozenset(sentence.cells)] = sentence
            for cell in sentence.cells:
                self._about.setdefault(cell, {})[id(sentence)] = sentence

    def __setstate__(self, state: dict[str, object]) -> None:
        """Copies and pickles hold new sentences, with new names."""
        self.__dict__.update(state)
        self._index()

    # What the agent does ---------------------------------------------------------------------

    def make_safe_move(self) -> Cell | None:
        """Return a cell known to be safe that has not been opened, or None."""
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
