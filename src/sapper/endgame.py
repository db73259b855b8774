"""Endgames: the exact chance to win a position with perfect play, and the moves that keep it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction

from minesweeper import Cell
from sapper._backends import Limit, Question, backend
from sapper._clash import contradiction
from sapper._reference_endgame import Endgame
from sapper.errors import BadPosition
from sapper.position import Position, describe_cell


def win_chance(
    position: Position, *, trust_flags: bool = False, limit: Limit | None = None
) -> Fraction:
    """Return the chance to win with perfect play: by that policy, of all, which wins most layouts.

    A position is won when all its safe cells are open. A position that no minefield can produce is an
    `InconsistentPosition`. Where the limit does not suffice it is a `LimitReached`, never an estimate.

    >>> win_chance(Position.blank(height=4, width=4, mines=3))
    Fraction(5, 7)
    """
    endgame = _solve(position, trust_flags, limit)
    return Fraction(endgame.won, endgame.layouts)


def perfect_moves(
    position: Position, *, trust_flags: bool = False, limit: Limit | None = None
) -> frozenset[Cell]:
    """Return every cell with which to begin if the chance to win is to stay what `win_chance` says.

    Those that are certainly safe are among them. There are none if the position is won.

    >>> sorted(perfect_moves(Position.blank(height=4, width=4, mines=3)))
    [(0, 0), (0, 3), (3, 0), (3, 3)]
    """
    return _solve(position, trust_flags, limit).moves


def win_chance_after(
    position: Position,
    cells: Iterable[Cell],
    *,
    trust_flags: bool = False,
    limit: Limit | None = None,
) -> Fraction:
    """Return the chance to win with perfect play after these hidden cells are opened, all at once.

    What they show is not known yet: it is the mean over all that they may show, and a mine is no win.

    >>> blank = Position.blank(height=4, width=4, mines=3)
    >>> win_chance_after(blank, [(0, 0)]), win_chance_after(blank, [(1, 1)])
    (Fraction(5, 7), Fraction(193, 280))
    """
    cells = sorted(set(cells))
    for cell in cells:
        if not position.is_hidden(cell):
            raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
    if not cells:
        return win_chance(position, trust_flags=trust_flags, limit=limit)
    question = Question(position, trust_flags, limit or Limit())
    end = time.monotonic() + question.limit.countable[0]
    won, layouts = backend(question, exact_fractions=False).endgame_after(cells)
    if not layouts:
        raise contradiction(question, end)
    return Fraction(won, layouts)


def _solve(position: Position, trust_flags: bool, limit: Limit | None) -> Endgame:
    question = Question(position, trust_flags, limit or Limit())
    end = time.monotonic() + question.limit.countable[0]
    endgame = backend(question, exact_fractions=False).endgame()
    if endgame is None:
        raise contradiction(question, end)
    return endgame
