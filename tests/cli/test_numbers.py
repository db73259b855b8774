"""Numbers on the command line: a bad one gives a one-line error and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

import sapper
from sapper.cli.numbers import number, whole_number
from tests.support.command import refusal, run_command

BAD_WHOLE = ["nan", "inf", "1.5", "1e9", "", "\u0663", "1_000", "0x10", "one", "9" * 5000, "1\n2"]
BAD_NUMBERS = ["nan", "NaN", "", "one", "1_0", "\u0663", "0x10", "--", "1,5"]
HUGE = ["99999999999999999999", "18446744073709551616", "9223372036854775808"]
POSITION = "4x1/2\n# 1 # #\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("position.txt").write_text(POSITION)
    game = sapper.Game.on("4x1/1", [(0, 2)])
    game.open((0, 0))
    sapper.write("game.json", game)
    return tmp_path


WHOLE_OPTIONS = [
    *("new 5x5/3 --count", "new 5x5/3 --seed", "watch 5x5/3 --seed", "play --level 5x5/3 --seed"),
    *("measure 5x5/3 --seed", "bench 5x5/3 --seed", "bench 5x5/3 --games", "bench 5x5/3 --jobs"),
    *("compare logic safest --games", "compare logic safest --seed", "compare logic safest --jobs"),
    *("plot losses --json --games", "plot losses --json --seed", "plot losses --json --jobs"),
    *("plot density --json --mines", "hint position.txt --mines", "explain position.txt --mines"),
    *("explain position.txt", "explain position.txt 1", "review game.json --playouts"),
    "review game.json --jobs",
]
NUMBER_OPTIONS = [
    *("new 5x5/3 --seconds", "hint position.txt --seconds", "review game.json --seconds"),
    *(
        "watch 5x5/3 --delay",
        "compare logic safest --points",
        "compare logic safest --points 1 --alpha",
    ),
    "compare logic safest --points 1 --beta",
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", WHOLE_OPTIONS)
def test_text_that_is_not_a_whole_number_is_refused(options: str) -> None:
    for value in BAD_WHOLE:
        line = refusal(*options.split(), value)
        assert repr(value)[:20].rstrip("'") in line
        assert len(line) < 200


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", NUMBER_OPTIONS)
def test_text_that_is_not_a_number_is_refused(options: str) -> None:
    for value in BAD_NUMBERS:
        assert repr(value) in refusal(*options.split(), value)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("value", [*HUGE, "-1", f"-{HUGE[0]}"])
@pytest.mark.parametrize(
    "options",
    [
        *("new 5x5/3 --count", "new 5x5/3 --seed", "watch 5x5/3 --seed", "play --level 5x5/3 --seed"),
        *("measure 5x5/3 --seed", "bench 5x5/3 --seed", "bench 5x5/3 --games", "bench 5x5/3 --jobs"),
        *("compare logic safest --games", "plot losses --json --games", "plot losses --json --jobs"),
        *("plot density --json --mines", "hint position.txt --mines", "explain position.txt --mines"),
        *("review game.json --playouts", "review game.json --jobs", "bench 5x5/3 --first"),
        *("new 5x5/3 --first", "measure 5x5/3 --first", "plot losses --json --first"),
    ],
)
def test_numbers_out_of_range_are_refused(options: str, value: str) -> None:
    if value == HUGE[2] and options.endswith("--seed"):
        return  # It is a seed.
    line = refusal(*options.split(), value)
    assert value in line.replace(",", "")


@pytest.mark.parametrize("value", [*HUGE, "-1", "inf", "1e400"])
def test_rates_out_of_range_are_refused(value: str) -> None:
    for options in ("--points", "--points 1 --alpha", "--points 1 --beta"):
        line = refusal("compare", "logic", "safest", *options.split(), value)
        assert "between 0 and 100" in line or "with a sum below 1" in line


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("value", [*HUGE, "0"])
def test_cells_that_are_not_on_the_board_are_refused(value: str) -> None:
    assert value in refusal("explain", "position.txt", value, "1")
    assert value in refusal("explain", "position.txt", "1", value)
    assert value in refusal("explain", "--", "position.txt", "-1", value)


@pytest.mark.parametrize(
    "cell",
    [
        "99999999999999999999,1",
        "-1,0",
        "0,1",
        "1,00",
        "999999999,999999999",
        "nan,1",
        "1",
        "1,2,3",
        "",
        "\u0663,3",
    ],
)
def test_bad_cells_are_refused(cell: str) -> None:
    for command in ("new 5x5/3", "measure 5x5/3", "bench 5x5/3", "plot losses 5x5/3 --json"):
        assert cell[:5] in refusal(*command.split(), "--first", cell)


@pytest.mark.parametrize(
    "level",
    [
        *("99999999999x1/1", "1x99999999999/1", "0x0/0", "-1x5/1", "1001x1/1", "5x5/99999999999"),
        *("999999999x999999999/999999999", "", "x", "5x5", "5x5/", "\u0663x3/1", "nan", "\0", "2x2/5"),
    ],
)
def test_bad_levels_are_refused(level: str) -> None:
    for command in (
        *("new", "watch", "play --level", "bench", "compare logic safest", "plot losses --json"),
        *("plot first-click --json", "plot density --json", "stats --level"),
    ):
        refusal(*command.split(), level)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("seconds", ["0", "inf", "1e400", "1e308", "99999999999999999999", "5e-324"])
def test_any_time_limit_is_possible(seconds: str) -> None:
    for command in ("new 5x5/3", "hint position.txt", "review game.json --jobs 1"):
        assert run_command(*command.split(), "--seconds", seconds).code == 0


def test_errors_name_the_valid_range() -> None:
    assert refusal("new", "5x5/3", "--count", "0") == (
        "invalid value for '--count': '0' is not a whole number from 1 to 1,000,000"
    )
    assert refusal("watch", "5x5/3", "--delay", "inf") == (
        "invalid value for '--delay': 'inf' is not a number from 0 to 3,600"
    )
    last = 2**64 - 1
    assert "beyond the largest, 2**64 - 1" in refusal("new", "5x5/3", "--count", 2, "--seed", last)
    assert run_command("new", "5x5/3", "--seed", last).code == 0


def test_errors_of_the_command_line_are_one_line() -> None:
    assert "--sed" in refusal("watch", "--sed", "1")
    assert "nonsense" in refusal("nonsense")
    assert "level" in refusal("new").lower()
    assert refusal("watch", "--\x1b[31m\n").startswith("no such option: --\\x1b[31m\\")
    help_text = run_command()
    assert help_text.code == 2
    assert "Usage" in help_text.out + help_text.err


@given(st.text() | st.integers().map(str) | st.floats().map(str))
def test_a_parser_returns_a_number_in_its_range_or_refuses(text: str) -> None:
    try:
        assert -5 <= whole_number(-5, 5)(text) <= 5
    except typer.BadParameter as error:
        assert str(error.format_message()).isprintable()
    try:
        assert -5 <= number(-5, 5)(text) <= 5
    except typer.BadParameter as error:
        assert str(error.format_message()).isprintable()
