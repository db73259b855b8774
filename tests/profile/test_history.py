"""The history: finished games on the disk, whatever happens to the disk."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Entry, Game, Level, Promise, Record, Recorder
from sapper.profile.history import FinishedGame, History, statistics
from sapper.session.session import Session
from tests.support.finished_games import games
from tests.support.system import ordinary_user

MOVES = (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3)))
WON = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), MOVES, seed=None)
GAME = FinishedGame.of(WON, kind="given")


def in_a_process(code: str, folder: Path) -> subprocess.Popen[str]:
    """Run code that knows `GAME` and the `history` of a folder."""
    start = (
        "import os, signal, sys; from datetime import datetime;"
        "from sapper.profile.history import FinishedGame, History;"
        "from sapper.formats import record_from_json;"
        "_, folder, record, finished = sys.argv; history = History.open(folder);"
        "record, finished = record_from_json(record), datetime.fromisoformat(finished);"
        "GAME = FinishedGame.of(record, kind='given', finished=finished)\n"
    )
    environment = {**os.environ, "SAPPER_ENGINE": sapper.engine_name}
    assert GAME.record is not None
    command = [sys.executable, "-c", start + code, str(folder), GAME.record, GAME.finished]
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE)


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# Keeping games -----------------------------------------------------------------------------


def test_games_and_records_are_read_back_unchanged(tmp_path: Path) -> None:
    history = History.open(tmp_path / "made" / "for it")
    assert history.trouble is None
    lost = Record(WON.level, WON.promise, WON.mines, (Entry(0.0, "open", (0, 2)),))
    games = [GAME, FinishedGame.of(lost, helped=True, practice=True)]
    for game in games:
        history.add(game)
    kept = list(History(history.folder))
    assert kept == games
    assert [game.number for game in kept] == [1, 2]
    assert [game.record for game in kept] == [None, None]
    assert [history.record(game) for game in kept] == [WON, lost]
    assert history.trouble is None
    assert files_in(history.folder) == {"history.sqlite"}


def test_a_game_without_a_record_has_none(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    history.add(FinishedGame(**{**vars(GAME), "record": None, "clicks": None}))
    (kept,) = history
    assert (history.record(kept), kept.clicks) == (None, None)


def test_reading_writes_nothing(tmp_path: Path) -> None:
    history = History(tmp_path / "nowhere")
    assert (history.games(), history.trouble, history.load_unfinished()) == ([], None, None)
    assert not history.folder.exists()
    (tmp_path / "history.sqlite").touch()
    history = History(tmp_path)
    assert (history.games(), history.trouble) == ([], None)
    assert history.path.stat().st_size == 0


def test_the_folder_is_an_argument_a_variable_or_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SAPPER_DATA", str(tmp_path))
    assert History().folder == tmp_path
    assert History(tmp_path / "given").folder == tmp_path / "given"
    monkeypatch.delenv("SAPPER_DATA")
    assert History().folder.name == "sapper"
    assert History().folder.is_absolute()


def test_a_game_survives_a_kill_right_after_it_is_added(tmp_path: Path) -> None:
    process = in_a_process("history.add(GAME); os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    history = History(tmp_path)
    assert history.games() == [GAME]
    assert history.record(history.games()[0]) == WON


@pytest.mark.parametrize("milliseconds", [1, 20, 70])
def test_added_games_survive_a_kill_at_any_time(tmp_path: Path, milliseconds: int) -> None:
    code = "while True: history.add(GAME); print('kept', flush=True)"
    with in_a_process(code, tmp_path) as process:
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(milliseconds / 1000)
        process.kill()
        told += process.stdout.readlines()
    history = History.open(tmp_path)
    assert history.trouble is None
    # One more may have been added that there was no time to tell of.
    assert len(history.games()) - told.count("kept\n") in (0, 1)
    assert all(history.record(game) == WON for game in history)


@given(st.lists(games, max_size=8))
@settings(max_examples=20)
def test_games_are_read_back_in_order(played: list[FinishedGame]) -> None:
    with TemporaryDirectory() as folder:
        history = History.open(folder)
        for game in played:
            history.add(game)
        assert list(History(folder)) == played
        assert statistics(History(folder)) == statistics(played)


def test_two_simultaneous_writers_lose_nothing(tmp_path: Path) -> None:
    code = (
        "for _ in range(30): history.add(GAME)\n"
        "while not history.save(): pass\n"  # A slow disk may keep one waiting for too long.
        "print(history.trouble)"
    )
    processes = [in_a_process(code, tmp_path) for _ in range(2)]
    assert [process.communicate(timeout=120)[0] for process in processes] == ["None\n", "None\n"]
    assert History(tmp_path).games() == [GAME] * 60


# Trouble -----------------------------------------------------------------------------------


def test_games_are_saved_separately_while_the_file_is_locked(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    history.add(GAME)
    with closing(sqlite3.connect(history.path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        locked = History.open(tmp_path)
        assert locked.trouble is not None
        assert "history.sqlite cannot be used as a database: database is locked" in locked.trouble
        locked.add(GAME)
        assert locked.games() == [GAME]  # What is on the disk cannot be seen now.
        assert locked.record(locked.games()[0]) == WON
        assert files_in(tmp_path) == {"history.sqlite", "unsaved"}
    locked.add(GAME)  # It is free again: both are written.
    assert locked.games() == [GAME] * 3
    assert locked.trouble is None
    assert History(tmp_path).games() == [GAME] * 3


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_special_files_are_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "history.sqlite")
    history = History.open(tmp_path)
    history.add(GAME)
    assert history.games() == [GAME]
    assert history.trouble is not None
    assert "history.sqlite is " in history.trouble


def test_a_truncated_file_is_not_an_error(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    for _ in range(20):
        history.add(GAME)
    whole = history.path.read_bytes()
    history.path.write_bytes(whole[:4096] + bytes(4096) + whole[8192:])
    torn = History.open(tmp_path)
    assert torn.add(GAME)
    assert torn.trouble is not None
    assert "history.sqlite was damaged: 20 games were recovered" in torn.trouble
    assert torn.add(GAME)
    assert torn.trouble is None  # It was said once.
    assert torn.games() == [GAME] * 22


def test_a_newer_version_is_left_unchanged(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    history.add(GAME)
    with closing(sqlite3.connect(history.path)) as database:
        database.execute("PRAGMA user_version = 2")
    before = history.path.read_bytes()
    later = History.open(tmp_path)
    later.add(GAME)
    assert later.trouble is not None
    assert "has version 2, from a newer Sapper; this one supports version 1" in later.trouble
    assert later.games() == [GAME]  # Only the new one.
    assert history.path.read_bytes() == before


def test_a_foreign_database_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE games (score)")
    before = path.read_bytes()
    history = History.open(tmp_path)
    history.add(GAME)
    assert history.trouble is not None
    assert "is a database, but does not contain Sapper's finished games" in history.trouble
    assert path.read_bytes() == before


def test_an_invalid_row_is_reported_and_the_others_count(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    for _ in range(3):
        history.add(GAME)
    with closing(sqlite3.connect(history.path)) as database, database:
        database.execute("UPDATE games SET outcome = 'drawn' WHERE number = 2")
        database.execute("UPDATE games SET width = 'wide' WHERE number = 3")
    assert history.games() == [GAME]
    assert history.trouble is not None
    assert "2 games in" in history.trouble
    assert "game 2: outcome is 'drawn', not won or lost" in history.trouble


@pytest.mark.parametrize("mode", [0o400, 0o600])
def test_a_read_only_folder_can_be_read(mode: int) -> None:
    with ordinary_user() as folder:
        History.open(folder).add(GAME)
        (folder / "history.sqlite").chmod(mode)
        folder.chmod(0o500)
        history = History.open(folder)
        assert history.trouble is not None
        history.add(GAME)
        assert history.games() == [GAME] * 2
        folder.chmod(0o700)


def test_an_inaccessible_folder_is_not_an_error() -> None:
    with ordinary_user() as above:
        folder = above / "closed"
        History.open(folder).add(GAME)
        folder.chmod(0)
        history = History.open(folder)
        history.add(GAME)
        assert history.games() == [GAME]
        assert history.load_unfinished() is None
        assert history.trouble is not None
        assert "permission denied" in history.trouble
        history.forget_unfinished()
        assert "cannot be deleted" in history.trouble
        folder.chmod(0o700)
        assert history.save()
        assert history.games() == [GAME] * 2


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_created_is_not_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    history = History.open(tmp_path / name)
    assert history.trouble is not None
    assert "cannot create" in history.trouble
    history.add(GAME)
    assert history.games() == [GAME]
    assert history.load_unfinished() is None


# The game that was left --------------------------------------------------------------------


def recorded(history: History, *cells: tuple[int, int]) -> Recorder:
    game = Game.new("beginner", seed=7)
    recorder = Recorder(history.unfinished_path, game)
    for cell in cells:
        game.open(cell)
        recorder.note("open", cell)
    return recorder


def test_the_unfinished_game_can_be_loaded_and_deleted(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    recorder = recorded(history, (4, 4), (0, 8))
    assert History(tmp_path).load_unfinished() == recorder.record
    history.forget_unfinished()
    history.forget_unfinished()
    assert (history.load_unfinished(), history.trouble) == (None, None)
    recorded(history, (4, 4))  # There is room for the next one.


@pytest.mark.parametrize("continue_game", [Session.go_on, Session.undo])
def test_a_game_that_continues_after_a_loss_is_recorded_again(
    tmp_path: Path, continue_game: Callable[[Session], bool]
) -> None:
    history = History.open(tmp_path)
    start = Game.on("5x1/1", [(0, 2)])
    session = Session(start, recorder=history.recorder, on_end=lambda _: history.forget_unfinished())
    session.open((0, 2))
    assert not history.unfinished_path.exists()
    continue_game(session)
    session.open((0, 4))
    unfinished = History(tmp_path).load_unfinished()
    assert unfinished is not None
    assert unfinished.replay().position == session.game.position
    assert [entry.kind for entry in unfinished.entries] == [entry.kind for entry in session.entries]
    assert "Recording stopped" not in session.message


def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    sapper.write(history.unfinished_path, WON)
    assert (history.load_unfinished(), history.trouble) == (None, None)


def test_a_game_with_nothing_but_a_flag_is_not_broken(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    game = Game.new("beginner", seed=7)
    game.flag((0, 0))
    Recorder(history.unfinished_path, game).note("flag", (0, 0))
    assert (history.load_unfinished(), history.trouble) == (None, None)
    assert history.unfinished_path.exists()


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe", b'{"format": "sapper game"}'])
def test_a_broken_file_is_moved_aside_and_never_lost(tmp_path: Path, content: bytes) -> None:
    history = History.open(tmp_path)
    for name in ("unfinished.json.broken", "unfinished.json.2.broken"):
        history.unfinished_path.write_bytes(content)
        assert history.load_unfinished() is None
        assert history.trouble is not None
        assert history.trouble.endswith(f"it was renamed to {name}")
        assert (tmp_path / name).read_bytes() == content
    history.forget_unfinished()
    assert history.trouble is None


def test_an_undeletable_file_is_reported(tmp_path: Path) -> None:
    history = History.open(tmp_path)
    history.unfinished_path.mkdir()
    history.forget_unfinished()
    assert history.trouble is not None
    assert "cannot be deleted" in history.trouble
