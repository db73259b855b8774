"""The compiled engine: typed results of calls to `sapper._core`. Imported only if it was built."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from typing import Any

from sapper import _core
from sapper.engine.big_numbers import Remainders, binomials, large_primes
from sapper.engine.interface import (
    Chance,
    Decision,
    DecisionTimes,
    Endgame,
    Engine,
    EngineArena,
    EngineGame,
    Findings,
    MoveEstimate,
    SafeCellFinder,
    Walk,
)
from sapper.engine.limits import Budget, Limit
from sapper.engine.risks import Risks
from sapper.errors import LimitReached
from sapper.position import FLAG, HIDDEN, Cell, Position
from sapper.text import quoted

_IGNORED = HIDDEN + 2
"""The code of an open cell whose number the core ignores."""
_IGNORE_ALL = bytes([_IGNORED] * HIDDEN + [HIDDEN, HIDDEN] + list(range(HIDDEN + 2, 256)))
"""For `bytes.translate`: maps every number to that code, and every flag to a hidden cell."""
_BITS_PER_PRIME = 60


def _core_position(position: Position, trust_flags: bool = False) -> _core.Position:
    height, width, mines = position.height, position.width, position.mines
    return _core.Position(height, width, mines, position.codes, trust_flags)


def _core_budget(budget: Budget) -> _core.Budget:
    if not isinstance(budget, _core.Budget):
        raise TypeError(f"the compiled engine needs a budget from Limit.start, not {quoted(budget)}")
    return budget


class CompiledEngine(Engine):
    """Calls the compiled module."""

    name = "compiled"

    # Boards ------------------------------------------------------------------------------------

    def draw_mines(
        self, height: int, width: int, mines: int, first: int, promise: int, seed: int
    ) -> bytes:
        return _core.draw_mines(height, width, mines, first, promise, seed)

    def count_around(self, height: int, width: int, minefield: bytes) -> bytes:
        return _core.count_around(height, width, minefield)

    def has_twins(self, height: int, width: int, minefield: bytes, first: int) -> bool:
        return _core.has_twins(height, width, minefield, first)

    def walk(self, position: Position, minefield: bytes, first: Cell, budget: Budget) -> Walk:
        index = first[0] * position.width + first[1]
        walked = _core.walk(_core_position(position), minefield, index, _core_budget(budget))
        return Walk(walked.codes, walked.unknown)

    # Counting ----------------------------------------------------------------------------------

    def analyse(self, position: Position, budget: Budget, *, trust_flags: bool) -> Findings | None:
        found = _core.analyse(_core_position(position, trust_flags), _core_budget(budget))
        if not found.possible:
            return None
        return Findings(found.exact, Risks(position, found.risks), found.certain)

    def count_layouts(self, position: Position, budget: Budget, *, trust_flags: bool) -> int:
        """Count modulo several primes, and combine the remainders."""
        asked, own = _core_position(position, trust_flags), _core_budget(budget)
        bits = _core.frontier_size(asked, own) + 1  # This many cells have at most 2**bits layouts.
        primes = large_primes(bits // _BITS_PER_PRIME + 1, budget)
        count = _core.count_layouts(asked, primes, own)
        remainders = Remainders(primes, budget)
        ways = [array("Q", each) for each in count.ways]
        outside = binomials(count.free, count.mines_left - count.low, budget)
        layouts = 0
        for column, outside_layouts in zip(zip(*ways, strict=True), outside, strict=False):
            budget.check()
            layouts += remainders.combine(column) * outside_layouts
        return layouts

    def number_chances(
        self, position: Position, cell: Cell, budget: Budget, *, trust_flags: bool
    ) -> dict[int, Chance]:
        index = cell[0] * position.width + cell[1]
        asked = _core_position(position, trust_flags)
        chances = _core.number_chances(asked, index, _core_budget(budget))
        return {number: chance for number, chance in enumerate(chances) if chance}

    def choose_safest(
        self,
        position: Position,
        findings: Findings,
        candidates: Sequence[Cell],
        budget: Budget,
        *,
        trust_flags: bool,
    ) -> Cell | None:
        assert isinstance(findings.risk, Risks)
        index = _core.choose_safest(
            _core_position(position, trust_flags),
            findings.risk.tobytes(),
            _indices(position, candidates),
            findings.exact,
            _core_budget(budget),
        )
        return None if index is None else divmod(index, position.width)

    def safety(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Chance:
        asked = _core_position(position, trust_flags)
        return _core.safety(asked, _indices(position, cells), _core_budget(budget))

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
        width, codes = position.width, bytearray(position.codes.translate(_IGNORE_ALL))
        for i, j in numbers:
            codes[i * width + j] = position.codes[i * width + j]
        for i, j in mines:
            codes[i * width + j] = FLAG
        if safe is not None:
            codes[safe[0] * width + safe[1]] = _IGNORED
        top, bottom = 0, position.height
        if numbers and not use_mine_count:  # Only the rows around the numbers matter.
            top = max(min(numbers)[0] - 1, 0)
            bottom = min(max(numbers)[0] + 2, bottom)
        used = bytes(codes[top * width : bottom * width])
        asked = _core.Position(bottom - top, width, position.mines, used, True)
        return _core.is_possible(asked, not use_mine_count, _core_budget(budget))

    def create_finder(self) -> SafeCellFinder:
        return TrackingFinder()

    # Endgames ----------------------------------------------------------------------------------

    def solve(self, position: Position, budget: Budget, *, trust_flags: bool) -> Endgame | None:
        return _endgame(
            position, _core.solve(_core_position(position, trust_flags), _core_budget(budget))
        )

    def solve_move(
        self, position: Position, cells: Sequence[Cell], budget: Budget, *, trust_flags: bool
    ) -> Endgame | None:
        asked, indices = _core_position(position, trust_flags), _indices(position, cells)
        return _endgame(position, _core.solve_move(asked, indices, _core_budget(budget)))

    # Players -----------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(_core.players())

    def decide(self, player: str, position: Position, budget: Budget) -> Decision | None:
        found = _core.decide(player, _core_position(position), _core_budget(budget))
        if not found.possible:
            return None
        safe = found.safe
        if safe:
            return Decision(divmod(safe[0], position.width), True, 0.0, None)
        cell = None if found.cell is None else divmod(found.cell, position.width)
        return Decision(cell, False, found.risk, found.win_chance)

    @property
    def can_estimate(self) -> bool:
        return True

    def estimate_moves(
        self,
        position: Position,
        moves: Sequence[Sequence[Cell]],
        budget: Budget,
        *,
        playouts: int,
        good_error: float,
        seed: int,
        player: str | None = None,
    ) -> list[MoveEstimate]:
        indices = [_indices(position, cells) for cells in moves]
        found = _core.estimate_moves(
            _core_position(position), indices, playouts, good_error, seed, player, _core_budget(budget)
        )
        return [
            MoveEstimate(each.chance, each.chance_error, each.less, each.less_error) for each in found
        ]

    # Games -------------------------------------------------------------------------------------

    def create_arena(
        self,
        player: str,
        *,
        height: int,
        width: int,
        mines: int,
        first: int,
        promise: int,
        threads: int,
        limit: Limit,
    ) -> EngineArena:
        return CompiledArena(player, (height, width, mines), first, promise, threads, limit)

    def create_vector_env(self, games: int, **options: Any) -> _core.VectorEnv:
        return _core.VectorEnv(games, **options)


def _indices(position: Position, cells: Sequence[Cell]) -> list[int]:
    return [i * position.width + j for i, j in cells]


def _endgame(position: Position, found: _core.Solution) -> Endgame | None:
    if not found.layouts:
        return None
    moves = frozenset(divmod(index, position.width) for index in found.moves)
    return Endgame(found.won, found.layouts, moves)


class TrackingFinder:
    """Follows a game with a `_core.Tracker`, and remembers the safe cells that are not open yet."""

    def __init__(self) -> None:
        self._tracker = _core.Tracker()
        self._safe: list[int] = []  # A heap of indices; some of the cells may be open by now.
        self._in_use = threading.Lock()

    def find(self, position: Position, budget: Budget, *, trust_flags: bool) -> Cell | None:
        """Return the first safe cell; None if none is known, or if another call is running.

        The other call may run on another thread, or may have been interrupted by a signal handler.
        """
        if not self._in_use.acquire(blocking=False):
            return None
        try:
            return self._find(position, _core_position(position, trust_flags), _core_budget(budget))
        finally:
            self._in_use.release()

    def _find(self, position: Position, asked: _core.Position, budget: _core.Budget) -> Cell | None:
        try:
            update = self._tracker.update(asked, budget)
        except BaseException as error:
            self._safe.clear()  # The tracker starts again, and finds them again.
            if isinstance(error, LimitReached):
                return None
            raise
        if update.began:
            self._safe.clear()
        for index in update.safe:
            heappush(self._safe, index)
        while self._safe and position.codes[self._safe[0]] < HIDDEN:
            heappop(self._safe)
        return divmod(self._safe[0], position.width) if self._safe else None


class CompiledArena:
    """Plays games on threads."""

    def __init__(
        self,
        player: str,
        size: tuple[int, int, int],
        first: int,
        promise: int,
        threads: int,
        limit: Limit,
    ) -> None:
        self._size, self._first, self._promise = size, first, promise
        seconds, states, memory = limit.amounts
        self._arena = _core.Arena(player, threads, seconds, states, memory)

    def play_seeds(self, seed: int, numbers: range) -> list[EngineGame]:
        assert numbers.step == 1
        played = self._arena.play_seeds(
            *self._size, self._first, self._promise, seed, numbers.start, len(numbers)
        )
        return list(map(self._game, played))

    def play_minefields(self, minefields: Sequence[bytes]) -> list[EngineGame]:
        played = self._arena.play_minefields(*self._size, self._first, list(minefields))
        return list(map(self._game, played))

    def _game(self, played: _core.Played) -> EngineGame:
        width = self._size[1]
        return EngineGame(
            won=played.won,
            left=played.left,
            decisions=played.decisions,
            guesses=played.guesses,
            survival=played.survival,
            solved=played.solved,
            seconds=played.seconds,
            lost_at=None if played.lost_at is None else divmod(played.lost_at, width),
            luck=played.luck,
        )

    def times(self) -> DecisionTimes:
        times = self._arena.times()
        return DecisionTimes(times.counts, times.longest)
