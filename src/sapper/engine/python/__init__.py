"""The pure Python engine: the fallback, the test oracle and the readable reference."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from sapper.engine.interface import BEYOND, FRONTIER, Chance, Endgame, Engine, Findings, Walk
from sapper.engine.limits import Budget
from sapper.engine.python import counting, endgame, minefields
from sapper.errors import LimitReached
from sapper.minesweeper import MinesweeperAI
from sapper.position import HIDDEN, Cell, Position, surroundings

__all__ = ["PythonEngine"]

_TOLERANCE = 1e-9
"""Relative tolerance for equal probabilities."""
_MOST_COMPARED = 200
"""At most this many cells of equal risk are compared, to find the one most likely to show a 0."""


class PythonEngine(Engine):
    """Counts with integers; returns floats, or fractions if requested."""

    name = "python"

    def __init__(self, *, exact_fractions: bool = False) -> None:
        self._exact_fractions = exact_fractions

    def _chance(self, part: int, whole: int) -> Chance:
        return Fraction(part, whole) if self._exact_fractions else part / whole

    # Boards ------------------------------------------------------------------------------------

    def draw_mines(
        self, height: int, width: int, mines: int, first: int, promise: int, seed: int
    ) -> bytes:
        return minefields.draw_mines(height, width, mines, first, promise, seed)

    def count_around(self, height: int, width: int, minefield: bytes) -> bytes:
        return minefields.count_around(height, width, minefield)

    def has_twins(self, height: int, width: int, minefield: bytes, first: int) -> bool:
        return minefields.has_twins(height, width, minefield, first)

    def walk(self, position: Position, minefield: bytes, first: Cell, budget: Budget) -> Walk:
        """Open cells with the course's agent, which is fast; analyse the position when it is stuck."""
        height, width = position.height, position.width
        numbers = minefields.count_around(height, width, minefield)
        safe_count = minefield.count(0)
        agent = MinesweeperAI(height, width)

        def seen() -> Position:
            codes = bytearray([HIDDEN]) * (height * width)
            for i, j in agent.moves_made:
                codes[i * width + j] = numbers[i * width + j]
            return Position(height, width, position.mines, bytes(codes))

        mines = frozenset[Cell]()
        safe = {cell for cell in (first, *position.numbers) if not minefield[cell[0] * width + cell[1]]}
        while safe:
            for i, j in safe - agent.moves_made:
                budget.check()
                agent.add_knowledge((i, j), numbers[i * width + j])
            safe = agent.safes - agent.moves_made
            if not safe and len(agent.moves_made) < safe_count:
                count = counting.count_layouts(seen(), budget)
                safe = {cell for cell, times in count.mines.items() if times == 0}
                mines = frozenset(cell for cell, times in count.mines.items() if times == count.layouts)
        end = seen()
        if len(agent.moves_made) == safe_count:
            return Walk(end.codes, b"")
        unknown = bytearray(len(end))
        for cell in end.hidden - mines:
            touches_number = not end.neighbours(cell) <= end.hidden
            unknown[cell[0] * width + cell[1]] = FRONTIER if touches_number else BEYOND
        return Walk(end.codes, bytes(unknown))

    # Counting ----------------------------------------------------------------------------------

    def analyse(self, position: Position, budget: Budget, *, trust_flags: bool) -> Findings | None:
        count = counting.count_layouts(position, budget, trust_flags=trust_flags)
        if not count.layouts:
            return None
        certain = bytearray(len(position))
        for (i, j), times in count.mines.items():
            if times in (0, count.layouts):
                certain[i * position.width + j] = 2 if times else 1
        risk = {cell: self._chance(count.mines[cell], count.layouts) for cell in sorted(count.mines)}
        return Findings(True, risk, bytes(certain))

    def count_layouts(self, position: Position, budget: Budget, *, trust_flags: bool) -> int:
        return counting.count_safe(position, (), budget, trust_flags=trust_flags)

    def number_chances(
        self, position: Position, cell: Cell, budget: Budget, *, trust_flags: bool
    ) -> dict[int, Chance]:
        if trust_flags and cell in position.flags:
            return {}
        layouts = {}
        for number in range(HIDDEN):
            opened = position.opened(cell, number)
            layouts[number] = self.count_layouts(opened, budget, trust_flags=trust_flags)
        total = sum(layouts.values())
        return {number: self._chance(count, total) for number, count in layouts.items() if count}

    def choose_safest(
        self,
        position: Position,
        findings: Findings,
        candidates: Sequence[Cell],
        budget: Budget,
        *,
        trust_flags: bool,
    ) -> Cell | None:
        risks = {cell: findings.risk[cell] for cell in candidates} or findings.risk
        least = min(risks.values(), default=1)
        if least == 1:
            return None
        by_surroundings: dict[object, Cell] = {}
        for cell, risk in risks.items():
            if risk <= least * (1 + _TOLERANCE):
                by_surroundings.setdefault(surroundings(position, cell), cell)
        first, *rest = list(by_surroundings.values())[:_MOST_COMPARED]
        if not rest:
            return first
        best, most = first, 0
        try:
            for cell in (first, *rest):
                opened = position.opened(cell, 0)
                layouts = self.count_layouts(opened, budget, trust_flags=trust_flags)
                if layouts > most * (1 + _TOLERANCE):
                    best, most = cell, layouts
        except LimitReached:
            return first
        return best

    def safety(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Chance:
        safe = counting.count_safe(position, cells, budget, trust_flags=trust_flags)
        return self._chance(safe, self.count_layouts(position, budget, trust_flags=trust_flags))

    def is_possible(
        self,
        position: Position,
        numbers: Collection[Cell],
        budget: Budget,
        *,
        mines: Collection[Cell] = (),
        safe: Cell | None = None,
        use_mine_count: bool,
    ) -> bool:
        if safe is not None:
            position = position.opened(safe, 0)  # Its own number is not used.
        return counting.is_possible(position, numbers, frozenset(mines), use_mine_count, budget)

    # Endgames ----------------------------------------------------------------------------------

    def solve(self, position: Position, budget: Budget, *, trust_flags: bool) -> Endgame | None:
        with _limited_depth():
            return endgame.solve(position, budget, trust_flags=trust_flags)

    def solve_move(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Endgame | None:
        with _limited_depth():
            return endgame.solve_move(position, cells, budget, trust_flags=trust_flags)


@contextmanager
def _limited_depth() -> Iterator[None]:
    """Turn a recursion that is too deep into `LimitReached`."""
    try:
        yield
    except RecursionError:
        raise LimitReached("the rest of the game has too many moves to solve it") from None
