"""Subclasses of the course's agent see every mark, and may raise errors."""

from __future__ import annotations

import pytest

from benchmarks.games import any_game, openings
from sapper.minesweeper import Cell, MinesweeperAI, Sentence
from tests.support.course_agent import check_invariants, public_state


class LoggingAI(MinesweeperAI):
    """Logs every mark, and what the sentences say at that moment."""

    def __init__(self, height: int = 8, width: int = 8) -> None:
        self.log: list[tuple[str, Cell]] = []
        self.seen: list[set[Cell]] = []
        super().__init__(height, width)

    def mark_mine(self, cell: Cell) -> None:
        self.write("mine", cell)
        super().mark_mine(cell)

    def mark_safe(self, cell: Cell) -> None:
        self.write("safe", cell)
        super().mark_safe(cell)

    def write(self, kind: str, cell: Cell) -> None:
        self.log.append((kind, cell))
        self.seen.append({cell for sentence in self.knowledge for cell in sentence.cells})


@pytest.mark.parametrize("seed", range(20))
def test_every_mark_is_logged_exactly_once(seed: int) -> None:
    game = any_game(seed)
    ai = LoggingAI(game.height, game.width)
    for cell, count in openings(game, ai, seed):
        ai.add_knowledge(cell, count)
    assert {cell for kind, cell in ai.log if kind == "mine"} == ai.mines
    assert {cell for kind, cell in ai.log if kind == "safe"} == ai.safes
    assert len(ai.log) == len(ai.mines) + len(ai.safes)


def test_the_opened_cell_is_marked_first() -> None:
    ai = LoggingAI(1, 3)
    ai.add_knowledge((0, 0), 1)
    assert ai.log == [("safe", (0, 0)), ("mine", (0, 1))]


def test_the_knowledge_is_complete_while_cells_are_marked() -> None:
    ai = LoggingAI(2, 8)
    ai.add_knowledge((0, 7), 1)
    remaining = {(0, 6), (1, 6), (1, 7)}
    ai.add_knowledge((0, 0), 0)
    assert ai.seen[1:] == [remaining] * 4


def test_a_patched_method_sees_every_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    ai = MinesweeperAI(1, 3)
    marks: list[Cell] = []
    monkeypatch.setattr(ai, "mark_mine", marks.append)
    ai.add_knowledge((0, 1), 2)
    assert sorted(marks) == [(0, 0), (0, 2)]


def test_an_error_in_a_patched_method_changes_nothing() -> None:
    ai = MinesweeperAI(1, 6)
    ai.add_knowledge((0, 1), 1)
    before = public_state(ai)

    def fail(cell: Cell) -> None:
        raise RuntimeError(cell)

    ai.mark_mine = fail  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        ai.add_knowledge((0, 3), 0)  # (0, 2) is safe, so (0, 0) is a mine.
    assert public_state(ai) == before
    del ai.mark_mine
    ai.add_knowledge((0, 3), 0)
    assert ai.mines == {(0, 0)}
    assert ai.safes == {(0, 1), (0, 2), (0, 3), (0, 4)}
    check_invariants(ai)


def test_an_error_in_an_overridden_update_loses_no_sentence() -> None:
    class Strict(MinesweeperAI):
        def update_knowledge(self) -> None:
            super().update_knowledge()
            if len(self.moves_made) > 1:
                raise ValueError("one move is enough")

    ai = Strict(1, 5)
    ai.add_knowledge((0, 1), 1)
    with pytest.raises(ValueError, match=r"\(0, 4\) cannot show 0: one move is enough"):
        ai.add_knowledge((0, 4), 0)
    assert ai.moves_made == {(0, 1)}
    assert ai.knowledge == [Sentence({(0, 0), (0, 2)}, 1)]
