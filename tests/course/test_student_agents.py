"""The correct agents that `sapper check` is tested with know what ours knows, and nothing false."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.games import any_game, game_of_size, shuffled_openings
from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI, neighbours
from tests.support.minefields import minefields
from tests.support.student_faults import AGENTS, FAULTS, Fault

Opening = tuple[Cell, int]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"student_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


MODULES = {path.stem: load(path) for path in sorted(AGENTS.glob("*.py"))}
STRONGER = "stronger"
every_agent = pytest.mark.parametrize("name", MODULES)


def check_clean(ai: MinesweeperAI) -> None:
    determined = ai.mines | ai.safes
    assert ai.mines.isdisjoint(ai.safes)
    assert ai.moves_made <= ai.safes
    for sentence in ai.knowledge:
        assert sentence.cells
        assert determined.isdisjoint(sentence.cells)
    for first, second in combinations(ai.knowledge, 2):
        assert first != second


def check_like_ours(name: str, ai: MinesweeperAI, ours: MinesweeperAI) -> None:
    """The stronger agent may know more; the others know the same cells and sentences."""
    check_clean(ai)
    assert ai.moves_made == ours.moves_made
    if name == STRONGER:
        assert ai.safes >= ours.safes
        assert ai.mines >= ours.mines
    else:
        assert (ai.safes, ai.mines) == (ours.safes, ours.mines)
        known = {(frozenset(sentence.cells), sentence.count) for sentence in ai.knowledge}
        assert known == {(frozenset(sentence.cells), sentence.count) for sentence in ours.knowledge}


def certain_cells(height: int, width: int, openings: list[Opening]) -> tuple[set[Cell], set[Cell]]:
    """Return the safe cells and the mines of every layout that agrees with the openings."""
    opened = {cell for cell, _ in openings}
    hidden = [(i, j) for i in range(height) for j in range(width) if (i, j) not in opened]
    around = [(neighbours(cell, height, width), count) for cell, count in openings]
    safes = set(hidden)
    mines = set(hidden)
    for size in range(len(hidden) + 1):
        for layout in map(set, combinations(hidden, size)):
            if all(len(cells & layout) == count for cells, count in around):
                safes -= layout
                mines &= layout
    return safes | opened, mines


# Knowledge ---------------------------------------------------------------------------------


@every_agent
@pytest.mark.parametrize("seed", range(12))
def test_they_know_what_ours_knows_after_every_call(name: str, seed: int) -> None:
    game = any_game(seed)
    ai, ours = (
        MODULES[name].MinesweeperAI(game.height, game.width),
        MinesweeperAI(game.height, game.width),
    )
    for cell, count in shuffled_openings(game, seed):
        ai.add_knowledge(cell, count)
        ours.add_knowledge(cell, count)
        check_like_ours(name, ai, ours)
    assert ai.mines <= game.mines


@every_agent
@settings(max_examples=50)
@given(game=minefields(4, 12), seed=st.integers(0, 2**32))
def test_what_they_mark_holds_in_every_layout(name: str, game: Minesweeper, seed: int) -> None:
    openings = shuffled_openings(game, seed)
    ai = MODULES[name].MinesweeperAI(game.height, game.width)
    for number, (cell, count) in enumerate(openings, start=1):
        ai.add_knowledge(cell, count)
        safes, mines = certain_cells(game.height, game.width, openings[:number])
        assert ai.safes <= safes
        assert ai.mines <= mines


@every_agent
@settings(max_examples=50)
@given(game=minefields(6), seed=st.integers(0, 2**32))
def test_the_order_of_openings_does_not_matter(name: str, game: Minesweeper, seed: int) -> None:
    openings = shuffled_openings(game, seed)[:20]
    results = []
    for order in (openings, openings[::-1], sorted(openings)):
        ai = MODULES[name].MinesweeperAI(game.height, game.width)
        for cell, count in order:
            ai.add_knowledge(cell, count)
        results.append((ai.safes, ai.mines))
    assert results[0] == results[1] == results[2]


def test_the_stronger_agent_knows_more() -> None:
    found = 0
    for seed in range(20):
        ai, ours = MODULES[STRONGER].MinesweeperAI(8, 8), MinesweeperAI(8, 8)
        for cell, count in shuffled_openings(game_of_size(8, 8, 12, seed), seed)[:30]:
            ai.add_knowledge(cell, count)
            ours.add_knowledge(cell, count)
        found += len(ai.safes | ai.mines) - len(ours.safes | ours.mines)
    assert found > 0


# Changes by hand ---------------------------------------------------------------------------


@every_agent
@pytest.mark.parametrize("seed", range(20))
def test_cells_added_by_hand_are_used(name: str, seed: int) -> None:
    generator = random.Random(seed)
    game = game_of_size(generator.randint(3, 8), generator.randint(3, 8), generator.randint(2, 9), seed)
    agents = [
        MODULES[name].MinesweeperAI(game.height, game.width),
        MinesweeperAI(game.height, game.width),
    ]
    for cell, count in shuffled_openings(game, seed):
        given_cell = generator.randrange(game.height), generator.randrange(game.width)
        for ai in agents:
            (ai.mines if game.is_mine(given_cell) else ai.safes).add(given_cell)
            ai.add_knowledge(cell, count)
        check_like_ours(name, agents[0], agents[1])


@every_agent
@pytest.mark.parametrize("seed", range(20))
def test_sentences_changed_by_hand_are_used(name: str, seed: int) -> None:
    """The list is sorted, copied and replaced, and true sentences are added to it."""
    module, generator = MODULES[name], random.Random(seed)
    game = game_of_size(generator.randint(3, 8), generator.randint(3, 8), generator.randint(2, 9), seed)
    cells = [(i, j) for i in range(game.height) for j in range(game.width)]
    agents = [module.MinesweeperAI(game.height, game.width), MinesweeperAI(game.height, game.width)]
    for number, (cell, count) in enumerate(shuffled_openings(game, seed)):
        added = generator.sample(cells, 3)
        for ai in agents:
            sentence_class = type(ai).__init__.__globals__["Sentence"]
            ai.knowledge.sort(key=lambda sentence: (len(sentence.cells), sorted(sentence.cells)))
            if number % 3 == 0:
                ai.knowledge = [sentence_class(each.cells, each.count) for each in ai.knowledge]
            elif number % 3 == 1:
                ai.knowledge.append(sentence_class(added, len(game.mines.intersection(added))))
            ai.add_knowledge(cell, count)
        check_like_ours(name, agents[0], agents[1])


# Sentences, moves and the game -------------------------------------------------------------


@every_agent
def test_sentences_keep_the_contract(name: str) -> None:
    sentence_class = MODULES[name].Sentence
    two = {(0, 0), (0, 1)}
    for count, mines, safes in [(0, set(), two), (1, set(), set()), (2, two, set())]:
        sentence = sentence_class(iter(sorted(two)), count)
        assert sentence.cells == two
        assert str(sentence).endswith(f" = {count}")
        assert sentence.known_mines() == mines
        assert sentence.known_safes() == safes
        sentence.known_mines().clear()
        sentence.known_safes().clear()
        sentence.mark_mine((5, 5))
        sentence.mark_safe((5, 5))
        assert sentence == sentence_class(two, count)
        assert sentence != sentence_class(two, count + 1)
    sentence = sentence_class({*two, (0, 2)}, 2)
    sentence.mark_mine((0, 0))
    sentence.mark_safe((0, 1))
    assert sentence == sentence_class({(0, 2)}, 1)


@every_agent
def test_moves_are_legal_and_change_nothing(name: str) -> None:
    ai = MODULES[name].MinesweeperAI(2, 4)
    assert ai.make_safe_move() is None
    ai.add_knowledge((0, 0), 3)
    assert ai.make_safe_move() is None
    drawn = Counter(ai.make_random_move() for _ in range(4_000))
    assert set(drawn) == {(0, 2), (0, 3), (1, 2), (1, 3)}
    assert all(abs(times - 1_000) < 140 for times in drawn.values())  # five standard deviations
    ai.mines.update({(0, 2), (1, 2)})
    ai.add_knowledge((0, 3), 2)
    assert ai.make_safe_move() == ai.make_random_move() == (1, 3)
    ai.add_knowledge((1, 3), 2)
    assert ai.make_safe_move() is None
    assert ai.make_random_move() is None
    assert ai.moves_made == ai.safes == {(0, 0), (0, 3), (1, 3)}


@every_agent
def test_their_games_keep_the_contract(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = MODULES[name].Minesweeper(3, 5, 4)
    ours = Minesweeper.with_mines(3, 5, game.mines)
    assert len(game.mines) == 4
    assert game.board == ours.board
    for i in range(3):
        for j in range(5):
            assert game.is_mine((i, j)) == ours.is_mine((i, j))
            assert game.nearby_mines((i, j)) == ours.nearby_mines((i, j))
    game.print()
    drawn = capsys.readouterr().out
    ours.print()
    assert drawn == capsys.readouterr().out
    assert not game.won()
    game.mines_found |= game.mines
    assert game.won()
    with pytest.raises(ValueError, match=r"mines|[Ss]ample"):
        MODULES[name].Minesweeper(2, 2, 5)


@every_agent
def test_they_print_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ai = MODULES[name].MinesweeperAI(8, 8)
    for cell, count in shuffled_openings(game_of_size(8, 8, 10, 0), 0):
        ai.add_knowledge(cell, count)
        ai.make_safe_move()
        ai.make_random_move()
    assert capsys.readouterr() == ("", "")


# Faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_changes_the_source_and_compiles(fault: Fault) -> None:
    source = fault.source()
    assert source != (AGENTS / f"{fault.base}.py").read_text(encoding="utf-8")
    compile(source, fault.name, "exec")


def test_faults_have_different_names_and_sources() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({fault.source() for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("changes", [(("no such line", ""),), (("self.cells", ""),)])
def test_a_change_must_apply_exactly_once(changes: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="times"):
        Fault("bad", "steps", changes, None).source()
