"""`MinesweeperAI` does what the course specifies, and more than most answers do."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.baseline import PairwiseAI
from benchmarks.games import any_game, game_of_size, openings, shuffled_openings
from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI, Sentence, neighbours
from tests.support.oracle import FULL

Public = tuple[set[Cell], set[Cell], set[Cell], list[tuple[set[Cell], int]]]


def public_state(ai: MinesweeperAI) -> Public:
    sentences = [(set(sentence.cells), sentence.count) for sentence in ai.knowledge]
    return set(ai.moves_made), set(ai.mines), set(ai.safes), sentences


def check_invariants(ai: MinesweeperAI) -> None:
    settled = ai.mines | ai.safes
    assert ai.mines.isdisjoint(ai.safes)
    assert ai.moves_made <= ai.safes
    cells = [frozenset(sentence.cells) for sentence in ai.knowledge]
    assert all(cells), "an empty sentence"
    assert len(set(cells)) == len(cells), "two sentences about the same cells"
    assert all(settled.isdisjoint(group) for group in cells), "a settled cell in a sentence"


def check_fixpoint(ai: MinesweeperAI) -> None:
    """No further conclusion follows by counting or by subtracting a subset from a sentence."""
    known = {frozenset(sentence.cells): sentence.count for sentence in ai.knowledge}
    for cells, count in known.items():
        assert 0 < count < len(cells)
    for part, whole in permutations(known, 2):
        if part < whole:
            assert known[whole - part] == known[whole] - known[part]


@st.composite
def boards(draw: st.DrawFn, longest: int = 7) -> Minesweeper:
    height, width = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    cells = [(i, j) for i in range(height) for j in range(width)]
    mines = draw(st.sets(st.sampled_from(cells), max_size=len(cells) * 6 // 10))
    return Minesweeper.with_mines(height, width, mines)


# Soundness ---------------------------------------------------------------------------------


@pytest.mark.parametrize("thousand", range(20 if FULL else 4))
def test_the_agent_never_draws_a_false_conclusion(thousand: int) -> None:
    """Thousands of games from 1 x 1 to 16 x 30 cells; half are played, half opened in random order."""
    for seed in range(1000 * thousand, 1000 * (thousand + 1)):
        game = any_game(seed)
        ai = MinesweeperAI(game.height, game.width)
        for cell, count in openings(game, ai, seed):
            ai.add_knowledge(cell, count)
            # The agent never retracts a conclusion, so checking the final state checks all of them.
        assert ai.safes.isdisjoint(game.mines), f"seed {seed}"
        assert ai.mines <= game.mines, f"seed {seed}"
        check_invariants(ai)


# Fixpoint ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_every_call_draws_all_conclusions_that_the_rules_allow(seed: int) -> None:
    game = any_game(seed)
    ai = MinesweeperAI(game.height, game.width)
    for cell, count in openings(game, ai, seed):
        ai.add_knowledge(cell, count)
        check_invariants(ai)
        check_fixpoint(ai)


@given(boards(), st.integers(0, 2**32))
def test_the_agent_knows_everything_that_comparing_all_pairs_finds(
    game: Minesweeper, seed: int
) -> None:
    ai = MinesweeperAI(game.height, game.width)
    pairwise = PairwiseAI(game.height, game.width)
    for cell, count in shuffled_openings(game, seed):
        ai.add_knowledge(cell, count)
        pairwise.add_knowledge(cell, count)
        assert (ai.safes, ai.mines) == (pairwise.safes, pairwise.mines)
        known = {frozenset(sentence.cells): sentence.count for sentence in ai.knowledge}
        assert known == {frozenset(sentence.cells): sentence.count for sentence in pairwise.knowledge}


# Order -------------------------------------------------------------------------------------


@given(boards(), st.randoms(use_true_random=False), st.data())
def test_the_order_of_openings_does_not_matter(
    game: Minesweeper, shuffler: random.Random, data: st.DataObject
) -> None:
    fed = shuffled_openings(game, 0)
    fed = fed[: data.draw(st.integers(0, len(fed)))]
    states = []
    for _ in range(3):
        ai = MinesweeperAI(game.height, game.width)
        for cell, count in fed:
            ai.add_knowledge(cell, count)
        known = {(frozenset(sentence.cells), sentence.count) for sentence in ai.knowledge}
        states.append((ai.safes, ai.mines, known))
        shuffler.shuffle(fed)
    assert states[0] == states[1] == states[2]


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_openings_does_not_matter_on_expert_boards(seed: int) -> None:
    game = game_of_size(16, 30, 99, seed)
    fed = shuffled_openings(game, seed)[:250]
    results = []
    for order in (fed, sorted(fed), sorted(fed, reverse=True)):
        ai = MinesweeperAI(16, 30)
        for cell, count in order:
            ai.add_knowledge(cell, count)
        results.append((ai.safes, ai.mines))
    assert results[0] == results[1] == results[2]


@given(boards())
def test_adding_the_same_knowledge_twice_changes_nothing(game: Minesweeper) -> None:
    ai = MinesweeperAI(game.height, game.width)
    fed = shuffled_openings(game, 1)
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    before = public_state(ai)
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    assert public_state(ai) == before


# Changes by hand -----------------------------------------------------------------------------


@given(boards(), st.data())
def test_cells_added_by_hand_are_used(game: Minesweeper, data: st.DataObject) -> None:
    """Facts added directly to `mines` and `safes` have the same effect as calls with these facts."""
    fed = shuffled_openings(game, 2)
    half = len(fed) // 2
    by_hand = MinesweeperAI(game.height, game.width)
    for cell, count in fed[:half]:
        by_hand.add_knowledge(cell, count)
    cells = [(i, j) for i in range(game.height) for j in range(game.width)]
    given_cells = data.draw(st.sets(st.sampled_from(cells), max_size=4))
    at_once = MinesweeperAI(game.height, game.width)
    for ai in (by_hand, at_once):
        ai.mines |= given_cells & game.mines
        ai.safes |= given_cells - game.mines
    for cell, count in fed[half:]:
        by_hand.add_knowledge(cell, count)
        check_invariants(by_hand)
        check_fixpoint(by_hand)
    for cell, count in fed:
        at_once.add_knowledge(cell, count)
    assert (by_hand.safes, by_hand.mines) == (at_once.safes, at_once.mines) or half == len(fed)


def test_marking_a_cell_updates_every_sentence() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((1, 1), 3)
    ai.mark_mine((0, 0))
    ai.mark_safe((0, 1))
    around = neighbours((1, 1), 3, 3) - {(0, 0), (0, 1)}
    assert ai.knowledge == [Sentence(around, 2)]
    assert (0, 0) in ai.mines
    assert (0, 1) in ai.safes


def test_sentences_added_by_hand_are_used() -> None:
    ai = MinesweeperAI(3, 3)
    ai.knowledge.append(Sentence({(0, 1), (1, 0)}, 1))
    ai.add_knowledge((0, 0), 1)  # The only mine is in one of those two cells, so (1, 1) is safe.
    assert (1, 1) in ai.safes
    check_invariants(ai)
    check_fixpoint(ai)


def test_contradictory_marks_are_reported() -> None:
    ai = MinesweeperAI(3, 3)
    ai.mines.add((2, 2))
    ai.safes.add((2, 2))
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        ai.add_knowledge((0, 0), 0)


def test_a_copy_is_independent_of_the_original() -> None:
    game = game_of_size(9, 9, 12, 5)
    fed = shuffled_openings(game, 5)
    ai = MinesweeperAI(9, 9)
    for cell, count in fed[:40]:
        ai.add_knowledge(cell, count)
    copies = [copy.deepcopy(ai), pickle.loads(pickle.dumps(ai))]
    for cell, count in fed[40:]:
        for each in (ai, *copies):
            each.add_knowledge(cell, count)
            check_invariants(each)
    assert all((each.safes, each.mines) == (ai.safes, ai.mines) for each in copies)


# Moves -------------------------------------------------------------------------------------


@given(boards())
def test_safe_moves_are_safe_and_choosing_a_move_changes_nothing(game: Minesweeper) -> None:
    ai = MinesweeperAI(game.height, game.width)
    for cell, count in openings(game, ai, 1):
        ai.add_knowledge(cell, count)
        before = public_state(ai)
        safe, chosen = ai.make_safe_move(), ai.make_random_move()
        assert public_state(ai) == before
        if safe is None:
            assert ai.safes == ai.moves_made
        else:
            assert safe in ai.safes - ai.moves_made
        every = {(i, j) for i in range(game.height) for j in range(game.width)}
        free = every - ai.moves_made - ai.mines
        assert (chosen in free) if free else (chosen is None)


def test_random_moves_are_uniform() -> None:
    ai = MinesweeperAI(3, 3)
    ai.add_knowledge((0, 0), 3)  # Leaves 5 cells: each is drawn 2,000 times, give or take 40 (sigma).
    drawn = Counter(ai.make_random_move() for _ in range(10_000))
    assert len(drawn) == 5
    assert all(abs(times - 2_000) < 240 for times in drawn.values())


def test_without_a_possible_move_the_result_is_none() -> None:
    ai = MinesweeperAI(1, 2)
    ai.add_knowledge((0, 0), 1)
    assert ai.make_safe_move() is None
    assert ai.make_random_move() is None


# Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [(-1, 0), (0, 8), (8, 0), (0,), (0, 0, 0), "00", None, 3, [0, 0]])
def test_a_cell_outside_the_board_is_refused(cell: object) -> None:
    ai = MinesweeperAI()
    ai.add_knowledge((4, 4), 1)
    before = public_state(ai)
    with pytest.raises(ValueError, match="1"):
        ai.add_knowledge(cell, 1)  # type: ignore[arg-type]
    assert public_state(ai) == before


@pytest.mark.parametrize("count", [-1, 4, 9, 1.5, 1.0, "1", None])
def test_an_impossible_count_is_refused(count: object) -> None:
    ai = MinesweeperAI()
    with pytest.raises(ValueError, match=r"\(0, 0\)") as error:
        ai.add_knowledge((0, 0), count)  # type: ignore[arg-type]
    assert repr(count) in str(error.value)
    assert public_state(ai) == public_state(MinesweeperAI())


@pytest.mark.parametrize(
    ("cell", "count", "reason"),
    [
        ((0, 0), 4, "it has 3 neighbours"),
        ((0, 0), -1, "it has 3 neighbours"),
        ((0, 0), 1.0, "that is not an integer"),
        ((0, 0), "1", "that is not an integer"),
        ((0, 0), None, "that is not an integer"),
        ((0.0, 0.0), 1, "it is not a cell of a board of 8 x 8 cells"),
        ((0, 8), 1, "it is not a cell of a board of 8 x 8 cells"),
    ],
)
def test_an_error_names_its_cause(cell: Cell, count: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        MinesweeperAI().add_knowledge(cell, count)
    assert str(error.value).startswith(f"{cell} cannot show {count!r}: ")


def test_numpy_integers_are_accepted() -> None:
    numpy = pytest.importorskip("numpy")
    ai, expected = MinesweeperAI(), MinesweeperAI()
    for number in (numpy.int8, numpy.int64, numpy.uint16):
        ai.add_knowledge((number(3), number(4)), number(2))
    expected.add_knowledge((3, 4), 2)
    assert public_state(ai) == public_state(expected)
    assert all(type(part) is int for cell in ai.moves_made for part in cell)
    assert type(ai.knowledge[0].count) is int


@pytest.mark.parametrize(("height", "width"), [(0, 8), (8, 0), (-1, 3)])
def test_an_agent_needs_a_board(height: int, width: int) -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        MinesweeperAI(height, width)


def test_a_known_mine_cannot_have_been_opened() -> None:
    ai = MinesweeperAI(1, 3)
    ai.add_knowledge((0, 0), 1)
    before = public_state(ai)
    with pytest.raises(ValueError, match=r"\(0, 1\) cannot show 0"):
        ai.add_knowledge((0, 1), 0)
    assert public_state(ai) == before


@settings(max_examples=200)
@given(boards(longest=6), st.integers(0, 2**32), st.data())
@example(Minesweeper.with_mines(1, 3, [(0, 1)]), 0, None)
def test_a_false_count_changes_nothing_or_is_used_completely(
    game: Minesweeper, seed: int, data: st.DataObject | None
) -> None:
    """A count that contradicts the agent's knowledge leaves the agent unchanged."""
    fed = shuffled_openings(game, seed)
    ai = MinesweeperAI(game.height, game.width)
    for number, (cell, count) in enumerate(fed):
        before = public_state(ai)
        lie = data.draw(st.integers(0, 8)) if data else 8
        if lie == count:
            continue
        try:
            ai.add_knowledge(cell, lie)
        except ValueError as error:
            assert str(cell) in str(error)
            assert str(lie) in str(error)
            assert public_state(ai) == before
            ai.add_knowledge(cell, count)
            check_invariants(ai)
            check_fixpoint(ai)
            assert ai.safes.isdisjoint(game.mines), number
        else:
            return  # The agent accepted the false count; its conclusions no longer describe this board.


def test_the_agent_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    game = game_of_size(9, 9, 10, 3)
    ai = MinesweeperAI(9, 9)
    for cell, count in openings(game, ai, 1):
        ai.add_knowledge(cell, count)
        ai.make_safe_move()
        ai.make_random_move()
    assert capsys.readouterr() == ("", "")
