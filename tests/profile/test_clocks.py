"""Clocks that are wrong: no negative times, no lost games and no errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import Entry, Game, Level, Outcome, Promise, Record, Session
from sapper.formats import Recorder, record_from_json, record_to_json
from sapper.game.record import MOST_SECONDS
from sapper.profile.history import FinishedGame, History, statistics
from sapper.session.start import Start

times = st.lists(st.floats(-1e12, 1e12) | st.sampled_from([0.0, 1.5, 1e18, -1e18]), min_size=1)


def clock_of(told: Sequence[float]) -> Callable[[], float]:
    """Return a clock that tells these times, and then the last one forever."""
    remaining = list(told)
    return lambda: remaining.pop(0) if len(remaining) > 1 else remaining[0]


@given(times)
@settings(max_examples=50)
def test_recorded_times_can_be_read_back(told: list[float]) -> None:
    with TemporaryDirectory() as folder:
        game = Game.on("4x1/1", [(0, 2)])
        recorder = Recorder(Path(folder, "game.json"), game, clock=clock_of(told))
        for cell in ((0, 0), (0, 3)):
            game.open(cell)
            recorder.note("open", cell)
        assert recorder.trouble is None
        record = record_from_json(recorder.path.read_text())
    assert record.outcome is Outcome.WON
    assert 0 <= record.entries[0].at <= record.entries[1].at <= MOST_SECONDS


@given(times)
def test_a_session_never_shows_a_negative_time(told: list[float]) -> None:
    session = Session(Game.on("4x1/1", [(0, 2)]), clock=clock_of(told))
    seconds = [session.seconds]
    for cell in ((0, 0), (0, 3)):
        session.open(cell)
        seconds.append(session.seconds)
    assert all(0 <= each <= MOST_SECONDS for each in seconds)
    assert session.record is not None
    game = FinishedGame.of(session.record)
    assert game.won
    assert record_from_json(record_to_json(session.record)) == session.record
    (row,) = statistics([game])
    assert row.best_seconds is not None
    assert 0 <= row.best_seconds <= MOST_SECONDS


def test_the_longest_game_can_be_resumed_and_finished(tmp_path: Path) -> None:
    entries = (Entry(float(MOST_SECONDS), "open", (0, 0)),)
    record = Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries)
    session = Session(Start.resume(record), clock=clock_of([0.0, 1e6, 2e6]))
    session.open((0, 3))
    assert session.record is not None
    history = History.open(tmp_path)
    assert history.add(FinishedGame.of(session.record))
    assert [game.seconds for game in History(tmp_path)] == [MOST_SECONDS]


# The clock on the wall ---------------------------------------------------------------------------

WON = Record(
    *(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)})),
    (Entry(0.0, "open", (0, 0)), Entry(1.5, "open", (0, 3))),
)
NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


@given(
    st.lists(st.timedeltas(timedelta(days=-700_000), timedelta(days=2_900_000)), min_size=1, max_size=5)
)
@settings(max_examples=20)
def test_games_keep_their_order_whatever_their_dates(jumps: list[timedelta]) -> None:
    lost = Record(WON.level, WON.promise, WON.mines, (Entry(0.0, "open", (0, 2)),))
    with TemporaryDirectory() as folder:
        history = History.open(folder)
        for number, jump in enumerate(jumps):
            played = WON if number else lost
            assert history.add(FinishedGame.of(played, finished=NOON + jump))
        games = history.games()
        assert history.trouble is None
    assert [game.won for game in games] == [number > 0 for number in range(len(jumps))]
    (row,) = statistics(games)
    assert row.streak == row.longest_streak == row.wins == len(jumps) - 1
    assert row.best_seconds == (1.5 if len(jumps) > 1 else None)


def test_unsaved_games_keep_their_order_whatever_their_dates(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").mkdir()  # So nothing can be added to it.
    history = History.open(tmp_path)
    dates = [NOON + timedelta(days=days) for days in (0, -9999, 9999, -1)]
    for finished in dates:
        assert history.add(FinishedGame.of(WON, finished=finished))
    (tmp_path / "history.sqlite").rmdir()
    games = History.open(tmp_path).games()
    assert [datetime.fromisoformat(game.finished) for game in games] == dates


@pytest.mark.parametrize("error", [OverflowError, ValueError, OSError])
def test_a_clock_beyond_all_dates_loses_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    class Broken(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Broken:  # noqa: ARG003 - as it is called.
            raise error("year 10000 is out of range")

    monkeypatch.setattr("sapper.profile.scores.datetime", Broken)
    history = History.open(tmp_path)
    assert history.add(FinishedGame.of(WON))
    (game,) = History(tmp_path)
    assert game.finished.startswith("9999-")
