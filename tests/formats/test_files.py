"""`sapper.read` and `sapper.write` with files of every format."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import BadFile, Game, Position, Record
from sapper.formats import files
from sapper.storage import files as _disk
from tests.support.strategies import given_games, positions, records


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(given_games())
def test_games_are_read_as_they_were_written(folder: Path, game: Game) -> None:
    assert game.minefield is not None
    for name in ("board.mbf", "board.TXT"):
        sapper.write(folder / name, game)
        again = sapper.read(folder / name)
        assert isinstance(again, Game)
        assert again.minefield is not None
        assert again.minefield.mines == game.minefield.mines
        assert again.level.size == game.level.size
        if name == "board.TXT":
            assert (again.level, again.first) == (game.level, game.first)
    sapper.write(folder / "board.json", game)
    assert sapper.read(folder / "board.json") == Record.of(game)


@given(positions())
def test_positions_are_read_as_they_were_written(folder: Path, position: Position) -> None:
    for name in ("position.txt", "position.mine"):
        sapper.write(str(folder / name), position)
        assert sapper.read(str(folder / name)) == position


@given(records())
def test_records_are_read_as_they_were_written(folder: Path, record: Record) -> None:
    sapper.write(folder / "game.json", record)
    assert sapper.read(folder / "game.json") == record


@given(positions(), given_games(), records(), st.sampled_from(["", ".txt", ".sapper", ".text.gz"]))
def test_the_format_of_text_is_recognised_by_its_start(
    folder: Path, position: Position, game: Game, record: Record, suffix: str
) -> None:
    path = folder / f"any{suffix}"
    path.write_text(f"\n{position}\n\n", encoding="utf-8-sig")
    assert sapper.read(path) == position
    path.write_text(sapper.formats.position_to_mine(position))
    assert sapper.read(path) == position
    path.write_text(sapper.board_code(game))
    again = sapper.read(path)
    assert isinstance(again, Game)
    assert sapper.board_code(again) == sapper.board_code(game)
    path.write_text(sapper.formats.record_to_json(record))
    assert sapper.read(path) == record


# What is refused -------------------------------------------------------------------------------


def refused(path: Path, trouble: str) -> None:
    with pytest.raises(BadFile, match=trouble) as error:
        sapper.read(path)
    assert _disk.file_name(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    refused(tmp_path, "it is a directory")
    refused(tmp_path / "none.mbf", "no such file")
    refused(tmp_path / "two\nlines.txt", "cannot read ")
    refused(tmp_path / ("x" * 300), "cannot read ")
    refused(tmp_path / "null\0.txt", "cannot read ")
    (tmp_path / "empty.json").touch()
    refused(tmp_path / "empty.json", "it is empty")
    (tmp_path / "bytes.txt").write_bytes(b"# # \xff")
    refused(tmp_path / "bytes.txt", "not UTF-8 text: byte 5")
    (tmp_path / "blank.txt").write_bytes(b" \n\n")
    refused(tmp_path / "blank.txt", "no rows")
    (tmp_path / "words.txt").write_text("hello")
    refused(tmp_path / "words.txt", "'h' in row 1, column 1 is not a cell")
    (tmp_path / "analysis.json").write_text('{"width": 3}')
    refused(tmp_path / "analysis.json", "not a game record")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    refused(tmp_path / "loop.txt", "[Tt]oo many levels of symbolic links")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_reading_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    refused(tmp_path / "pipe.txt", "it is not a file")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="all may be read")
def test_files_without_read_permission_are_named(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("# 1")
    (tmp_path / "secret.txt").chmod(0)
    refused(tmp_path / "secret.txt", "permission denied")


@pytest.mark.parametrize("suffix", [".mbf", ".mine", ".json", ".txt", ".evf"])
def test_huge_files_are_not_read_completely(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"huge{suffix}"
    with path.open("wb") as file:
        file.truncate(2**40)  # A sparse file takes no space.
    refused(path, "larger than 16,777,216 bytes")


SUFFIXES = st.sampled_from([".mbf", ".mine", ".json", ".txt", ""])


@given(st.binary(min_size=1, max_size=60), SUFFIXES)
def test_any_bytes_are_content_or_an_error(folder: Path, data: bytes, suffix: str) -> None:
    path = folder / f"random{suffix}"
    path.write_bytes(data)
    try:
        content = sapper.read(path)
    except BadFile as error:
        assert str(path) in str(error)
    else:
        assert isinstance(content, (Game, Position, Record))


@settings(max_examples=200)
@given(positions(), given_games(), records(), st.data())
def test_cut_and_changed_files_are_content_or_an_error(
    folder: Path, position: Position, game: Game, record: Record, data: st.DataObject
) -> None:
    choices: list[tuple[files.Content, str]] = [
        *((game, suffix) for suffix in (".mbf", ".txt", ".json")),
        *((position, suffix) for suffix in (".mine", ".txt")),
        (record, ".json"),
    ]
    content, suffix = data.draw(st.sampled_from(choices))
    path = folder / f"cut{suffix}"
    sapper.write(path, content)
    whole = path.read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    path.write_bytes(whole[:start] + data.draw(st.binary(max_size=3)) + whole[end:])
    try:
        sapper.read(path)
    except BadFile as error:
        assert str(path) in str(error)


# Writing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "trouble"),
    [
        ("game.json", Position.blank(1, 2, 1), "a position is written to a .txt or .mine file"),
        ("game.evf", Game.on("3x1/1", [(0, 0)]), "a game is written to an .mbf, .txt or .json file"),
        ("game", Record.of(Game.on("3x1/1", [(0, 0)])), "a record is written to a .json file"),
        ("game.mbf", Game.new("beginner", seed=1), "placed at the first click"),
        ("game.json", Game.new("beginner", seed=1), "the game has not started"),
        ("none/game.mbf", Game.on("3x1/1", [(0, 0)]), "no such file"),
    ],
)
def test_unwritable_content_is_named(
    tmp_path: Path, name: str, content: files.Content, trouble: str
) -> None:
    with pytest.raises(BadFile, match=trouble) as error:
        sapper.write(tmp_path / name, content)
    assert str(tmp_path / name) in str(error.value)
    assert not list(tmp_path.iterdir())


def test_folders_and_devices_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder.mbf").mkdir()
    with pytest.raises(BadFile, match="it is a directory"):
        sapper.write(tmp_path / "folder.mbf", Game.on("3x1/1", [(0, 0)]))
    if Path("/dev/null").exists():
        (tmp_path / "null.mbf").symlink_to("/dev/null")
        with pytest.raises(BadFile, match="it is not a file"):
            sapper.write(tmp_path / "null.mbf", Game.on("3x1/1", [(0, 0)]))


def test_a_link_and_the_mode_of_a_file_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    sapper.write(link, Position.blank(1, 2, 1))
    assert link.is_symlink()
    assert target.read_text() == "2x1/1\n# #\n"
    assert target.stat().st_mode & 0o777 == 0o640


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 125 + ".txt")  # 254 bytes; the maximum is 255.
    for _ in range(2):
        sapper.write(path, Position.blank(1, 2, 1))
    assert sapper.read(path) == Position.blank(1, 2, 1)


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    sapper.write(tmp_path / "new.txt", Position.blank(1, 2, 1))
    assert (tmp_path / "new.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="needs limits of processes")
def test_a_full_disk_leaves_the_old_file_unchanged(tmp_path: Path) -> None:
    script = """
import resource, signal, sys
import sapper
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    sapper.write(sys.argv[1], sapper.Position.blank(30, 30, 9))
except sapper.BadFile as error:
    print(error)
"""
    path = tmp_path / "position.txt"
    path.write_text("1x1/0\n#\n")
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "cannot write " in done.stdout
    assert ": file too large" in done.stdout
    assert path.read_text() == "1x1/0\n#\n"
    assert list(tmp_path.iterdir()) == [path]


def test_file_names_in_messages_stay_on_one_line() -> None:
    assert _disk.file_name("a b.txt") == "a b.txt"
    assert _disk.file_name("a\u2028b") == "'a\\u2028b'"
    assert _disk.file_name("") == "''"
