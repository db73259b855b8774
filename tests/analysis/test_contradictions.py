"""Positions that no minefield can produce are refused, and the error names the conflicting numbers."""

from __future__ import annotations

import pickle
import random
import time
from collections import Counter
from itertools import product

import pytest

from benchmarks.games import game_of_size
from sapper import HIDDEN, InconsistentPosition, Limit, Position, analyse
from sapper.position import Cell
from tests.support.oracle import (
    AllLayouts,
    batches,
    corrupted,
    expert_position,
    small_position,
    with_flags,
)


def clash(
    position: Position, *, trust_flags: bool = False, limit: Limit | None = None
) -> InconsistentPosition | None:
    try:
        analyse(position, trust_flags=trust_flags, limit=limit)
    except InconsistentPosition as error:
        return error
    return None


def check(position: Position, *, trust_flags: bool = False) -> None:
    """Check that exactly the impossible positions are refused, and that the named numbers conflict."""
    error = clash(position, trust_flags=trust_flags)
    possible = AllLayouts(position, trust_flags=trust_flags).count > 0
    assert (error is None) == possible
    if error is None:
        return

    def fitting(numbers: frozenset[Cell], use_mine_count: bool) -> int:
        layouts = AllLayouts(
            position, numbers=numbers, use_mine_count=use_mine_count, trust_flags=trust_flags
        )
        return layouts.count

    assert error.numbers <= position.numbers.keys()
    assert fitting(error.numbers, error.uses_mine_count) == 0
    for number in error.numbers:
        assert fitting(error.numbers - {number}, error.uses_mine_count) > 0, f"{number} is not needed"
    if error.uses_mine_count:
        assert fitting(error.numbers, False) > 0, "the number of mines is not needed"


@pytest.mark.parametrize("seeds", batches(800, full=20_000), ids=str)
def test_the_error_names_a_smallest_set_of_contradictory_numbers(seeds: range) -> None:
    for seed in seeds:
        position = corrupted(small_position(seed).position, seed)
        print(f"seed {seed}: {position}")  # Shown by pytest if the test fails.
        check(position)


@pytest.mark.parametrize("seeds", batches(400, full=20_000), ids=str)
def test_trusted_flags_can_contradict_a_position(seeds: range) -> None:
    for seed in seeds:
        position = with_flags(small_position(seed).position, seed)
        print(f"seed {seed}: {position}")
        check(position, trust_flags=True)


@pytest.mark.parametrize("seeds", batches(400, full=20_000), ids=str)
def test_flags_that_are_not_trusted_contradict_nothing(seeds: range) -> None:
    for seed in seeds:
        assert clash(with_flags(small_position(seed).position, seed)) is None


def test_the_tested_positions_include_every_kind_of_contradiction() -> None:
    """Some are possible; in others one, two or more numbers conflict, perhaps with the mine count."""
    kinds: Counter[tuple[int, bool] | None] = Counter()
    for seed in range(600):
        error = clash(corrupted(small_position(seed).position, seed))
        kinds[(min(len(error.numbers), 3), error.uses_mine_count) if error else None] += 1
    assert kinds.keys() >= {None, *product((1, 2, 3), (False, True))}
    assert 100 < kinds[None] < 500


# Positions whose answer is known -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers", "uses_mine_count"),
    [
        ("2x1/1\n2 #", {(0, 0)}, False),
        ("1x1/0\n1", {(0, 0)}, False),
        ("2x1/1\n. #", {(0, 0)}, True),
        ("5x1/1\n# 1 # # 1", {(0, 1), (0, 4)}, True),
        ("3x1/1\n1 # .", {(0, 0), (0, 2)}, False),
        ("3x1/3\n# . #", set(), True),
        ("2x1/2\n1 #", set(), True),
        ("1x1/1\n.", set(), True),
    ],
)
def test_the_error_names_the_contradictory_numbers(
    text: str, numbers: set[Cell], uses_mine_count: bool
) -> None:
    error = clash(Position.parse(text))
    assert error is not None
    assert set(error.numbers) == numbers
    assert error.uses_mine_count == uses_mine_count


@pytest.mark.parametrize("seeds", batches(200, full=2_000), ids=str)
def test_the_message_counts_rows_and_columns_from_one(seeds: range) -> None:
    for seed in seeds:
        position = corrupted(small_position(seed).position, seed)
        error = clash(position)
        if error is not None:
            for i, j in error.numbers:
                assert f"the {position[i, j]} at row {i + 1}, column {j + 1}" in str(error)
            assert ("number of mines" in str(error)) == error.uses_mine_count
            assert str(error).count("row") == len(error.numbers)


def test_the_error_survives_pickling() -> None:
    """Other processes return errors by pickling them."""
    error = clash(Position.parse("2 #", mines=1))
    assert error is not None
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


@pytest.mark.parametrize("seeds", batches(8, full=400), ids=str)
def test_a_single_wrong_number_is_among_those_named(seeds: range) -> None:
    """All other numbers are true, so they cannot contradict each other."""
    for seed in seeds:
        position = expert_position(seed).position
        generator = random.Random(seed)
        place = generator.choice([at for at, code in enumerate(position.codes) if code < HIDDEN])
        codes = bytearray(position.codes)
        codes[place] = (codes[place] + generator.randint(1, 8)) % 9
        error = clash(Position(position.height, position.width, position.mines, bytes(codes)))
        if error is not None:
            assert divmod(place, position.width) in error.numbers, f"seed {seed}"


# Limits and large boards -------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("limit", [Limit(seconds=0), Limit(states=10), Limit(states=30)], ids=repr)
def test_under_a_tight_limit_the_named_numbers_are_still_contradictory(limit: Limit) -> None:
    found = 0
    for seed in range(200):
        position = corrupted(small_position(seed).position, seed)
        error = clash(position, limit=limit)
        if error is not None:
            found += 1
            layouts = AllLayouts(position, numbers=error.numbers, use_mine_count=error.uses_mine_count)
            assert layouts.count == 0, f"seed {seed}"
            if limit.seconds == 0:
                assert "the limit was reached before a smaller contradiction was found" in str(error)
    assert found > 50


@pytest.mark.compiled
def test_the_limit_bounds_the_search_for_contradictory_numbers() -> None:
    """Without a limit, finding a smallest set of conflicting numbers here takes many minutes."""
    rows = ["#2#2#" * 120 if i % 3 == 1 else "#" * 600 for i in range(600)]
    position = Position.parse("\n".join(rows), mines=200_000)
    start = time.monotonic()
    error = clash(position, limit=Limit(seconds=3))
    assert time.monotonic() - start < 30
    assert error is not None
    assert error.uses_mine_count
    assert f"{len(error.numbers)} of the numbers and the number of mines, 200000" in str(error)
    assert "the limit was reached before a smaller contradiction was found" in str(error)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_number_on_a_large_board_is_found(seed: int) -> None:
    field = game_of_size(300, 300, 18_000, seed=seed)
    codes = bytearray(
        HIDDEN
        if cell in field.mines or (cell[0] // 7 + cell[1] // 7) % 3 == 0
        else field.nearby_mines(cell)
        for cell in product(range(300), range(300))
    )
    generator = random.Random(seed)
    lie = generator.choice([place for place, code in enumerate(codes) if code in (1, 2)])
    codes[lie] += 6
    error = clash(Position(300, 300, 18_000, bytes(codes)))
    assert error is not None
    assert divmod(lie, 300) in error.numbers
    assert len(error.numbers) <= 10
    assert "limit" not in str(error)


def test_the_error_says_why_a_number_is_impossible_by_itself() -> None:
    with pytest.raises(InconsistentPosition, match="cannot be true: it has only 2 hidden neighbours"):
        analyse(Position.parse("3 #\n# 1", mines=2))
    with pytest.raises(InconsistentPosition, match="cannot be true: it has no hidden neighbours"):
        analyse(Position.parse("1 . #", mines=1))
