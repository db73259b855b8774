"""The plain-Python engine: the same answers as the compiled one, exact, slower, and easier to read.

It draws boards from seeds (docs/game.md writes the method down, and it never changes), and it counts
the layouts of a position: in how many ways the mines can lie under its hidden cells, and in how many
of those a given cell is a mine (docs/engine.md explains how, with an example).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb

from minesweeper import Cell, neighbours
from sapper.position import Position

# Drawing boards --------------------------------------------------------------------------------

_WORD = 2**64
_STEP = 0x9E3779B97F4A7C15


def _mixed(word: int) -> int:
    """Return the 64-bit word with its bits well mixed, one to one (the finish of SplitMix64)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def random_halves(seed: int) -> Iterator[int]:
    """Generate random 32-bit numbers without end: the upper halves of a SplitMix64 sequence."""
    state = _mixed((seed + _STEP) % _WORD)
    while True:
        state = (state + _STEP) % _WORD
        yield _mixed(state) >> 32


def board_seed(seed: int, game: int) -> int:
    """Return the board's seed of a game, counted from 0, in a run with its own seed.

    It is a number of the run's SplitMix64 sequence, all 64 bits: no two games of a run have the same.

    >>> board_seed(0, 0), board_seed(0, 1)
    (12035550249420947055, 12935080325729570654)
    """
    return _mixed((_mixed((seed + _STEP) % _WORD) + (game + 1) * _STEP) % _WORD)


def below(limit: int, halves: Iterator[int]) -> int:
    """Return a random number from 0 to `limit - 1`, each as likely as any other.

    The product spreads 2**32 numbers over the limits; those that would make some results likelier
    than others are drawn again (Lemire's method).
    """
    while True:
        product = next(halves) * limit
        if product % 2**32 >= 2**32 % limit:
            return product >> 32


def draw_mines(height: int, width: int, mines: int, first: int, promise: int, seed: int) -> bytes:
    """Return a byte for each cell, row by row: 1 for a mine, 0 for none.

    `first` is the place of the first click, `promise` how far around it no mine may be: 0 nowhere, 1 on
    the cell, 2 on its neighbours too.

    >>> draw_mines(2, 4, mines=3, first=0, promise=2, seed=7).hex(" ")
    '00 00 01 00 00 00 01 01'
    """
    kept_free = set()
    if promise:
        kept_free = {divmod(first, width)}
        if promise == 2:
            kept_free |= neighbours(divmod(first, width), height, width)
    free = [place for place in range(height * width) if divmod(place, width) not in kept_free]
    board = bytearray(height * width)
    halves = random_halves(seed)
    for drawn in range(mines):  # A shuffle that stops when it has dealt enough.
        place = drawn + below(len(free) - drawn, halves)
        free[drawn], free[place] = free[place], free[drawn]
        board[free[drawn]] = 1
    return bytes(board)


def count_around(height: int, width: int, minefield: bytes) -> bytes:
    """Return how many mines are around each cell, row by row; the minefield has a 1 for each mine.

    >>> list(count_around(1, 4, b"\\x00\\x01\\x01\\x00"))
    [1, 1, 1, 1]
    """
    counts = bytearray(height * width)
    for place, mine in enumerate(minefield):
        if mine:
            for i, j in neighbours(divmod(place, width), height, width):
                counts[i * width + j] += 1
    return bytes(counts)


def has_twins(height: int, width: int, minefield: bytes, first: int) -> bool:
    """Return whether nothing can tell a mine from a cell beside, above or below it.

    That is so if every safe cell that touches one of them touches the other, or is it: a guess is due,
    unless the safe one is the first click.

    >>> has_twins(2, 3, b"\\x00\\x00\\x01\\x00\\x00\\x00", first=0)
    True
    """
    mines = {divmod(place, width) for place, mine in enumerate(minefield) if mine}
    for mine in mines:
        i, j = mine
        around_mine = neighbours(mine, height, width) - mines
        for safe in {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)} & around_mine:
            if neighbours(safe, height, width) - mines == around_mine - {safe} and safe != divmod(
                first, width
            ):
                return True
    return False


# Counting layouts --------------------------------------------------------------------------------

Number = Cell
"""An opened cell that still says something: it touches hidden cells."""
State = tuple[tuple[Number, int], ...]
"""How many mines the numbers that are open in a sweep still need."""
Ways = Counter[int]
"""In how many ways, for each number of mines used."""


@dataclass(frozen=True)
class Box:
    """Hidden cells that touch the same numbers: only how many of them are mines matters."""

    cells: tuple[Cell, ...]
    numbers: frozenset[Number]


@dataclass(frozen=True)
class Count:
    """How many layouts there are, and in how many of them each hidden cell is a mine."""

    layouts: int
    mines: Mapping[Cell, int]


def count_layouts(
    position: Position, *, trust_flags: bool = False, spend: Callable[[int], None] = lambda _: None
) -> Count:
    """Return the number of layouts of a position, in all and with a mine on each hidden cell.

    `spend` is called with the number of states in every layer of a sweep, and may raise to stop it.

    >>> count = count_layouts(Position.parse("# 1 # #", mines=2))
    >>> count.layouts, count.mines[0, 0], count.mines[0, 3]
    (2, 1, 2)
    """
    flags = position.flags if trust_flags else frozenset()
    free, sweeps = take_apart(position, position.numbers, flags, spend)
    mines_left = position.mines - len(flags)
    together = multiply(sweep.ways for sweep in sweeps)
    layouts = ways_outside(free, together, mines_left)[0]
    mines = dict.fromkeys(flags, layouts)
    mines |= dict.fromkeys(
        position.hidden - flags, ways_outside(free - 1, together, mines_left - 1)[0] if free else 0
    )
    for place, sweep in enumerate(sweeps):
        others = multiply(other.ways for other in sweeps[:place] + sweeps[place + 1 :])
        mines |= sweep.count_mines(ways_outside(free, others, mines_left))
    return Count(layouts, mines)


def count_safe(
    position: Position,
    cells: Iterable[Cell],
    *,
    trust_flags: bool = False,
    spend: Callable[[int], None] = lambda _: None,
) -> int:
    """Return the number of layouts in which none of these hidden cells is a mine.

    >>> count_safe(Position.parse("# # #", mines=1), [(0, 0), (0, 1)])
    1
    """
    flags = position.flags if trust_flags else frozenset()
    if not flags.isdisjoint(cells):
        return 0
    opened = position
    for cell in cells:
        opened = opened.opened(cell, 0)  # Its number is not among those that are heard.
    free, sweeps = take_apart(opened, position.numbers, flags, spend)
    together = multiply(sweep.ways for sweep in sweeps)
    return ways_outside(free, together, position.mines - len(flags))[0]


def is_possible(
    position: Position,
    numbers: Iterable[Number],
    flags: frozenset[Cell],
    use_mine_count: bool,
    spend: Callable[[int], None] = lambda _: None,
) -> bool:
    """Return whether there is a layout in which these of the numbers are true."""
    free, sweeps = take_apart(position, numbers, flags, spend)
    if not use_mine_count:
        return all(sweep.ways for sweep in sweeps)
    together = multiply(sweep.ways for sweep in sweeps)
    return ways_outside(free, together, position.mines - len(flags))[0] > 0


def take_apart(
    position: Position,
    numbers: Iterable[Number],
    flags: frozenset[Cell],
    spend: Callable[[int], None] = lambda _: None,
) -> tuple[int, list[Sweep]]:
    """Return how many hidden cells touch none of the numbers, and a sweep for each component."""
    needs = {number: position[number] - len(position.neighbours(number) & flags) for number in numbers}
    boxes = find_boxes(position.hidden - flags, needs, position)
    free = sum(len(box.cells) for box in boxes if not box.numbers)
    touched = {number for box in boxes for number in box.numbers}
    alone = [Box((), frozenset([number])) for number in needs if number not in touched]
    return free, [Sweep(part, needs, spend) for part in components(boxes + alone)]


def find_boxes(hidden: Iterable[Cell], needs: Mapping[Number, int], position: Position) -> list[Box]:
    """Return the hidden cells grouped by the numbers they touch."""
    groups = defaultdict(list)
    for cell in sorted(hidden):
        groups[frozenset(position.neighbours(cell) & needs.keys())].append(cell)
    return [Box(tuple(cells), numbers) for numbers, cells in groups.items()]


def components(boxes: Iterable[Box]) -> list[list[Box]]:
    """Return the boxes that touch numbers, those together that are linked by common numbers."""
    waiting = {box: None for box in boxes if box.numbers}
    around: dict[Number, list[Box]] = defaultdict(list)
    for box in waiting:
        for number in box.numbers:
            around[number].append(box)
    parts = []
    while waiting:
        part = [waiting.popitem()[0]]
        for box in part:  # The part grows while it is walked through.
            for number in box.numbers:
                part += [other for other in around.pop(number, ()) if waiting.pop(other, box) is None]
        parts.append(part)
    return parts


def multiply(factors: Iterable[Ways]) -> Ways:
    """Return in how many ways independent parts can use each number of mines together."""
    product: Ways = Counter({0: 1})
    for factor in factors:
        longer: Ways = Counter()
        for mines, ways in product.items():
            for more, times in factor.items():
                longer[mines + more] += ways * times
        product = longer
    return product


def ways_outside(free: int, ways: Ways, mines_left: int) -> Ways:
    """Return, for each number of mines used in some part, the ways to lay all that is outside it.

    Outside are other parts, which can be laid in `ways`, and `free` cells that touch no number.
    """
    result: Ways = Counter()
    for used in range(max(mines_left, 0) + 1):
        rest = mines_left - used
        result[used] = sum(
            times * comb(free, rest - mines) for mines, times in ways.items() if mines <= rest
        )
    return result


class Sweep:
    """Goes through the boxes of one component, and remembers only what the open numbers still need.

    A number is open from its first box to its last. What was laid before has no other influence on
    what can be laid after: so layouts that leave the same needs are counted together.
    """

    def __init__(
        self, boxes: list[Box], needs: Mapping[Number, int], spend: Callable[[int], None]
    ) -> None:
        self._needs = needs
        self._boxes = in_good_order(boxes)
        self._room: list[dict[Number, int]] = []  # Cells left for each open number, after each box.
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
                for mines, after in self._choices(step, state):
                    for used, times in ways.items():
                        layer[after][used + mines] += times * comb(len(box.cells), mines)
            self._layers.append(layer)
            spend(len(layer))
        self.ways = self._layers[-1].get((), Counter())
        """In how many ways the component can be laid, for each number of mines."""

    def _choices(self, step: int, state: State) -> Iterator[tuple[int, State]]:
        """Generate the numbers of mines that the box of this step can hold, and the states after."""
        box, room = self._boxes[step], self._room[step]
        needs = dict(state)
        for number in box.numbers:
            needs.setdefault(number, self._needs[number])
        for mines in range(len(box.cells) + 1):
            after = {number: need - mines * (number in box.numbers) for number, need in needs.items()}
            if all(0 <= need <= room[number] for number, need in after.items()):
                yield mines, tuple((number, after[number]) for number in room if room[number])

    def count_mines(self, outside: Ways) -> dict[Cell, int]:
        """Return for each cell the layouts of the whole board in which it is a mine.

        `outside` is in how many ways the rest of the board can be laid, for each number of mines in
        here. The way back through the boxes carries it to every state.
        """
        mines_in: dict[Cell, int] = {}
        later: dict[State, Ways] = {(): outside}
        for step in reversed(range(len(self._boxes))):
            size = len(self._boxes[step].cells)
            layer: dict[State, Ways] = defaultdict(Counter)
            total = 0
            for state, ways in self._layers[step].items():
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
        """Return all the ways to lay the component, one by one: the cells that are mines.

        The way back meets only what some way forth has reached, so nothing is laid in vain.
        """
        later: dict[State, list[tuple[Cell, ...]]] = {(): [()]}
        for step in reversed(range(len(self._boxes))):
            layer: dict[State, list[tuple[Cell, ...]]] = defaultdict(list)
            for state in self._layers[step]:
                for mines, after in self._choices(step, state):
                    laid = combinations(self._boxes[step].cells, mines)
                    layer[state] += [some + rest for some in laid for rest in later.get(after, ())]
            later = layer
        return later.get((), [])


def in_good_order(boxes: list[Box]) -> list[Box]:
    """Return the boxes in an order that keeps few numbers open.

    Next comes, of those that touch an open number, the one that closes most and opens fewest.
    """
    ordered: list[Box] = []
    waiting = list(boxes)
    opened: set[Number] = set()
    left = Counter(number for box in boxes for number in box.numbers)

    def cost(box: Box) -> int:
        closed = sum(left[number] == 1 for number in box.numbers)
        return len(box.numbers - opened) - 4 * closed

    while waiting:
        linked = [box for box in waiting if box.numbers & opened] or waiting
        following = min(linked, key=cost)
        waiting.remove(following)
        ordered.append(following)
        left.subtract(following.numbers)
        opened = {number for number in opened | following.numbers if left[number]}
    return ordered
