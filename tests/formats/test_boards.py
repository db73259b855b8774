"""Boards and positions in files and texts: `.mbf`, `.mine` and board codes."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sapper import FLAG, BadPosition, Game, Position, SapperError
from sapper.errors import BadCode, BadFile
from sapper.formats import (
    board_code,
    game_from_code,
    game_from_mbf,
    game_to_mbf,
    position_from_mine,
    position_to_mine,
)
from tests.support.codes import with_checksum
from tests.support.strategies import given_games, positions, seeded_games


def mines_of(game: Game) -> set[tuple[int, int]] | None:
    return None if game.minefield is None else game.minefield.mines


# .mbf ------------------------------------------------------------------------------------------

BOARD = bytes.fromhex("04 02 00 03  00 00  03 00  02 01")
"""Width 4, height 2, 3 mines: column 0 and 3 of the upper row, column 2 of the lower."""


def test_mbf_has_exactly_these_bytes() -> None:
    game = Game.on("4x2/3", [(1, 2), (0, 0), (0, 3)])
    assert game_to_mbf(game) == BOARD
    assert mines_of(game_from_mbf(BOARD)) == {(0, 0), (0, 3), (1, 2)}


def test_an_mbf_board_of_300_mines_has_them_in_two_bytes() -> None:
    game = Game.new("20x20/300", seed=1, promise="none")
    data = game_to_mbf(game)
    assert data[:4] == bytes([20, 20, 300 // 256, 300 % 256])
    assert len(data) == 4 + 2 * 300


@given(given_games())
def test_mbf_keeps_the_minefield(game: Game) -> None:
    data = game_to_mbf(game)
    again = game_from_mbf(data)
    assert (again.level.size, mines_of(again)) == (game.level.size, mines_of(game))
    assert not again.level.course_rules
    assert game_to_mbf(again) == data


@given(given_games(), st.randoms())
def test_the_order_of_the_mines_does_not_matter(game: Game, random: Random) -> None:
    data = game_to_mbf(game)
    pairs = [data[start : start + 2] for start in range(4, len(data), 2)]
    random.shuffle(pairs)
    assert mines_of(game_from_mbf(data[:4] + b"".join(pairs))) == mines_of(game)


def test_mbf_boards_have_at_most_255_rows_and_columns() -> None:
    largest = Game.on("255x255/1", [(254, 254)])
    assert game_to_mbf(largest) == bytes([255, 255, 0, 1, 254, 254])
    assert mines_of(game_from_mbf(game_to_mbf(largest))) == {(254, 254)}
    with pytest.raises(BadFile, match="a 256x1 board is too large"):
        game_to_mbf(Game.on("256x1/1", [(0, 0)]))


def test_a_board_cannot_be_written_before_its_mines_are_placed() -> None:
    with pytest.raises(BadFile, match="placed at the first click"):
        game_to_mbf(Game.new("beginner", seed=1))


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        ("", "at least 4 bytes, not 0"),
        ("04 02 00", "at least 4 bytes, not 3"),
        ("04 02 00 01", "6 bytes, not 4"),
        ("04 02 00 01 00", "6 bytes, not 5"),
        ("04 02 00 01 00 00 00", "6 bytes, not 7"),
        ("00 02 00 00", "width of a board is 1"),
        ("02 00 00 00", "height of a board is 1"),
        ("01 01 00 02 00 00 01 00", "2 mines do not fit"),
        ("04 02 00 01 04 00", "not a cell"),
        ("04 02 00 01 00 02", "not a cell"),
        ("04 02 00 02 01 01 01 01", "2 mines at row 2, column 2"),
    ],
)
def test_the_error_says_what_is_wrong_with_an_mbf_board(data: str, trouble: str) -> None:
    with pytest.raises(BadFile, match=trouble):
        game_from_mbf(bytes.fromhex(data))


@given(st.binary(max_size=20) | st.builds(lambda end: bytes([3, 3, 0, 2]) + end, st.binary(max_size=6)))
def test_any_bytes_are_a_board_or_an_error(data: bytes) -> None:
    try:
        game = game_from_mbf(data)
    except BadFile:
        return
    assert sorted(game_to_mbf(game)[4:]) == sorted(data[4:])


# .mine -----------------------------------------------------------------------------------------


def test_mine_has_exactly_this_text() -> None:
    position = Position.parse("# 2 F / . 8 #".replace(" / ", "\n"), mines=4)
    assert position_to_mine(position) == "3x2x4\nH2F\n08H\n"
    assert position_from_mine("3x2x4\r\nH2F\r\n08H\r\n\r\n") == position


def test_a_known_mine_is_read_as_a_flag() -> None:
    assert position_from_mine("2x1x1\n?1")[0, 0] == FLAG


@given(positions())
def test_mine_keeps_positions(position: Position) -> None:
    assert position_from_mine(position_to_mine(position)) == position


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "WIDTHxHEIGHTxMINES"),
        ("2x1/1\nHH", "WIDTHxHEIGHTxMINES"),
        ("2x1x3\nHH", "3 mines do not fit"),
        ("1001x1x3\nHH", "width"),
        ("2x2x1\nHH", "2 rows, but there are 1"),
        ("2x1x1\nHH\nHH", "1 rows, but there are 2"),
        ("2x1x1\nHHH", "2 columns, but row 1 has 3"),
        ("2x1x1\nH9", "'9' in row 1, column 2"),
        ("2x1x1\nhH", "'h' in row 1, column 1"),
    ],
)
def test_the_error_says_what_is_wrong_with_a_mine_position(text: str, trouble: str) -> None:
    with pytest.raises(BadPosition, match=trouble):
        position_from_mine(text)


@given(st.text(max_size=30) | st.text("0128HF?x\n ", max_size=30).map("3x2x1\n".__add__))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        position = position_from_mine(text)
    except BadPosition:
        return
    assert position_from_mine(position_to_mine(position)) == position


# Board codes -----------------------------------------------------------------------------------


def check_same_board(game: Game, again: Game) -> None:
    assert again.level == game.level
    assert again.promise is game.promise
    assert mines_of(again) == mines_of(game)
    assert not again.actions


@given(given_games())
def test_a_code_restores_a_given_board(game: Game) -> None:
    code = board_code(game)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", code)
    again = game_from_code(f" {code}\n")
    check_same_board(game, again)
    assert (again.first, again.seed) == (game.first, None)
    assert board_code(again) == code


@given(seeded_games())
def test_a_code_restores_a_board_made_from_a_seed(game: Game) -> None:
    code = board_code(game)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", code)
    assert len(code) <= len("a30x16-99.co.s") + 11 + len(".f10-10.abc")
    again = game_from_code(code)
    check_same_board(game, again)
    assert again.seed == game.seed
    if game.minefield is None:
        first = (game.level.height - 1, 0)
        game.open(first)
        again.open(first)
        assert again.position == game.position
    elif game.actions and game.promise != "none":
        assert again.first == game.actions[0].cell
    assert board_code(game_from_code(code)) == code


def test_each_layout_of_a_small_board_has_a_different_code() -> None:
    cells = [(i, j) for i in range(3) for j in range(4)]
    codes = {}
    for mines in combinations(cells, 5):
        code = board_code(Game.on("4x3/5", mines))
        assert mines_of(game_from_code(code)) == set(mines)
        codes[code] = mines
    assert len(codes) == 792  # 12 over 5.


def test_an_expert_board_of_given_mines_fits_in_a_line() -> None:
    drawn = Game.new("expert", seed=3, promise="none").minefield
    assert drawn is not None
    assert len(board_code(Game.on("expert", drawn.mines))) <= 80


@pytest.mark.parametrize("level", ["64x64/1800", "65x64/1", "1000x1000/0", "300x200/60000"])
def test_large_boards_have_codes_too(level: str) -> None:
    drawn = Game.new(level, seed=3, promise="none").minefield
    assert drawn is not None
    game = Game.on(level, drawn.mines)
    check_same_board(game, game_from_code(board_code(game)))


def test_a_code_keeps_the_rules_of_the_course() -> None:
    game = game_from_code(board_code(Game.new("course", seed=5)))
    assert game.level.name == "course"
    other = game_from_code(board_code(Game.on("8x8/8", [(0, j) for j in range(8)])))
    assert not other.level.course_rules


def test_mines_that_the_seed_does_not_give_are_in_the_code() -> None:
    """Such as those of a board that was changed after it was drawn."""
    game = Game.on("3x1/1", [(0, 2)], first=(0, 0))
    for seed in range(20):
        game.seed = seed
        again = game_from_code(board_code(game))
        assert mines_of(again) == {(0, 2)}


WRITTEN = st.characters(codec="ascii") | st.sampled_from("._~-é\u2028")


@given(given_games() | seeded_games(), st.data(), WRITTEN)
def test_one_wrong_character_is_detected(game: Game, data: st.DataObject, wrong: str) -> None:
    code = board_code(game)
    place = data.draw(st.integers(0, len(code) - 1))
    changed = code[:place] + wrong + code[place + 1 :]
    if changed != code:
        with pytest.raises(BadCode):
            game_from_code(changed)


def test_every_wrong_letter_in_every_place_is_detected() -> None:
    letters = "ABCXYZabcnosxf0123456789._~-"
    for game in (Game.new("beginner", seed=7), Game.on("4x3/2", [(0, 1), (2, 3)], first=(1, 1))):
        code = board_code(game)
        for place, right in enumerate(code):
            for wrong in set(letters) - {right}:
                with pytest.raises(BadCode):
                    game_from_code(code[:place] + wrong + code[place + 1 :])


@given(given_games() | seeded_games(), st.data())
def test_two_swapped_letters_are_detected(game: Game, data: st.DataObject) -> None:
    code = board_code(game)
    place = data.draw(st.integers(0, len(code) - 2))
    changed = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
    if changed != code:
        with pytest.raises(BadCode):
            game_from_code(changed)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "empty"),
        ("b9x9-10.o.sBw.AAA", "start with 'a', not 'b'"),
        ("a9x9-10.o.sBw", "checksum"),
        ("a" * 300_000, "at most"),
        (with_checksum("a9x9-10.o"), "not a board code"),
        (with_checksum("a9x9-82.n.sBw"), "82 mines do not fit"),
        (with_checksum("a0x9-0.n.sBw"), "width"),
        (with_checksum("a3x3-5.o.sBw"), "too many to promise"),
        (with_checksum("a9x9-10.o.sBw.f9-0"), "first click"),
        (with_checksum("a3x1-1.n.nAg.f0-3"), "not a cell"),
        (with_checksum("a3x1-1.n.nAw"), "the number of the layout is too large"),
        (with_checksum("a3x1-1.n.nA"), "not a whole number of bytes"),
        (with_checksum("a3x1-1.n.nAAI"), "not in its standard form"),
        (with_checksum("a03x1-1.n.nAg"), "not in its standard form"),
        (with_checksum("a3x1-1.n.bIA"), "not in its standard form"),
        (with_checksum("a100x100-1.n.nAg"), "cannot be written as a number"),
        (with_checksum("a100x100-1.n.bAg"), "a minefield of 8 bits"),
        (with_checksum("a9x9-10.n.sAf__________"), "seed"),
        (with_checksum("a9x9-10.n.s" + "z" * 100_000), "seed"),
        (with_checksum("a9x9-10.n.n" + "z" * 100_000), "the number of the layout"),
    ],
)
def test_the_error_says_what_is_wrong_with_a_code(text: str, trouble: str) -> None:
    with pytest.raises(BadCode, match=trouble):
        game_from_code(text)


NEARLY = st.from_regex(r"a\dx\d-\d\.c?[nso]\.[snb][A-Za-z0-9_-]{1,4}").map(with_checksum)


@given(st.text(max_size=40) | NEARLY)
@example("a1x1-0.n.sAA")
def test_any_text_is_a_board_or_an_error(text: str) -> None:
    try:
        game = game_from_code(text)
    except SapperError as error:
        assert isinstance(error, BadCode)
    else:
        assert board_code(game) == text.strip()
