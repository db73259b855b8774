"""What a position is worth and what moves lose: exact where the endgame is solved, else estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from sapper.analysis import Analysis, Budget, Chance, Limit
from sapper.analysis.endgame import win_chance_after_within
from sapper.engine import Endgame, MoveEstimate, engine
from sapper.errors import LimitReached
from sapper.position import FLAG, HIDDEN, Cell, Position

Cells = tuple[Cell, ...]
"""What a move opens: one cell, or for a chord several at once."""

_MOST_UNKNOWN: Final = 200
_SOLVED: Final = Limit(seconds=1, states=10_000)
"""How much work an endgame may take; with more, or more unknown cells, games are played out."""
_PLAYED: Final = Limit(seconds=5, states=10**9)
_ENOUGH: Final = 0.003
"""Once all standard errors are as small, no more games are played."""
_SEED: Final = 1
"""Layouts are others than those on which the player chooses: what is best by luck there is not here."""
_UNFLAGGED: Final = bytes.maketrans(bytes([FLAG]), bytes([HIDDEN]))


@dataclass(frozen=True)
class Worth:
    """The chance to win a position with best play: exact, or an estimate with its standard error."""

    chance: Chance
    error: float = 0.0
    exact: bool = True


WON: Final = Worth(Fraction(1))
LOST: Final = Worth(Fraction(0))


@dataclass(frozen=True)
class Loss:
    """How much less a move is worth than the best one; `error` is 0 where that is exact."""

    chance: Chance
    error: float = 0.0


NO_LOSS: Final = Loss(Fraction(0))


@dataclass(frozen=True)
class Judgement:
    """What a position is worth, and what each of some moves in it loses."""

    worth: Worth
    best: Cell | None = None
    """A cell that the best move opens; None if none is left to open."""
    losses: Mapping[Cells, Loss] = field(default_factory=dict)
    has_choice: bool = True
    """Whether some cell that may be safe is worse than another."""


def unflagged(position: Position) -> Position:
    """Return the position without its flags, which change nothing of what it is worth.

    >>> str(unflagged(Position.parse("F 1 #", mines=1)))
    '3x1/1\\n# 1 #'
    """
    return Position.unchecked(
        position.height, position.width, position.mines, position.codes.translate(_UNFLAGGED)
    )


class Judge:
    """Judges positions, from any thread; every one may take so many games, and all until this time."""

    def __init__(self, *, playouts: int, budget: Budget) -> None:
        self._playouts = playouts
        self._budget = budget

    def judge(
        self,
        analysis: Analysis,
        moves: Sequence[Cells],
        *,
        may_play: bool,
    ) -> Judgement | None:
        """Return what is known of a position and of moves in it, None if neither way leads there.

        Games are played only where the endgame cannot be solved, and that may be done.
        """
        position = analysis.position
        if len(position.hidden) == position.mines:
            return Judgement(WON)
        try:
            return self._solved(analysis, moves)
        except LimitReached:
            if not may_play or self._playouts == 0 or not engine.can_estimate:
                return None
        try:
            return self._played(analysis, moves)
        except LimitReached:
            return None

    def start(self, limit: Limit = _PLAYED) -> Budget:
        """Return what one search may use; raise `LimitReached` if the time is over."""
        self._budget.check()
        return limit.start_within(self._budget)

    def _solved(self, analysis: Analysis, moves: Sequence[Cells]) -> Judgement:
        position, safe, mines = analysis.position, analysis.safe, analysis.mines
        if len(position.hidden) - len(safe) - len(mines) > _MOST_UNKNOWN:
            raise LimitReached("the endgame has not begun")
        endgame = engine.solve(position, self.start(_SOLVED), trust_flags=False)
        assert endgame is not None  # A position of a game is possible.
        chance = Fraction(endgame.won, endgame.layouts)
        losses = {cells: self._loss(position, cells, endgame, chance, mines) for cells in moves}
        best = min(safe or endgame.moves, key=lambda cell: (analysis.risk[cell], cell))
        return Judgement(Worth(chance), best, losses, endgame.moves != position.hidden - mines)

    def _loss(
        self,
        position: Position,
        cells: Cells,
        endgame: Endgame,
        chance: Fraction,
        mines: frozenset[Cell],
    ) -> Loss:
        if len(cells) == 1 and cells[0] in endgame.moves:
            return NO_LOSS
        if not mines.isdisjoint(cells):
            return Loss(chance)
        return Loss(chance - win_chance_after_within(position, cells, self.start(_SOLVED)))

    def _played(self, analysis: Analysis, moves: Sequence[Cells]) -> Judgement:
        position, safe, mines = analysis.position, analysis.safe, analysis.mines
        best = tuple(sorted(safe)) or (self._choose(position),)
        others = [cells for cells in moves if cells != best and mines.isdisjoint(cells)]
        # What is decided here is looked at twice as closely.
        found = self._estimate(position, [best, *others], self._playouts * (2 if moves else 1))
        worth, worth_cells = _worth(found[0]), best
        losses = {best: Loss(0.0)}
        for cells, estimate in zip(others, found[1:], strict=True):
            losses[cells] = _loss_beyond_noise(
                estimate.less, estimate.less_error, most=float(worth.chance)
            )
            is_better = estimate.less < -2 * estimate.less_error and estimate.chance > worth.chance
            if is_better and not safe:  # Nothing is better than a safe cell, whatever luck says.
                worth, worth_cells = _worth(estimate), cells
        for cells in moves:
            losses.setdefault(cells, Loss(worth.chance, worth.error))  # It opens a mine.
        return Judgement(worth, worth_cells[0], losses)

    def _choose(self, position: Position) -> Cell:
        """Return the cell that the engine's best player chooses."""
        decision = engine.decide("strong-high", position, self.start(_PLAYED))
        assert decision is not None  # A position of a game is possible,
        assert decision.cell is not None  # and some cell is still to be opened.
        return decision.cell

    def _estimate(
        self, position: Position, moves: Sequence[Cells], playouts: int
    ) -> list[MoveEstimate]:
        budget = self.start(_PLAYED)
        return engine.estimate_moves(
            position, moves, budget, playouts=playouts, good_error=_ENOUGH, seed=_SEED
        )


def _worth(estimate: MoveEstimate) -> Worth:
    return Worth(min(max(estimate.chance, 0.0), 1.0), estimate.chance_error, exact=False)


def _loss_beyond_noise(less: float, error: float, *, most: float = 1.0) -> Loss:
    """Return what is left of a difference after its noise: nothing unless it is two errors or more.

    >>> _loss_beyond_noise(0.0625, 0.015625), _loss_beyond_noise(0.02, 0.015625)
    (Loss(chance=0.046875, error=0.015625), Loss(chance=0.0, error=0.015625))
    """
    return Loss(min(less - error, most) if less >= 2 * error else 0.0, error)
