"""`sapper new`, and playing the boards that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sapper
from sapper import Game, Record, SapperError
from sapper.arena.plans import Boards
from sapper.cli import app
from sapper.session.session import Session


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    if isinstance(result.exception, BaseException) and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def mines_of(game: Game) -> set[sapper.Cell]:
    assert game.minefield is not None
    return game.minefield.mines


def test_a_code_is_the_board_of_the_seed() -> None:
    game = sapper.game_from_code(run("new", "beginner", "--no-guess", "--seed", 7))
    same = sapper.generate("beginner", seed=7)
    assert (mines_of(game), game.first) == (mines_of(same), same.first)


def test_the_next_boards_have_the_next_seeds() -> None:
    three = run("new", "beginner", "--seed", 7, "--count", 3).split()
    assert three[2:] == run("new", "beginner", "--seed", 9).split()
    assert len(set(three)) == 3


def test_the_arena_reads_the_boards_that_new_writes() -> None:
    options = ("beginner", "--no-guess", "--seed", 7, "--count", 2, "--first", "1,9")
    boards = Boards.parse(run("new", *options, "--format", "boards").splitlines())
    assert boards.setup.first == (0, 8)
    places = [i * 9 + j for i, j in sorted(mines_of(sapper.generate("beginner", seed=8, first=(0, 8))))]
    assert [at for at, mine in enumerate(boards.minefields[1]) if mine] == places


def test_json_and_text_show_the_same_board() -> None:
    options = ("new", "5x4/3", "--no-guess", "--seed", 2, "--format")
    facts = json.loads(run(*options, "json"))
    title, *rows = run(*options, "text").splitlines()
    row, column = facts["first"]
    assert title == f"5x4/3, seed 2, begin at row {row + 1}, column {column + 1}"
    grid = [line.split() for line in rows]
    stars = [[i, j] for i, line in enumerate(grid) for j, sign in enumerate(line) if sign == "*"]
    assert stars == facts["minefield"]
    assert grid[row][column] == "."


def test_boards_can_be_written_as_mbf_files(tmp_path: Path) -> None:
    run("new", "expert", "--seed", 5, "--count", 2, "--format", "mbf", "--out", tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["expert-5.mbf", "expert-6.mbf"]
    game = sapper.read(tmp_path / "expert-6.mbf")
    assert isinstance(game, Game)
    assert mines_of(game) == mines_of(sapper.generate("expert", seed=6, no_guess=False))


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    run("new", "beginner", "--seed", 1, "--out", file)
    before = file.read_text()
    with pytest.raises(SapperError, match=r"boards\.txt already exists"):
        run("new", "beginner", "--seed", 2, "--out", file)
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        (["beginner", "--format", "mbf"], "needs --out"),
        (["beginner", "--format", "mbf", "--count", "2", "--out", "nowhere"], "not a directory"),
        (["beginner", "--first", "x"], "'x' is not a cell"),
        (["beginner", "--difficulty", "chain"], "only for boards that need no guess: add --no-guess"),
        (["beginner", "--no-guess", "--difficulty", "easy"], "unknown kind of proof 'easy'"),
        (["30x16/300", "--no-guess", "--seconds", "0.1"], "no board of 30x16/300 that needs no guess"),
        (["vast"], "'vast' is not a level"),
    ],
)
def test_invalid_requests_are_refused(options: list[str], trouble: str) -> None:
    with pytest.raises(SapperError, match=trouble):
        run("new", *options)


def test_a_given_board_is_watched_from_its_first_click(tmp_path: Path) -> None:
    code = run("new", "beginner", "--no-guess", "--seed", 7).strip()
    file = tmp_path / "game.json"
    shown = run("watch", "--board", code, "--agent", "safest", "--record", file)
    assert shown.startswith("Minesweeper beginner, given board, promise: open\n")
    assert "Won: 71 of 71" in shown
    record = sapper.read(file)
    assert isinstance(record, Record)
    assert record.entries[0].cell == record.first == (3, 3)
    again = run("watch", "--board", file, "--agent", "safest")  # From its start, not its end.
    assert again == shown


def test_only_boards_can_be_played(tmp_path: Path) -> None:
    with pytest.raises(SapperError, match="checksum"):
        run("watch", "--board", "a9x9-10.o.sBw.f4-5.pUk")
    with pytest.raises(SapperError, match="neither a board code nor a file"):
        run("watch", "--board", tmp_path / "none.mbf")
    (tmp_path / "position.txt").write_text("2x1/1\n# 1")
    with pytest.raises(SapperError, match="no minefield to play on"):
        run("watch", "--board", tmp_path / "position.txt")
    with pytest.raises(SapperError, match="cannot be combined with --seed"):
        run("watch", "--board", "a9x9-10.o.sBw.f4-4.pUk", "--seed", 1)


def test_a_session_says_where_a_board_begins() -> None:
    session = Session(sapper.generate("beginner", seed=7))
    assert session.message == "New board. Start at row 4, column 4."
    assert session.ai_move() == "AI making safe move."
    assert session.last == (3, 3)
    session.reset()
    assert session.game.first is None
