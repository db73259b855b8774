"""Scores: what a player's finished games amount to."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import Entry, Game, Level, Outcome, Promise, Record, SapperError, game_from_code
from sapper.errors import BadScore
from sapper.formats import record_from_json
from sapper.profile.scores import FinishedGame, statistics
from tests.support.finished_games import NOON, game, games


def test_a_day_of_games_worked_out_by_hand() -> None:
    games = [
        game("won", 30.0, bbbv=15),
        game("won", 10.0, bbbv=20),
        game("lost", 1.0),
        game("won", 20.0, bbbv=50),
        game("won", 5.0, helped=True),
        game("lost", 5.0, practice=True),
        game("won", 5.0, helped=True, practice=True),
    ]
    (row,) = statistics(games)
    assert (row.level, row.kind) == ("beginner", "random")
    assert (row.games, row.wins, row.share) == (4, 3, 0.75)
    assert (row.streak, row.longest_streak) == (1, 2)
    assert [best.seconds for best in row.best] == [10.0, 20.0, 30.0]
    assert row.best_seconds == 10.0
    assert row.mean_seconds == 20.0
    assert row.best_bbbv_per_second == 2.5  # 50 in 20 seconds, not 20 in 10.
    assert (row.helped, row.practice) == (1, 2)


def test_without_a_win_there_are_no_times() -> None:
    (row,) = statistics([game("lost"), game("won", helped=True)])
    assert (row.games, row.wins, row.share, row.streak, row.longest_streak) == (1, 0, 0.0, 0, 0)
    assert (row.best, row.best_seconds, row.mean_seconds, row.best_bbbv_per_second) == (
        *((), None),
        *(None, None),
    )


def test_helped_games_alone_have_no_win_rate() -> None:
    (row,) = statistics([game(helped=True)])
    assert (row.games, row.share, row.helped) == (0, None, 1)


def test_a_game_won_at_once_has_no_speed() -> None:
    (row,) = statistics([game("won", 0.0)])
    assert (row.best_seconds, row.best_bbbv_per_second) == (0.0, None)


def test_the_five_best_times_are_listed_earlier_ones_first() -> None:
    games = [replace(game("won", 7.0), bbbv=number) for number in range(7)]
    (row,) = statistics(games)
    assert [best.bbbv for best in row.best] == [0, 1, 2, 3, 4]


def test_levels_and_kinds_are_separate_and_in_order() -> None:
    sizes = ("40x20/9", "expert", "3x3/1", "course", "beginner")
    games = [game(level=level, kind=kind) for level in sizes for kind in ("given", "random")]
    rows = statistics(games)
    levels = ("course", "beginner", "expert", "3x3/1", "40x20/9")
    assert [(row.level, row.kind) for row in rows] == [
        (level, kind) for level in levels for kind in ("random", "given")
    ]
    assert [row.level for row in statistics(games, level="Expert", kind="given")] == ["expert"]
    assert [row.level for row in statistics(games, level="30x16/99", kind="given")] == ["expert"]
    assert statistics(games, level="intermediate") == []


def test_unknown_levels_and_kinds_are_named() -> None:
    with pytest.raises(SapperError, match="'experts' is not a level"):
        statistics([], level="experts")
    with pytest.raises(BadScore, match="'easy' is not a kind of board: random, no guess, given"):
        statistics([], kind="easy")


@given(st.lists(games, max_size=40))
def test_every_game_is_counted_once(played: list[FinishedGame]) -> None:
    rows = statistics(played)
    assert sum(row.games + row.helped + row.practice for row in rows) == len(played)
    assert len({(row.level, row.kind) for row in rows}) == len(rows)
    for row in rows:
        assert 0 <= row.streak <= row.longest_streak <= row.wins <= row.games
        assert len(row.best) == min(5, row.wins)
        assert (row.mean_seconds is None) == (row.wins == 0)
        json.dumps(row.to_json(), allow_nan=False)


@given(st.lists(games, max_size=40))
def test_helped_and_practice_games_change_only_their_own_counts(played: list[FinishedGame]) -> None:
    alone = [game for game in played if not (game.helped or game.practice)]
    changed = {(row.level, row.kind): replace(row, helped=0, practice=0) for row in statistics(played)}
    for row in statistics(alone):
        assert changed.pop((row.level, row.kind)) == row
    assert not any(row.games or row.longest_streak or row.best for row in changed.values())


@given(st.lists(games, max_size=40), games)
def test_a_further_game_extends_the_streak_or_ends_it(
    played: list[FinishedGame], last: FinishedGame
) -> None:
    of_last = {"level": last.level, "kind": last.kind}
    before = [row.streak for row in statistics(played, **of_last)] or [0]
    (after,) = statistics([*played, last], **of_last)
    if last.helped or last.practice:
        assert after.streak == before[0]
    else:
        assert after.streak == (before[0] + 1 if last.won else 0)


# The row of a record -----------------------------------------------------------------------


def record(*entries: Entry) -> Record:
    return Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 2)}), entries, seed=None)


WON = (Entry(0.0, "open", (0, 0)), Entry(1.0, "click", (0, 0)), Entry(2.5, "open", (0, 3)))


def test_the_row_of_a_record() -> None:
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))
    row = FinishedGame.of(record(*WON), kind="no guess", finished=tokyo)
    assert row.finished == "2026-05-01T12:00:00+00:00"
    assert (row.level, row.width, row.height, row.mines, row.promise) == ("4x1/1", 4, 1, 1, "safe")
    assert (row.kind, row.outcome, row.seconds, row.bbbv, row.clicks) == (
        *("no guess", Outcome.WON),
        *(2.5, 2, 3),
    )
    assert (row.helped, row.practice, row.counts) == (False, False, True)
    assert row.bbbv_per_second == 0.8
    assert row.record is not None
    assert record_from_json(row.record) == record(*WON)
    board = game_from_code(row.code)
    assert board.minefield is not None
    assert board.minefield.mines == {(0, 2)}


def test_agent_moves_and_undone_moves_count_as_help() -> None:
    by_agent = (WON[0], WON[2]._replace(by="logic"))
    assert FinishedGame.of(record(*by_agent)).helped
    taken_back = (WON[0], Entry(1.0, "open", (0, 2)), Entry(2.0, "undo"), WON[2])
    row = FinishedGame.of(record(*taken_back))
    assert (row.helped, row.won, row.clicks) == (True, True, 3)
    assert FinishedGame.of(record(*WON), helped=True).helped
    assert not FinishedGame.of(record(*WON), practice=True).counts


def test_the_code_is_that_of_the_board() -> None:
    played = Game.new("5x5/3", seed=3)
    played.open((1, 1))
    while not played.over:
        played.open(min(played.position.hidden))
    board = game_from_code(FinishedGame.of(Record.of(played)).code)
    assert board.seed == 3
    assert board.minefield is not None
    assert played.minefield is not None
    assert board.minefield.mines == played.minefield.mines


def test_a_size_that_has_a_name_is_called_by_it() -> None:
    played = Game.on("8x8/0", [])
    played.open((0, 0))
    expert = Game.on(Level.custom(9, 9, 10), [(0, column) for column in range(9)] + [(1, 0)])
    expert.open((0, 0))
    assert FinishedGame.of(Record.of(played)).level == "8x8/0"
    assert FinishedGame.of(Record.of(expert)).level == "beginner"


def test_an_unfinished_game_is_refused() -> None:
    with pytest.raises(BadScore, match="the game is not finished"):
        FinishedGame.of(record(WON[0]))


@pytest.mark.parametrize(
    ("changes", "trouble"),
    [
        ({"kind": "easy"}, "'easy' is not a kind of board"),
        ({"seconds": -1.0}, "-1.0 is not a number of seconds"),
        ({"seconds": float("nan")}, "nan is not a number of seconds"),
        ({"finished": "today"}, "'today' is not a time"),
        ({"finished": "2026-05-01T12:00:00"}, "is not a time in UTC"),
        ({"finished": "2026-05-01T12:00:00+02:00"}, "is not a time in UTC"),
        ({"promise": "sure"}, "'sure' is not a promise"),
        ({"bbbv": -1}, "-1 is not a 3BV from 0 to 1,000,000"),
        ({"bbbv": 2**70}, "is not a 3BV"),
        ({"bbbv": "9"}, "bbbv is '9', not a whole number"),
        ({"clicks": -1}, "-1 is not a number of clicks from 0 to 1,000,000,000"),
        ({"clicks": True}, "clicks is True, not a whole number"),
        ({"seconds": 1e300}, "is not a number of seconds from 0 to 1,000,000,000"),
        ({"seconds": 10**400}, "is not a number of seconds"),
        ({"seconds": "1"}, "seconds is '1', not a number"),
        ({"width": 9.0}, "width is 9.0, not a whole number"),
        ({"width": 2**70}, "the width of a board is 1 to 1000 cells"),
        ({"code": b"x"}, "code is b'x', not text"),
        ({"level": "x" * 1000}, "xxx... is not a level"),
        ({"mines": 82}, "82 mines"),
        ({"level": "expert"}, "'expert' is not a level of size 9x9/10"),
    ],
)
def test_an_invalid_row_is_refused(changes: dict[str, object], trouble: str) -> None:
    with pytest.raises(SapperError, match=trouble.replace("+", r"\+")):
        replace(game(), **changes)  # type: ignore[arg-type]
