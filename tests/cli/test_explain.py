"""`sapper explain`: proofs with each step shown on the board, and explanations of guesses."""

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
from rich.console import Console

import sapper
from sapper import FLAG, HIDDEN, Position, Proof, Session, analyse, explain, explain_guess
from sapper.terminal import print_proof, watch
from tests.support.strategies import possible_positions

POSITION = "4x4/3\n# # # #\n1 2 # #\n. 1 # F\n. 1 1 1\n"
PROOF = """\
Row 3, column 4 is safe (subset):

1. The 1 at row 4, column 3 says that exactly one of row 3, columns 3 and 4 is a mine.
       2  3  4
   2 | 2  #  #
   3 | 1 [#][F]
   4 | 1 (1) 1

2. The 1 at row 4, column 2 has only one hidden neighbour left: row 3, column 3 is a mine.
       1  2  3  4
   2 | 1  2  #  #
   3 | .  1 [*] F
   4 | . (1) 1  1

3. By step 2, the 1 at row 4, column 3 has all its mines: row 3, column 4 is safe.
       2  3  4
   2 | 2  #  #
   3 | 1  * [+]
   4 | 1 (1) 1

(2) number used   [#] in question   [+] safe   [*] mine   + * already known
"""
SUPPOSED = "5x5/6\n#2#2#\n#212#\n11.1#\n#212#\n#####\n"
COMMAND = [sys.executable, "-c", "from sapper.cli import main; main()"]
ENVIRONMENT = os.environ | {"SAPPER_ENGINE": sapper.engine_name}


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=given.encode(),
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        timeout=120,
    )


def console_of(*, in_terminal: bool, width: int = 80, height: int = 24) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=in_terminal, width=width, height=height, highlight=False
    )


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def printed(proof: Proof, *, in_terminal: bool = False, width: int = 80) -> str:
    console = console_of(in_terminal=in_terminal, width=width)
    print_proof(proof, console)
    return text_of(console)


# What is printed -------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "position.txt"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


def test_a_file_and_the_standard_input_give_the_same_proof(file: str) -> None:
    for done in (run("explain", file, "3", "4"), run("explain", "-", "3", "4", given=POSITION)):
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode("ascii").splitlines() == PROOF.splitlines()


def test_the_docs_show_this_proof() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    assert indent(PROOF, "    ") in page


def test_explain_prints_json_and_draws_a_picture(file: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = run("explain", file, "3", "4", "--json", "--svg", str(picture))
    assert (done.returncode, done.stderr) == (0, b"")
    proof = explain(Position.parse(POSITION), (2, 3))
    assert json.loads(done.stdout) == proof.to_json()
    drawn = picture.read_text(encoding="utf-8")
    assert drawn == proof.svg()
    ElementTree.fromstring(drawn)


def test_without_a_cell_the_easiest_safe_one_is_explained(file: str) -> None:
    position = Position.parse(POSITION)
    proofs = [explain(position, cell) for cell in sorted(analyse(position).safe)]
    assert proofs[0].difficulty > proofs[1].difficulty
    done = run("explain", file, "--json")
    assert json.loads(done.stdout) == min(proofs, key=lambda proof: proof.difficulty).to_json()
    rows = POSITION.partition("\n")[2]
    assert run("explain", "--mines", "3", "--json", given=rows).stdout == done.stdout


def test_an_assumption_is_marked_with_what_follows_from_it() -> None:
    lines = printed(explain(Position.parse(SUPPOSED), (4, 1))).splitlines()
    start = lines.index("7. Suppose that row 5, column 2 is a mine (7.1).")
    assert lines[start + 7 :] == [
        "       1  2  3  4  5",
        "   1 | # (2) # (2)[+]",
        "   2 | #  2  1  2 [+]",
        "   3 | 1  1  .  1  #",
        "   4 | # (2)(1)(2) #",
        "   5 | # ?*?[+][+] #",
        "   So row 5, column 2 is safe.",
        "",
        "(2) number used   [#] in question   [+] safe   ? assumed",
    ]


def test_the_mine_count_has_no_board() -> None:
    lines = printed(explain(Position.parse("##1.\n##1.", mines=1), (0, 0))).splitlines()
    assert lines[2:4] == ["1. The mine count: the board has 1 mine in 4 hidden cells.", ""]
    alone = printed(explain(Position.parse("###", mines=0), (0, 0))).splitlines()
    assert alone[2:] == ["1. The mine count: the board has 0 mines in 3 hidden cells."]


def check_marks(proof: Proof) -> None:
    """Every cell of every piece of the board shows what is there."""
    columns: list[int] = []
    for line in printed(proof, width=200).splitlines():
        if line.strip().replace(" ", "").isdigit():
            columns = [int(label) - 1 for label in line.split()]
        label, bar, cells = line.partition(" |")
        if bar and label.strip().isdigit():
            cells = cells.ljust(3 * len(columns))
            for at, column in enumerate(columns):
                check_cell(proof, (int(label) - 1, column), cells[3 * at : 3 * at + 3])


def check_cell(proof: Proof, cell: tuple[int, int], shown: str) -> None:
    code = proof.position[cell]
    edges, middle = shown[0] + shown[2], shown[1]
    if code < HIDDEN:
        assert edges in ("  ", "()")
        assert middle == ".12345678"[code]
        assert edges == "  " or cell in proof.numbers
    else:
        assert edges in ("  ", "[]", "??")
        assert middle in ("+*" if edges == "??" else "F+*" if code == FLAG else "#+*")


@settings(deadline=None, max_examples=40)
@given(possible_positions())
def test_every_cell_is_shown_as_it_is(position: Position) -> None:
    analysis = analyse(position)
    for cell in sorted(analysis.safe | analysis.mines)[:6]:
        proof = explain(position, cell)
        check_marks(proof)
        words = [line for line in str(proof).splitlines() if line]
        assert [line for line in printed(proof).splitlines() if line in words] == words


def test_a_step_about_many_cells_gets_no_picture() -> None:
    """A picture of the proved cell alone would look as if the step were only about that cell."""
    row = "1" + "#" * 29
    text = printed(explain(Position.parse(f"30x2/1\n{row}\n{row}"), (1, 20)))
    step = "3. Subtract step 2 from the mine count: 56 cells, including row 2, column 21, are safe.\n"
    assert text.endswith(f"{step}\n(2) number used   [#] in question\n")


def test_terminals_get_colour_and_wrapped_words() -> None:
    proof = explain(Position.parse(POSITION), (2, 3))
    text = printed(proof, in_terminal=True, width=40)
    assert "\x1b[" in text
    assert "1. The 1 at row 4, column 3 says that\n   exactly one of row 3, columns 3 and 4" in text
    assert "\x1b[" not in printed(proof)


# What cannot be explained ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "trouble"),
    [
        (("1", "1"), "row 1, column 1 may be safe or a mine: its risk is 50.0 %"),
        (("4", "4"), "the cell at row 4, column 4 is already open"),
        (("0", "1"), "row 0, column 1 is not on the board, which has rows 1 to 4 and columns 1 to 4"),
        (("1", "5"), "row 1, column 5 is not on the board, which has rows 1 to 4 and columns 1 to 4"),
        (("2",), "row 2 was given without a column"),
    ],
)
def test_cells_without_a_proof_are_errors(
    file: str, tmp_path: Path, cell: tuple[str, ...], trouble: str
) -> None:
    picture = tmp_path / "picture.svg"
    done = run("explain", file, *cell, "--svg", str(picture))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [f"Error: {file}: {trouble}"]
    assert not picture.exists()


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        ("", "the text has no rows of cells"),
        ("2x1/2\n##", "no cell is left to open"),
        ("2x1/0\n..", "no cell is left to open"),
    ],
)
def test_positions_without_a_safe_cell_are_errors(given: str, trouble: str) -> None:
    done = run("explain", given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [f"Error: standard input: {trouble}"]


def test_missing_files_and_pictures_that_cannot_be_written_are_errors(
    file: str, tmp_path: Path
) -> None:
    done = run("explain", str(tmp_path / "missing.txt"), "1", "1")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"missing.txt: no such file or directory" in done.stderr
    done = run("explain", file, "3", "4", "--svg", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"Error: cannot write {tmp_path}: it is a directory")


def test_a_guess_is_explained_where_no_cell_is_safe(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = run("explain", "--svg", str(picture), given="3x1/1\n#1#")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{explain_guess(Position.parse('#1#', mines=1))}\n"
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    facts = json.loads(run("explain", "--json", given="3x1/1\n#1#").stdout)
    assert facts["toss"] == [[0, 0], [0, 2]]


# Watching ----------------------------------------------------------------------------------------


def test_watch_why_proves_each_safe_move() -> None:
    arguments = ("watch", "beginner", "--seed", "7", "--agent", "safest")
    plain, done = run(*arguments), run(*arguments, "--why")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("ascii").splitlines()
    assert [line for line in lines if line in plain.stdout.decode().splitlines()] == (
        plain.stdout.decode().splitlines()
    )
    for at, line in enumerate(lines):
        if "The AI opened" in line:
            cell = line.split("opened ")[1].split(";")[0]
            assert ("safe: " in line) == lines[at + 1].startswith(f"   R{cell[1:]} is safe (")
    assert "   1. " in "\n".join(lines)
    assert any("(1)" in line for line in lines)


def test_watch_why_shows_the_position_before_the_move() -> None:
    session = Session("beginner", seed=7, agent="safest")
    session.ai_move()
    before = session.game.position
    session.ai_move()
    assert session.last is not None
    proof = explain(before, session.last)
    console = console_of(in_terminal=False)
    watch(Session("beginner", seed=7, agent="safest"), console, delay=0, why=True)
    board, _, _ = printed(proof).rpartition("\n\n")
    shown = "\n".join(f"   {line}".rstrip() for line in board.splitlines())
    assert shown in text_of(console)


@pytest.mark.parametrize("height", [18, 40])
def test_the_live_display_truncates_proofs_to_the_terminal(height: int) -> None:
    console = console_of(in_terminal=True, height=height)
    watch(Session("beginner", seed=7, agent="safest"), console, delay=0, why=True)
    frames = text_of(console).split("Minesweeper beginner")[1:]
    assert any("is safe (" in frame for frame in frames)
    assert any("\n...\n" in frame or frame.endswith("...") for frame in frames) == (height == 18)
    assert all(len(frame.splitlines()) <= height for frame in frames)
