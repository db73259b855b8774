"""What the tests of the course's agent share: its state, its invariants and boards to play on."""

from __future__ import annotations

from itertools import permutations

from hypothesis import strategies as st

from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI

State = tuple[set[Cell], set[Cell], set[Cell], list[tuple[set[Cell], int]]]


def public_state(ai: MinesweeperAI) -> State:
    """Return a copy of everything that callers can see, in order."""
    sentences = [(set(sentence.cells), sentence.count) for sentence in ai.knowledge]
    return set(ai.moves_made), set(ai.mines), set(ai.safes), sentences


def check_invariants(ai: MinesweeperAI) -> None:
    """Check that the knowledge base is clean."""
    determined = ai.mines | ai.safes
    assert ai.mines.isdisjoint(ai.safes)
    assert ai.moves_made <= ai.safes
    cells = [frozenset(sentence.cells) for sentence in ai.knowledge]
    assert all(cells), "an empty sentence"
    assert len(set(cells)) == len(cells), "two sentences about the same cells"
    assert all(determined.isdisjoint(group) for group in cells), "a sentence with a determined cell"


def check_fixpoint(ai: MinesweeperAI) -> None:
    """Check that nothing more follows: no cell is certain, and every difference is known."""
    known = {frozenset(sentence.cells): sentence.count for sentence in ai.knowledge}
    for cells, count in known.items():
        assert 0 < count < len(cells)
    for part, whole in permutations(known, 2):
        if part < whole:
            assert known[whole - part] == known[whole] - known[part]


@st.composite
def boards(draw: st.DrawFn, longest: int = 7) -> Minesweeper:
    """Draw a board of up to 7 x 7 cells with up to 60 % mines."""
    height, width = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    cells = [(i, j) for i in range(height) for j in range(width)]
    mines = draw(st.sets(st.sampled_from(cells), max_size=len(cells) * 6 // 10))
    return Minesweeper.with_mines(height, width, mines)
