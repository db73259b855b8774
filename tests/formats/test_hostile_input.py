"""Hostile files and texts give a value or a clear error, in bounded time and memory.

A message never repeats much of the input, nor anything that could control a terminal.
"""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import (
    BadCode,
    BadFile,
    BadLevel,
    BadPosition,
    BadRecord,
    Game,
    Level,
    Position,
    Promise,
    SapperError,
)
from sapper.arena.plans import Boards
from sapper.formats import (
    board_code,
    game_from_code,
    game_from_mbf,
    game_to_mbf,
    position_from_mine,
    position_from_text,
    position_to_mine,
    read_any,
    record_from_json,
    record_to_json,
)
from sapper.formats.records import FORMAT
from tests.support.codes import with_checksum
from tests.support.make_files import BOARD, GAME, POSITION
from tests.support.strategies import given_games, positions, records, seeded_games

ESCAPES = (
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x9b2J",
    "\r",
    "\x08" * 9,
    "\u202e",
    "\u2028",
    "\0",
    "\ud800",
)
"""Characters that could move the cursor, clear the screen or hide text."""
DIGITS = ("\u0663", "\uff13", "\u00b2", "\u2460", "\U0001d7d8")
"""Digits outside ASCII."""


def check_message(error: Exception, most: int = 300) -> None:
    """Check that a message is one printable line of limited length."""
    message = str(error)
    assert message
    assert message.isprintable()
    assert len(message) <= most


def refused(read: Callable[..., object], value: object, error: type[SapperError]) -> None:
    with pytest.raises(error) as caught:
        read(value)
    check_message(caught.value)


# Texts ------------------------------------------------------------------------------------------

TEXTS: dict[str, tuple[Callable[[str], Any], type[SapperError], str]] = {
    "position": (Position.parse, BadPosition, str(POSITION)),
    "mine": (position_from_mine, BadPosition, position_to_mine(POSITION)),
    "any position": (position_from_text, BadPosition, position_to_mine(POSITION)),
    "code": (game_from_code, BadCode, board_code(BOARD)),
    "record": (record_from_json, BadRecord, record_to_json(GAME)),
    "level": (Level.named, BadLevel, "30x16/99"),
    "promise": (Promise.named, BadLevel, "open"),
    "boards": (lambda text: Boards.parse(text.split("\n")), SapperError, "4 2 3 0 0 open\n2 6 7"),
}
"""A reader of each kind of text, the error it raises, and a text that it reads."""
readers = pytest.mark.parametrize("kind", TEXTS)


@readers
def test_valid_texts_are_accepted(kind: str) -> None:
    read, _, text = TEXTS[kind]
    read(text)


@readers
@pytest.mark.parametrize("escape", ESCAPES, ids=ascii)
def test_messages_contain_no_terminal_control_characters(kind: str, escape: str) -> None:
    read, error, text = TEXTS[kind]
    places = {0, 1, 2, len(text) // 2, len(text) - 1, len(text)}
    for broken in (escape, *(text[:place] + escape + text[place:] for place in places)):
        try:
            read(broken)
        except SapperError as caught:
            assert isinstance(caught, error)
            check_message(caught)


@readers
@pytest.mark.parametrize("digit", DIGITS, ids=ascii)
def test_only_ascii_digits_are_accepted(kind: str, digit: str) -> None:
    read, error, text = TEXTS[kind]
    if any(symbol.isdigit() for symbol in text):
        place = next(place for place, symbol in enumerate(text) if symbol.isdigit())
        refused(read, text[:place] + digit + text[place + 1 :], error)


@readers
@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 1_000_000,
        "9" * 1_000_000,
        "[" * 100_000,
        '{"a":' * 100_000,
        " " * 5_000_000,
        "\n" * 5_000_000,
        "#" * 5_000_000,
        "##\n" * 5_000_000,
        "1000x1000/1000000\n" + "#" * 1_000_000,
        f"{'9' * 5000}x{'9' * 5000}/{'9' * 5000}",
        f"a{'9' * 5000}x{'9' * 5000}-{'9' * 5000}.n.s{'z' * 50_000}.abc",
        f'{{"format": "{FORMAT}", "version": {"9" * 5000}}}',
        "1e999",
        "NaN",
        "\ufeff",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_texts_that_are_too_long_or_too_deep_are_refused_quickly(kind: str, text: str) -> None:
    read, error, _ = TEXTS[kind]
    start = time.process_time()
    refused(read, text, error)
    assert time.process_time() - start < 20


@readers
def test_a_long_text_of_short_lines_does_not_take_much_memory(kind: str) -> None:
    read, error, _ = TEXTS[kind]
    if kind == "boards":
        pytest.skip("it is given lines, not a text")
    text = "##\n" * 4_000_000
    tracemalloc.start()
    try:
        refused(read, text, error)
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n", "\r\n\n"])
def test_all_line_ends_are_read(ending: str) -> None:
    assert Position.parse(str(POSITION).replace("\n", ending)) == POSITION
    if ending.count("\n") < 2:
        assert position_from_mine(position_to_mine(POSITION).replace("\n", ending)) == POSITION
        assert position_from_text(position_to_mine(POSITION).replace("\n", ending)) == POSITION
    assert record_from_json(record_to_json(GAME).replace("\n", ending)) == GAME
    assert board_code(game_from_code(board_code(BOARD) + ending)) == board_code(BOARD)


# Values -----------------------------------------------------------------------------------------


WRONG_POSITIONS: tuple[tuple[Any, Any, Any, Any], ...] = (
    (10**5000, 1, 1, b""),
    (1, -(10**5000), 1, b""),
    (1, 2, 10**5000, bytes([9, 9])),
    (1.0, 2.0, 1, bytes([9, 9])),
    (1, 2, 1.0, bytes([9, 9])),
    (True, 2, 1, bytes([9, 9])),
    (1, 2, float("nan"), bytes([9, 9])),
    ("1", 2, 1, bytes([9, 9])),
    (None, 2, 1, bytes([9, 9])),
    (1, 2, 1, [9, -1]),
    (1, 2, 1, "##"),
    (1, 2, 1, bytearray([9, 99])),
)


def test_a_position_of_other_types_is_refused() -> None:
    for height, width, mines, codes in WRONG_POSITIONS:
        with pytest.raises((BadPosition, TypeError)) as caught:
            Position(height, width, mines, codes)
        check_message(caught.value)
        if type(codes) is bytes:
            with pytest.raises((BadLevel, TypeError)) as other:
                Level.custom(height, width, mines)
            check_message(other.value)


def test_a_cell_with_huge_numbers_is_refused() -> None:
    refused(POSITION.__getitem__, (10**5000, 0), BadPosition)
    refused(lambda cell: POSITION.opened(cell, 10**5000), (2, 5), BadPosition)


# Any text and any change to a valid text ----------------------------------------------------------

SYMBOLS = st.text('#F.?H*0123456789 \n\r\t/xX-[]{}",:eE+abcnso\0\x1b\ufeff\u0663\ud800\u2028')


@st.composite
def changed(draw: st.DrawFn, text: str) -> str:
    """A text with parts removed, repeated or replaced."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(start + 9, len(text))) | st.integers(start, len(text)))
        put = draw(SYMBOLS | st.just(text[start:end] * 2) | st.just("9" * 30) | st.text(max_size=3))
        text = text[:start] + put + text[end:]
    return text


@settings(max_examples=100)
@given(positions(), st.data())
def test_a_changed_position_is_a_position_or_an_error(position: Position, data: st.DataObject) -> None:
    for read, text in (
        (Position.parse, str(position)),
        (position_from_mine, position_to_mine(position)),
        (position_from_text, data.draw(st.sampled_from([str(position), position_to_mine(position)]))),
    ):
        try:
            found = read(data.draw(changed(text)))
        except SapperError as error:
            assert isinstance(error, BadPosition)
            check_message(error)
        else:
            assert Position.parse(str(found)) == found
            assert position_from_mine(position_to_mine(found)) == found


@settings(max_examples=100)
@given(given_games() | seeded_games(), st.data(), st.booleans())
def test_a_changed_code_is_a_board_or_an_error(game: Game, data: st.DataObject, repair: bool) -> None:
    code = board_code(game)
    text = data.draw(changed(code))
    if repair:
        text = with_checksum(data.draw(changed(code[:-4])).encode(errors="ignore").decode())
    try:
        found = game_from_code(text)
    except SapperError as error:
        assert type(error) is BadCode
        check_message(error)
    else:
        assert board_code(found) == text.strip()


@settings(max_examples=100)
@given(records(), st.data())
def test_a_changed_record_is_a_record_or_an_error(record: sapper.Record, data: st.DataObject) -> None:
    try:
        found = record_from_json(data.draw(changed(record_to_json(record))))
    except SapperError as error:
        assert isinstance(error, BadRecord)
        check_message(error)
    else:
        assert record_from_json(record_to_json(found)) == found


@settings(max_examples=100)
@given(given_games(), st.data())
def test_a_changed_mbf_board_is_a_board_or_an_error(game: Game, data: st.DataObject) -> None:
    content = bytearray(game_to_mbf(game))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, len(content)))
        content[start:end] = data.draw(st.binary(max_size=4))
    try:
        found = game_from_mbf(bytes(content))
    except SapperError as error:
        assert type(error) is BadFile
        check_message(error)
    else:
        assert sorted(game_to_mbf(found)) == sorted(content)


LEVEL_TEXTS = st.text() | SYMBOLS | st.from_regex(r"\d{1,12} ?x ?\d{1,12}/\d{1,12}")


@given(LEVEL_TEXTS)
def test_any_text_is_a_level_or_an_error(text: str) -> None:
    try:
        level = Level.named(text)
    except SapperError as error:
        assert type(error) is BadLevel
        check_message(error)
    else:
        assert Level.named(level.size).size == level.size


# Large boards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mines", [0, 1_000_000])
def test_the_largest_boards_are_read_in_all_formats(mines: int) -> None:
    position = Position.blank(1000, 1000, mines)
    assert Position.parse(str(position)) == position
    assert position_from_mine(position_to_mine(position)) == position
    bits = "A" * 166_667 if mines == 0 else "_" * 166_666 + "8"
    code = with_checksum(f"a1000x1000-{mines}.n.b{bits}")
    assert board_code(game_from_code(code)) == code


# Files ------------------------------------------------------------------------------------------


def read_error(path: Path) -> str:
    with pytest.raises(BadFile) as caught:
        sapper.read(path)
    check_message(caught.value, most=1500)
    return str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="such names are not allowed")
@pytest.mark.parametrize("suffix", [".txt", ".json", ".mine", ".mbf", ".avf", ""])
@pytest.mark.parametrize("name", ["\x1b[2J", "two\nlines", "\u202egnp", "\udc80", "x" * 240], ids=ascii)
def test_file_names_cannot_control_a_terminal(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / f"{name}{suffix}"
    read_error(path)
    path.write_bytes(b"\x1b[2J\xff")
    assert "\x1b" not in read_error(path)


@pytest.mark.parametrize(
    "text",
    [
        "a9x9-10.n.n" + "z" * 60_000,
        with_checksum("a9x9-10.n.n" + "z" * 60_000),
        "a9x9-10.n.n" + "z" * 300_000,
        "a9x9-10.\0",
        "a9x9-10.\ud800",
    ],
    ids=lambda text: ascii(text[:14]),
)
def test_a_mistyped_code_is_not_taken_for_a_file_name(text: str) -> None:
    refused(read_any, text, BadCode)


@pytest.mark.parametrize(
    "text", ["x" * 60_000, "\0", "\ud800", "", "\x1b[2J"], ids=lambda t: ascii(t[:9])
)
def test_long_file_names_are_shortened_in_messages(text: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_any(text)
    check_message(caught.value, most=1500)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    for name, text in (
        ("position.txt", str(POSITION)),
        ("position.mine", position_to_mine(POSITION)),
        ("game.json", record_to_json(GAME)),
        ("board.txt", board_code(BOARD)),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        sapper.read(tmp_path / name)


def test_numbers_in_json_beyond_what_python_reads_are_refused() -> None:
    facts = json.loads(record_to_json(GAME))
    for name in ("version", "width", "height", "mines"):
        for digits in ("9" * 21, "9" * 4301, "9" * 1_000_000, "-" + "9" * 5000, "1e999", "-0", "1.0"):
            value = f'"{name}": {digits}'
            text = json.dumps(facts).replace(f'"{name}": {facts[name]}', value)
            assert value in text
            refused(record_from_json, text, BadRecord)
