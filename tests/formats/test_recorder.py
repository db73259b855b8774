"""The recorder: the file contains a complete game after every move."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper import BadRecord, Entry, Game, IllegalMove, Promise, Record, Session
from sapper.errors import BadFile
from sapper.formats import Recorder, record_from_json, record_to_json, recorders
from sapper.formats.recorder import _PAGE
from sapper.game.record import EntryKind
from sapper.position import Cell
from tests.support.strategies import play, seeded_games


def read(path: Path) -> Record:
    return record_from_json(path.read_text(encoding="utf-8"))


def ticking() -> Callable[[], float]:
    """Return a clock that advances by a quarter of a second at every call."""
    times = iter(range(100, 100_000))
    return lambda: next(times) / 4


def test_a_game_is_on_the_disk_after_every_move(tmp_path: Path) -> None:
    game = Game.on("4x2/2", [(0, 2), (1, 2)], first=(0, 0))
    recorder = Recorder(tmp_path / "game.json", game, clock=ticking())
    assert not recorder.path.exists()
    todo = (
        Entry(0.0, "flag", (0, 3)),
        Entry(0.25, "undo"),
        Entry(0.5, "open", (0, 0), by="logic"),
        Entry(0.75, "flag", (0, 2)),
        Entry(1.0, "click", (0, 0)),
        Entry(1.25, "flag", (1, 2)),
        Entry(1.5, "open", (0, 3)),
        Entry(1.75, "open", (1, 3)),
    )
    for number, entry in enumerate(todo, start=1):
        play(game, entry)
        recorder.note(entry.kind, entry.cell, by=entry.by)
        assert read(recorder.path) == recorder.record == Record.of(game, todo[:number])
    assert game.over
    assert recorder.trouble is None
    assert recorder.path.read_text() == record_to_json(Record.of(game, todo))
    assert list(tmp_path.iterdir()) == [recorder.path]


def test_mines_placed_late_are_in_the_record(tmp_path: Path) -> None:
    game = Game.new("beginner", seed=3)
    recorder = Recorder(tmp_path / "game.json", game)
    game.flag((0, 0))
    recorder.note("flag", (0, 0))
    assert json.loads(recorder.path.read_text())["minefield"] is None
    with pytest.raises(BadRecord, match="not placed"):
        read(recorder.path)
    game.open((4, 4))
    recorder.note("open", (4, 4))
    record = read(recorder.path)
    assert game.minefield is not None
    assert record.mines == game.minefield.mines
    assert [entry.kind for entry in record.entries] == ["flag", "open"]
    assert record.seed == 3


def test_undoing_the_first_click_discards_its_board(tmp_path: Path) -> None:
    game = Game.new("beginner", seed=3)
    recorder = Recorder(tmp_path / "game.json", game)

    def do(kind: EntryKind, cell: Cell | None = None) -> None:
        play(game, Entry(0.0, kind, cell))
        recorder.note(kind, cell)

    do("flag", (8, 8))
    do("open", (0, 0))
    do("undo")
    assert [entry.kind for entry in read(recorder.path).entries] == ["flag", "open", "undo"]
    do("open", (4, 4))  # The new mines differ from the old ones.
    record = read(recorder.path)
    assert [entry[1:3] for entry in record.entries] == [("flag", (8, 8)), ("open", (4, 4))]
    assert record.replay().position == game.position


@settings(max_examples=40)
@given(seeded_games(), st.data())
def test_the_file_always_contains_the_game(
    tmp_path_factory: pytest.TempPathFactory, game: Game, data: st.DataObject
) -> None:
    """A game that was begun before it is recorded too, and undo down to the first click and on.

    By the course's rules flags alone win, even before a promised first click has drawn the mines: a
    record, which knows the mines, would be over then. The course promises nothing.
    """
    assume(game.promise is Promise.NONE or not game.level.course_rules)
    recorder = Recorder(tmp_path_factory.mktemp("game") / "game.json", game)
    cells = st.tuples(st.integers(0, game.level.height - 1), st.integers(0, game.level.width - 1))
    kinds: st.SearchStrategy[EntryKind] = st.sampled_from(["open", "flag", "chord", "undo"])
    for kind in data.draw(st.lists(kinds, max_size=10)):
        entry = Entry(0.0, kind, None if kind == "undo" else data.draw(cells))
        before = len(game.actions)
        try:
            play(game, entry)
        except IllegalMove:
            continue
        if len(game.actions) == before:
            entry = Entry(0.0, "click", entry.cell)
        recorder.note(entry.kind, entry.cell)
        assert recorder.trouble is None
        if game.minefield is not None:
            assert read(recorder.path) == recorder.record
            assert recorder.record.replay().position == game.position


@pytest.mark.parametrize(
    "wrong", [{"kind": "undo"}, {"kind": "open"}, {"kind": "click", "cell": (0, 0), "by": "a\n"}]
)
def test_invalid_entries_are_not_recorded(tmp_path: Path, wrong: dict[str, Any]) -> None:
    recorder = Recorder(tmp_path / "game.json", Game.on("3x1/1", [(0, 2)]))
    with pytest.raises(BadRecord):
        recorder.note(**wrong)
    assert not recorder.record.entries
    assert not recorder.path.exists()


def test_records_longer_than_a_page_are_whole_after_every_move(tmp_path: Path) -> None:
    game = Game.new("30x30/10", seed=3)
    recorder = Recorder(tmp_path / "game.json", game)
    game.open((4, 4))
    recorder.note("open", (4, 4))
    for i in range(30):
        for j in range(8):
            recorder.note("click", (i, j), by="a" * (j + 1))
            assert json.loads(recorder.path.read_text())["moves"][-1]["cell"] == [i, j]
    assert recorder.path.stat().st_size > 3 * _PAGE
    assert read(recorder.path) == recorder.record


def test_an_existing_file_is_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "diary.json"
    path.write_text("Dear diary")
    game = Game.on("3x1/1", [(0, 2)])
    with pytest.raises(BadFile, match=r"diary.json: it exists already"):
        Recorder(path, game)
    with pytest.raises(BadFile, match=r"diary.json: it exists already"):
        recorders(path)
    path.unlink()
    recorder = Recorder(path, game)
    path.write_text("Dear diary")
    recorder.note("click", (0, 0))
    assert recorder.trouble is not None
    assert "file exists" in recorder.trouble
    assert path.read_text() == "Dear diary"


def test_a_file_changed_by_another_program_is_left_alone(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "game.json", Game.on("3x1/1", [(0, 2)]))
    recorder.note("click", (0, 0))
    recorder.path.write_text("Dear diary")
    recorder.note("click", (0, 0))
    assert recorder.trouble == f"{recorder.path}: another program has changed it"
    assert recorder.path.read_text() == "Dear diary"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not exist"):
        Recorder(tmp_path / "none" / "game.json", Game.on("3x1/1", [(0, 2)]))


def test_a_deleted_folder_is_reported_once_and_the_game_continues(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    session = Session("beginner", seed=7, recorder=recorders(folder / "game.json"))
    folder.rmdir()
    session.open((4, 4))
    assert "Recording stopped" in session.message
    assert "game.json: no such file" in session.message
    while not session.game.over:
        session.ai_move()
        assert "Recording" not in session.message


@pytest.mark.skipif(os.name == "nt", reason="needs limits of processes")
@pytest.mark.parametrize("most", range(600, 900, 23))
def test_a_full_disk_leaves_a_valid_record(tmp_path: Path, most: int) -> None:
    """A limit to the size of files cuts writes short as a full disk does."""
    script = """
import resource, signal, sys
from sapper import Game
from sapper.formats import Recorder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
recorder = Recorder(sys.argv[1], Game.on("3x1/1", [(0, 2)]))
for number in range(20):
    recorder.note("click", (0, 0), by=f"number {number}")
print(recorder.trouble)
"""
    path = tmp_path / "game.json"
    done = run_python(script, str(path), str(most))
    assert "cannot write" in done
    record = read(path)
    assert 2 < len(record.entries) < 20
    assert [entry.by for entry in record.entries] == [f"number {i}" for i in range(len(record.entries))]
    assert path.stat().st_size <= most
    assert list(tmp_path.iterdir()) == [path]


def run_python(script: str, *arguments: str) -> str:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


KILLED = """
import sys
from sapper import Game
from sapper.formats import Recorder
game = Game.new("30x16/20", seed=4)
recorder = Recorder(sys.argv[1], game)
game.open((4, 4))
recorder.note("open", (4, 4))
print("begun", flush=True)
number = 0
while True:
    number += 1
    recorder.note("click", (0, 0), by=str(number))
    if number % 50 == 0:
        print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("wait", [1, 3, 20])
def test_a_killed_process_leaves_a_valid_record(tmp_path: Path, wait: int) -> None:
    path = tmp_path / "game.json"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(wait):
            line = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        noted = int(line) if line.strip().isdigit() else 0
    assert process.returncode == -signal.SIGKILL
    record = read(path)
    assert record.entries[0].kind == "open"
    assert [entry.by for entry in record.entries[1:]] == [
        str(number) for number in range(1, len(record.entries))
    ]
    assert len(record.entries) > noted


# Sessions --------------------------------------------------------------------------------------


def session_in(tmp_path: Path, level: str, seed: int, promise: str | None = None) -> Session:
    return Session(level, seed=seed, promise=promise, recorder=recorders(tmp_path / "game.json"))


@pytest.mark.parametrize("level", ["course", "beginner"])
@pytest.mark.parametrize("seed", range(4))
def test_every_move_of_a_session_is_recorded(tmp_path: Path, level: str, seed: int) -> None:
    session = session_in(tmp_path, level, seed=seed)
    session.open((4, 4))
    while not session.game.over:
        session.ai_move()
    record = read(tmp_path / "game.json")
    assert record.entries[0].by == "player"
    assert {entry.by for entry in record.entries[1:]} <= {"logic"}
    assert record.replay().position == session.game.position
    assert record.outcome is session.game.outcome
    assert [entry[1:3] for entry in record.entries] == [
        (action.kind, action.cell) for action in session.game.actions
    ]


def test_flags_chords_and_useless_clicks_are_distinguished(tmp_path: Path) -> None:
    session = session_in(tmp_path, "3x1/1", seed=8, promise="none")
    assert session.game.minefield is not None
    assert session.game.minefield.mines == {(0, 0)}
    session.open((0, 1))
    session.open((0, 1))  # No flags yet, so it does nothing.
    session.flag((0, 1))  # Already open, so it does nothing.
    session.flag((0, 0))
    session.open((0, 0))  # Flagged, so it does nothing.
    session.open((0, 1))
    assert session.game.over
    session.open((0, 1))  # The game is over, so it is not recorded.
    record = read(tmp_path / "game.json")
    kinds = [entry.kind for entry in record.entries]
    assert kinds == ["open", "click", "click", "flag", "click", "chord"]


def test_a_chord_that_opens_a_mine_is_recorded_as_a_chord(tmp_path: Path) -> None:
    session = session_in(tmp_path, "3x1/1", seed=8, promise="none")
    session.open((0, 1))
    session.flag((0, 2))
    session.open((0, 1))
    assert "mine" in session.message
    assert [entry.kind for entry in read(tmp_path / "game.json").entries] == ["open", "flag", "chord"]


def test_each_game_of_a_session_has_its_own_file(tmp_path: Path) -> None:
    session = session_in(tmp_path, "beginner", seed=1)
    session.reset("course")  # Without a move, no file is created.
    session.open((0, 0))
    session.reset("expert")
    session.open((0, 0))
    session.reset()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-2.json", "game.json"]
    assert read(tmp_path / "game.json").level.name == "course"
    assert read(tmp_path / "game-2.json").level.name == "expert"


def test_a_new_game_begins_even_if_it_cannot_be_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    session = Session("beginner", seed=7, recorder=recorders(folder / "game.json"))
    folder.rmdir()
    session.reset("expert")
    assert session.game.level.name == "expert"
    assert "Recording stopped" in session.message
    assert "does not exist" in session.message
    session.open((4, 4))
    assert "Recording" not in session.message


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    session = session_in(tmp_path, "beginner", seed=1)
    session.open((4, 4))
    (tmp_path / "game-2.json").symlink_to(tmp_path / "none")
    session.reset()
    session.open((4, 4))
    assert read(tmp_path / "game-3.json").entries
    assert not (tmp_path / "none").exists()
