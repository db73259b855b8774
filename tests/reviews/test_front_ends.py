"""Reviews as they are shown: the page, the terminal, and the command."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

import sapper
from sapper import Entry, Game, Level, Position, Promise, Record, Review, SapperError, formats, review
from sapper.cli import app
from sapper.position import HIDDEN
from sapper.reviews.labels import FAULTS
from sapper.reviews.wording import game_words, judgement_words, move_words
from sapper.terminal import print_review

pytestmark = pytest.mark.any_engine

MINES = frozenset({(0, 1), (2, 0)})
ENTRIES = (
    Entry(0.0, "open", (1, 2)),
    Entry(1.0, "flag", (2, 0)),
    Entry(2.5, "open", (0, 2), by="</script><b>"),
    Entry(3.0, "undo"),
    Entry(4.0, "open", (0, 3)),
    Entry(5.0, "open", (0, 1)),
)
GAME = Record(Level.named("4x3/2"), Promise.SAFE, MINES, ENTRIES)


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(GAME)


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_the_page_needs_nothing_else(reviewed: Review) -> None:
    page = reviewed.html()
    addresses = set(re.findall(r"[a-z]+://[^\s\"'<>)]+", page))
    assert addresses <= {
        "http://www.w3.org/2000/svg"
    }  # The XML namespace of SVG, which is never fetched.
    assert not re.search(r"<(link|img|iframe)|src=|url\(|@import", page)
    assert page.count("<script") == page.count("</script>") == 2  # No text of the game ends a script.


def test_the_page_contains_every_board(reviewed: Review) -> None:
    data = data_of(reviewed.html())
    frames = data["frames"]
    assert isinstance(frames, list)
    shown = bytearray([HIDDEN] * 12)
    moments = list(GAME.moments())
    for frame, position in zip(
        frames, [*(moment.before for moment in moments), moments[-1].after], strict=True
    ):
        for place, code in frame["changes"]:
            shown[place] = code
        assert bytes(shown) == position.codes
        if frame["risks"] is not None:
            risk = sapper.analyse(position).risk
            for (row, column), chance in risk.items():
                assert ord(frame["risks"][row * 4 + column]) - 0xA1 == round(100 * chance)
    moves = data["moves"]
    assert isinstance(moves, list)
    assert [move["label"] for move in moves] == [
        None if move.label is None else move.label.value for move in reviewed.moves
    ]
    assert moves[2]["by"] == "</script><b>"
    assert data["mines"] == [1, 8]
    assert data["exploded"] == [1]


def test_a_page_too_large_for_a_browser_is_rejected() -> None:
    entries = tuple(Entry(0.0, "flag", (0, 0)) for _ in range(20))
    level = Level.named("1000x1000/1")
    with pytest.raises(SapperError, match="20 moves on 1000 x 1000 cells is too large for a page"):
        review(Record(level, Promise.NONE, frozenset({(5, 5)}), entries)).html()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_the_page_runs_in_a_browser(reviewed: Review, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    page.write_text(reviewed.html(), encoding="utf-8")
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", f"{page.as_uri()}#6"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode:
        pytest.skip(f"Chromium does not run here: {run.stderr[-200:]}")
    assert "Move 6, 5.0 s: opened row 1, column 2" in run.stdout
    assert "It was a mine." in run.stdout
    assert run.stdout.count("<li") >= len(GAME.entries)


def test_the_terminal_lists_the_notable_moves_or_all(
    reviewed: Review, capsys: pytest.CaptureFixture[str]
) -> None:
    print_review(reviewed, Console(width=80))
    short = capsys.readouterr().out
    print_review(reviewed, Console(width=80), every=True)
    long = capsys.readouterr().out
    assert "row 2, column 3" not in short  # The first click.
    assert "row 2, column 3" in long
    assert "flag row 3, column 1" in long
    assert all(len(line) <= 80 for line in long.splitlines() if line[:4].strip().isdigit())
    assert "\x1b" not in long
    for move in reviewed.moves:
        if move.label in FAULTS:
            assert str(move.label) in short


def test_the_survival_of_a_lost_game_leaves_out_the_losing_risk() -> None:
    entries = (Entry(0.0, "open", (0, 1)), Entry(1.0, "open", (0, 0)))
    lost = review(Record(Level.named("3x1/1"), Promise.NONE, frozenset({(0, 0)}), entries))
    assert [move.risk for move in lost.moves] == [pytest.approx(1 / 3), 0.5]
    text = str(lost)
    assert "Probability of surviving the risks before the losing move: 66.7 %." in text
    assert "With the lowest risk at every move: 33.3 %." in text
    assert "all risks taken" not in text


def test_messages_are_complete_sentences(reviewed: Review) -> None:
    for sentence in [*game_words(reviewed), *(s for m in reviewed.moves for s in judgement_words(m))]:
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence)
    assert [move_words(move) for move in reviewed.moves][2:4] == [
        "opened row 1, column 3",
        "undid a move",
    ]


# The command -------------------------------------------------------------------------------


@pytest.fixture
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with known content, by name."""
    contents = {
        "game": GAME,
        "position": Position.blank(3, 3, 1),
        "board": Game.new("beginner", seed=1),
        "broken": Record(GAME.level, GAME.promise, MINES, (Entry(0.0, "undo"),)),
    }
    monkeypatch.setattr(formats, "read", lambda path: contents[path.name], raising=False)


@pytest.mark.usefixtures("readable")
def test_the_command_prints_text_or_json(reviewed: Review) -> None:
    printed = CliRunner().invoke(app, ["review", "game", "--why"], catch_exceptions=False)
    assert printed.exit_code == 0
    assert next(game_words(reviewed)) in printed.output
    asked = CliRunner().invoke(app, ["review", "game", "--json"], catch_exceptions=False)
    assert json.loads(asked.stdout) == reviewed.to_json()


@pytest.mark.usefixtures("readable")
def test_the_command_writes_a_complete_page(reviewed: Review, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(reviewed.html().replace("move", "before"), encoding="utf-8")
    CliRunner().invoke(app, ["review", "game", "--html", str(page), "--force"], catch_exceptions=False)
    assert page.read_text(encoding="utf-8") == reviewed.html()
    assert list(tmp_path.iterdir()) == [page]
    with pytest.raises(SapperError, match=r"cannot write .*: no such file or directory"):
        CliRunner().invoke(
            app, ["review", "game", "--html", str(tmp_path / "no" / "page")], catch_exceptions=False
        )


@pytest.mark.usefixtures("readable")
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("position", "position: this is a position; a review needs a recorded game"),
        ("board", "board: this is a board; a review needs a recorded game"),
        ("broken", "broken: move 1 cannot be made: there is nothing to undo"),
    ],
)
def test_the_error_says_why_a_file_cannot_be_reviewed(file: str, message: str) -> None:
    with pytest.raises(SapperError, match=message):
        CliRunner().invoke(app, ["review", file], catch_exceptions=False)
