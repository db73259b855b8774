"""Positions: reading, printing, and errors for invalid positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import FLAG, HIDDEN, BadPosition, Position, SapperError
from sapper.minesweeper import neighbours
from tests.support.strategies import positions

pytestmark = pytest.mark.any_engine


@given(positions())
def test_a_printed_position_is_read_back_unchanged(position: Position) -> None:
    assert Position.parse(str(position)) == position
    assert eval(repr(position), {"Position": Position}) == position
    assert hash(Position.parse(str(position))) == hash(position)


@given(positions())
def test_spaces_and_the_first_line_are_optional(position: Position) -> None:
    _, *rows = str(position).splitlines()
    packed = "\n".join(row.replace(" ", "") for row in rows)
    assert Position.parse(packed, mines=position.mines) == position
    assert Position.parse("\n\n  " + "\n \n".join(rows) + "\n", mines=position.mines) == position


def test_zero_is_an_empty_cell() -> None:
    assert Position.parse("0 . 0", mines=0) == Position.parse("...", mines=0)


@given(positions())
def test_every_cell_is_opened_or_hidden(position: Position) -> None:
    assert position.hidden | position.numbers.keys() == set(position)
    assert position.hidden.isdisjoint(position.numbers.keys())
    assert position.flags <= position.hidden
    for cell in position:
        code = position[cell]
        assert position.is_hidden(cell) == (code >= HIDDEN) == (cell in position.hidden)
        assert (code == FLAG) == (cell in position.flags)
        assert position.numbers.get(cell, code) == code
        assert position.neighbours(cell) == neighbours(cell, position.height, position.width)


@given(positions(), st.data())
def test_what_was_opened_since_an_earlier_position(after: Position, data: st.DataObject) -> None:
    unopened = st.sampled_from([HIDDEN, FLAG])
    taken_back = [
        data.draw(unopened | st.just(code)) if code < HIDDEN else code for code in after.codes
    ]
    before = Position(after.height, after.width, after.mines, bytes(taken_back))
    opened = after.opened_since(before)
    assert opened is not None
    assert list(opened) == sorted(after.numbers.keys() - before.numbers.keys())
    assert before.numbers | opened == after.numbers
    assert (before.opened_since(after) is None) == bool(opened)


few_codes = st.lists(st.sampled_from([0, 1, HIDDEN, FLAG]), min_size=4, max_size=4).map(bytes)


@given(few_codes, few_codes)
def test_a_position_with_different_numbers_is_not_an_earlier_one(one: bytes, other: bytes) -> None:
    before, after = Position(2, 2, 1, one), Position(2, 2, 1, other)
    is_earlier = before.numbers.items() <= after.numbers.items()
    assert (after.opened_since(before) is not None) == is_earlier


def test_a_changed_number_is_another_game() -> None:
    before = Position.parse("1 # #\n# # F", mines=1)
    assert Position.parse("2 1 #\n# # F", mines=1).opened_since(before) is None
    assert Position.parse("1 1 F\n# 2 #", mines=1).opened_since(before) == {(0, 1): 1, (1, 1): 2}
    assert Position.parse("1 1 F\n# 2 #", mines=2).opened_since(before) is None
    assert Position.parse("1 1\nF #\n2 #", mines=1).opened_since(before) is None


@pytest.mark.parametrize(
    ("text", "mines", "trouble"),
    [
        ("", 1, "no rows"),
        ("   \n\n", 1, "no rows"),
        ("3x1/1", None, "no rows"),
        ("# # #", None, "mines is missing"),
        ("# # #\n# #", 1, "row 2 has 2 cells, but row 1 has 3"),
        ("# 9 #", 1, "'9' in row 1, column 2"),
        ("# ? #", 1, r"'\?' in row 1, column 2"),
        ("# é #", 1, "'é' in row 1"),
        ("3x2/1\n###", None, "says 3 x 2 cells, but there are 3 x 1"),
        ("3x1/1\n###", 2, "says 1 mine, but 2"),
        ("###", 4, "4 mines do not fit"),
        ("###", -1, "-1 mines do not fit"),
        ("3x1/9\n###", None, "9 mines do not fit"),
        ("#" * 1001, 1, "width of a board is 1 to 1000 cells, not 1001"),
        ("#\n" * 1001, 1, "height of a board is 1 to 1000 cells, not 1001"),
        ("999999999999x1/1\n#", None, "is not a cell"),
    ],
)
def test_the_error_names_what_is_wrong_with_a_position(
    text: str, mines: int | None, trouble: str
) -> None:
    with pytest.raises(BadPosition, match=trouble):
        Position.parse(text, mines=mines)


@given(st.text(max_size=60), st.none() | st.integers(-5, 100))
def test_any_text_is_a_position_or_a_clear_error(text: str, mines: int | None) -> None:
    try:
        position = Position.parse(text, mines=mines)
    except SapperError as error:
        assert str(error)
    else:
        assert Position.parse(str(position)) == position


@given(st.text(alphabet="#F.0128x/ \n", max_size=40), st.none() | st.integers(0, 3))
def test_a_damaged_position_text_is_a_position_or_a_clear_error(text: str, mines: int | None) -> None:
    test_any_text_is_a_position_or_a_clear_error.hypothesis.inner_test(text, mines)  # type: ignore[attr-defined]


def test_wrong_cells_are_refused() -> None:
    with pytest.raises(BadPosition, match="was given 3 cells"):
        Position(2, 2, 1, bytes(3))
    with pytest.raises(BadPosition, match="11 is not the code"):
        Position(1, 2, 1, bytes([0, 11]))
    position = Position.blank(2, 3, 1)
    for cell in [(2, 0), (0, 3), (-1, 0)]:
        assert cell not in position
        with pytest.raises(BadPosition, match="is not a cell"):
            position[cell]
        with pytest.raises(BadPosition, match="is not a cell"):
            position.neighbours(cell)
    for thing in ["01", (0,), (0, 0, 0), (0, 1.0), (None, 0), 3, None, {0: 1, 1: 2}, b"\0\1"]:
        assert thing not in position


def test_a_position_does_not_change() -> None:
    with pytest.raises(AttributeError):
        Position.blank(1, 1, 0).mines = 3  # type: ignore[misc]


def test_the_largest_board_can_be_created() -> None:
    position = Position.blank(1000, 1000, 200_000)
    assert Position.parse(str(position)) == position
