"""A brute-force oracle for the engine: all layouts of a small position, and positions to test.

It shares nothing with the engines. A set of layouts of n hidden cells is one integer of 2**n bits: bit
number L stands for the layout L, in which the hidden cell k is a mine if bit k of L is set. To keep the
layouts in which something holds is then one `&`, and to count them is `int.bit_count`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from benchmarks.games import game_of_size, shuffled_openings
from sapper import FLAG, HIDDEN, Position
from sapper.minesweeper import Minesweeper, MinesweeperAI
from sapper.position import Cell

MOST_HIDDEN = 18
"""The most hidden cells for which brute force is quick: 2**18 layouts."""
FULL = {"": False, "full": True}[os.environ.get("SAPPER_TEST_SCALE", "")]
"""Whether to run the full tests, however long they take."""


def batches(usual: int, *, full: int, parts: int = 8) -> list[range]:
    """Return the seeds to test, in parts for the cores to share: full with SAPPER_TEST_SCALE=full."""
    count = full if FULL else usual
    return [range(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


# All layouts -------------------------------------------------------------------------------


@cache
def with_mine(place: int, cells: int) -> int:
    """Return the layouts of so many cells that have a mine in this place."""
    block = (
        1 << place
    )  # Blocks of layouts without a mine there alternate with blocks of layouts with one.
    pair = 2 * block
    return (((1 << block) - 1) << block) * (((1 << (1 << cells)) - 1) // ((1 << pair) - 1))


def by_count(layouts: int, mine_sets: Iterable[int]) -> list[int]:
    """Return the layouts split by how many of these sets they are in: those in none, in one, ..."""
    split = [layouts]
    for mine_set in mine_sets:
        moved = [part & mine_set for part in split]
        split = [part ^ move for part, move in zip(split, moved, strict=True)] + [0]
        for number, move in enumerate(moved, start=1):
            split[number] |= move
    return split


@cache
def all_by_mines(cells: int) -> list[int]:
    """Return all layouts of so many cells, split by their number of mines."""
    return by_count((1 << (1 << cells)) - 1, [with_mine(place, cells) for place in range(cells)])


def around(cell: Cell, cells: Iterable[Cell]) -> list[Cell]:
    """Return those of the cells that are neighbours of this one."""
    return [other for other in cells if max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) == 1]


class AllLayouts:
    """All layouts in which the chosen numbers of a position are true and the chosen flags are mines."""

    def __init__(
        self,
        position: Position,
        *,
        numbers: Collection[Cell] | None = None,
        use_mine_count: bool = True,
        trust_flags: bool = False,
    ) -> None:
        self._cells = [cell for cell in position if position[cell] in (HIDDEN, FLAG)]
        size = len(self._cells)
        self._with_mine = {cell: with_mine(place, size) for place, cell in enumerate(self._cells)}
        if not use_mine_count:
            self._layouts = (1 << (1 << size)) - 1
        else:
            self._layouts = all_by_mines(size)[position.mines] if position.mines <= size else 0
        for cell in position:
            if position[cell] == FLAG and trust_flags:
                self._layouts &= self._with_mine[cell]
            elif position[cell] < HIDDEN and (numbers is None or cell in numbers):
                split = self._by_number(cell, self._layouts)
                self._layouts = split[position[cell]] if position[cell] < len(split) else 0

    def _by_number(self, cell: Cell, layouts: int) -> list[int]:
        return by_count(layouts, [self._with_mine[near] for near in around(cell, self._cells)])

    @property
    def count(self) -> int:
        """How many layouts there are."""
        return self._layouts.bit_count()

    @property
    def mines(self) -> dict[Cell, int]:
        """In how many of the layouts each hidden cell is a mine."""
        return {cell: (self._layouts & self._with_mine[cell]).bit_count() for cell in self._cells}

    def safe(self, cells: Collection[Cell]) -> int:
        """Return in how many of the layouts none of these hidden cells is a mine."""
        layouts = self._layouts
        for cell in cells:
            layouts &= ~self._with_mine[cell]
        return layouts.bit_count()

    def shows(self, cell: Cell) -> dict[int, int]:
        """Return in how many of the layouts this hidden cell is safe and shows each number."""
        safe = self._layouts & ~self._with_mine[cell]
        counts = {number: part.bit_count() for number, part in enumerate(self._by_number(cell, safe))}
        return {number: count for number, count in counts.items() if count}


# Positions ---------------------------------------------------------------------------------


class Example(NamedTuple):
    """A position, and the minefield it comes from."""

    position: Position
    minefield: Minesweeper


def seen(minefield: Minesweeper, opened: Collection[Cell]) -> Position:
    """Return the position after these cells were opened."""
    height, width = minefield.height, minefield.width
    codes = bytearray([HIDDEN]) * (height * width)
    for i, j in opened:
        codes[i * width + j] = minefield.nearby_mines((i, j))
    return Position(height, width, len(minefield.mines), bytes(codes))


def small_position(seed: int) -> Example:
    """Return a position of any shape with at most `MOST_HIDDEN` hidden cells, 5 to 80 % mines.

    For even seeds, empty cells open the cells around them.
    """
    generator = random.Random(seed)
    density = generator.uniform(0.05, 0.8)
    area = min(int(MOST_HIDDEN / density), 40)
    height = generator.randint(1, generator.randint(1, 8))
    width = generator.randint(1, max(area // height, 1))
    if generator.random() < 0.5:
        height, width = width, height
    mines = min(round(density * height * width), MOST_HIDDEN)
    minefield = game_of_size(height, width, mines, seed)
    safe = [cell for cell, _ in shuffled_openings(minefield, seed)]
    most_hidden = generator.randint(mines, MOST_HIDDEN)
    opened: set[Cell] = set()
    while height * width - len(opened) > most_hidden:
        waiting = [safe.pop()]
        while waiting:
            cell = waiting.pop()
            if cell not in opened:
                opened.add(cell)
                if seed % 2 == 0 and minefield.nearby_mines(cell) == 0:
                    waiting += around(cell, safe)
    return Example(seen(minefield, opened), minefield)


def with_flags(position: Position, seed: int) -> Position:
    """Return the position with some hidden cells flagged, rightly or wrongly."""
    generator = random.Random(seed)
    codes = [FLAG if code == HIDDEN and generator.random() < 0.2 else code for code in position.codes]
    return Position(position.height, position.width, position.mines, bytes(codes))


def corrupted(position: Position, seed: int) -> Position:
    """Return the position with another number in an opened cell or two, or another number of mines.

    It may be one that no minefield can produce.
    """
    generator = random.Random(seed)
    codes, mines = bytearray(position.codes), position.mines
    opened = [place for place, code in enumerate(codes) if code < HIDDEN]
    changes = generator.randint(0, min(len(opened), 2))
    for place in generator.sample(opened, changes):
        step = generator.choice([-1, 1, 1, 2, 7])
        codes[place] = min(max(codes[place] + step, 0), 8)
    if changes == 0 or generator.random() < 0.3:
        mines = generator.randint(0, len(codes))
    return Position(position.height, position.width, mines, bytes(codes))


def symmetries(position: Position) -> Iterator[tuple[Position, dict[Cell, Cell]]]:
    """Generate the position turned and mirrored in all eight ways, and where each cell goes."""
    for upside_down, mirrored, transposed in product([False, True], repeat=3):
        goes_to = {}
        for i, j in position:
            row = position.height - 1 - i if upside_down else i
            column = position.width - 1 - j if mirrored else j
            goes_to[i, j] = (column, row) if transposed else (row, column)
        codes = {goes_to[cell]: position[cell] for cell in position}
        bottom, right = max(codes)
        turned = bytes(codes[cell] for cell in sorted(codes))
        yield Position(bottom + 1, right + 1, position.mines, turned), goes_to


def expert_position(seed: int) -> Example:
    """Return a position from a game on 16 x 30 cells with 99 mines.

    It begins with an empty cell. What the course's agent knows to be safe is opened, and where it knows
    nothing, the safe cell beside most open ones. The game is stopped after any number of openings; for
    odd seeds, when the agent next knows no safe cell.
    """
    minefield = game_of_size(16, 30, 99, seed)
    openings = random.Random(seed).randint(1, 381)
    numbers = dict(shuffled_openings(minefield, seed))
    ai = MinesweeperAI(16, 30)
    following: Cell | None = next(cell for cell in numbers if numbers[cell] == 0)
    while len(ai.moves_made) < openings or (seed % 2 and following):
        if following is None:
            unopened = [cell for cell in numbers if cell not in ai.moves_made]
            following = max(unopened, key=lambda cell: len(around(cell, ai.moves_made)))
        ai.add_knowledge(following, numbers[following])
        following = min(ai.safes - ai.moves_made, default=None)
    return Example(seen(minefield, ai.moves_made), minefield)
