"""Boards that need no guess: proofs confirm it, a seed always gives the same board, and errors."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import BadLevel, Game, Kind, Limit, LimitReached, Promise, SapperError
from sapper.boards.generator import generate, parse_kinds
from sapper.boards.grading import hardest_kind
from sapper.boards.no_guess import NoGuessSearch, draw, walk
from sapper.engine import engine
from sapper.engine.python.minefields import has_twins
from sapper.game.setup import Setup
from sapper.minesweeper import neighbours
from sapper.position import Cell
from sapper.proof.difficulty import difficulty

SLOW = sapper.engine_name == "python"


def play_by_proof(game: Game) -> None:
    """Open every cell that can be proved safe, and check each proof."""
    assert game.first is not None
    game.open(game.first)
    while not game.over:
        safe = sapper.analyse(game.position).safe
        if not safe:
            return
        proof = sapper.explain(game.position, min(safe))
        proof.check(game.position)
        assert proof.verdict == "safe"
        game.open(proof.cell)


def layouts_that_fit(game: Game) -> list[frozenset[Cell]]:
    """Generate all layouts that fit the open cells, without using an engine."""
    position = game.position
    hidden, size = sorted(position.hidden), (position.height, position.width)
    return [
        frozenset(mines)
        for mines in itertools.combinations(hidden, position.mines)
        if all(
            number == len(neighbours(cell, *size).intersection(mines))
            for cell, number in position.numbers.items()
        )
    ]


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=3 if SLOW else 15)
def test_a_beginners_board_is_won_by_checked_proofs(seed: int) -> None:
    game = generate("beginner", seed=seed)
    play_by_proof(game)
    assert game.outcome is sapper.Outcome.WON


@pytest.mark.parametrize("size", ["4x4/3", "5x3/3", "5x4/4", "16x1/3", "4x4/8"])
def test_brute_force_confirms_that_no_guess_is_needed(size: str) -> None:
    for seed in range(4):
        game = generate(size, seed=seed)
        assert game.first is not None
        game.open(game.first)
        while not game.over:
            possible = frozenset().union(*layouts_that_fit(game))
            certain = game.position.hidden - possible
            assert certain, f"{size}, seed {seed}: a guess is due\n{game.position}"
            game.open(min(certain))


@pytest.mark.parametrize(
    "size", ["expert", "30x16/130", "30x16/144", "16x16/77", "9x9/24", "60x4/60", "40x40/400"]
)
def test_boards_with_up_to_thirty_percent_mines_are_found(size: str) -> None:
    if SLOW and size != "9x9/24":
        pytest.skip("the plain-Python engine takes its time")
    for seed in range(3):
        game = generate(size, seed=seed)
        assert game.minefield is not None
        assert game.first is not None
        assert len(game.minefield.mines) == game.level.mines
        assert game.promise is Promise.OPEN
        game.open(game.first)
        while not game.over:
            safe = sapper.analyse(game.position).safe
            assert safe
            for cell in safe:
                if game.position.is_hidden(cell):
                    game.open(cell)
        assert game.outcome is sapper.Outcome.WON


def test_the_boards_of_a_seed_never_change() -> None:
    def mines_of(size: str) -> str:
        game = generate(size, seed=0)
        assert game.minefield is not None
        return " ".join(str(i * game.level.width + j) for i, j in sorted(game.minefield.mines))

    assert mines_of("6x6/6") == "2 3 10 24 25 29"
    assert mines_of("12x12/43") == (  # The generator moved its mines.
        "0 2 3 4 5 6 7 12 13 16 18 20 23 25 29 53 54 59 62 66 67 68 69 72 76 78 89 90 96 98 104 108 109"
        " 115 116 119 124 125 126 127 128 129 136"
    )


def test_the_search_finds_every_no_guess_board_with_equal_probability() -> None:
    setup = Setup.of("4x3/2", first=(0, 0))
    cells = [(i, j) for i in range(3) for j in range(4)]
    solvable = set()
    for mines in itertools.combinations(sorted(set(cells) - setup.kept_free), 2):
        minefield = bytes(cell in mines for cell in cells)
        if walk(setup, minefield, Limit().start()).is_done:
            solvable.add(minefield)
    budget = Limit(seconds=600).start()
    seen = Counter(next(NoGuessSearch(setup, budget).minefields(seed)) for seed in range(400))
    assert set(seen) == solvable
    expected = seen.total() / len(solvable)
    chi_square = sum((times - expected) ** 2 / expected for times in seen.values())
    assert chi_square < 2 * len(
        solvable
    )  # Exceeded with probability 0.001 if all boards are equally likely.


def test_a_board_of_a_given_difficulty_needs_that_kind_of_proof() -> None:
    wanted: dict[str, set[Kind | None]] = {
        "chain": {Kind.CHAIN},
        "mine count": {Kind.MINE_COUNT},
        "overlap..": {Kind.OVERLAP, Kind.CASES, Kind.MINE_COUNT},
        "..subset": {None, Kind.COUNTING, Kind.SUBSET},
    }
    for text, kinds in wanted.items():
        assert difficulty(generate("6x6/6", seed=5, difficulty=text)).hardest in kinds


@pytest.mark.parametrize("size", ["6x6/6", "7x5/9"])
def test_the_fast_grading_agrees_with_the_proofs(size: str) -> None:
    setup = Setup.of(size)
    found = itertools.islice(
        NoGuessSearch(setup, Limit(seconds=600).start()).minefields(3), 6 if SLOW else 30
    )
    for minefield in found:
        cells = itertools.compress(sapper.Position.blank(*_sides(size)), minefield)
        grade = difficulty(Game.on(size, cells, first=setup.first))
        assert grade.guesses == 0
        assert hardest_kind(setup, minefield) == (grade.hardest or Kind.COUNTING)


def _sides(size: str) -> tuple[int, int, int]:
    level = sapper.Level.named(size)
    return level.height, level.width, level.mines


def test_without_the_no_guess_option_the_board_is_that_of_the_seed() -> None:
    generated = generate("expert", seed=7, no_guess=False)
    game = Game.new("expert", seed=7)
    game.open((3, 3))
    assert generated.minefield is not None
    assert game.minefield is not None
    assert generated.minefield.mines == game.minefield.mines
    assert not generated.actions


def test_the_first_click_may_be_chosen() -> None:
    game = generate("beginner", seed=1, first=(0, 8))
    assert game.first == (0, 8)
    play_by_proof(game)
    assert game.outcome is sapper.Outcome.WON


def test_no_guess_boards_exist_for_the_courses_rules() -> None:
    game = generate("course", seed=2)
    assert game.level.course_rules
    play_by_proof(game)
    assert not game.exploded
    assert len(game.position.hidden) == game.level.mines


@pytest.mark.parametrize("size", ["2x1/1", "2x2/2", "8x1/4"])
def test_the_error_says_if_no_such_board_exists(size: str) -> None:
    """Boards such as `8x1/4` may have a solution or not, but never one that needs a guess."""
    try:
        game = generate(size, seed=1, limit=Limit(seconds=1))
    except LimitReached as error:
        assert size in str(error)
    else:
        play_by_proof(game)
        assert game.outcome is sapper.Outcome.WON


def test_the_search_for_a_board_stops_at_its_limit() -> None:
    start = time.monotonic()
    with pytest.raises(LimitReached, match=r"30x16/300.* was found: the limit of 0.3 seconds"):
        generate("30x16/300", seed=1, limit=Limit(seconds=0.3))
    assert time.monotonic() - start < 30
    with pytest.raises(LimitReached, match="needs a proof by subset but none harder"):
        generate("12x12/40", seed=1, difficulty="subset", limit=Limit(seconds=0.3))


def test_the_error_names_an_invalid_request() -> None:
    with pytest.raises(BadLevel, match="no cell to open"):
        generate("3x3/9", seed=1)
    with pytest.raises(SapperError, match="seed"):
        generate("beginner", seed=-1)
    with pytest.raises(SapperError, match="first click, row 10, column 1, is not on a board"):
        generate("beginner", seed=1, first=(9, 0))
    with pytest.raises(SapperError, match="unknown kind of proof 'hard'"):
        generate("beginner", seed=1, difficulty="hard")
    with pytest.raises(SapperError, match="only be chosen for boards that need no guess"):
        generate("beginner", seed=1, difficulty="chain", no_guess=False)


def test_kinds_are_read_as_ranges() -> None:
    assert parse_kinds("chain") == parse_kinds(Kind.CHAIN) == (Kind.CHAIN, Kind.CHAIN)
    assert parse_kinds("subset..overlap") == (Kind.SUBSET, Kind.OVERLAP)
    assert parse_kinds("cases ..") == (Kind.CASES, Kind.MINE_COUNT)
    for bad in ("", "cases..chain", "a..b", "chain...cases"):
        with pytest.raises(SapperError):
            parse_kinds(bad)


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 5), st.floats(0.2, 0.8))
@settings(max_examples=200)
def test_a_board_with_twins_needs_a_guess(seed: int, height: int, width: int, share: float) -> None:
    size = f"{width}x{height}/{int(share * (height * width - 1))}"
    setup = Setup.of(size, first=(0, 0), promise="safe")
    minefield = draw(setup, seed)
    twins = has_twins(height, width, minefield, 0)
    assert twins == engine.has_twins(height, width, minefield, 0)
    if twins:
        assert not walk(setup, minefield, Limit().start()).is_done
