"""Perfect endgames in plain Python: the chance to win with best play, exact (docs/endgame.md).

All layouts of the position are numbered. What a player knows is which of them are still possible: a set
of layouts, held as one integer whose bit k stands for layout k. To keep those in which a cell shows a
number is one `&`, to count them is `int.bit_count`, and the integer itself is the key under which the
result is remembered: in whatever order cells were opened, the same knowledge has the same future.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from minesweeper import Cell
from sapper._reference import take_apart
from sapper.position import Position

Layout = tuple[Cell, ...]
"""The cells that are mines."""
Layouts = int
"""A set of layouts: bit k is set if layout k is among them."""
_STATE, _LAYOUT = 4096, 32
"""What is large counts more than once: a state for so many layouts, a layout for so many mines."""


class Endgame(NamedTuple):
    """Of how many layouts perfect play wins how many, and the cells it may open now."""

    won: int
    layouts: int
    moves: frozenset[Cell]


def solve(
    position: Position, *, trust_flags: bool = False, spend: Callable[[int], None] = lambda _: None
) -> Endgame:
    """Return what perfect play makes of a position; without layouts if the position is impossible.

    `spend` is called with the number of states that were looked at, and may raise to stop.

    >>> solve(Position.parse("# # #", mines=1)) == (2, 3, {(0, 0), (0, 2)})
    True
    """
    layouts = all_layouts(position, trust_flags, spend)
    if not layouts:
        return Endgame(0, 0, frozenset())
    shows = numbers_shown(position, layouts, spend)
    search = Search(list(shows.values()), lambda: spend(1 + len(layouts) // _STATE))
    won = search.won((1 << len(layouts)) - 1)
    moves = frozenset(cell for cell, parts in shows.items() if search.won_by(parts, won - 1) == won)
    return Endgame(won, len(layouts), moves)


def solve_move(
    position: Position,
    cells: Iterable[Cell],
    *,
    trust_flags: bool = False,
    spend: Callable[[int], None] = lambda _: None,
) -> tuple[int, int]:
    """Return how many layouts are won after these cells were opened at once, and how many there are.

    >>> solve_move(Position.parse("# # #", mines=1), [(0, 0)])
    (2, 3)
    """
    layouts = all_layouts(position, trust_flags, spend)
    if not layouts:
        return 0, 0
    shows = numbers_shown(position, layouts, spend)
    search = Search(list(shows.values()), lambda: spend(1 + len(layouts) // _STATE))
    parts = [(1 << len(layouts)) - 1]
    for cell in cells:
        parts = [part for each in parts for shown in shows[cell] if (part := each & shown)]
    return sum(map(search.won, parts)), len(layouts)


class Search:
    """Finds how many layouts of a set the best policy wins, and remembers it."""

    def __init__(self, shows: Sequence[Sequence[Layouts]], spend: Callable[[], None]) -> None:
        self._shows = shows  # For each hidden cell the layouts in which it shows 0, 1, ...
        self._spend = spend
        self._known: dict[Layouts, int] = {}

    def won(self, possible: Layouts) -> int:
        """Return the most of the possible layouts that one policy wins."""
        size = possible.bit_count()
        if size <= 1:
            return size
        known = self._known.get(possible)
        if known is None:
            self._spend()
            known = self._known[possible] = self._most(possible, size)
        return known

    def _most(self, possible: Layouts, size: int) -> int:
        guesses = []
        for shown in self._shows:
            parts = [part for layouts in shown if (part := possible & layouts)]
            if len(parts) < 2:
                continue  # A mine everywhere, or dead: it tells nothing, and can be opened at the end.
            safe = sum(map(int.bit_count, parts))
            if safe == size:  # It costs nothing to open a safe cell, and knowing more never hurts.
                return sum(map(self.won, parts))
            guesses.append((safe, parts))
        guesses.sort(key=lambda guess: guess[0], reverse=True)
        best = 1  # If all cells are dead, nothing will ever tell the layouts apart: bet on one.
        for safe, parts in guesses:
            if safe <= best:
                break
            best = max(best, self.won_by(parts, best))
        return best

    def won_by(self, parts: Sequence[Layouts], best: int) -> int:
        """Return the most layouts won after a cell splits them so; if not above `best`, a bound."""
        most = sum(map(int.bit_count, parts))
        for part in parts:
            if most <= best:
                break
            most -= part.bit_count() - self.won(part)
        return most


def all_layouts(position: Position, trust_flags: bool, spend: Callable[[int], None]) -> list[Layout]:
    """Return all layouts of a position.

    >>> sorted(all_layouts(Position.parse("# 1 # #", mines=2), False, lambda _: None))
    [((0, 0), (0, 3)), ((0, 2), (0, 3))]
    """
    flags = position.flags if trust_flags else frozenset()
    _, sweeps = take_apart(position, position.numbers, flags, spend)
    free = set(position.hidden - flags)
    laid: list[Layout] = [tuple(flags)]
    for sweep in sweeps:
        free.difference_update(sweep.cells)
        spend(len(laid) * sweep.ways.total())
        ways = sweep.layouts()
        laid = [mines + more for mines in laid for more in ways]
    layouts = []
    for mines in laid:
        if len(mines) <= position.mines:
            for rest in combinations(sorted(free), position.mines - len(mines)):
                spend(1 + position.mines // _LAYOUT)
                layouts.append(mines + rest)
    return layouts


def numbers_shown(
    position: Position, layouts: Sequence[Layout], spend: Callable[[int], None]
) -> dict[Cell, list[Layouts]]:
    """Return for each hidden cell the layouts in which it is safe and shows 0, 1, and so on."""
    everywhere = [frozenset(layout) for layout in layouts]
    with_mine = {
        cell: int("".join("01"[cell in layout] for layout in everywhere), 2) for cell in position.hidden
    }
    shows = {}
    for cell in sorted(position.hidden):
        spend(1)
        shown = [(1 << len(layouts)) - 1 & ~with_mine[cell]]
        for near in position.neighbours(cell) & position.hidden:
            more = [part & with_mine[near] for part in shown]
            less = [part & ~with_mine[near] for part in shown]
            shown = [one | other for one, other in zip([*less, 0], [0, *more], strict=True)]
        shows[cell] = shown
    return shows
