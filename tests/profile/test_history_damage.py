"""The history after damage: no game is lost, and the player learns what happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Entry, Game, Level, Promise, Record
from sapper.cli import main
from sapper.profile.history import FinishedGame, History, statistics
from sapper.profile.history_plot import draw_history
from tests.support.system import fill, ordinary_user, small_disk

MOVES = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3)))
WON = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), MOVES, seed=None)
GAME = FinishedGame.of(WON, kind="given")
GAMES = 60
"""Enough for several pages of the file."""


def game_number(number: int) -> FinishedGame:
    """Return a game that can be told from the others by its time."""
    return replace(GAME, seconds=float(number))


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    history = History.open(tmp_path_factory.mktemp("intact"))
    for number in range(GAMES):
        assert history.add(game_number(number))
    return history.path.read_bytes()


def history_with(folder: Path, content: bytes) -> History:
    (folder / "history.sqlite").write_bytes(content)
    return History(folder)


def broken_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.endswith(".broken"))


def run_stats(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run `sapper stats`; return the exit code and what was printed. A traceback would be an error."""
    before = sys.argv
    sys.argv = ["sapper", "stats", *arguments]
    try:
        main()
        code: object = 0
    except SystemExit as leaving:
        code = leaving.code or 0
    finally:
        sys.argv = before
    printed = capsys.readouterr()
    assert isinstance(code, int)
    return code, printed.out, printed.err


# Damaged files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 10, 99, 100, 1000, 4096, 5000, 8192, 20_000, 30_000])
def test_a_truncated_file_is_moved_aside_and_its_games_are_recovered(
    tmp_path: Path, intact: bytes, length: int
) -> None:
    history = history_with(tmp_path, intact[:length])
    recovered = history.games()
    seconds = [game.seconds for game in recovered]
    assert recovered == [replace(GAME, seconds=each) for each in sorted(set(seconds))]
    assert len(recovered) >= (length // 4096 - 4) * 6  # Four pages are not for games.
    (broken,) = broken_files(tmp_path)
    assert broken.read_bytes() == intact[:length]
    assert history.trouble is not None
    assert broken.name in history.trouble
    assert f"{len(recovered)} game" in history.trouble
    again = History.open(tmp_path)
    assert again.trouble is None
    assert again.add(GAME)
    assert again.games() == [*recovered, GAME]
    assert broken_files(tmp_path) == [broken]


def test_all_games_but_those_of_one_damaged_page_are_recovered(tmp_path: Path, intact: bytes) -> None:
    lost = 0
    for page in range(2, len(intact) // 4096):
        folder = tmp_path / str(page)
        folder.mkdir()
        noise = random.Random(page).randbytes(4096)
        damaged = intact[: page * 4096] + noise + intact[(page + 1) * 4096 :]
        history = history_with(folder, damaged)
        games = history.games()
        lost += GAMES - len(games)
        assert [game.seconds for game in games] == sorted({game.seconds for game in games})
        assert {history.record(game) for game in games} == {WON}
        if len(games) < GAMES:
            assert broken_files(folder)[0].read_bytes() == damaged
    assert lost == GAMES  # Every game is on one page.


@pytest.mark.parametrize("noise", [bytes(4096), b"\xff" * 4096, random.Random(1).randbytes(4096)])
def test_a_damaged_first_page_costs_no_game(tmp_path: Path, intact: bytes, noise: bytes) -> None:
    history = history_with(tmp_path, noise + intact[4096:])
    assert history.games() == [game_number(number) for number in range(GAMES)]
    assert history.trouble is not None
    assert f"{GAMES} games were recovered" in history.trouble


@pytest.mark.parametrize(
    "content",
    [b"No database, but a long text. " * 99, bytes(8192), random.Random(2).randbytes(10_000)],
)
def test_a_file_that_is_no_database_is_moved_aside(tmp_path: Path, content: bytes) -> None:
    history = history_with(tmp_path, content)
    assert history.games() == []
    assert history.trouble is not None
    (broken,) = broken_files(tmp_path)
    assert broken.name in history.trouble
    assert broken.read_bytes() == content
    assert history.add(GAME)
    assert History(tmp_path).games() == [GAME]


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    for content in (b"first" * 100, b"second" * 100):
        assert history_with(tmp_path, content).games() == []
    names = ["history.sqlite.2.broken", "history.sqlite.broken"]
    assert [path.name for path in broken_files(tmp_path)] == names
    assert [path.read_bytes()[:5] for path in broken_files(tmp_path)] == [b"secon", b"first"]


def test_the_journal_of_a_damaged_file_goes_with_it(tmp_path: Path, intact: bytes) -> None:
    (tmp_path / "history.sqlite-journal").write_bytes(b"a journal" * 100)
    history = history_with(tmp_path, intact[:50])
    assert history.games() == []
    assert not (tmp_path / "history.sqlite-journal").exists()
    assert (tmp_path / "history.sqlite.broken-journal").read_bytes() == b"a journal" * 100


@given(st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 255)), min_size=1, max_size=40))
@settings(max_examples=60)
def test_random_bytes_anywhere_are_not_an_error(
    tmp_path_factory: pytest.TempPathFactory, intact: bytes, changes: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    damaged = bytearray(intact)
    for place, byte in changes:
        damaged[place % len(damaged)] = byte
    history = history_with(folder, bytes(damaged))
    games = history.games()
    for row in statistics(games):
        json.dumps(row.to_json(), allow_nan=False)
    for game in games:
        with suppress(sapper.SapperError):
            history.record(game)
    history.add(GAME)
    assert GAME in History(folder).games()
    shutil.rmtree(folder)


def test_two_processes_repair_a_damaged_file_once(tmp_path: Path, intact: bytes) -> None:
    history_with(tmp_path, bytes(4096) + intact[4096:])
    code = (
        "import sys; from sapper.profile.history import History;"
        "history = History.open(sys.argv[1]); print(len(history.games()))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = [process.communicate(timeout=120)[0] for process in processes]
    assert printed == [f"{GAMES}\n"] * 3
    assert len(broken_files(tmp_path)) == 1


# Damaged rows ----------------------------------------------------------------------------------

VALUES = [
    *("1e400", "-1e400", "1e308", "-5", "-0.5", "9223372036854775807", "-9223372036854775808"),
    *("'text'", "''", "x'ff00'", "CAST(x'ff41' AS TEXT)", "'=1+1'"),
]
COLUMNS = [
    *("finished", "level", "width", "height", "mines", "promise", "kind", "outcome", "seconds"),
    *("bbbv", "clicks", "helped", "practice", "code", "record"),
]


@pytest.mark.parametrize("value", VALUES)
def test_one_damaged_value_hides_no_other_game(tmp_path: Path, intact: bytes, value: str) -> None:
    for column in COLUMNS:
        history = history_with(tmp_path, intact)
        with closing(sqlite3.connect(history.path)) as database, database:
            database.execute(f"UPDATE games SET {column} = {value} WHERE number IN (3, 4)")
        games = history.games()
        assert {game.number for game in games} >= set(range(1, GAMES + 1)) - {3, 4}
        if len(games) < GAMES:
            assert history.trouble is not None
            assert "game 3: " in history.trouble
        for row in statistics(games):
            json.dumps(row.to_json(), allow_nan=False)
        draw_history(games)
        assert broken_files(tmp_path) == []  # The file itself is intact.


def test_the_command_reports_damaged_rows(
    tmp_path: Path, intact: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    history = history_with(tmp_path, intact)
    with closing(sqlite3.connect(history.path)) as database, database:
        database.execute("UPDATE games SET seconds = 1e308 WHERE number IN (3, 4)")
        database.execute("UPDATE games SET level = CAST(x'ff41' AS TEXT) WHERE number = 5")
        database.execute("UPDATE games SET code = x'ff' WHERE number = 6")
    code, out, err = run_stats(capsys, "--data", str(tmp_path), "--json")
    assert code == 0
    assert json.loads(out)["levels"][0]["games"] == GAMES - 4
    assert err.startswith("Note: 4 games in ")
    assert "game 3: 1e+308 is not a number of seconds from 0 to 1,000,000,000" in err
    assert len(err.splitlines()) == 1


def test_a_damaged_file_is_one_line_that_names_the_new_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history_with(tmp_path, b"\xff" * 5000)
    code, out, err = run_stats(capsys, "--data", str(tmp_path))
    assert (code, out) == (2, "")
    assert "history.sqlite was damaged" in err
    assert str(tmp_path / "history.sqlite.broken") in err
    assert len(err.splitlines()) == 1
    assert run_stats(capsys, "--data", str(tmp_path)) == (0, "No games yet.\n", "")


# Versions and other databases ------------------------------------------------------------------


def change(history: History, *statements: str) -> None:
    with closing(sqlite3.connect(history.path)) as database, database:
        for statement in statements:
            database.execute(statement)


@pytest.mark.parametrize("version", [0, -1, -2_000_000_000])
def test_a_version_that_never_existed_hides_no_game(
    tmp_path: Path, intact: bytes, version: int
) -> None:
    history = history_with(tmp_path, intact)
    change(history, f"PRAGMA user_version = {version}")
    assert len(history.games()) == GAMES
    assert history.add(GAME)
    assert len(history.games()) == GAMES + 1


def test_a_missing_column_is_damage(tmp_path: Path, intact: bytes) -> None:
    history = history_with(tmp_path, intact)
    change(history, "ALTER TABLE games DROP COLUMN seconds")
    assert history.games() == []
    assert history.trouble is not None
    assert "history.sqlite.broken" in history.trouble
    assert history.add(GAME)


def test_a_missing_table_is_recreated(tmp_path: Path, intact: bytes) -> None:
    history = history_with(tmp_path, intact)
    change(history, "DROP TABLE games")
    assert history.games() == []
    assert history.add(GAME)
    assert history.games() == [GAME]


@pytest.mark.parametrize(
    "statements",
    [
        ("PRAGMA user_version = 2",),
        ("PRAGMA application_id = 1",),
        ("CREATE VIEW more AS SELECT * FROM games",),
        ("CREATE TRIGGER more AFTER INSERT ON games BEGIN DELETE FROM games; END",),
        (
            "ALTER TABLE games RENAME TO hidden",
            "CREATE VIEW games AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
            " SELECT *, i FROM hidden, n",  # Endless.
        ),
    ],
)
def test_a_file_that_sapper_did_not_write_like_this_is_left_alone(
    tmp_path: Path, intact: bytes, statements: tuple[str, ...]
) -> None:
    history = history_with(tmp_path, intact)
    change(history, *statements)
    before = history.path.read_bytes()
    played = History.open(tmp_path)
    assert played.trouble is not None
    assert played.add(GAME)  # On the disk, but elsewhere.
    assert history.path.read_bytes() == before
    assert broken_files(tmp_path) == []
    assert str(tmp_path / "unsaved") in played.trouble
    assert History(tmp_path).games() == [GAME]
    history.path.write_bytes(intact)  # The cause is gone.
    solved = History.open(tmp_path)
    assert solved.trouble is None
    assert solved.games() == [*(game_number(number) for number in range(GAMES)), GAME]
    assert not (tmp_path / "unsaved").exists()


# Games that cannot be added now ----------------------------------------------------------------


def test_a_game_finished_while_the_file_is_locked_is_added_by_the_next_program(tmp_path: Path) -> None:
    History.open(tmp_path).add(GAME)
    with closing(sqlite3.connect(tmp_path / "history.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        locked = History(tmp_path)
        games = [game_number(number) for number in (3, 1, 2)]
        assert [locked.add(game) for game in games] == [True] * 3
        assert locked.trouble is not None
        assert "database is locked (another program is using it" in locked.trouble
    # The program that played them is gone.
    assert History(tmp_path).games() == [GAME, *games]
    assert History.open(tmp_path).trouble is None
    with closing(sqlite3.connect(tmp_path / "history.sqlite")) as database:
        assert database.execute("SELECT seconds FROM games").fetchall() == [(1.5,), (3,), (1,), (2,)]
    assert [path.name for path in tmp_path.iterdir()] == ["history.sqlite"]
    assert history_record(tmp_path, 1) == WON


def history_record(folder: Path, index: int) -> Record | None:
    history = History(folder)
    return history.record(history.games()[index])


def test_a_process_killed_between_adding_and_deleting_adds_nothing_twice(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "history.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        History(tmp_path).add(GAME)
    (file,) = (tmp_path / "unsaved").iterdir()
    content = file.read_bytes()
    assert History.open(tmp_path).games() == [GAME]
    file.parent.mkdir()
    file.write_bytes(content)  # As if it had not been deleted.
    assert History(tmp_path).games() == [GAME]
    assert History.open(tmp_path).games() == [GAME]
    assert not file.parent.exists()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b"\xff", b"[" * 9999, b'{"level": 1e999}']
)
def test_an_invalid_unsaved_game_is_moved_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "unsaved").mkdir()
    (tmp_path / "unsaved" / "game.json").write_bytes(content)
    history = History.open(tmp_path)
    assert history.trouble is not None
    assert "game.json.broken" in history.trouble
    assert (tmp_path / "unsaved" / "game.json.broken").read_bytes() == content
    assert history.add(GAME)
    assert History.open(tmp_path).trouble is None


def test_many_processes_that_add_unsaved_games_add_each_once(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "history.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        locked = History(tmp_path)
        for number in range(3):
            locked.add(game_number(number))
    code = "import sys; from sapper.profile.history import History; History.open(sys.argv[1])"
    command = [sys.executable, "-c", code, str(tmp_path)]
    for process in [subprocess.Popen(command) for _ in range(3)]:
        assert process.wait(timeout=120) == 0
    seconds = [game.seconds for game in History.open(tmp_path).games()]
    assert seconds == [0, 1, 2]


# What is not a file ----------------------------------------------------------------------------


def make_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and links")
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, make_dangling_link, make_loop])
def test_special_files_are_left_alone(
    tmp_path: Path, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "history.sqlite"
    make(path)
    history = History.open(tmp_path)
    assert history.add(GAME)
    assert history.games() == [GAME]
    assert history.trouble is not None
    assert "history.sqlite is a" in history.trouble or "is not a regular file" in history.trouble
    assert os.path.lexists(path)
    code, out, err = run_stats(capsys, "--data", str(tmp_path), "--json")
    assert json.loads(out)["levels"][0]["games"] == 1
    assert code == 0
    assert err.startswith("Note: ")
    path.rmdir() if path.is_dir() else path.unlink()
    assert History.open(tmp_path).games() == [GAME]


@pytest.mark.skipif(os.name == "nt", reason="needs links")
@pytest.mark.parametrize("make", [make_dangling_link, make_loop])
def test_a_folder_that_is_a_link_to_nowhere_is_named(
    tmp_path: Path, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games"
    make(folder)
    history = History.open(folder)
    assert not history.add(GAME)
    assert history.trouble is not None
    assert "symbolic link" in history.trouble
    assert "delete the link" in history.trouble
    assert history.games() == [GAME]
    code, out, err = run_stats(capsys, "--data", str(folder))
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    folder.unlink()
    assert history.save()
    assert History(folder).games() == [GAME]


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_links_in_a_private_folder_are_followed(tmp_path: Path, intact: bytes) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.sqlite").write_bytes(bytes(4096) + intact[4096:])
    (tmp_path / "history.sqlite").symlink_to("elsewhere/mine.sqlite")
    history = History(tmp_path)
    assert len(history.games()) == GAMES
    assert (tmp_path / "history.sqlite").is_symlink()
    assert (elsewhere / "mine.sqlite.broken").exists()
    (tmp_path / "link").symlink_to(elsewhere)
    linked = History.open(tmp_path / "link")
    assert linked.add(GAME)
    assert (elsewhere / "history.sqlite").exists()


# Permissions -----------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_files_and_folders_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        history = History.open(tmp_path / "above" / "games")
        history.add(GAME)
        game = Game.new("beginner", seed=7)
        recorder = history.recorder(game)
        assert recorder is not None
        game.open((4, 4))
        recorder.note("open", (4, 4))
        with closing(sqlite3.connect(history.path)) as other:
            other.execute("BEGIN EXCLUSIVE")
            history.add(GAME)
    finally:
        os.umask(before)
    paths = [tmp_path / "above", *(tmp_path / "above").rglob("*")]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths if path.suffix != ".json"}
    assert modes == {"above": 0o700, "games": 0o700, "unsaved": 0o700, "history.sqlite": 0o600}
    for path in (tmp_path / "above").rglob("*.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_read_only_folder_can_still_be_read() -> None:
    with ordinary_user() as folder:
        History.open(folder).add(GAME)
        folder.chmod(0o500)
        history = History.open(folder)
        assert not history.add(game_number(7))
        assert history.trouble is not None
        assert "lost when Sapper closes" in history.trouble
        assert history.games() == [GAME, game_number(7)]
        folder.chmod(0o700)
        assert history.save()
        assert history.trouble is None
        assert History(folder).games() == [GAME, game_number(7)]


def test_a_damaged_file_in_a_read_only_folder_is_read_as_far_as_possible(intact: bytes) -> None:
    with ordinary_user() as folder:
        history = history_with(folder, bytes(4096) + intact[4096:])
        folder.chmod(0o500)
        assert len(history.games()) == GAMES
        assert history.trouble is not None
        assert "cannot be repaired" in history.trouble
        folder.chmod(0o700)
        assert len(history.games()) == GAMES
        assert "history.sqlite.broken" in history.trouble


def test_a_folder_of_another_user_is_read_but_not_written(tmp_path: Path) -> None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    History.open(tmp_path).add(GAME)
    os.chown(tmp_path, 12345, -1)
    before = sorted(tmp_path.rglob("*"))
    history = History.open(tmp_path)
    assert not history.add(GAME)
    assert history.recorder(Game.new("beginner")) is None
    assert history.trouble is not None
    assert "belongs to another user" in history.trouble
    assert history.games() == [GAME, GAME]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
@pytest.mark.parametrize("name", ["history.sqlite", "unfinished.json", "unsaved"])
@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_links_in_a_folder_that_everybody_may_write_to_are_not_followed(
    tmp_path: Path, name: str, link: str
) -> None:
    shared, victim = tmp_path / "shared", tmp_path / "victim"
    shared.mkdir()
    shared.chmod(0o777)
    if name == "unsaved":
        if link == "hard":
            pytest.skip("folders have no hard links")
        victim.mkdir()
        (shared / "history.sqlite").mkdir()  # So that games have to go into `unsaved`.
    else:
        victim.write_text("")
    (shared / name).symlink_to(victim) if link == "symbolic" else os.link(victim, shared / name)
    history = History.open(shared)
    history.add(GAME)
    game = Game.new("beginner", seed=7)
    recorder = history.recorder(game)
    if recorder is not None:
        game.open((4, 4))
        recorder.note("open", (4, 4))
    assert history.trouble is not None
    assert "everyone can write to" in history.trouble
    assert (list(victim.iterdir()) if victim.is_dir() else victim.read_text()) in ([], "")
    shared.chmod(0o755)
    if name == "history.sqlite":
        assert History.open(shared).games() == [GAME]


# A full disk -----------------------------------------------------------------------------------


def test_on_a_full_disk_games_wait_in_memory_until_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path, 256) as disk:
        history = History.open(disk)
        assert history.add(GAME)
        filling = fill(disk)
        assert not history.add(game_number(7))
        assert history.trouble is not None
        assert "full" in history.trouble or "no space" in history.trouble
        assert history.games() == [GAME, game_number(7)]
        assert History(disk).games() == [GAME]
        filling.unlink()
        assert history.save()
        assert history.trouble is None
        assert History(disk).games() == [GAME, game_number(7)]
        assert {path.name for path in disk.iterdir()} == {"history.sqlite"}


def test_a_damaged_file_on_a_full_disk_stays_where_it_is(tmp_path: Path, intact: bytes) -> None:
    with small_disk(tmp_path, 256) as disk:
        history = history_with(disk, bytes(4096) + intact[4096:])
        filling = fill(disk)
        assert len(history.games()) == GAMES
        assert history.trouble is not None
        assert "cannot be repaired" in history.trouble
        assert {path.name for path in disk.iterdir()} == {"history.sqlite", "filling"}
        filling.unlink()
        assert len(history.games()) == GAMES
        assert len(broken_files(disk)) == 1


# The unfinished game ---------------------------------------------------------------------------


def play(history: History, *cells: tuple[int, int]) -> Record:
    game = Game.new("beginner", seed=7)
    recorder = history.recorder(game)
    assert recorder is not None
    for cell in cells:
        game.open(cell)
        recorder.note("open", cell)
    assert recorder.trouble is None
    return recorder.record


def test_a_new_game_does_not_destroy_an_unfinished_one(tmp_path: Path) -> None:
    unfinished = play(History.open(tmp_path), (4, 4), (0, 8))
    history = History.open(tmp_path)
    history.recorder(Game.new("beginner"))  # Without a move, nothing happens.
    assert History(tmp_path).load_unfinished() == unfinished
    later = play(history, (4, 4))
    assert History(tmp_path).load_unfinished() == later
    last = play(history, (0, 8))
    assert sapper.read(tmp_path / "unfinished.previous.json") == unfinished
    assert sapper.read(tmp_path / "unfinished.previous-2.json") == later
    # When a game is finished, the one that it replaced can be resumed.
    for expected in (last, later, unfinished):
        history = History(tmp_path)
        assert history.load_unfinished() == expected
        history.forget_unfinished()
    assert History(tmp_path).load_unfinished() is None


def test_only_the_most_recent_unfinished_games_are_kept(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    records = [play(history, cell) for cell in ((0, column) for column in range(9))]
    kept = sorted(path.name for path in tmp_path.glob("unfinished*.json"))
    assert len(kept) < len(records)
    for expected in records[:-5:-1]:
        assert history.load_unfinished() == expected
        history.forget_unfinished()


def test_a_game_that_undo_brought_back_is_not_kept_twice(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    session = sapper.Session("beginner", seed=7, recorder=history.recorder)
    session.open((4, 4))
    session.reset()
    session.undo()
    session.flag(min(session.game.position.hidden))
    assert not list(tmp_path.glob("unfinished.previous*"))
    record = History(tmp_path).load_unfinished()
    assert record is not None
    assert record.replay().position == session.game.position
    session.reset()
    session.open((4, 4))
    assert len(list(tmp_path.glob("unfinished.previous*"))) == 1


def test_a_resumed_game_survives_when_another_is_started(tmp_path: Path) -> None:
    unfinished = play(History.open(tmp_path), (4, 4))
    history = History.open(tmp_path)
    assert history.load_unfinished() == unfinished
    history.recorder(unfinished.replay())
    play(history, (0, 8))
    assert sapper.read(tmp_path / "unfinished.previous.json") == unfinished


def test_a_resumed_game_leaves_no_copy(tmp_path: Path) -> None:
    play(History.open(tmp_path), (4, 4))
    history = History.open(tmp_path)
    assert history.load_unfinished() is not None
    play(history, (4, 4), (0, 8))
    assert not (tmp_path / "unfinished.previous.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and links")
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, make_dangling_link, make_loop])
def test_a_special_file_is_moved_aside_for_the_game(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "unfinished.json")
    history = History.open(tmp_path)
    record = play(history, (4, 4))
    assert history.trouble is not None
    assert "unfinished.json.broken" in history.trouble
    assert os.path.lexists(tmp_path / "unfinished.json.broken")
    assert not (tmp_path / "nowhere").exists()
    assert History(tmp_path).load_unfinished() == record
