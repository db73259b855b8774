"""Games: opening, flagging, chording and undoing, with standard rules and the course's rules."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import FLAG, HIDDEN, BadLevel, Game, IllegalMove, Level, Outcome, Position, Promise
from sapper.minesweeper import Minesweeper, neighbours

pytestmark = pytest.mark.any_engine


def game_on(rows: str, *, course_rules: bool = False) -> Game:
    """Return the game whose mines are the X's of these rows."""
    lines = rows.split()
    mines = [(i, j) for i, line in enumerate(lines) for j, cell in enumerate(line) if cell == "X"]
    level = Level(
        "drawn", len(lines), len(lines[0]), len(mines), Promise.NONE, course_rules=course_rules
    )
    field = Minesweeper.with_mines(level.height, level.width, mines)
    return Game(level, seed=0, promise=Promise.NONE, minefield=field)


def shown(game: Game) -> str:
    return " ".join(str(game.position).replace(" ", "").splitlines()[1:])


@st.composite
def played(draw: st.DrawFn) -> Game:
    """A game on some level after some moves."""
    height, width = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    mines = draw(st.integers(0, height * width // 3))
    level = Level("any", height, width, mines, Promise.NONE, course_rules=draw(st.booleans()))
    game = Game.new(level, seed=draw(st.integers(0, 1000)))
    for _ in range(draw(st.integers(0, 12))):
        act(draw, game)
    return game


def act(draw: Callable[[st.SearchStrategy[Any]], Any], game: Game) -> bool:
    """Make a legal move, if there is one."""
    if game.over:
        return False
    position = game.position
    cell = draw(st.sampled_from(sorted(position)))
    code = position[cell]
    if code < HIDDEN:
        return bool(game.chord(cell))
    if code == FLAG or draw(st.booleans()):
        game.flag(cell)
    else:
        game.open(cell)
    return True


def test_an_empty_cell_opens_its_neighbours() -> None:
    game = game_on("....X ..... .....")
    assert game.open((2, 0)) == {(i, j) for i in range(3) for j in range(5)} - {(0, 4)}
    assert shown(game) == "...1# ...11 ....."
    assert game.outcome is Outcome.WON


def test_by_the_courses_rules_nothing_cascades() -> None:
    game = game_on("....X ..... .....", course_rules=True)
    assert game.open((2, 0)) == {(2, 0)}
    assert shown(game) == "##### ##### .####"


def test_a_cascade_does_not_open_flagged_cells() -> None:
    game = game_on("....X .....")
    game.flag((1, 1))
    game.open((0, 0))
    assert shown(game) == "...1# .F.1#"
    assert game.outcome is Outcome.PLAYING


@pytest.mark.parametrize("promise", ["none", "safe", "open"])
def test_the_largest_board_opens(promise: str) -> None:
    game = Game.new("1000x1000/1", seed=5, promise=promise)
    game.open((0, 0))
    assert len(game.position.numbers) > 900_000


def test_opening_a_mine_loses() -> None:
    game = game_on("X.. ...")
    assert game.open((0, 0)) == frozenset()
    assert game.outcome is Outcome.LOST
    assert game.exploded == {(0, 0)}
    assert game.over


def test_opening_every_safe_cell_wins_whatever_is_flagged() -> None:
    game = game_on("X.X")
    game.flag((0, 0))
    game.open((0, 1))
    assert game.outcome is Outcome.WON


def test_by_the_courses_rules_flagging_exactly_the_mines_wins() -> None:
    game = game_on("X.X .X.", course_rules=True)
    for cell in [(0, 0), (0, 2), (1, 0), (1, 1)]:
        game.flag(cell)
        assert game.outcome is Outcome.PLAYING
    game.flag((1, 0))
    assert game.outcome is Outcome.WON


def test_by_the_courses_rules_opening_all_safe_cells_is_not_enough() -> None:
    game = game_on("X.", course_rules=True)
    game.open((0, 1))
    assert game.outcome is Outcome.PLAYING


def test_a_chord_opens_the_remaining_cells_around_a_satisfied_number() -> None:
    game = game_on("X.. ... ..X")
    game.open((1, 1))
    assert shown(game) == "### #2# ###"
    assert game.chord((1, 1)) == frozenset()
    game.flag((0, 0))
    assert game.chord((1, 1)) == frozenset()
    game.flag((2, 2))
    assert len(game.chord((1, 1))) == 6
    assert game.outcome is Outcome.WON


def test_a_chord_on_wrong_flags_loses() -> None:
    game = game_on("X.. ... ...")
    game.open((1, 1))
    game.flag((0, 1))
    game.chord((1, 1))
    assert game.exploded == {(0, 0)}
    assert game.outcome is Outcome.LOST


@pytest.mark.parametrize(
    ("act", "trouble"),
    [
        (lambda game: game.open((0, 2)), "row 1, column 3 is already open"),
        (lambda game: game.open((0, 0)), "row 1, column 1 is flagged"),
        (lambda game: game.flag((0, 2)), "already open"),
        (lambda game: game.chord((0, 0)), "shows no number"),
        (lambda game: game.open((5, 0)), r"\(5, 0\) is not a cell"),
        (lambda game: game.flag((0, -1)), r"\(0, -1\) is not a cell"),
    ],
)
def test_invalid_moves_are_refused(act: object, trouble: str) -> None:
    game = game_on("X.... XX...")
    game.flag((0, 0))
    game.open((0, 2))
    before = game.position
    with pytest.raises(IllegalMove, match=trouble):
        act(game)  # type: ignore[operator]
    assert game.position == before


def test_a_finished_game_takes_no_more_moves() -> None:
    game = game_on("X.")
    game.open((0, 1))
    for act in (game.open, game.flag, game.chord):
        with pytest.raises(IllegalMove, match="the game is over: it was won"):
            act((0, 0))


@given(st.sampled_from(["beginner", "intermediate", "expert", "7x3/6"]), st.data())
def test_promises_are_kept(name: str, data: st.DataObject) -> None:
    level = Level.named(name)
    first = data.draw(st.sampled_from(sorted(Position.blank(level.height, level.width, 0))))
    seed = data.draw(st.integers(0, 2**64 - 1))
    for promise in ("safe", "open"):
        game = Game.new(level, seed=seed, promise=promise)
        assert game.minefield is None
        game.open(first)
        assert not game.exploded
        assert game.minefield is not None
        assert len(game.minefield.mines) == level.mines
        if promise == "open":
            assert game.position[first] == 0


def test_without_a_promise_the_first_click_can_be_a_mine() -> None:
    lost = sum(bool(Game.new("8x8/32", seed=s, promise="none").open((0, 0))) for s in range(200))
    assert 70 < lost < 130  # Half of 200, with a standard deviation of 7.


@given(st.integers(0, 2**64 - 1))
def test_the_same_seed_is_the_same_board(seed: int) -> None:
    first, second = (Game.new("beginner", seed=seed) for _ in range(2))
    first.open((3, 3))
    second.open((3, 3))
    assert first.minefield is not None
    assert second.minefield is not None
    assert first.minefield.mines == second.minefield.mines


def test_without_a_seed_boards_differ() -> None:
    assert Game.new("expert").seed != Game.new("expert").seed


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(BadLevel, match=str(seed)):
        Game.new("beginner", seed=seed)


@given(played())
def test_numbers_are_true_and_opened_cells_are_no_mines(game: Game) -> None:
    for cell, number in game.position.numbers.items():
        assert game.minefield is not None
        assert number == game.minefield.nearby_mines(cell)
        assert not game.minefield.is_mine(cell)


@given(st.integers(0, 10_000))
def test_all_neighbours_of_an_open_empty_cell_are_open(seed: int) -> None:
    game = Game.new("12x12/20", seed=seed)
    game.open((seed % 12, seed // 12 % 12))
    for cell, number in game.position.numbers.items():
        if number == 0:
            assert game.position.hidden.isdisjoint(neighbours(cell, 12, 12))


@given(played(), st.data())
def test_undo_reverts_exactly_one_action(game: Game, data: st.DataObject) -> None:
    before = (game.position, game.outcome, game.exploded, game.actions)
    if act(data.draw, game):
        game.undo()
        assert (game.position, game.outcome, game.exploded, game.actions) == before


@given(played())
def test_undoing_everything_leads_back_to_the_start(game: Game) -> None:
    while game.actions:
        last = game.actions[-1]
        assert game.undo() == last
    level = game.level
    assert game.position == Position.blank(level.height, level.width, level.mines)
    with pytest.raises(IllegalMove, match="nothing to undo"):
        game.undo()


def test_undoing_the_first_click_draws_the_board_anew() -> None:
    game = Game.new("beginner", seed=1, promise="open")
    game.open((0, 0))
    game.undo()
    assert game.minefield is None
    game.open((8, 8))
    assert game.position[8, 8] == 0


def _flood(
    position: Position, mines: set[tuple[int, int]], start: tuple[int, int]
) -> set[tuple[int, int]]:
    """Return the cells that an opening must open, found one by one."""
    opened, waiting = set(), [start]
    while waiting:
        cell = waiting.pop()
        if cell in opened or position[cell] != HIDDEN:
            continue
        opened.add(cell)
        around = neighbours(cell, position.height, position.width)
        if not around & mines:
            waiting.extend(around)
    return opened


@given(st.data(), st.integers(1, 9), st.integers(1, 9))
def test_an_opening_opens_exactly_what_is_connected(
    data: st.DataObject, height: int, width: int
) -> None:
    cells = [(i, j) for i in range(height) for j in range(width)]
    mines = data.draw(st.sets(st.sampled_from(cells), max_size=min(len(cells) - 1, len(cells) // 4)))
    game = Game.on(Level.custom(height, width, len(mines)), mines)
    for _ in range(data.draw(st.integers(1, 3))):
        for flag in data.draw(st.sets(st.sampled_from(cells), max_size=3)):
            if not game.over and game.position.is_hidden(flag):
                game.flag(flag)
        free = [cell for cell in cells if game.position[cell] == HIDDEN and cell not in mines]
        if not free or game.over:
            break
        before = game.position
        start = data.draw(st.sampled_from(free))
        assert game.open(start) == _flood(before, mines, start)
        assert game.position.hidden == before.hidden - _flood(before, mines, start)
        for cell, number in game.position.numbers.items():
            assert number == len(neighbours(cell, height, width) & mines)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_game_that_is_interrupted_while_it_opens_cells_is_unchanged() -> None:
    """Python ignores an interrupt that occurs while a generator is closed, and only reports it."""
    for after in range(1, 400, 7):
        game = Game.new("30x30/20", seed=3)
        calls = 0

        def interrupt(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"
            if calls >= after:  # noqa: B023 - it is used in this round only.
                sys.setprofile(None)
                raise KeyboardInterrupt

        sys.setprofile(interrupt)
        try:
            game.open((15, 15))
        except KeyboardInterrupt:
            pass
        finally:
            sys.setprofile(None)
        opened = len(game.position.numbers)
        assert bool(game.actions) == bool(opened) == game.begun
        if not game.actions:  # The mines have not been placed yet.
            assert game.minefield is None
            assert game.open((2, 2)) == Game.new("30x30/20", seed=3).open((2, 2))


def test_a_game_prints_its_level_its_outcome_and_its_board() -> None:
    game = Game.new("beginner", seed=7)
    assert str(game).splitlines() == ["beginner, 9x9/10: playing"] + 9 * [" ".join("#" * 9)]
    assert repr(game) == "<Game of beginner, seed 7: playing>"
    game.open((4, 4))
    assert str(game).splitlines()[1:] == str(game.position).splitlines()[1:]
    assert "*" not in str(game)


def test_a_finished_game_prints_its_mines() -> None:
    game = Game.on("4x1/2", [(0, 2), (0, 3)])
    game.open((0, 3))
    assert str(game) == "4x1/2: lost\n# # * *"


def test_a_notebook_draws_the_position_of_a_game() -> None:
    game = Game.new("beginner", seed=7)
    game.open((4, 4))
    assert game._repr_svg_() == game.position.svg()


@given(st.integers(0, 2**64 - 1), st.sampled_from(["safe", "open"]))
def test_mines_drawn_in_advance_are_the_same(seed: int, promise: str) -> None:
    prepared, plain = (Game.new("beginner", seed=seed, promise=promise) for _ in range(2))
    prepared.prepare((2, 3))
    assert prepared.open((2, 3)) == plain.open((2, 3))
    assert prepared.undo() == plain.undo()
    prepared.prepare((2, 3))
    assert prepared.open((5, 5)) == plain.open((5, 5))  # Another first click places other mines.
    assert prepared.position == plain.position
