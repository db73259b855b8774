"""Perfect endgames in pure Python: the exact probability of winning with best play.

All layouts of the position are numbered. A player's knowledge is the set of layouts that are still
possible, stored as one integer: bit k stands for layout k. Selecting the layouts in which a cell shows
a number is one `&`, counting them is `int.bit_count`, and the integer is the key of the cache: the
result depends only on the knowledge, not on the order in which cells were opened. docs/endgame.md
explains more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from sapper.engine.interface import Endgame
from sapper.engine.limits import Budget
from sapper.engine.python.counting import take_apart
from sapper.position import Cell, Position

Layout = tuple[Cell, ...]
"""The cells that are mines."""
Layouts = int
"""A set of layouts: bit k is set if layout k is among them."""
_LAYOUTS_PER_STATE = 4096
"""A set of more layouts than this costs more than one state."""
_MINES_PER_LAYOUT = 32
"""A layout of more mines than this costs more than one state."""
_BYTES_PER_MINE, _BYTES_PER_LAYOUT = 8, 200


def solve(position: Position, budget: Budget, *, trust_flags: bool = False) -> Endgame | None:
    """Return the result of perfect play; None if the position is impossible.

    >>> from sapper.engine.limits import Limit
    >>> endgame = solve(Position.parse("# # #", mines=1), Limit().start())
    >>> endgame.won, endgame.layouts, sorted(endgame.moves)
    (2, 3, [(0, 0), (0, 2)])
    """
    layouts = all_layouts(position, budget, trust_flags=trust_flags)
    if not layouts:
        return None
    shows = numbers_shown(position, layouts, budget)
    search = Search(list(shows.values()), len(layouts), budget)
    won = search.won((1 << len(layouts)) - 1)
    moves = frozenset(cell for cell, parts in shows.items() if search.won_by(parts, won - 1) == won)
    return Endgame(won, len(layouts), moves)


def solve_move(
    position: Position, cells: Iterable[Cell], budget: Budget, *, trust_flags: bool = False
) -> Endgame | None:
    """Return the result of perfect play after these cells are opened at once.

    >>> from sapper.engine.limits import Limit
    >>> solve_move(Position.parse("# # #", mines=1), [(0, 0)], Limit().start()).won
    2
    """
    layouts = all_layouts(position, budget, trust_flags=trust_flags)
    if not layouts:
        return None
    shows = numbers_shown(position, layouts, budget)
    search = Search(list(shows.values()), len(layouts), budget)
    parts = [(1 << len(layouts)) - 1]
    for cell in cells:
        parts = [part for each in parts for shown in shows[cell] if (part := each & shown)]
    return Endgame(sum(map(search.won, parts)), len(layouts))


class Search:
    """Finds how many layouts of a set the best policy wins, with a cache."""

    def __init__(self, shows: Sequence[Sequence[Layouts]], layouts: int, budget: Budget) -> None:
        self._shows = shows  # For each hidden cell, the layouts in which it shows 0, 1, ...
        self._cost = 1 + layouts // _LAYOUTS_PER_STATE
        self._budget = budget
        self._known: dict[Layouts, int] = {}

    def won(self, possible: Layouts) -> int:
        """Return the most of the possible layouts that one policy wins."""
        size = possible.bit_count()
        if size <= 1:
            return size
        known = self._known.get(possible)
        if known is None:
            self._budget.spend(self._cost)
            known = self._known[possible] = self._most(possible, size)
        return known

    def _most(self, possible: Layouts, size: int) -> int:
        guesses = []
        for shown in self._shows:
            self._budget.check()
            parts = [part for layouts in shown if (part := possible & layouts)]
            if len(parts) < 2:
                continue  # Always a mine, or dead: it reveals nothing, so it can be opened last.
            safe = sum(map(int.bit_count, parts))
            if safe == size:  # Opening a safe cell costs nothing and never hurts.
                return sum(map(self.won, parts))
            guesses.append((safe, parts))
        guesses.sort(key=lambda guess: guess[0], reverse=True)
        best = 1  # If all cells are dead, the layouts cannot be told apart: one of them is won.
        for safe, parts in guesses:
            if safe <= best:
                break
            best = max(best, self.won_by(parts, best))
        return best

    def won_by(self, parts: Sequence[Layouts], best: int) -> int:
        """Return the layouts won after a cell splits them, or a bound that is at most `best`."""
        most = sum(map(int.bit_count, parts))
        for part in parts:
            if most <= best:
                break
            most -= part.bit_count() - self.won(part)
        return most


def all_layouts(position: Position, budget: Budget, *, trust_flags: bool = False) -> list[Layout]:
    """Return all layouts of a position.

    >>> from sapper.engine.limits import Limit
    >>> sorted(all_layouts(Position.parse("# 1 # #", mines=2), Limit().start()))
    [((0, 0), (0, 3)), ((0, 2), (0, 3))]
    """
    flags = position.flags if trust_flags else frozenset()
    _, sweeps = take_apart(position, position.numbers, flags, budget)
    free = set(position.hidden - flags)
    size = _BYTES_PER_LAYOUT + _BYTES_PER_MINE * position.mines
    laid: list[Layout] = [tuple(flags)]
    for sweep in sweeps:
        free.difference_update(sweep.cells)
        budget.spend(len(laid) * sweep.ways.total())
        budget.reserve(size * len(laid) * sweep.ways.total())
        ways = sweep.layouts()
        laid = [mines + more for mines in laid for more in ways]
    layouts = []
    for mines in laid:
        if len(mines) <= position.mines:
            for rest in combinations(sorted(free), position.mines - len(mines)):
                budget.spend(1 + position.mines // _MINES_PER_LAYOUT)
                layouts.append(mines + rest)
                if len(layouts) % 1024 == 0:
                    budget.reserve(size * len(layouts))
    return layouts


def numbers_shown(
    position: Position, layouts: Sequence[Layout], budget: Budget
) -> dict[Cell, list[Layouts]]:
    """Return, for each hidden cell, the layouts in which it is safe and shows 0, 1, and so on."""
    budget.reserve(10 * len(position.hidden) * len(layouts) // 8)
    with_mine = dict.fromkeys(position.hidden, 0)
    for cell in with_mine:
        budget.check()
        with_mine[cell] = int("".join("01"[cell in layout] for layout in layouts), 2)
    shows = {}
    for cell in sorted(position.hidden):
        budget.spend(1)
        shown = [(1 << len(layouts)) - 1 & ~with_mine[cell]]
        for near in position.neighbours(cell) & position.hidden:
            more = [part & with_mine[near] for part in shown]
            less = [part & ~with_mine[near] for part in shown]
            shown = [one | other for one, other in zip([*less, 0], [0, *more], strict=True)]
        shows[cell] = shown
    return shows
