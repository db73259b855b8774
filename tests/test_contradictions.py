"""A position that no minefield can produce is refused, and the error names what cannot all be true."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import product

import pytest

from minesweeper import Cell
from sapper import HIDDEN, InconsistentPosition, Position, analyse
from tests.oracle import (
    AllLayouts,
    batches,
    corrupted,
    expert_position,
    small_position,
    with_flags,
)


def clash(position: Position, *, trust_flags: bool = False) -> InconsistentPosition | None:
    try:
        analyse(position, trust_flags=trust_flags)
    except InconsistentPosition as error:
        return error
    return None


def check(position: Position, *, trust_flags: bool = False) -> None:
    """It is refused if and only if no layout fits; and what is named is the whole reason."""
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
def test_what_is_named_is_contradictory_and_nothing_more_than_needed(seeds: range) -> None:
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


def test_the_positions_tested_are_of_all_kinds() -> None:
    """Some possible; some with one number to blame, two, or more; with the mine count and without."""
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
def test_the_error_names_the_culprits(text: str, numbers: set[Cell], uses_mine_count: bool) -> None:
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
    """Errors come back from other processes whole."""
    error = clash(Position.parse("2 #", mines=1))
    assert error is not None
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), vars(copy)) == (str(error), vars(error))


@pytest.mark.parametrize("seeds", batches(8, full=400), ids=str)
def test_a_single_lie_is_among_the_numbers_named(seeds: range) -> None:
    """All else is true, so what is contradictory without the lie does not exist."""
    for seed in seeds:
        position = expert_position(seed).position
        generator = random.Random(seed)
        place = generator.choice([at for at, code in enumerate(position.codes) if code < HIDDEN])
        codes = bytearray(position.codes)
        codes[place] = (codes[place] + generator.randint(1, 8)) % 9
        error = clash(Position(position.height, position.width, position.mines, bytes(codes)))
        if error is not None:
            assert divmod(place, position.width) in error.numbers, f"seed {seed}"
