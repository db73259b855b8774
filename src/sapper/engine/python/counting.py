"""Counting layouts in pure Python: exact, slower than the compiled engine, and easier to read.

It counts the layouts of a position, and those in which each hidden cell is a mine. docs/engine.md
explains the method with an example.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb

from sapper.engine.limits import Budget
from sapper.position import IS_HIDDEN, Cell, Position, cells_where

Number = Cell
"""An open cell with hidden neighbours."""
State = tuple[tuple[Number, int], ...]
"""The number of mines that each pending number of a sweep still needs."""
Ways = Counter[int]
"""The number of ways, by the number of mines used."""


@dataclass(frozen=True)
class Box:
    """Hidden cells next to the same numbers. Only the number of mines among them matters."""

    cells: tuple[Cell, ...]
    numbers: frozenset[Number]


@dataclass(frozen=True)
class Count:
    """The number of layouts, and the number in which each hidden cell is a mine."""

    layouts: int
    mines: Mapping[Cell, int]


def count_layouts(position: Position, budget: Budget, *, trust_flags: bool = False) -> Count:
    """Return the number of layouts of a position, in all and with a mine on each hidden cell.

    >>> from sapper.engine.limits import Limit
    >>> count = count_layouts(Position.parse("# 1 # #", mines=2), Limit().start())
    >>> count.layouts, count.mines[0, 0], count.mines[0, 3]
    (2, 1, 2)
    """
    flags = position.flags if trust_flags else frozenset()
    free, sweeps = take_apart(position, position.numbers, flags, budget)
    mines_left = position.mines - len(flags)
    together = multiply((sweep.ways for sweep in sweeps), budget)
    layouts = complete(free, together, mines_left, budget)
    mines = dict.fromkeys(flags, layouts)
    on_free_cell = complete(free - 1, together, mines_left - 1, budget) if free else 0
    mines |= dict.fromkeys(position.hidden - flags, on_free_cell)
    for index, sweep in enumerate(sweeps):
        others = multiply((other.ways for other in sweeps[:index] + sweeps[index + 1 :]), budget)
        mines |= sweep.count_mines(ways_outside(free, others, mines_left, budget))
    return Count(layouts, mines)


def count_safe(
    position: Position, cells: Iterable[Cell], budget: Budget, *, trust_flags: bool = False
) -> int:
    """Return the number of layouts in which none of these hidden cells is a mine.

    >>> from sapper.engine.limits import Limit
    >>> count_safe(Position.parse("# # #", mines=1), [(0, 0), (0, 1)], Limit().start())
    1
    """
    flags = position.flags if trust_flags else frozenset()
    if not flags.isdisjoint(cells):
        return 0
    opened = position
    for cell in cells:
        opened = opened.opened(cell, 0)  # Its own number is not used.
    free, sweeps = take_apart(opened, position.numbers, flags, budget)
    together = multiply((sweep.ways for sweep in sweeps), budget)
    return complete(free, together, position.mines - len(flags), budget)


def is_possible(
    position: Position,
    numbers: Iterable[Number],
    flags: frozenset[Cell],
    use_mine_count: bool,
    budget: Budget,
) -> bool:
    """Return whether a layout satisfies these numbers."""
    free, sweeps = take_apart(position, numbers, flags, budget)
    if not use_mine_count:
        return all(sweep.ways for sweep in sweeps)
    together = multiply((sweep.ways for sweep in sweeps), budget)
    return complete(free, together, position.mines - len(flags), budget) > 0


def take_apart(
    position: Position, numbers: Iterable[Number], flags: frozenset[Cell], budget: Budget
) -> tuple[int, list[Sweep]]:
    """Return the number of hidden cells next to none of the numbers, and a sweep for each component."""
    needs = {}
    for number in numbers:
        budget.check()
        needs[number] = position[number] - len(position.neighbours(number) & flags)
    boxes = find_boxes(position, flags, needs, budget)
    free = sum(len(box.cells) for box in boxes if not box.numbers)
    touched = {number for box in boxes for number in box.numbers}
    alone = [Box((), frozenset([number])) for number in needs if number not in touched]
    return free, [Sweep(part, needs, budget) for part in components(boxes + alone)]


def find_boxes(
    position: Position, flags: frozenset[Cell], needs: Mapping[Number, int], budget: Budget
) -> list[Box]:
    """Return the unflagged hidden cells, grouped by the numbers next to them."""
    groups = defaultdict(list)
    for cell in cells_where(position.codes.translate(IS_HIDDEN), position.width):
        budget.check()
        if cell in flags:
            continue
        groups[frozenset(position.neighbours(cell) & needs.keys())].append(cell)
    return [Box(tuple(cells), numbers) for numbers, cells in groups.items()]


def components(boxes: Iterable[Box]) -> list[list[Box]]:
    """Return the boxes next to numbers, grouped into components that share no number."""
    waiting = {box: None for box in boxes if box.numbers}
    around: dict[Number, list[Box]] = defaultdict(list)
    for box in waiting:
        for number in box.numbers:
            around[number].append(box)
    parts = []
    while waiting:
        part = [waiting.popitem()[0]]
        for box in part:  # The part grows during the loop.
            for number in box.numbers:
                part += [other for other in around.pop(number, ()) if waiting.pop(other, box) is None]
        parts.append(part)
    return parts


def multiply(factors: Iterable[Ways], budget: Budget) -> Ways:
    """Return the number of ways in which independent parts together use each number of mines."""
    product: Ways = Counter({0: 1})
    for factor in factors:
        longer: Ways = Counter()
        for mines, ways in product.items():
            budget.check()
            for more, times in factor.items():
                longer[mines + more] += ways * times
        product = longer
    return product


def complete(free: int, ways: Ways, mines_left: int, budget: Budget) -> int:
    """Return the number of layouts of some parts and `free` cells that are next to no number."""
    layouts = 0
    for mines, times in ways.items():
        budget.check()
        if mines <= mines_left:
            layouts += times * comb(free, mines_left - mines)
    return layouts


def ways_outside(free: int, ways: Ways, mines_left: int, budget: Budget) -> Ways:
    """Return, for each number of mines in one part, the number of layouts of everything outside it.

    Outside are the other parts, with their `ways`, and `free` cells that are next to no number.
    """
    counts = range(max(mines_left, 0) + 1)
    return Counter({used: complete(free, ways, mines_left - used, budget) for used in counts})


class Sweep:
    """Sweeps over the boxes of one component, and records only what pending numbers still need.

    A number is pending from its first box to its last. The earlier boxes influence the later ones only
    through these needs, so layouts that leave the same needs are counted together.
    """

    def __init__(self, boxes: list[Box], needs: Mapping[Number, int], budget: Budget) -> None:
        self._needs = needs
        self._budget = budget
        self._boxes = in_good_order(boxes, budget)
        self._room: list[dict[Number, int]] = []  # Cells left for each pending number, after each box.
        room = Counter(number for box in boxes for number in box.numbers for _ in box.cells)
        opened: set[Number] = set()
        for box in self._boxes:
            opened |= box.numbers
            room.subtract({number: len(box.cells) for number in box.numbers})
            self._room.append({number: room[number] for number in sorted(opened)})
            opened = {number for number in opened if room[number]}

        self._layers: list[dict[State, Ways]] = [{(): Counter({0: 1})}]
        for step, box in enumerate(self._boxes):
            layer: dict[State, Ways] = defaultdict(Counter)
            for state, ways in self._layers[-1].items():
                budget.check()
                for mines, after in self._choices(step, state):
                    for used, times in ways.items():
                        layer[after][used + mines] += times * comb(len(box.cells), mines)
            self._layers.append(layer)
            budget.spend(len(layer))
        self.ways = self._layers[-1].get((), Counter())
        """The number of layouts of the component, by the number of mines."""

    def _choices(self, step: int, state: State) -> Iterator[tuple[int, State]]:
        """Yield the numbers of mines that the box of this step can hold, and the states after."""
        box, room = self._boxes[step], self._room[step]
        needs = dict(state)
        for number in box.numbers:
            needs.setdefault(number, self._needs[number])
        for mines in range(len(box.cells) + 1):
            after = {number: need - mines * (number in box.numbers) for number, need in needs.items()}
            if all(0 <= need <= room[number] for number, need in after.items()):
                yield mines, tuple((number, after[number]) for number in room if room[number])

    def count_mines(self, outside: Ways) -> dict[Cell, int]:
        """Return, for each cell, the number of layouts of the whole board in which it is a mine.

        `outside` is the number of layouts of the rest of the board, by the number of mines in this
        component. A backward sweep carries it to every state.
        """
        mines_in: dict[Cell, int] = {}
        later: dict[State, Ways] = {(): outside}
        for step in reversed(range(len(self._boxes))):
            size = len(self._boxes[step].cells)
            layer: dict[State, Ways] = defaultdict(Counter)
            total = 0
            for state, ways in self._layers[step].items():
                self._budget.check()
                for mines, after in self._choices(step, state):
                    for used, times in ways.items():
                        rest = later[after][used + mines]
                        layer[state][used] += comb(size, mines) * rest
                        total += times * comb(size - 1, mines - 1) * rest if mines else 0
            mines_in |= dict.fromkeys(self._boxes[step].cells, total)
            later = layer
        return mines_in

    @property
    def cells(self) -> Iterator[Cell]:
        """The cells of the component."""
        return (cell for box in self._boxes for cell in box.cells)

    def layouts(self) -> list[tuple[Cell, ...]]:
        """Return all layouts of the component: for each, the cells that are mines.

        The backward sweep visits only states that the forward sweep reached, so no layout is partial.
        """
        later: dict[State, list[tuple[Cell, ...]]] = {(): [()]}
        for step in reversed(range(len(self._boxes))):
            layer: dict[State, list[tuple[Cell, ...]]] = defaultdict(list)
            for state in self._layers[step]:
                self._budget.check()
                for mines, after in self._choices(step, state):
                    laid = combinations(self._boxes[step].cells, mines)
                    layer[state] += [some + rest for some in laid for rest in later.get(after, ())]
            later = layer
        return later.get((), [])


def in_good_order(boxes: list[Box], budget: Budget) -> list[Box]:
    """Return the boxes in an order that keeps few numbers pending.

    Next comes the box that completes the most pending numbers and starts the fewest new ones.
    """
    ordered: list[Box] = []
    waiting = list(boxes)
    opened: set[Number] = set()
    left = Counter(number for box in boxes for number in box.numbers)

    def cost(box: Box) -> int:
        closed = sum(left[number] == 1 for number in box.numbers)
        return len(box.numbers - opened) - 4 * closed

    while waiting:
        budget.check()
        linked = [box for box in waiting if box.numbers & opened] or waiting
        following = min(linked, key=cost)
        waiting.remove(following)
        ordered.append(following)
        left.subtract(following.numbers)
        opened = {number for number in opened | following.numbers if left[number]}
    return ordered
