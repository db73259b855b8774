"""Batches: output files, resuming and Ctrl-C work the same from the command and from Python."""

from __future__ import annotations

import csv
import os
import signal
from pathlib import Path
from threading import Thread

import pytest

import sapper
from sapper import Position, agents
from sapper.arena import Batch, Comparison, Files, Plan, Result, bench, compare
from sapper.arena.batches import ctrl_c_delayed
from sapper.arena.database import Store
from sapper.errors import SapperError
from tests.support.players import Reckless

LEVEL = "5x4/4"
PLAN = Plan.of(LEVEL, games=40, seed=3)


class Interrupting(Reckless):
    """Presses Ctrl-C in its game number `at`."""

    games = 0
    at = 0

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        Interrupting.games += 1
        if Interrupting.games == Interrupting.at:
            raise KeyboardInterrupt


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_bench_and_compare_return_the_results_of_a_batch() -> None:
    with Batch(PLAN, ["safest"], jobs=1) as one, Batch(PLAN, ["logic", "safest"], jobs=1) as two:
        one.play()
        two.play()
        result, comparison = one.result(), two.result()
    assert isinstance(result, Result)
    assert isinstance(comparison, Comparison)
    same = bench(LEVEL, agent="safest", games=40, seed=3, jobs=1)
    assert [game.won for game in result.played] == [game.won for game in same.played]
    assert comparison.pairs == compare("logic", "safest", LEVEL, games=40, seed=3, jobs=1).pairs


def test_every_output_file_contains_every_game(tmp_path: Path) -> None:
    files = Files(tmp_path / "runs", False, tmp_path / "outcomes", tmp_path / "games.csv")
    with Batch(PLAN, ["logic", "safest"], jobs=1, files=files) as batch:
        batch.play()
    first, second = (run.played for run in batch.runs)
    table = rows(tmp_path / "games.csv")
    assert [row["won"] for row in table[::2]] == [str(int(game.won)) for game in first]
    assert [row["won"] for row in table[1::2]] == [str(int(game.won)) for game in second]
    lines = ["".join(str(int(game.won)) for game in games) for games in (first, second)]
    assert (tmp_path / "outcomes").read_text().splitlines() == lines
    with Store(tmp_path / "runs") as store:
        assert store.query("SELECT run, count(*) FROM games GROUP BY run") == [(1, 40), (2, 40)]


def test_ctrl_c_leaves_complete_files_and_the_batch_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Interrupting, "games", 0)
    monkeypatch.setattr(Interrupting, "at", 20)
    database, table = tmp_path / "runs", tmp_path / "games.csv"
    with Batch(PLAN, [Interrupting], jobs=1, files=Files(database, csv=table)) as batch:
        with pytest.raises(KeyboardInterrupt):
            batch.play()
        played = batch.games
    assert 0 < played < 20
    assert len(rows(table)) == played
    files = Files(database, resume=True, csv=table)
    with Batch(PLAN, [Interrupting], jobs=1, files=files) as batch:
        assert batch.resumed == {1: played}
        batch.play()
        resumed = batch.result()
    assert isinstance(resumed, Result)
    whole = bench(LEVEL, agent=Reckless, games=40, seed=3, jobs=1)
    assert [game.won for game in resumed.played] == [game.won for game in whole.played]
    assert len(rows(table)) == 40


def test_an_error_before_the_first_game_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Interrupting, "games", 0)
    monkeypatch.setattr(
        Interrupting, "at", 2
    )  # The first agent is created only to check that it can be.
    table = tmp_path / "games.csv"
    with Batch(PLAN, [Interrupting], jobs=1, files=Files(csv=table)) as batch:
        with pytest.raises(KeyboardInterrupt):
            batch.play()
        assert batch.games == 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_an_error_before_any_game(tmp_path: Path) -> None:
    files = Files(csv=tmp_path / "nowhere" / "games.csv", outcomes=tmp_path / "outcomes")
    with (
        Batch(PLAN, ["safest"], jobs=1, files=files) as batch,
        pytest.raises(SapperError, match=r"games\.csv"),
    ):
        batch.play()
    assert batch.games == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
def test_ctrl_c_is_delayed_but_not_lost() -> None:
    done = []

    def write() -> None:
        with ctrl_c_delayed():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("written")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # The test runner may ignore it.
    try:
        with pytest.raises(KeyboardInterrupt):
            write()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["written"]


def test_games_can_be_played_in_another_thread() -> None:
    results: list[Result] = []
    told: list[object] = []

    def play() -> None:
        results.append(bench(LEVEL, games=20, jobs=1, progress=told.extend))

    thread = Thread(target=play)
    thread.start()
    thread.join()
    assert len(told) == results[0].games == 20


# Printing ----------------------------------------------------------------------------------------


@pytest.mark.any_engine
def test_results_print_as_short_texts() -> None:
    result = bench("beginner", games=9, seed=4, jobs=1)
    lines = str(result).splitlines()
    assert lines[0] == "beginner (9x9/10), seed 4, first click at row 4, column 4, promise: open"
    assert lines[1] == f"safest: {result.wins} of 9 games won, {result.rate.percent()}"
    assert len(lines) < 20
    both = compare("logic", "safest", "beginner", games=9, seed=4, jobs=1)
    assert str(both).splitlines()[0] == lines[0]
    assert "safest - logic, on the same boards: " in str(both)


@pytest.mark.any_engine
def test_a_result_without_games_can_be_printed() -> None:
    with Batch(PLAN, ["safest"], jobs=1) as batch:
        assert str(batch.result()).splitlines()[1] == "safest: no games played"


@pytest.mark.any_engine
def test_the_repr_of_results_and_their_parts_is_one_short_line() -> None:
    result = bench("beginner", games=9, jobs=1)
    both = compare("safest", "safest", LEVEL, games=9, jobs=1)
    for each in (
        result,
        result.plan,
        result.tally,
        result.times,
        result.tally.scores,
        both,
        both.pairs,
    ):
        assert len(repr(each)) < 200
        assert "\n" not in repr(each)


def test_an_agent_object_plays_all_games() -> None:
    class First:
        def choose(self, position: Position) -> sapper.Cell:
            return min(position.hidden)

    result = bench(LEVEL, agent=First(), games=10, jobs=1)
    assert (result.games, result.agent.endswith("First")) == (10, True)
    assert result.wins == bench(LEVEL, agent=First, games=10, jobs=1).wins
    by_name = bench(LEVEL, agent="safest", games=10, jobs=1)
    assert bench(LEVEL, agent=agents.Safest(), games=10, jobs=1).wins == by_name.wins
