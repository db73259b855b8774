"""Values of moves: exact ones against brute force, and estimates against exact ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

import sapper
from sapper import BadPosition, Limit, LimitReached, Position, analyse, perfect_moves, win_chance
from sapper.analysis import win_chance_after
from sapper.engine import MoveEstimate, engine
from sapper.position import Cell
from tests.support.oracle import AllLayouts, batches, small_position, with_flags

SEEDS = batches(240 if sapper.engine_name == "compiled" else 80, full=4000)


def small(seeds: range, *, most: int = 300) -> list[Position]:
    """Return the small positions of these seeds with a cell left to open and few layouts."""
    found = [with_flags(small_position(seed).position, seed) for seed in seeds]
    return [
        position
        for position in found
        if len(position.hidden) > position.mines and AllLayouts(position).count <= most
    ]


def by_what_they_show(position: Position, cells: tuple[Cell, ...]) -> Fraction:
    """Return the layouts won after the cells were opened, as a share: one by one, number by number."""
    layouts = AllLayouts(position).count
    if not cells:
        return win_chance(position) * layouts
    after = [position.opened(cells[0], number) for number in AllLayouts(position).shows(cells[0])]
    return sum((by_what_they_show(each, cells[1:]) for each in after), Fraction(0))


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_the_value_of_a_move_is_the_average_over_its_results(seeds: range) -> None:
    for position in small(seeds):
        print(position)
        layouts, hidden = AllLayouts(position), sorted(position.hidden)
        for cells in [*combinations(hidden, 1), *list(combinations(hidden, 2))[:3]]:
            assert win_chance_after(position, cells) * layouts.count == by_what_they_show(
                position, cells
            )


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_the_best_move_has_the_value_of_the_position(seeds: range) -> None:
    for position in small(seeds):
        print(position)
        chances = {cell: win_chance_after(position, [cell]) for cell in position.hidden}
        best = max(chances.values())
        assert best == win_chance(position)
        assert {cell for cell in chances if chances[cell] == best} == perfect_moves(position)
        for cell in analyse(position).safe:  # More information never hurts.
            assert chances[cell] == best


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_safety_is_the_share_of_layouts_in_which_the_cells_are_safe(seeds: range) -> None:
    for position in small(seeds, most=5000):
        print(position)
        layouts, hidden = AllLayouts(position), sorted(position.hidden)
        analysis = analyse(position, exact_fractions=True)
        for cells in [(), *combinations(hidden, 1), *list(combinations(hidden, 3))[:5]]:
            parts = [position]
            for cell in cells:
                parts = [each.opened(cell, n) for each in parts for n in AllLayouts(each).shows(cell)]
            safe = sum(AllLayouts(each).count for each in parts)
            assert analysis.safety(cells) == Fraction(safe, layouts.count)
            assert analyse(position).safety(cells) == pytest.approx(safe / layouts.count, abs=1e-9)


def test_cells_that_are_open_cannot_be_opened() -> None:
    position = Position.parse("# 1 #", mines=1)
    with pytest.raises(BadPosition, match="row 1, column 2 is already open"):
        win_chance_after(position, [(0, 0), (0, 1)])
    with pytest.raises(BadPosition, match="row 1, column 2 is already open"):
        analyse(position).safety([(0, 1)])
    assert win_chance_after(position, []) == Fraction(1, 2)


def test_a_limit_and_a_contradiction_are_errors() -> None:
    with pytest.raises(LimitReached):
        win_chance_after(Position.blank(16, 30, 99), [(0, 0)], limit=Limit(states=100))
    with pytest.raises(sapper.InconsistentPosition):
        win_chance_after(Position.parse("1 1 # .", mines=1), [(0, 2)])


@pytest.mark.compiled
def test_estimates_are_close_to_exact_values() -> None:
    off: list[float] = []
    for position in small(range(400), most=10_000):
        if len(analyse(position).safe) or AllLayouts(position).count < 50:
            continue
        print(position)
        cells = sorted(position.hidden - analyse(position).mines)[:6]
        exact = [float(win_chance_after(position, [cell])) for cell in cells]
        found = estimate(position, [[cell] for cell in cells], playouts=400)
        for each, truth in zip(found, exact, strict=True):
            assert each.chance - truth < 5 * each.chance_error  # Nobody beats perfect play,
            assert truth - each.chance < 5 * each.chance_error + 0.03  # but the player comes close.
            assert abs(each.less - (exact[0] - truth)) <= 5 * each.less_error + 0.03
            off.append((each.chance - truth) / each.chance_error)
    assert len(off) > 50
    assert abs(sum(off)) / len(off) < 1


def estimate(position: Position, moves: list[list[Cell]], *, playouts: int = 100) -> list[MoveEstimate]:
    budget = Limit(states=10**9).start()
    return engine.estimate_moves(position, moves, budget, playouts=playouts, good_error=0.0, seed=5)


@pytest.mark.compiled
def test_moves_that_cannot_be_played_are_rejected() -> None:
    position = Position.parse("# 1 #", mines=1)
    rejected: list[list[list[Cell]]] = [[], [[]], [[(0, 1)]], [[(0, 3)]]]
    for moves in rejected:
        with pytest.raises(ValueError, match=r"at least one|not a hidden cell"):
            estimate(position, moves)
    with pytest.raises(LimitReached):
        estimate(Position.blank(40, 40, 200), [[(0, 0)]])
