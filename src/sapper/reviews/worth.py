"""Win probabilities and the losses of moves: exact if the endgame is solved, otherwise estimated."""

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
"""The cells that a move opens: one, or several for a chord."""

MOST_UNKNOWN: Final = 200
"""With more unknown cells, playouts are used without trying to solve the endgame."""
_SOLVING_LIMIT: Final = Limit(seconds=1, states=10_000)
_PLAYOUT_LIMIT: Final = Limit(seconds=5, states=10**9)
_GOOD_ERROR: Final = 0.003
"""Playouts stop when all standard errors are this small."""
_SEED: Final = 1
"""Not the seed with which the best move was chosen, so that luck in those playouts does not count."""
_UNFLAGGED: Final = bytes.maketrans(bytes([FLAG]), bytes([HIDDEN]))


@dataclass(frozen=True)
class Worth:
    """The win probability of a position with best play: exact, or estimated with a standard error."""

    chance: Chance
    error: float = 0.0
    exact: bool = True


WON: Final = Worth(Fraction(1))
LOST: Final = Worth(Fraction(0))


@dataclass(frozen=True)
class Loss:
    """How much win probability a move loses compared with the best one; `error` is 0 if it is exact."""

    chance: Chance
    error: float = 0.0


NO_LOSS: Final = Loss(Fraction(0))


@dataclass(frozen=True)
class Judgement:
    """The worth of a position, and what some moves in it lose."""

    worth: Worth
    best: Cell | None = None
    """A cell that the best move opens; None if all safe cells are open."""
    losses: Mapping[Cells, Loss] = field(default_factory=dict)
    has_choice: bool = True
    """Whether some of the cells that may be safe are better than others."""


def unflagged(position: Position) -> Position:
    """Return the position without its flags, which do not change its worth.

    >>> str(unflagged(Position.parse("F 1 #", mines=1)))
    '3x1/1\\n# 1 #'
    """
    return Position.unchecked(
        position.height, position.width, position.mines, position.codes.translate(_UNFLAGGED)
    )


class Judge:
    """Judges positions within a shared budget. Threads can share a judge."""

    def __init__(self, *, playouts: int, budget: Budget) -> None:
        self._playouts = playouts
        self._budget = budget

    def judge(
        self,
        analysis: Analysis,
        moves: Sequence[Cells],
        *,
        may_use_playouts: bool,
    ) -> Judgement | None:
        """Return the worth of a position and the losses of moves; None if they cannot be determined.

        If the endgame cannot be solved and `may_use_playouts` is true, playouts estimate them.
        """
        position = analysis.position
        if len(position.hidden) == position.mines:
            return Judgement(WON)
        try:
            return self._judge_exactly(analysis, moves)
        except LimitReached:
            if not may_use_playouts or self._playouts == 0 or not engine.can_estimate:
                return None
        try:
            return self._judge_by_playouts(analysis, moves)
        except LimitReached:
            return None

    def start(self, limit: Limit = _PLAYOUT_LIMIT) -> Budget:
        """Return the budget of one search; raise `LimitReached` if the time is up."""
        self._budget.check()
        return limit.start_within(self._budget)

    def _judge_exactly(self, analysis: Analysis, moves: Sequence[Cells]) -> Judgement:
        position, safe, mines = analysis.position, analysis.safe, analysis.mines
        if len(position.hidden) - len(safe) - len(mines) > MOST_UNKNOWN:
            raise LimitReached("too many unknown cells to solve the endgame")
        endgame = engine.solve(position, self.start(_SOLVING_LIMIT), trust_flags=False)
        assert endgame is not None  # The position of a game is never contradictory.
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
        return Loss(chance - win_chance_after_within(position, cells, self.start(_SOLVING_LIMIT)))

    def _judge_by_playouts(self, analysis: Analysis, moves: Sequence[Cells]) -> Judgement:
        position, safe, mines = analysis.position, analysis.safe, analysis.mines
        best = tuple(sorted(safe)) or (self._choose(position),)
        others = [cells for cells in moves if cells != best and mines.isdisjoint(cells)]
        # Guesses get twice as many playouts.
        found = self._estimate(position, [best, *others], self._playouts * (2 if moves else 1))
        worth, worth_cells = _worth(found[0]), best
        losses = {best: Loss(0.0)}
        for cells, estimate in zip(others, found[1:], strict=True):
            losses[cells] = _loss_beyond_noise(
                estimate.less, estimate.less_error, most=float(worth.chance)
            )
            is_better = estimate.less < -2 * estimate.less_error and estimate.chance > worth.chance
            if is_better and not safe:  # No move beats a safe cell; the difference would be noise.
                worth, worth_cells = _worth(estimate), cells
        for cells in moves:
            losses.setdefault(cells, Loss(worth.chance, worth.error))  # It opens a mine.
        return Judgement(worth, worth_cells[0], losses)

    def _choose(self, position: Position) -> Cell:
        """Return the cell that the engine's strongest player chooses."""
        decision = engine.decide("strong-high", position, self.start(_PLAYOUT_LIMIT))
        assert decision is not None  # The position of a game is never contradictory,
        assert decision.cell is not None  # and some cells are still to be opened.
        return decision.cell

    def _estimate(
        self, position: Position, moves: Sequence[Cells], playouts: int
    ) -> list[MoveEstimate]:
        budget = self.start(_PLAYOUT_LIMIT)
        return engine.estimate_moves(
            position, moves, budget, playouts=playouts, good_error=_GOOD_ERROR, seed=_SEED
        )


def _worth(estimate: MoveEstimate) -> Worth:
    return Worth(min(max(estimate.chance, 0.0), 1.0), estimate.chance_error, exact=False)


def _loss_beyond_noise(less: float, error: float, *, most: float = 1.0) -> Loss:
    """Return a cautious loss: one standard error less than measured, or 0 within two standard errors.

    >>> _loss_beyond_noise(0.0625, 0.015625), _loss_beyond_noise(0.02, 0.015625)
    (Loss(chance=0.046875, error=0.015625), Loss(chance=0.0, error=0.015625))
    """
    return Loss(min(less - error, most) if less >= 2 * error else 0.0, error)
