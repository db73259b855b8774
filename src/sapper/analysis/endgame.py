"""Endgames: the exact probability of winning with perfect play, and the moves that keep it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from sapper.analysis.contradictions import contradiction
from sapper.arguments import boolean
from sapper.engine import Budget, Endgame, Limit, engine
from sapper.engine.limits import check_budget
from sapper.errors import BadPosition
from sapper.position import Cell, HasPosition, Position, describe_cell, position_of


def win_chance(
    position: Position | HasPosition, *, trust_flags: bool = False, limit: Limit | None = None
) -> Fraction:
    """Return the exact probability of winning with perfect play: the policy that wins the most layouts.

    A position is won when all its safe cells are open. A position that no minefield can produce raises
    `InconsistentPosition`. When the limit is reached, it raises `LimitReached`; it never estimates.

    >>> win_chance(Position.blank(height=4, width=4, mines=3))
    Fraction(5, 7)
    """
    endgame = _solve(position, trust_flags, limit)
    return Fraction(endgame.won, endgame.layouts)


def perfect_moves(
    position: Position | HasPosition, *, trust_flags: bool = False, limit: Limit | None = None
) -> frozenset[Cell]:
    """Return every cell that perfect play can open first.

    Certainly safe cells are among them. If the position is won, there are none.

    >>> sorted(perfect_moves(Position.blank(height=4, width=4, mines=3)))
    [(0, 0), (0, 3), (3, 0), (3, 3)]
    """
    return _solve(position, trust_flags, limit).moves


def win_chance_after(
    position: Position | HasPosition,
    cells: Iterable[Cell],
    *,
    trust_flags: bool = False,
    limit: Limit | None = None,
) -> Fraction:
    """Return the probability of winning with perfect play after these hidden cells are opened at once.

    It is the mean over everything that the cells may show; a mine loses.

    >>> blank = Position.blank(height=4, width=4, mines=3)
    >>> win_chance_after(blank, [(0, 0)]), win_chance_after(blank, [(1, 1)])
    (Fraction(5, 7), Fraction(193, 280))
    """
    budget = Limit.given(limit).start()
    return win_chance_after_within(position, cells, budget, trust_flags=trust_flags)


def win_chance_after_within(
    position: Position | HasPosition,
    cells: Iterable[Cell],
    budget: Budget,
    *,
    trust_flags: bool = False,
) -> Fraction:
    """Return the same as `win_chance_after`, within a budget that other work shares."""
    position, trust_flags = position_of(position), boolean(trust_flags, "trust_flags")
    check_budget(budget)
    cells = sorted(set(map(position.check_cell, cells)))
    for cell in cells:
        if not position.is_hidden(cell):
            raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
    if cells:
        endgame = engine.solve_move(position, cells, budget, trust_flags=trust_flags)
    else:
        endgame = engine.solve(position, budget, trust_flags=trust_flags)
    if endgame is None:
        raise contradiction(position, budget, trust_flags=trust_flags)
    return Fraction(endgame.won, endgame.layouts)


def _solve(source: Position | HasPosition, trust_flags: bool, limit: Limit | None) -> Endgame:
    position, budget = position_of(source), Limit.given(limit).start()
    trust_flags = boolean(trust_flags, "trust_flags")
    endgame = engine.solve(position, budget, trust_flags=trust_flags)
    if endgame is None:
        raise contradiction(position, budget, trust_flags=trust_flags)
    return endgame
