"""Replays: the same game in every format of the players' programs, and files that are broken."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import BadFile, Game, Outcome, Record, SapperError
from sapper.formats import _replay_child, read_replay, replays
from tests.make_files import BOARD, FILES, GAME, POSITION, made_files
from tests.replay_files import WRITERS, Mouse
from tests.support.processes import children_of, needs_proc, wait_until_ended

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ms_toollib") is None, reason="needs ms-toollib"
)

KINDS = st.sampled_from(sorted(WRITERS))


def written(kind: str, game: Game, clicks: list[Mouse]) -> bytes:
    assert game.minefield is not None
    return WRITERS[kind](game.level.height, game.level.width, sorted(game.minefield.mines), clicks)


def clicked(*clicks: tuple[str, int, int]) -> list[Mouse]:
    """Return the events of some clicks: l, r or m for the button, row and column."""
    return [
        Mouse(number / 2 + later, button + what, (row, column))
        for number, (button, row, column) in enumerate(clicks)
        for what, later in (("c", 0.0), ("r", 0.1))
    ]


# The files in tests/data/files -----------------------------------------------------------------


def test_the_files_are_what_their_script_makes() -> None:
    made = made_files()
    assert set(FILES.iterdir()) == set(made)
    for path, content in made.items():
        assert path.read_bytes() == content, f"{path.name} is not what make_files.py writes"


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_the_files_are_read_as_what_they_are(path: Path) -> None:
    content = sapper.read(path)
    match path.stem:
        case "board":
            assert isinstance(content, Game)
            assert content.minefield is not None
            assert BOARD.minefield is not None
            assert content.minefield.mines == BOARD.minefield.mines
        case "seed":
            assert isinstance(content, Game)
            assert (content.level.name, content.seed) == ("course", 7)
        case "position":
            assert content == POSITION
        case "game":
            assert isinstance(content, Record)
            assert content.outcome is Outcome.WON
            assert same(content, GAME)


def same(record: Record, other: Record) -> bool:
    """Return whether the same was done. An .rmv does not know when the first button went down."""
    assert [entry.kind for entry in record.entries] == [entry.kind for entry in other.entries]
    return (record.level, record.mines) == (other.level, other.mines) and all(
        (entry.cell, entry.by) == (expected.cell, expected.by)
        and entry.at == pytest.approx(expected.at, abs=0.001)
        for entry, expected in zip(record.entries, other.entries, strict=True)
    )


# Games -----------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 1000), st.data(), KINDS)
def test_a_replay_is_the_game_that_was_played(seed: int, data: st.DataObject, kind: str) -> None:
    """Any clicks, played here and read from a replay; flags may come before the first opening."""
    game = Game.new("7x5/6", seed=seed, promise="none")
    cells = st.tuples(st.integers(0, 4), st.integers(0, 6))
    first = data.draw(cells.filter(lambda cell: game.minefield and not game.minefield.is_mine(cell)))
    flags = data.draw(st.lists(cells.filter(lambda cell: cell != first), max_size=2, unique=True))
    todo = [*(("r", *cell) for cell in flags), ("l", *first)]
    todo += [(button, *cell) for button, cell in data.draw(st.lists(st.tuples(BUTTONS, cells)))]
    record = read_replay(written(kind, game, clicked(*todo)), kind=kind)
    for button, *place in todo:
        if not game.over:
            play(game, button, (place[0], place[1]))
    assert record.replay().position == game.position
    assert record.outcome is game.outcome
    done = [entry for entry in record.entries if entry.kind != "click"]
    assert [(entry.kind, entry.cell) for entry in done] == [
        (action.kind, action.cell) for action in game.actions
    ]
    assert all(before.at <= after.at for before, after in pairwise(done))


BUTTONS = st.sampled_from(["l", "l", "r", "m"])


def play(game: Game, button: str, cell: tuple[int, int]) -> None:
    """Do what a click does: with the middle button it is a chord."""
    position = game.position
    if button == "l" and position[cell] == sapper.HIDDEN:
        game.open(cell)
    elif button == "r" and position.is_hidden(cell):
        game.flag(cell)
    elif button == "m" and not position.is_hidden(cell):
        game.chord(cell)


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_a_game_that_was_lost_ends_with_the_mine(kind: str) -> None:
    game = Game.on("5x3/3", [(0, 3), (1, 3), (2, 3)])
    lost = read_replay(written(kind, game, clicked(("l", 0, 0), ("l", 1, 3), ("l", 0, 4))), kind=kind)
    assert [entry.kind for entry in lost.entries] == ["open", "open"]
    assert lost.replay().exploded == {(1, 3)}


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_a_chord_may_explode(kind: str) -> None:
    """The 2 has two flags, one of them on no mine: the chord opens the other mine."""
    game = Game.on("5x2/2", [(0, 3), (1, 3)])
    wrong = clicked(("l", 0, 0), ("l", 0, 4), ("r", 0, 3), ("r", 1, 4), ("m", 0, 4))
    record = read_replay(written(kind, game, wrong), kind=kind)
    assert [entry.kind for entry in record.entries] == ["open", "open", "flag", "flag", "chord"]
    assert record.replay().exploded == {(1, 3)}


def test_replays_that_ms_toollib_writes_itself_are_read() -> None:
    toollib = pytest.importorskip("ms_toollib")
    video = toollib.BaseVideo([[-1, 1, 0], [1, 1, 0], [0, 0, 0]], 16)
    for what, row, column in (("lc", 2, 2), ("lr", 2, 2)):
        video.step(what, (row * 16 + 3, column * 16 + 5))
    video.software, video.player_identifier = "test", "tester"
    for version in (0, 3, 4):
        getattr(video, f"generate_evf_v{version}_raw_data")()
        record = read_replay(bytes(video.raw_data), kind="EVF")
        assert record.mines == {(0, 0)}
        assert [entry[1:3] for entry in record.entries] == [("open", (2, 2))]
        assert record.outcome is Outcome.WON


# Broken files ----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(KINDS, st.data())
def test_a_broken_replay_is_a_record_or_an_error(kind: str, data: st.DataObject) -> None:
    whole = (FILES / f"game.{kind}").read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)) | st.just(start + 1))
    broken = whole[:start] + data.draw(st.binary(max_size=4)) + whole[end:]
    try:
        assert isinstance(read_replay(broken, kind=kind), Record)
    except SapperError as error:
        assert isinstance(error, BadFile)


@settings(max_examples=30)
@given(KINDS, st.binary(max_size=200))
def test_any_bytes_are_an_error(kind: str, data: bytes) -> None:
    with pytest.raises(BadFile, match=f"not a replay of the kind {kind}|nothing was done|its board"):
        read_replay(data, kind=kind)


def test_a_broken_replay_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.avf").write_bytes(b"\x34" * 20)
    with pytest.raises(BadFile, match=r"broken\.avf: it is not a replay of the kind avf"):
        sapper.read("broken.avf")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.avf"]


@pytest.mark.parametrize(
    "trouble", ["while True: pass", "import os; os.abort()", "print('[')", "x = [0] * 10**10"]
)
def test_whatever_happens_in_the_reading_process_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    child = tmp_path / "child.py"
    limits = "import sapper.formats._replay_child as child; child._limit()\n"
    child.write_text((limits if "10**10" in trouble else "") + trouble)
    monkeypatch.setattr(_replay_child, "__file__", str(child))
    monkeypatch.setattr(_replay_child, "MOST_SECONDS", -4)
    with pytest.raises(BadFile, match="or it is broken"):
        read_replay(b"1", kind="avf")


@needs_proc
def test_nothing_is_left_behind_if_the_reader_is_killed(tmp_path: Path) -> None:
    """Neither a process that goes on reading nor a temporary folder."""
    whole = (FILES / "game.avf").read_bytes()
    event = int(0.7 * len(whole))
    slow = tmp_path / "slow.avf"
    slow.write_bytes(whole[:event] + whole[event : event + 8] * 400_000 + whole[event:])
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    reader = subprocess.Popen(
        [sys.executable, "-c", "import sys, sapper; sapper.read(sys.argv[1])", str(slow)],
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    children: set[int] = set()
    while not children:
        assert reader.poll() is None
        children = children_of(reader.pid)
        time.sleep(0.05)
    reader.kill()
    reader.wait()
    wait_until_ended(children, 10)  # Reading takes longer.
    assert list(temporary.iterdir()) == []


def test_without_ms_toollib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "find_spec", lambda _: None)
    with pytest.raises(BadFile, match=r"ms-toollib, which is missing: pip install 'sapper\[replays\]'"):
        sapper.read(FILES / "game.avf")


def test_a_python_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(BadFile, match="could not be started: No such file"):
        read_replay(b"1", kind="avf")


def test_other_kinds_are_refused() -> None:
    with pytest.raises(BadFile, match="'xyz' is not a kind of replay: avf, evf, rmv, mvf"):
        read_replay(b"1", kind="xyz")
    with pytest.raises(BadFile, match=r"position\.txt: 'txt' is not a kind of replay"):
        read_replay(FILES / "position.txt")
