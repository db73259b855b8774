"""`sapper measure`: measures of boards and games, and errors."""

from __future__ import annotations

import io
import json
from pathlib import Path
from textwrap import indent

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sapper import (
    BadRecord,
    Entry,
    Game,
    Level,
    Position,
    Promise,
    Record,
    SapperError,
    formats,
    measure,
    measure_record,
)
from sapper.cli import app
from sapper.terminal import print_measures
from tests.support.minefields import field_of
from tests.support.recorded_games import SIDE, WON, record_of

ROOT = Path(__file__).parents[2]
BOARD = """\
board       4x3/1  width x height / mines
3BV             6  left clicks needed to win without flags
openings        1  groups of zeros
islands         1  groups of numbers next to no zero
ZiNi            4  clicks needed to win with flags and chords (greedy estimate)
human ZiNi      5  the same, with all openings first
safe cells     11  showing 0: 3, 1: 8
"""
GAME = """\
outcome       won  played with flags
time         5.00  seconds
3BV done        6  of 6
3BV/s        1.20  3BV done per second
RQP          4.17  time / 3BV/s: lower is better
clicks          7  1 left, 1 right, 4 chords, 1 other
wasted          2  clicks that changed nothing
clicks/s     1.40  clicks per second
IOE          0.86  3BV done / clicks
correctness  0.71  useful clicks / clicks
throughput   1.20  3BV done / useful clicks
ZNE          0.57  ZiNi / clicks
ZNT          0.80  ZiNi / useful clicks

"""


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["measure", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.fixture
def saved(tmp_path: Path) -> dict[str, Path]:
    """A board, a game and a position, each in a file."""
    field = field_of(SIDE)
    things: dict[str, Game | Record | Position] = {
        "board.mbf": Game.on("4x3/1", field.mines),
        "game.json": WON,
        "position.txt": Position.blank(3, 4, 1),
    }
    for name, thing in things.items():
        formats.write(tmp_path / name, thing)
    return {name: tmp_path / name for name in things}


def test_a_board_can_be_measured_from_a_file(saved: dict[str, Path]) -> None:
    assert run(str(saved["board.mbf"])) == BOARD
    assert json.loads(run(str(saved["board.mbf"]), "--json")) == measure(field_of(SIDE)).to_json()


def test_a_game_can_be_measured_from_a_file(saved: dict[str, Path]) -> None:
    assert run(str(saved["game.json"])) == GAME + BOARD
    assert json.loads(run(str(saved["game.json"]), "--json")) == measure_record(WON).to_json()


def test_a_position_has_nothing_to_measure(saved: dict[str, Path]) -> None:
    with pytest.raises(SapperError, match=r"position\.txt: a position has no minefield"):
        run(str(saved["position.txt"]))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SapperError, match="nothing"):
        run(str(tmp_path / "nothing.json"))


def test_a_board_can_be_measured_by_its_seed() -> None:
    game = Game.new("expert", seed=7)
    game.open((8, 8))
    facts = json.loads(run("expert", "--seed", "7", "--first", "9,9", "--json"))
    assert facts == measure(game).to_json() | {"seed": "7"}
    printed = run("expert", "--seed", "7", "--first", "9,9")
    assert indent(printed, "    ") in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    lines = printed.splitlines()
    assert lines[0] == "Minesweeper expert, seed 7, promise: open"
    assert lines[1].split()[:2] == ["board", "30x16/99"]
    assert lines[2].split()[:2] == ["3BV", str(facts["bbbv"])]


def test_the_seed_of_a_random_board_is_shown() -> None:
    facts = json.loads(run("9x9/10", "--json"))
    again = json.loads(run("9x9/10", "--seed", str(facts["seed"]), "--json"))
    assert again == facts


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("game.json", "--seed", "1"), "only for levels, and game.json is not a level"),
        (("beginner", "--first", "10,1"), "the first click, row 10, column 1, is not on a board"),
        (("beginner", "--promise", "sure"), "'sure' is not a promise"),
        (("2x2/5",), "5 mines do not fit"),
    ],
)
def test_bad_input_is_an_error(arguments: tuple[str, ...], trouble: str) -> None:
    with pytest.raises(SapperError, match=trouble):
        run(*arguments)


def test_unknown_values_are_shown_as_a_dash() -> None:
    out = io.StringIO()
    print_measures(measure_record(record_of(SIDE)), Console(file=out))
    rows = {line.split("  ")[0]: line.split() for line in out.getvalue().splitlines()}
    assert rows["outcome"][1] == "unfinished"
    assert rows["estimated"][1] == rows["3BV/s"][1] == rows["IOE"][1] == rows["ZNE"][1] == "-"
    assert rows["3BV done"][2:] == ["0", "of", "6"]


def test_moves_of_agents_and_undone_moves_are_shown() -> None:
    moves = Entry(0.0, "open", (0, 0), by="logic"), Entry(1.0, "undo")
    out = io.StringIO()
    print_measures(measure_record(record_of(SIDE, *moves)), Console(file=out))
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert ["by", "agents", "1", "of", "the", "clicks"] in lines
    assert ["undone", "1", "moves"] in lines


def test_colours_in_a_terminal_only_add_to_the_text() -> None:
    out = io.StringIO()
    print_measures(measure(field_of(SIDE)), Console(file=out, force_terminal=True, width=40))
    assert "\x1b[1m" in out.getvalue()


def test_a_record_that_cannot_be_played_is_an_error() -> None:
    record = Record(Level.named("2x1/1"), Promise.SAFE, frozenset({(0, 1)}), (Entry(0.0, "undo"),))
    with pytest.raises(BadRecord, match="move 1 cannot be made"):
        measure_record(record)
