"""Measures of minefields, compared with hand-computed values, definitions and brute force."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from sapper import BoardMeasures, Game, Level, Outcome, SapperError, measure
from sapper.minesweeper import Minesweeper, neighbours
from sapper.position import Cell
from tests.support.minefields import field_of, minefields, numbers_of

pytestmark = pytest.mark.any_engine


class Plain:
    """The definitions of docs/measures.md, implemented as directly as possible."""

    def __init__(self, field: Minesweeper) -> None:
        self.cells = [(i, j) for i in range(field.height) for j in range(field.width)]
        self.mines = field.mines
        self.around = {cell: neighbours(cell, field.height, field.width) for cell in self.cells}
        self.number = {cell: len(self.around[cell] & field.mines) for cell in self.cells}
        self.safe = [cell for cell in self.cells if cell not in field.mines]
        self.zeros = {cell for cell in self.safe if self.number[cell] == 0}
        self.lone = {cell for cell in self.safe if not (self.around[cell] | {cell}) & self.zeros}

    def group(self, start: Cell, within: set[Cell]) -> frozenset[Cell]:
        group, waiting = {start}, [start]
        while waiting:
            new = self.around[waiting.pop()] & within - group
            group |= new
            waiting += new
        return frozenset(group)

    def groups(self, cells: set[Cell]) -> set[frozenset[Cell]]:
        return {self.group(cell, cells) for cell in cells}

    def opened_by(self, cell: Cell) -> set[Cell]:
        """Return what a click on a safe cell opens."""
        if cell not in self.zeros:
            return {cell}
        group = self.group(cell, self.zeros)
        return set(group).union(*(self.around[zero] for zero in group))

    def chorded_by(self, cell: Cell) -> set[Cell]:
        """Return what a click on a safe cell, flags and a chord there open."""
        return set().union(*(self.opened_by(near) for near in {cell, *self.around[cell]} - self.mines))

    def bbbv_of(self, cells: set[Cell]) -> int:
        return len(self.lone & cells) + len(self.groups(self.zeros & cells))

    def zini(self, *, human: bool) -> int:
        """Return the clicks of greedy or human ZiNi, everything counted again after each chord."""
        opened: set[Cell] = set()
        flags: set[Cell] = set()
        clicks = 0
        if human:
            clicks = len(self.groups(self.zeros))
            opened = set().union(*map(self.opened_by, self.zeros))

        def cost(cell: Cell) -> int:
            return (cell not in opened) + len(self.around[cell] & self.mines - flags) + 1

        def premium(cell: Cell) -> int:
            return self.bbbv_of(self.chorded_by(cell) - opened) - cost(cell)

        while len(opened) < len(self.safe):
            chorded = [cell for cell in self.safe if cell in opened or not human]
            best = max(chorded, key=premium, default=None)  # The first of equal ones.
            if best is not None and premium(best) >= 0:
                clicks += cost(best)
                flags |= self.around[best] & self.mines
                opened |= self.chorded_by(best)
            else:
                first = next(c for c in self.safe if c not in opened and c in self.lone | self.zeros)
                clicks += 1
                opened |= self.opened_by(first)
        return clicks

    def fewest_clicks(self) -> int:
        """Return the fewest clicks that win, by trying all of them, shortest first."""
        goal = frozenset(self.safe)
        states = {(frozenset[Cell](), frozenset[Cell]())}
        seen = set(states)
        clicks = 0
        while all(opened != goal for opened, _ in states):
            clicks += 1
            states = {after for state in states for after in self._after(*state)} - seen
            seen |= states
        return clicks

    def _after(
        self, opened: frozenset[Cell], flags: frozenset[Cell]
    ) -> Iterator[tuple[frozenset[Cell], frozenset[Cell]]]:
        for mine in self.mines - flags:  # A flag on a safe cell makes each chord that it allows lose.
            yield opened, flags | {mine}
        for cell in self.safe:
            if cell not in opened:
                yield opened | self.opened_by(cell), flags
            elif self.around[cell] & self.mines <= flags:
                yield opened | self.chorded_by(cell), flags


RING = """
1 1 1
1 * 1
1 1 1
"""
# 3BV: eight numbers and no zero. ZiNi: the edges have the highest premium, 5 numbers - 1 click - 1
# flag - 1 chord = 2. The first is at the top: 3 clicks open it and all but the bottom row. Then the
# left edge has 2 - 1, the 4th click, and the right edge 1 - 1, the 5th. Human: a click on the first
# corner, which then has 2 - 1 - 1 = 0: 2 more clicks. Top, left and right edge take one chord each:
# 6.

SIDE = """
1 1 1 0
1 * 1 0
1 1 1 0
"""
# 3BV: the opening on the right takes the third column along; 5 numbers are left. ZiNi: the left
# edge has 5 - 1 - 1 - 1 = 2; then only the opening is left: 3 + 1. Human: the opening; the number
# between it and the mine has 2 - 1 - 1 = 0: 2 clicks; the top edge 2 - 1: 1 click; one corner is
# left: 5.

DIAGONAL = """
* 2 1 0
2 * 1 0
1 1 1 0
"""
# 3BV: the opening and four numbers, which touch. ZiNi: (1, 0) has 4 - 1 - 2 - 1 = 0, and no cell
# more: 4 clicks, and one for the opening. Human: the opening; (1, 2) has 2 - 1 - 1 = 0: 2 clicks;
# (2, 1) then has 2 - 1 = 1: the 4th click, and the last. Here the human method is better.

TWO_OPENINGS = """
0 1 * 1 0
0 1 1 1 0
"""
# 3BV: two openings and, between their borders, (1, 2), an island by itself. No chord pays: (1, 1)
# has one opening and one number in reach, 2 - 1 - 1 - 1 = -1.

WALLED = """
1 * * 1
1 2 2 1
"""
# 3BV: six numbers. (1, 1) has 4 - 1 - 2 - 1 = 0: that takes 4 clicks, and then (1, 2) opens the
# rest with the 5th. But (0, 0) has 3 - 1 - 1 - 1 = 0 too, and comes first: 3 clicks, and then 3
# more at (0, 3). Human: a click on (0, 0), which then has 2 - 1 - 1 = 0: 2 more clicks; then (1, 1)
# has 1 - 1 - 1 = -1, so (0, 3) is clicked, and has 2 - 1 - 1 = 0: 6. Greed is not always best.


@pytest.mark.parametrize(
    ("text", "bbbv", "openings", "islands", "zini", "hzini", "fewest"),
    [
        (RING, 8, 0, 1, 5, 6, 5),
        (SIDE, 6, 1, 1, 4, 5, 4),
        (DIAGONAL, 5, 1, 1, 5, 4, 4),
        (TWO_OPENINGS, 3, 2, 1, 3, 3, 3),
        (WALLED, 6, 0, 1, 6, 6, 5),
        ("1 * 1", 2, 0, 2, 2, 2, 2),
        ("0 0 1 *", 1, 1, 0, 1, 1, 1),
        ("* *", 0, 0, 0, 0, 0, 0),
    ],
)
def test_measures_match_boards_computed_by_hand(
    text: str, bbbv: int, openings: int, islands: int, zini: int, hzini: int, fewest: int
) -> None:
    board = measure(field_of(text))
    assert (board.bbbv, board.openings, board.islands) == (bbbv, openings, islands)
    assert (board.zini, board.hzini) == (zini, hzini)
    assert Plain(field_of(text)).fewest_clicks() == fewest


@given(minefields(side=4, most_cells=9))
def test_zini_is_between_the_fewest_clicks_and_3bv(field: Minesweeper) -> None:
    board = measure(field)
    fewest = Plain(field).fewest_clicks()
    assert fewest <= board.zini <= board.bbbv
    assert fewest <= board.hzini <= board.bbbv


@given(minefields(side=9))
def test_measures_agree_with_their_definitions(field: Minesweeper) -> None:
    board, plain = measure(field), Plain(field)
    assert (board.height, board.width, board.mines) == (field.height, field.width, len(field.mines))
    assert board.openings == len(plain.groups(plain.zeros))
    assert board.islands == len(plain.groups(plain.lone))
    assert board.bbbv == board.openings + len(plain.lone)
    assert sum(board.numbers) == len(plain.safe)
    assert all(
        board.numbers[shown] == [plain.number[cell] for cell in plain.safe].count(shown)
        for shown in range(9)
    )


@settings(max_examples=50)
@given(minefields(side=7))
def test_zini_follows_its_method(field: Minesweeper) -> None:
    board, plain = measure(field), Plain(field)
    assert board.zini == plain.zini(human=False)
    assert board.hzini == plain.zini(human=True)


@pytest.mark.parametrize("seed", range(10))
def test_zini_follows_its_method_on_dense_boards(seed: int) -> None:
    field = Game.new("12x12/29", seed=seed, promise="none").minefield
    assert field is not None
    board, plain = measure(field), Plain(field)
    assert board.zini == plain.zini(human=False)
    assert board.hzini == plain.zini(human=True)


@given(minefields(side=6))
def test_3bv_clicks_win_a_game_without_flags(field: Minesweeper) -> None:
    game = Game.on(Level.custom(field.height, field.width, len(field.mines)), field.mines)
    plain = Plain(field)
    clicks = 0
    for cell in (*sorted(plain.zeros), *plain.safe):
        if game.position.is_hidden(cell) and not game.over:
            game.open(cell)
            clicks += 1
    assert clicks == measure(game).bbbv
    assert game.outcome is Outcome.WON


@given(minefields(side=8))
def test_turning_a_board_changes_neither_3bv_nor_islands(field: Minesweeper) -> None:
    turned = Minesweeper.with_mines(
        field.width, field.height, [(j, field.height - 1 - i) for i, j in field.mines]
    )
    board, other = measure(field), measure(turned)
    assert (board.bbbv, board.openings, board.islands) == (other.bbbv, other.openings, other.islands)
    assert board.numbers == other.numbers


def test_measures_match_a_large_board_computed_by_hand() -> None:
    # Rings around single mines, with zeros between them, all one opening; but the last rings to
    # the right and below lie at the edge, and have no zeros on that side. The middle number of
    # each, 49 and 49, is an island. In the corner there is one of 3, where a chord takes 3
    # clicks too.
    places = range(2, 200, 4)
    board = measure(Minesweeper.with_mines(200, 200, [(i, j) for i in places for j in places]))
    assert (board.mines, board.numbers[1]) == (50 * 50, 8 * 50 * 50)
    assert (board.openings, board.islands) == (1, 49 + 49 + 1)
    assert board.bbbv == board.zini == board.hzini == 1 + 49 + 49 + 3


def test_a_game_that_has_not_started_has_no_measures() -> None:
    with pytest.raises(SapperError, match="not started"):
        measure(Game.new("beginner", seed=1))


def test_board_measures_have_a_json_form() -> None:
    board = measure(field_of(SIDE))
    facts = json.loads(json.dumps(board.to_json()))
    assert BoardMeasures(**facts | {"numbers": tuple(facts["numbers"])}) == board
    assert facts["numbers"] == [3, 8, 0, 0, 0, 0, 0, 0, 0]


def test_measures_agree_with_ms_toollib() -> None:
    """ms-toollib breaks ZiNi ties by column, Sapper by row: they agree on a board and its transpose."""
    toollib = pytest.importorskip("ms_toollib")
    for seed in range(200):
        level = ["beginner", "intermediate", "expert", "5x5/8", "60x30/400"][seed % 5]
        field = Game.new(level, seed=seed, promise="none").minefield
        assert field is not None
        numbers = numbers_of(field)
        board = measure(field)
        assert board.bbbv == toollib.cal_bbbv(numbers)
        assert board.openings == toollib.cal_op(numbers)
        assert board.islands == toollib.Board(numbers).isl
        mirrored = Minesweeper.with_mines(field.width, field.height, [(j, i) for i, j in field.mines])
        assert measure(mirrored).zini == toollib.cal_zini(numbers)
        assert measure(mirrored).hzini == toollib.cal_hzini(numbers)
