"""Replays: the same game in every replay format, and damaged files."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import BadFile, Game, Outcome, Record, SapperError
from sapper.formats import (
    _replay_child,
    read_replay,
    record_from_json,
    record_to_json,
    replays,
)
from tests.support.make_files import BOARD, FILES, GAME, POSITION, made_files
from tests.support.processes import is_running
from tests.support.replay_files import WRITERS, Mouse

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


def test_the_files_match_their_script() -> None:
    made = made_files()
    assert set(FILES.iterdir()) == set(made)
    for path, content in made.items():
        assert path.read_bytes() == content, f"{path.name} is not what make_files.py writes"


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_the_files_are_read_correctly(path: Path) -> None:
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
    """Return whether the moves are the same. An .rmv file lacks the time of the first press."""
    assert [entry.kind for entry in record.entries] == [entry.kind for entry in other.entries]
    return (record.level, record.mines) == (other.level, other.mines) and all(
        (entry.cell, entry.by) == (expected.cell, expected.by)
        and entry.at == pytest.approx(expected.at, abs=0.001)
        for entry, expected in zip(record.entries, other.entries, strict=True)
    )


# Games -----------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 1000), st.data(), KINDS)
def test_a_replay_gives_the_game_that_was_played(seed: int, data: st.DataObject, kind: str) -> None:
    """The clicks are arbitrary; flags may come before the first opening."""
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
    """Do what a click does; the middle button chords."""
    position = game.position
    if button == "l" and position[cell] == sapper.HIDDEN:
        game.open(cell)
    elif button == "r" and position.is_hidden(cell):
        game.flag(cell)
    elif button == "m" and not position.is_hidden(cell):
        game.chord(cell)


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_a_lost_game_ends_with_the_mine(kind: str) -> None:
    game = Game.on("5x3/3", [(0, 3), (1, 3), (2, 3)])
    lost = read_replay(written(kind, game, clicked(("l", 0, 0), ("l", 1, 3), ("l", 0, 4))), kind=kind)
    assert [entry.kind for entry in lost.entries] == ["open", "open"]
    assert lost.replay().exploded == {(1, 3)}


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_a_chord_with_a_wrong_flag_opens_a_mine(kind: str) -> None:
    """The 2 has two flags, one of them wrong, so the chord opens the other mine."""
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
        record = read_replay(broken, kind=kind)
    except SapperError as error:
        assert isinstance(error, BadFile)
        assert str(error).isprintable()
        assert len(str(error)) < 300
    else:
        assert record_from_json(record_to_json(record)) == record


@settings(max_examples=30)
@given(KINDS, st.binary(max_size=200))
def test_any_bytes_are_an_error(kind: str, data: bytes) -> None:
    with pytest.raises(BadFile, match=rf"not a valid \.{kind} replay|contains no moves|its board"):
        read_replay(data, kind=kind)


def test_a_broken_replay_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.avf").write_bytes(b"\x34" * 20)
    with pytest.raises(BadFile, match=r"broken\.avf: it is not a valid \.avf replay"):
        sapper.read("broken.avf")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.avf"]


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that lets other code run instead of the code that reads replays."""

    def replace(code: str) -> None:
        path = tmp_path / "child.py"
        path.write_text(code)
        monkeypatch.setattr(_replay_child, "__file__", str(path))

    return replace


@pytest.mark.parametrize(
    "trouble",
    [
        "import os; os.abort()",
        "raise SystemExit(1)",
        *(f"print({answer!r})" for answer in ("", "[", "1", "null", "[]", "{}", "NaN", "9" * 10_000)),
        "print('[' * 1_000_000)",
        "import sys; sys.stdout.buffer.write(b'\\xff' * 100)",
    ],
)
def test_whatever_happens_in_the_reading_process_is_an_error(
    child: Callable[[str], None], trouble: str
) -> None:
    child(trouble)
    with pytest.raises(BadFile, match=r"it is not a valid \.avf replay"):
        read_replay(b"1", kind="avf")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may not limit memory")
@pytest.mark.parametrize("mebibytes", [1, 2048])
def test_a_reading_process_that_needs_too_much_memory_fails(
    child: Callable[[str], None], mebibytes: int
) -> None:
    child(
        "import sapper.formats._replay_child as child\n"
        f"child.read = lambda *_: bytearray({mebibytes} * 2**20) and {REPLAY!r}\n"
        "child.main()"
    )
    if mebibytes == 1:
        assert read_replay(b"1", kind="avf").level.size == "3x2/1"
    else:
        with pytest.raises(BadFile, match=r"it is not a valid \.avf replay"):
            read_replay(b"1", kind="avf")


def test_a_reading_process_that_does_not_end_is_killed(
    child: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    child("while True: pass")
    monkeypatch.setattr(_replay_child, "MOST_SECONDS", -4)
    with pytest.raises(BadFile, match="seconds to read"):
        read_replay(b"1", kind="avf")


REPLAY: dict[str, Any] = {
    "height": 2,
    "width": 3,
    "mines": [[0, 2]],
    "events": [
        {"at": 1.0, "cell": [0, 0], "clicks": [1, 0, 0], "changes": [[0, 0, 10, 0], [0, 1, 10, 1]]},
        {"at": 2.0, "cell": [1, 2], "clicks": [2, 0, 0], "changes": [[1, 2, 10, 1]]},
    ],
}
"""A valid answer of the reading process."""


def answered(child: Callable[[str], None], answer: object) -> Record:
    """Return the record that is made of this answer."""
    child(f"print({json.dumps(answer)!r})")
    return read_replay(b"1", kind="avf")


def test_the_answer_of_the_reading_process_becomes_a_record(child: Callable[[str], None]) -> None:
    record = answered(child, REPLAY)
    assert [entry[:3] for entry in record.entries] == [(0.0, "open", (0, 0)), (1.0, "open", (1, 2))]


VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    10**6,
    1.5,
    1e300,
    "1",
    "",
    [],
    {},
    [0, 0],
    [-1, -1],
    [9, 9],
    [[0, 0]],
)
PLACES = (
    *(("height",), ("width",), ("mines",), ("mines", 0), ("events",), ("events", 0)),
    *(("events", 0, name) for name in ("at", "cell", "clicks", "changes")),
    *(("events", 0, "changes", 0), ("events", 0, "changes", 0, 2), ("events", 1, "at")),
)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_an_answer_of_the_wrong_form_is_an_error(
    child: Callable[[str], None], place: tuple[str | int, ...]
) -> None:
    """In rare cases the answer is still a valid game."""
    for value in (*VALUES, ...):
        answer: Any = json.loads(json.dumps(REPLAY))
        inner = answer
        for step in place[:-1]:
            inner = inner[step]
        if value is ...:
            del inner[place[-1]]
        else:
            inner[place[-1]] = value
        try:
            record = answered(child, answer)
        except BadFile as error:
            assert str(error).isprintable()
            assert len(str(error)) < 300
        else:
            assert record_from_json(record_to_json(record)) == record


@pytest.mark.parametrize("time", ["NaN", "Infinity", "-Infinity", "1e999", "1e300", "1e10", '"1"'])
def test_an_absurd_time_is_an_error(child: Callable[[str], None], time: str) -> None:
    text = json.dumps(REPLAY).replace("2.0", time)
    child(f"print({text!r})")
    with pytest.raises(BadFile, match=r"it is not a valid \.|is not a number of seconds"):
        read_replay(b"1", kind="avf")


def test_many_chords_do_not_take_quadratic_time(child: Callable[[str], None]) -> None:
    """The right button goes down before the left again and again, each time on a cell it flags."""
    events = [REPLAY["events"][0]]
    for number in range(40_000):
        codes = [10, 11] if number % 2 == 0 else [11, 10]
        flag = {"at": 2.0, "cell": [0, 2], "clicks": [1, 1, 0], "changes": [[0, 2, *codes]]}
        events += [flag, {"at": 2.0, "cell": [0, 2], "clicks": [1, 0, 1], "changes": []}]
    child(f"import sys; sys.stdout.write({json.dumps(REPLAY | {'events': events})!r})")
    start = time.process_time()
    record = read_replay(b"1", kind="avf")
    assert time.process_time() - start < 20
    assert sum(entry.kind == "flag" for entry in record.entries) == 40_000


def run_reader(code: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start a Python process that reads a replay with other code than ms-toollib."""
    start = "import sys; from sapper.formats import _replay_child, read_replay, replays\n"
    command = [sys.executable, "-c", start + code, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.skipif(sys.platform == "win32", reason="measures memory as Unix does")
def test_a_reading_process_cannot_fill_the_memory_of_ours(tmp_path: Path) -> None:
    flood = tmp_path / "flood.py"
    flood.write_text("while True: print('x' * 10**6)")
    code = """
import resource
_replay_child.__file__ = sys.argv[1]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_replay(b"1", kind="avf")
except ValueError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    with run_reader(code, str(flood)) as reader:
        assert reader.stdout is not None
        error, grown = reader.stdout.read().splitlines()
    assert error == "it has too many clicks"
    assert int(grown) < 100  # MiB, or KiB where the system counts bytes.


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell a child of this")
def test_the_reading_process_ends_with_ours_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """This holds even if our process is killed while the reading process is busy."""
    package, temporary, noted = tmp_path / "ms_toollib", tmp_path / "temporary", tmp_path / "noted"
    package.mkdir()
    temporary.mkdir()
    (package / "__init__.py").write_text(
        f"import os, time; path = {str(noted)!r}\n"
        "open(path + '.new', 'w').write(str(os.getpid())); os.replace(path + '.new', path)\n"
        "while True: time.sleep(1)\n"
    )
    code = """
from types import SimpleNamespace
replays.find_spec = lambda name: SimpleNamespace(origin=sys.argv[1])
read_replay(b"1", kind="avf")
"""
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with run_reader(code, str(package / "__init__.py"), env=environment) as reader:
        wait_until(noted.exists)
        process = int(noted.read_text())
        assert is_running(process)
        reader.kill()
    wait_until(lambda: not is_running(process))
    assert list(temporary.iterdir()) == []


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def test_without_ms_toollib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "find_spec", lambda _: None)
    with pytest.raises(BadFile, match="replays require the extra 'replays': run pip install"):
        sapper.read(FILES / "game.avf")


def test_a_python_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(BadFile, match="could not be started: No such file"):
        read_replay(b"1", kind="avf")


def test_other_kinds_are_refused() -> None:
    with pytest.raises(BadFile, match="'xyz' is not a replay format; choose from avf, evf, rmv, mvf"):
        read_replay(b"1", kind="xyz")
    with pytest.raises(BadFile, match=r"position\.txt: 'txt' is not a replay format"):
        read_replay(FILES / "position.txt")
