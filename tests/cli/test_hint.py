"""`sapper hint`: input from files and standard input, output as text, JSON and pictures."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

import sapper
from sapper import FLAG, HIDDEN, Analysis, Position, SapperError, analyse
from sapper.cli import app
from sapper.formats import analysis_to_json
from sapper.terminal import print_hint, read_text
from tests.support.strategies import possible_positions, told_analyses

POSITION = "4x4/3\n# # # #\n1 2 # #\n. 1 # F\n. 1 1 1\n"
HINT = """\
     1  2  3  4
1 | 50 50 >+ 50
2 |  1  2  + 50
3 |  .  1  * F+
4 |  .  1  1  1

+ safe   * mine   05 risk in percent   F flag   > best move
3 safe: row 1, column 3; row 2, column 3; row 3, column 4
1 mine: row 3, column 3
Best move: open row 1, column 3 (safe, certain to win)
8 hidden cells (1 flagged) with 3 mines; 4 layouts; risks are exact
"""
COMMAND = [sys.executable, "-c", "from sapper.cli import main; main()", "hint"]
ENVIRONMENT = os.environ | {"SAPPER_ENGINE": sapper.engine_name}


def hint(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=given,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        timeout=120,
    )


def printed(analysis: Analysis, *, in_terminal: bool = False, width: int = 80) -> str:
    console = Console(file=io.StringIO(), force_terminal=in_terminal, width=width, highlight=False)
    print_hint(analysis, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def from_rows(*rows: str, mines: int) -> Analysis:
    return analyse(Position.parse("\n".join(rows), mines=mines))


# What is printed -----------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "position.txt"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


def test_a_file_and_the_standard_input_give_the_same_hint(file: str) -> None:
    for done in (hint(file), hint(given=POSITION.encode()), hint("-", given=POSITION.encode())):
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode("ascii").splitlines() == HINT.splitlines()


def test_the_docs_show_this_hint() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    assert indent(HINT, "    ") in page


def test_hint_prints_json_and_draws_a_picture(file: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = hint(file, "--json", "--svg", str(picture))
    assert (done.returncode, done.stderr) == (0, b"")
    analysis = analyse(Position.parse(POSITION))
    assert json.loads(done.stdout) == json.loads(json.dumps(analysis_to_json(analysis)))
    drawn = picture.read_text(encoding="utf-8")
    assert drawn == analysis.position.svg(analysis)
    ElementTree.fromstring(drawn)


def test_the_number_of_mines_and_trust_are_options() -> None:
    done = hint("--mines", "1", "--json", given=b"##\r\nF#\r\n")
    assert json.loads(done.stdout)["risk"] == [[0.25, 0.25], [0.25, 0.25]]
    done = hint("--mines", "1", "--json", "--trust-flags", given="\ufeff##\nF#".encode())
    assert json.loads(done.stdout)["risk"] == [[0, 0], [1, 0]]


def check_board(analysis: Analysis) -> None:
    position = analysis.position
    _, *lines = printed(analysis).splitlines()
    board, words = lines[: position.height], lines[position.height :]
    assert words[0] == ""
    for i, line in enumerate(board):
        label, cells = line.split("|")
        assert int(label) == i + 1
        assert cells.isascii()
        assert len(cells) == 3 * position.width
        for j in range(position.width):
            check_cell(analysis, (i, j), cells[3 * j : 3 * j + 3].strip())


def check_cell(analysis: Analysis, cell: tuple[int, int], shown: str) -> None:
    code = analysis.position[cell]
    if code < HIDDEN:
        assert shown == str(code or ".")
        return
    if analysis.best and cell == analysis.best.cell:
        assert shown[0] == ">"
        shown = shown[1:]
    elif code == FLAG:
        assert shown[0] == "F"
        shown = shown[1:]
    if cell in analysis.safe:
        assert shown == "+"
    elif cell in analysis.mines:
        assert shown == "*"
    elif shown == "<1":
        assert analysis.risk[cell] < 0.01
    else:
        assert len(shown) == 2
        assert 1 <= int(shown) <= 99
        assert int(shown) / 100 == pytest.approx(analysis.risk[cell], abs=0.0101)


@given(told_analyses())
def test_every_cell_is_shown(analysis: Analysis) -> None:
    check_board(analysis)


@settings(deadline=None)
@given(possible_positions())
def test_every_cell_of_a_real_analysis_is_shown(position: Position) -> None:
    check_board(analyse(position))


@given(told_analyses())
def test_estimates_are_called_estimates(analysis: Analysis) -> None:
    text = printed(analysis)
    assert ("estimate" in text) == ("layouts not counted" in text) == (not analysis.exact)
    assert ("risks are exact" in text) == analysis.exact


def test_the_best_move_is_described() -> None:
    assert "Best move: none, because every cell is open" in printed(from_rows("...", mines=0))
    assert "Best move: none, because all hidden cells are mines" in printed(from_rows("##", mines=2))
    assert "2 mines: row 1, column 1; row 1, column 2\n" in printed(from_rows("##", mines=2))
    assert "column 1 (risk 33.3 %, win probability 66.7 %)\n" in printed(from_rows("###", mines=1))
    assert "column 1 (risk 20.6 %)\n" in printed(from_rows(*["#" * 30] * 16, mines=99))
    assert "Best move: unflag and open row 1, column 1 (safe" in printed(from_rows("F.", mines=0))
    assert "1 hidden cell with 1 mine; 1 layout;" in printed(from_rows("#1", mines=1))


def test_long_lists_are_truncated() -> None:
    text = printed(from_rows("#" * 20, mines=0))
    assert "20 safe: row 1, column 1; row 1, column 2;" in text
    assert "row 1, column 6; and 14 more\n" in text


def test_wide_boards_are_not_wrapped() -> None:
    analysis = analyse(Position(2, 150, 0, bytes(300)))
    for in_terminal in (False, True):
        lines = printed(analysis, in_terminal=in_terminal).splitlines()
        assert "145" + 12 * " " + "150" in lines[0]
        assert sum(line.count(".") for line in lines[1:3]) == 300


def test_terminals_get_colour_and_a_check() -> None:
    text = printed(analyse(Position.parse(POSITION)), in_terminal=True)
    assert ">✓" in text
    assert "\x1b[" in text
    assert "\x1b[" not in printed(analyse(Position.parse(POSITION)))


def test_at_a_terminal_the_command_asks_for_the_rows() -> None:
    pty = pytest.importorskip("pty", reason="there are no terminals to test with here")
    leader, follower = pty.openpty()
    os.write(leader, b"#1#\n\x04")
    done = subprocess.run(
        [*COMMAND, "--mines", "1"],
        stdin=follower,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        timeout=120,
    )
    os.close(follower)
    os.close(leader)
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert b"Ctrl-D" in done.stderr
    assert b"50  1 50" in done.stdout.replace(b">", b" ")


# What cannot be read ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        (b"", "the text has no rows"),
        (b"###", "the number of mines is missing"),
        (b"3x1/1\n#?#", "'?' in row 1, column 2 is not a cell"),
        (b"3x1/1\n\xff##", "not UTF-8 text: byte 7"),
        (b"2x1/1\n8#", "cannot"),
    ],
)
def test_bad_input_is_one_line_on_standard_error(given: bytes, trouble: str) -> None:
    done = hint(given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("Error: standard input: ")
    assert trouble in line


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.txt")
    for file, name in ((missing, missing), (str(tmp_path), str(tmp_path)), ("a\nb", "'a\\nb'")):
        done = hint(file)
        assert (done.returncode, done.stdout) == (2, b"")
        [line] = done.stderr.decode().splitlines()
        assert line.startswith(f"Error: cannot read {name}: ")


def test_a_picture_that_cannot_be_written_is_an_error(file: str, tmp_path: Path) -> None:
    done = hint(file, "--svg", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"Error: cannot write {tmp_path}: it is a directory")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file here")
def test_endless_input_is_refused() -> None:
    with pytest.raises(SapperError, match="too long"):
        read_text("/dev/zero")


@settings(deadline=None)
@given(st.binary(max_size=40) | st.text("#F.012x/\ufeff\r\n ", max_size=30).map(str.encode))
def test_any_bytes_give_a_hint_or_a_clear_error(given: bytes) -> None:
    done = CliRunner().invoke(app, ["hint", "--json"], input=given)
    if done.exit_code == 0:
        assert json.loads(done.stdout)["risk"]
    else:
        assert isinstance(done.exception, SapperError)
        assert str(done.exception).startswith("standard input: ")
        assert len(str(done.exception).splitlines()) == 1
        assert done.stdout == ""
