"""Perfect play: exact tables, every policy tried one by one, laws, and both solvers compared."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, perm
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper import (
    InconsistentPosition,
    Limit,
    LimitReached,
    Move,
    Position,
    analyse,
    perfect_moves,
    win_chance,
)
from sapper.engine import engine, exact_engine
from sapper.minesweeper import Minesweeper
from sapper.position import Cell
from tests.support.oracle import FULL, around, batches, small_position, symmetries, with_flags

PATIENT = Limit(seconds=3600, states=10**9)
QUICK = 10**9 if sapper.engine_name == "compiled" else 5_000 if FULL else 1_000
"""The engine in use quickly solves boards with at most this many layouts."""


def few_layouts(seeds: range, *, most: int) -> Iterator[Position]:
    """Generate the small positions of these seeds that have at most `QUICK` layouts."""
    for seed in seeds:
        position = small_position(seed).position
        if analyse(position).layouts <= most:
            print(f"seed {seed}: {position}")  # Shown by pytest if the test fails.
            yield position


# Exact tables ------------------------------------------------------------------------------

TABLES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "exact_small_boards.json").read_text(encoding="utf-8")
)


def check(position: Position, won: int, layouts: int, moves: list[list[int]] | None) -> None:
    """Check what perfect play wins, and its moves up to symmetry where they are given."""
    assert win_chance(position, limit=PATIENT) == Fraction(won, layouts)
    if moves is not None:
        cells = {(i, j) for i, j in moves}
        alike = [goes_to for turned, goes_to in symmetries(position) if turned == position]
        assert perfect_moves(position, limit=PATIENT) == {to[cell] for to in alike for cell in cells}


@pytest.mark.parametrize("board", TABLES["boards"], ids=str)
def test_boards_are_won_as_often_as_the_table_says(board: dict[str, Any]) -> None:
    position = Position.blank(board["rows"], board["columns"], board["mines"])
    layouts = comb(len(position), position.mines)
    if layouts > QUICK:
        pytest.skip("takes long in plain Python")
    check(position, board["won"], layouts, board.get("first"))


@pytest.mark.parametrize("known", TABLES["positions"], ids=str)
def test_positions_are_won_as_often_as_the_table_says(known: dict[str, Any]) -> None:
    position = Position.parse("\n".join(known["rows"]), mines=known["mines"])
    check(position, known["won"], known["layouts"], known["best"])


# Every policy, one by one ------------------------------------------------------------------


def by_every_policy(position: Position) -> tuple[int, set[Cell]]:
    """Try every policy; return the most layouts won, and the first cells of the best policies."""

    def most(layouts: list[set[Cell]], hidden: frozenset[Cell]) -> tuple[int, set[Cell]]:
        if len(hidden) == position.mines:
            return 1, set()
        won = dict.fromkeys(hidden, 0)
        for cell in hidden:
            split = defaultdict(list)
            for mines in layouts:
                if cell not in mines:
                    split[len(around(cell, mines))].append(mines)
            won[cell] = sum(most(part, hidden - {cell})[0] for part in split.values())
        best = max(won.values())
        return best, {cell for cell in hidden if won[cell] == best}

    return most(all_layouts(position), position.hidden)


def all_layouts(position: Position) -> list[set[Cell]]:
    ways = map(set, combinations(sorted(position.hidden), position.mines))
    numbers = position.numbers.items()
    return [mines for mines in ways if all(len(around(cell, mines)) == n for cell, n in numbers)]


@pytest.mark.parametrize("seeds", batches(400, full=8_000), ids=str)
def test_no_policy_wins_more(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        hidden, mines = len(position.hidden), position.mines
        if perm(hidden, hidden - mines) > 3_000 or comb(hidden, mines) > 3_000:
            continue
        print(f"seed {seed}: {position}")
        won, moves = by_every_policy(position)
        assert win_chance(position) == Fraction(won, analyse(position).layouts)
        assert perfect_moves(position) == moves


@pytest.mark.parametrize("seeds", batches(24, full=400), ids=str)
def test_perfect_moves_win_as_many_layouts_as_promised(seeds: range) -> None:
    """All perfect moves are equally good: some boards take the first one, others the last."""
    for position in few_layouts(seeds, most=100):
        choose = cache(min if len(position) % 2 else max)
        moves = cache(perfect_moves)
        layouts = all_layouts(position)
        won = 0
        for mines in layouts:
            minefield = Minesweeper.with_mines(position.height, position.width, mines)
            now = position
            while moves(now) and (cell := choose(moves(now))) not in mines:
                now = now.opened(cell, minefield.nearby_mines(cell))
            won += now.hidden == mines
        assert win_chance(position) == Fraction(won, len(layouts))


# Laws --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", batches(80, full=1_000), ids=str)
def test_the_chance_is_that_of_the_best_move_weighed_by_what_it_may_show(seeds: range) -> None:
    for position in few_layouts(seeds, most=200):
        analysis = analyse(position, exact_fractions=True)
        chances = {
            cell: sum(
                chance * win_chance(position.opened(cell, number))
                for number, chance in analysis.shows(cell).items()
            )
            for cell in position.hidden
        }
        if analysis.mines == position.hidden:
            assert win_chance(position) == 1
            assert not perfect_moves(position)
        else:
            best = max(chances.values())
            assert win_chance(position) == best
            assert perfect_moves(position) == {cell for cell in chances if chances[cell] == best}


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_the_chance_is_never_above_the_safety_of_the_safest_cell(seeds: range) -> None:
    for position in few_layouts(seeds, most=500):
        analysis, chance = analyse(position, exact_fractions=True), win_chance(position)
        assert Fraction(1, analysis.layouts) <= chance <= 1
        if analysis.safest is not None:
            assert chance <= 1 - analysis.safest.risk
        assert analysis.safe <= perfect_moves(position) <= position.hidden - analysis.mines


@pytest.mark.parametrize("seeds", batches(80, full=2_000), ids=str)
def test_turning_or_mirroring_a_board_turns_or_mirrors_the_answer(seeds: range) -> None:
    for position in few_layouts(seeds, most=200):
        chance, moves = win_chance(position), perfect_moves(position)
        for turned, goes_to in symmetries(position):
            assert win_chance(turned) == chance
            assert perfect_moves(turned) == {goes_to[cell] for cell in moves}


@pytest.mark.parametrize("seeds", batches(80, full=2_000), ids=str)
def test_the_best_move_of_an_analysis_is_perfect_where_it_is_solved(seeds: range) -> None:
    for position in few_layouts(seeds, most=1_000):
        analysis = analyse(position)
        if analysis.best is not None and analysis.best.win_chance is not None:
            assert analysis.best.win_chance == win_chance(position)
            assert analysis.best.cell in perfect_moves(position)
            assert analysis.best.risk == analysis.risk[analysis.best.cell]
            assert analysis.best.risk == 0 or not analysis.safe


# Positions whose answer is known -------------------------------------------------------------


def test_a_position_without_risk_is_won_with_certainty() -> None:
    for position in (
        Position.parse("...", mines=0),
        Position.parse("#1.", mines=1),
        Position.blank(2, 2, 4),
    ):
        assert win_chance(position) == 1
        assert perfect_moves(position) == frozenset()
    everywhere_safe = Position.blank(3, 4, 0)
    assert win_chance(everywhere_safe) == 1
    assert perfect_moves(everywhere_safe) == everywhere_safe.hidden


def test_coin_tosses_multiply() -> None:
    for tosses, row in enumerate(["#1.", "#1.1#", "#1.1#1.1#"], start=1):
        position = Position.parse(f"{row}\n{row}", mines=tosses)
        assert win_chance(position) == Fraction(1, 2**tosses)


def test_the_best_move_need_not_be_the_safest() -> None:
    """The example of docs/endgame.md."""
    analysis = analyse(Position.parse("##2\n###\n##2", mines=5), exact_fractions=True)
    assert analysis.layouts == 7
    assert analysis.best == Move((0, 0), Fraction(5, 7), win_chance=Fraction(2, 7))
    assert analysis.safest == Move((1, 1), Fraction(4, 7))
    assert win_chance(analysis.position.opened((1, 1), 5)) == Fraction(1, 3)  # In 3 of 7 layouts.


def test_flags_count_only_where_they_are_trusted() -> None:
    position = Position.parse("F # #", mines=1)
    assert win_chance(position) == Fraction(2, 3)
    assert win_chance(position, trust_flags=True) == 1
    assert perfect_moves(position, trust_flags=True) == {(0, 1), (0, 2)}


def test_impossible_positions_are_errors() -> None:
    for solve in (win_chance, perfect_moves):
        with pytest.raises(InconsistentPosition):
            solve(Position.parse("# 3 #", mines=2))
        with pytest.raises(InconsistentPosition):
            solve(Position.parse("F 1 F", mines=1), trust_flags=True)


# Limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [Limit(seconds=0), Limit(states=10), Limit(states=0)], ids=repr)
def test_a_limit_is_an_error_and_not_a_guess(limit: Limit) -> None:
    for solve in (win_chance, perfect_moves):
        with pytest.raises(LimitReached):
            solve(Position.blank(4, 5, 5), limit=limit)


@pytest.mark.parametrize(
    ("height", "width", "mines"),
    [(16, 30, 99), (1, 1000, 1), pytest.param(1000, 1000, 500_000, marks=pytest.mark.compiled)],
)
def test_large_boards_are_quickly_solved_or_refused(height: int, width: int, mines: int) -> None:
    position = Position.blank(height, width, mines)
    with suppress(LimitReached):
        assert win_chance(position, limit=Limit(seconds=2)) <= 1 - Fraction(mines, len(position))


def test_an_analysis_solves_only_endgames() -> None:
    best = analyse(Position.blank(16, 30, 99)).best
    assert best is not None
    assert best.win_chance is None


# Two solvers, one answer ---------------------------------------------------------------------


def check_solvers(position: Position, *, trust_flags: bool = False) -> None:
    found = engine.solve(position, PATIENT.start(), trust_flags=trust_flags)
    assert found == exact_engine.solve(position, PATIENT.start(), trust_flags=trust_flags)


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(400, full=20_000), ids=str)
def test_the_solvers_agree(seeds: range) -> None:
    for position in few_layouts(seeds, most=1_500 if FULL else 300):
        check_solvers(position)


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(160, full=5_000), ids=str)
def test_the_solvers_agree_with_trusted_flags(seeds: range) -> None:
    for position in few_layouts(seeds, most=300):
        check_solvers(with_flags(position, seed=len(position.hidden)), trust_flags=True)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("height", "width", "mines", "won"),
    [(4, 5, 3, 864), (4, 5, 4, 2950), (5, 5, 3, 1798), (4, 5, 5, 6998)],
)
def test_the_solvers_agree_on_larger_boards(height: int, width: int, mines: int, won: int) -> None:
    """Both solvers found these values; the plain one needs minutes and 4 GB for the last."""
    position = Position.blank(height, width, mines)
    assert win_chance(position, limit=PATIENT) == Fraction(won, comb(height * width, mines))
    if FULL:
        check_solvers(position)
