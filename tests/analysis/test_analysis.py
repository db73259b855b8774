"""Analyses agree with brute force over all layouts, and hold on real boards.

SAPPER_TEST_SCALE=full asks about 50,000 small positions and 5,000 of expert games (docs/testing.md).
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

from benchmarks.engine import half_open
from benchmarks.games import game_of_size, shuffled_openings
from sapper import FLAG, Analysis, Limit, Position, analyse
from sapper.minesweeper import MinesweeperAI
from sapper.position import Cell
from tests.support.oracle import (
    AllLayouts,
    batches,
    expert_position,
    seen,
    small_position,
    symmetries,
    with_flags,
)

EXACT = 1e-12
"""Tolerance for probabilities: rounding errors only."""
PATIENT = Limit(seconds=3600, states=10**12)


def is_close(chance: float | Fraction, count: int, layouts: int) -> bool:
    return abs(chance - count / layouts) <= EXACT


def check(analysis: Analysis, truth: AllLayouts) -> None:
    mines, layouts = truth.mines, truth.count
    assert analysis.exact
    assert analysis.layouts == layouts
    assert analysis.risk.keys() == mines.keys()
    assert all(is_close(chance, mines[cell], layouts) for cell, chance in analysis.risk.items())
    # Certainty comes from exact counts, not from rounding, and the risk is exactly 0 or 1.
    assert analysis.safe == {cell for cell in mines if mines[cell] == 0}
    assert analysis.mines == {cell for cell in mines if mines[cell] == layouts}
    assert analysis.safe == {cell for cell, chance in analysis.risk.items() if chance == 0}
    assert analysis.mines == {cell for cell, chance in analysis.risk.items() if chance == 1}


def check_shows(analysis: Analysis, truth: AllLayouts) -> None:
    for cell in analysis.position.hidden:
        counts, chances = truth.shows(cell), analysis.shows(cell)
        assert chances.keys() == counts.keys(), cell
        assert all(is_close(chances[number], counts[number], truth.count) for number in counts), cell
    one_number = {cell for cell in analysis.position.hidden if len(truth.shows(cell)) == 1}
    assert analysis.dead == one_number


def with_code(position: Position, cell: Cell, code: int) -> Position:
    codes = bytearray(position.codes)
    codes[cell[0] * position.width + cell[1]] = code
    return Position(position.height, position.width, position.mines, bytes(codes))


# All layouts, one by one -------------------------------------------------------------------


@pytest.mark.parametrize("seeds", batches(800, full=50_000), ids=str)
def test_risks_and_layouts_are_those_of_brute_force(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        print(f"seed {seed}: {position}")  # Shown by pytest if the test fails.
        check(analyse(position), AllLayouts(position))


@pytest.mark.parametrize("seeds", batches(96, full=50_000), ids=str)
def test_the_numbers_a_cell_may_show_are_those_of_brute_force(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        print(f"seed {seed}: {position}")
        check_shows(analyse(position), AllLayouts(position))


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_fractions_are_equal_to_those_of_brute_force(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        print(f"seed {seed}: {position}")
        analysis, truth = analyse(position, exact_fractions=True), AllLayouts(position)
        assert analysis.risk == {cell: Fraction(n, truth.count) for cell, n in truth.mines.items()}
        assert all(isinstance(chance, Fraction) for chance in analysis.risk.values())
        for cell in sorted(position.hidden)[:1]:
            counts = truth.shows(cell)
            assert analysis.shows(cell) == {n: Fraction(counts[n], truth.count) for n in counts}


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_flags_count_only_where_they_are_trusted(seeds: range) -> None:
    for seed in seeds:
        bare = small_position(seed).position
        position = with_flags(bare, seed)
        print(f"seed {seed}: {position}")
        check(analyse(position), AllLayouts(bare))
        trusted = AllLayouts(position, trust_flags=True)
        if trusted.count:
            analysis = analyse(position, trust_flags=True)
            check(analysis, trusted)
            assert analysis.mines >= position.flags


@pytest.mark.parametrize("seeds", batches(24, full=10_000), ids=str)
def test_a_trusted_flag_is_a_mine_and_shows_nothing(seeds: range) -> None:
    for seed in seeds:
        position = with_flags(small_position(seed).position, seed)
        print(f"seed {seed}: {position}")
        truth = AllLayouts(position, trust_flags=True)
        if truth.count:
            check_shows(analyse(position, trust_flags=True), truth)


# Laws --------------------------------------------------------------------------------------


def check_total_probability(position: Position, cell: Cell) -> None:
    """Risks now are the weighted average of the risks after each possible result of opening a cell."""
    now = analyse(position)
    cases = {
        analyse(position.opened(cell, number)): chance for number, chance in now.shows(cell).items()
    }
    if now.risk[cell]:
        cases[analyse(with_code(position, cell, FLAG), trust_flags=True)] = now.risk[cell]
    assert now.layouts == sum(then.layouts for then in cases)
    assert all(is_close(chance, then.layouts, now.layouts) for then, chance in cases.items())
    for other in position.hidden - {cell}:
        risk = sum(float(chance) * float(then.risk[other]) for then, chance in cases.items())
        assert abs(risk - now.risk[other]) <= EXACT


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_the_law_of_total_probability(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        print(f"seed {seed}: {position}")
        if position.hidden:
            check_total_probability(position, random.Random(seed).choice(sorted(position.hidden)))


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(40, full=1_000), ids=str)
def test_the_law_of_total_probability_on_expert_boards(seeds: range) -> None:
    for seed in seeds:
        position = expert_position(seed).position
        print(f"seed {seed}: {position}")
        check_total_probability(position, random.Random(seed).choice(sorted(position.hidden)))


def check_symmetries(position: Position) -> None:
    analysis = analyse(position)
    for turned, goes_to in symmetries(position):
        answer = analyse(turned)
        assert answer.layouts == analysis.layouts
        assert answer.safe == {goes_to[cell] for cell in analysis.safe}
        assert answer.mines == {goes_to[cell] for cell in analysis.mines}
        for cell, chance in analysis.risk.items():
            assert abs(float(answer.risk[goes_to[cell]]) - float(chance)) <= EXACT


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_turning_or_mirroring_a_board_turns_or_mirrors_the_answer(seeds: range) -> None:
    for seed in seeds:
        position = small_position(seed).position
        print(f"seed {seed}: {position}")
        check_symmetries(position)


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(8, full=200), ids=str)
def test_turning_or_mirroring_an_expert_board_turns_or_mirrors_the_answer(seeds: range) -> None:
    for seed in seeds:
        check_symmetries(expert_position(seed).position)


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_the_safest_move_is_the_least_risky(seeds: range) -> None:
    for seed in seeds:
        analysis = analyse(small_position(seed).position)
        if analysis.safest is None:
            assert analysis.mines == analysis.position.hidden
        else:
            assert analysis.safest.cell not in analysis.mines
            assert analysis.safest.risk == analysis.risk[analysis.safest.cell]
            assert analysis.safest.risk <= min(analysis.risk.values()) + EXACT


# Real games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", batches(160, full=10_000), ids=str)
def test_the_true_numbers_may_be_shown(seeds: range) -> None:
    for seed in seeds:
        position, minefield = small_position(seed)
        print(f"seed {seed}: {position}")
        analysis = analyse(position)
        for cell in position.hidden - minefield.mines:
            assert analysis.shows(cell)[minefield.nearby_mines(cell)] > 0
            assert analysis.risk[cell] < 1


@pytest.mark.parametrize("seeds", batches(32, full=5_000), ids=str)
def test_what_is_certain_is_true_and_risks_add_up_to_the_mines(seeds: range) -> None:
    for seed in seeds:
        position, minefield = expert_position(seed)
        analysis = analyse(position, limit=PATIENT)
        assert analysis.safe.isdisjoint(minefield.mines), f"seed {seed}"
        assert analysis.mines <= minefield.mines, f"seed {seed}"
        assert abs(sum(map(float, analysis.risk.values())) - position.mines) < 1e-9, f"seed {seed}"
        # Every conclusion of the course's agent is certain.
        ai = MinesweeperAI(position.height, position.width)
        for cell, number in position.numbers.items():
            ai.add_knowledge(cell, number)
        assert ai.safes - ai.moves_made <= analysis.safe, f"seed {seed}"
        assert ai.mines <= analysis.mines, f"seed {seed}"


# Two engines, one answer -------------------------------------------------------------------


def strip_position(seed: int) -> Position:
    """Return a position of 1 to 3 long rows: many components, and layouts of hundreds of digits."""
    generator = random.Random(seed)
    height = generator.randint(1, 3)
    minefield = game_of_size(height, 900 // height, 300, seed)
    safe = [cell for cell, _ in shuffled_openings(minefield, seed)]
    return seen(minefield, safe[: generator.randint(100, 300)])


def check_engines(position: Position) -> None:
    floats = analyse(position, limit=PATIENT)
    fractions = analyse(position, exact_fractions=True, limit=PATIENT)
    assert floats.exact
    assert floats.layouts == fractions.layouts
    assert floats.safe == fractions.safe
    assert floats.mines == fractions.mines
    assert floats.risk.keys() == fractions.risk.keys()
    for cell, chance in fractions.risk.items():
        assert abs(floats.risk[cell] - float(chance)) <= EXACT, cell


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(60, full=5_000), ids=str)
def test_the_engines_agree_on_expert_positions(seeds: range) -> None:
    for seed in seeds:
        position = expert_position(seed).position
        print(f"seed {seed}: {position}")
        check_engines(position)


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(8, full=500), ids=str)
def test_the_engines_agree_on_long_strips(seeds: range) -> None:
    for seed in seeds:
        check_engines(strip_position(seed))


# One question after another ----------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("seeds", batches(80, full=2_000), ids=str)
def test_an_answer_does_not_depend_on_earlier_questions(seeds: range) -> None:
    """The engine reuses its memory, but no results, between questions."""
    for seed in seeds:
        generator = random.Random(seed)
        position = half_open(generator.randint(17, 40), generator.randint(3, 40), seed)
        print(f"seed {seed}: {position}")
        before = analyse(position)
        safe, mines, layouts = before.safe, before.mines, before.layouts
        for cell in generator.sample(sorted(position.hidden), 20):
            before.shows(cell)
            after = analyse(position)
            assert (after.safe, after.mines, after.layouts) == (safe, mines, layouts), cell


# Positions whose answer is known -----------------------------------------------------------


@pytest.mark.parametrize(
    ("height", "width", "mines"),
    [(1, 1, 0), (1, 1, 1), (1, 7, 3), (4, 4, 0), (4, 4, 16), (16, 30, 99), (60, 60, 741)],
)
def test_on_a_blank_board_all_cells_have_the_same_risk(height: int, width: int, mines: int) -> None:
    analysis = analyse(Position.blank(height, width, mines))
    cells = height * width
    assert analysis.layouts == comb(cells, mines)
    assert len(analysis.risk) == cells
    assert all(is_close(chance, mines, cells) for chance in analysis.risk.values())
    assert analysis.safe == (analysis.position.hidden if mines == 0 else set())
    assert analysis.mines == (analysis.position.hidden if mines == cells else set())


def test_a_number_alone_shares_its_mines_among_its_neighbours() -> None:
    """Far more layouts (over 800 digits) than a floating-point number can hold."""
    position = Position.blank(60, 60, mines=741).opened((30, 30), 3)
    analysis = analyse(position)
    assert analysis.layouts == comb(8, 3) * comb(3591, 738)
    for cell, chance in analysis.risk.items():
        near = cell in position.neighbours((30, 30))
        assert is_close(chance, 3, 8) if near else is_close(chance, 738, 3591)


def test_parts_that_do_not_touch_are_independent() -> None:
    """Each number on the board is surrounded by its own eight hidden cells."""
    centres = product(range(1, 60, 3), range(1, 60, 3))
    numbers = {centre: place % 9 for place, centre in enumerate(centres)}
    position = Position.blank(60, 60, sum(numbers.values()))
    for cell, number in numbers.items():
        position = position.opened(cell, number)
    analysis = analyse(position)
    assert analysis.layouts == prod(comb(8, number) for number in numbers.values()) > 10**308
    for cell, number in numbers.items():
        assert all(is_close(analysis.risk[near], number, 8) for near in position.neighbours(cell))


def test_an_almost_certain_mine_is_not_certain() -> None:
    """A mine in the middle is 10^13 times as likely as four around the ring, but not certain."""
    ring = """
        # # # # #
        # 1 1 1 #
        # 1 # 1 #
        # 1 1 1 #
        # # # # #
    """
    position = Position.blank(300, 300, mines=4)
    for (i, j), number in Position.parse(ring, mines=0).numbers.items():
        position = position.opened((100 + i, 100 + j), number)
    analysis = analyse(position, limit=Limit(seconds=600))
    ways = comb(300 * 300 - 25, 3) + 2  # One mine in the middle, or two ways to place four around it.
    assert analysis.layouts == ways
    assert analysis.mines == frozenset()
    corners_and_middles = set(product((100, 102, 104), repeat=2)) - {(102, 102)}
    assert analysis.safe == corners_and_middles
    assert analysis.shows((102, 102)).keys() == {0}
    assert is_close(analysis.risk[102, 102], ways - 2, ways)


@pytest.mark.parametrize("text", ["1x1/0\n.", "3x2/0\n. . .\n. . ."])
def test_without_hidden_cells_there_are_no_risks_and_no_move(text: str) -> None:
    analysis = analyse(Position.parse(text))
    assert analysis.layouts == 1
    assert not analysis.risk
    assert analysis.safe == analysis.mines == analysis.dead == frozenset()
    assert analysis.best is None


def test_the_mine_count_settles_what_numbers_leave_open() -> None:
    """Either the middle or both ends: with one mine in all, it is the middle."""
    text = "# 1 # 1 #"
    assert analyse(Position.parse(text, mines=1)).mines == {(0, 2)}
    assert analyse(Position.parse(text, mines=2)).mines == {(0, 0), (0, 4)}


def test_the_cells_of_a_coin_toss_are_dead() -> None:
    """Either cell shows 1 if it is safe, so opening it reveals nothing."""
    analysis = analyse(Position.parse("# #", mines=1))
    assert analysis.dead == {(0, 0), (0, 1)}
    assert set(analysis.risk.values()) == {0.5}


@pytest.mark.compiled
@pytest.mark.parametrize(("row", "mines"), [("#1#1#", 31_200), ("#2#2#", 60_000), ("#2#2#", 95_000)])
def test_any_number_of_components_neither_overflows_nor_vanishes(row: str, mines: int) -> None:
    rows = ["#" * 600 if i % 3 else row * 120 for i in range(600)]
    position = Position.parse("\n".join(rows), mines=mines)
    analysis = analyse(position, limit=PATIENT)
    assert analysis.exact
    assert analysis.risk.keys() == position.hidden
    assert abs(sum(map(float, analysis.risk.values())) / mines - 1) < 1e-10
