"""A cluster plays the games that one machine plays, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import sapper
from sapper.analysis import Limit
from sapper.arena import Plan, Played, Run, Setup, Tally, bench, board_seed, compare
from sapper.boards import SeedRange
from sapper.cluster import play_range
from sapper.errors import SapperError
from tests.test_cli import sapper_command

distributed: Any = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # Dask's own are not ours to mend.

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has only the latter.
GAMES = 40 if sapper.engine_name == "python" else 400


def timeless(played: Sequence[Played]) -> list[Played]:
    return [game._replace(seconds=0.0) for game in played]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a cluster with two workers, each a process."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def expected() -> list[Played]:
    return timeless(bench("beginner", agent="safest", games=GAMES, seed=7, jobs=1).played)


def test_a_cluster_plays_the_games_of_one_machine(address: str, expected: list[Played]) -> None:
    result = bench("beginner", agent="safest", games=GAMES, seed=7, cluster=address)
    assert timeless(result.played) == expected
    assert sum(result.times.counts) == sum(game.decisions for game in expected)


def test_workers_add_their_games_up(address: str, expected: list[Played]) -> None:
    result = bench("beginner", agent="safest", games=GAMES, seed=7, cluster=address, keep=False)
    assert result.played == []
    alone = Tally.of(expected)
    alone.nanoseconds = result.tally.nanoseconds
    assert result.tally == alone
    assert sum(result.times.counts) == sum(game.decisions for game in expected)


def test_two_agents_are_compared_on_one_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Mock(wraps=distributed.LocalCluster)
    monkeypatch.setattr(distributed, "LocalCluster", started)
    cluster = compare("logic", "safest", "5x4/5", games=40, jobs=1, cluster="local")
    alone = compare("logic", "safest", "5x4/5", games=40, jobs=1)
    assert started.call_count == 1
    assert cluster.pairs == alone.pairs
    assert timeless(cluster.second.played) == timeless(alone.second.played)


def test_a_worker_that_is_killed_between_games_changes_nothing(
    address: str, expected: list[Played]
) -> None:
    plan = Plan.of("beginner", games=GAMES, seed=7)
    with Run(plan, agent="safest", cluster=address) as run:
        run.play(GAMES // 4)
        with distributed.Client(address, set_as_default=False) as client:
            os.kill(min(client.run(os.getpid).values()), KILL)
        run.play(run.left)
    assert timeless(run.played) == expected


class Deadly:
    """Opens the first hidden cell; one of its games ends the process, but only the first time."""

    def __init__(self, seed: int, deadly: int, mark: str) -> None:
        self.kills, self.mark = seed == deadly, mark

    def choose(self, position: sapper.Position) -> sapper.Cell:
        if self.kills and not os.path.exists(self.mark):
            open(self.mark, "x").close()
            os.kill(os.getpid(), KILL)
        return min(position.hidden)


def test_a_range_whose_worker_is_killed_in_a_game_is_played_again(address: str, tmp_path: Path) -> None:
    agent = partial(Deadly, deadly=board_seed(7, 25), mark=str(tmp_path / "killed"))
    result = bench("beginner", agent=agent, games=40, seed=7, cluster=address)
    assert (tmp_path / "killed").exists()
    again = bench("beginner", agent=agent, games=40, seed=7, jobs=1)  # The mark is there: it lives.
    assert timeless(result.played) == timeless(again.played)


def test_the_command_starts_a_cluster_of_its_own() -> None:
    options = ("bench", "5x4/4", "--agent", "safest", "--games", "30", "--json")
    alone, cluster = (
        json.loads(sapper_command(*options, *more).stdout)
        for more in ((), ("--cluster", "local", "--jobs", "2"))
    )
    timed = {"seconds", "cpu_seconds_a_game", "cpu_seconds_a_move"}
    assert {key for key in alone if alone[key] != cluster[key]} <= timed


def test_the_command_compares_on_a_cluster(address: str) -> None:
    options = ("compare", "logic", "safest", "5x4/4", "--games", "30", "--json", "--cluster", address)
    cluster = json.loads(sapper_command(*options).stdout)
    alone = json.loads(json.dumps(compare("logic", "safest", "5x4/4", games=30, jobs=1).to_json()))
    for both in (alone, cluster):
        for side in ("first", "second"):
            for timed in ("seconds", "cpu_seconds_a_game", "cpu_seconds_a_move"):
                del both[side][timed]
    assert alone == cluster


def test_what_cannot_be_played_is_an_error_before_any_game(address: str) -> None:
    with pytest.raises(SapperError, match="jobs are for 'local'"):
        bench("beginner", cluster=address, jobs=2)
    with pytest.raises(SapperError, match="unknown agent 'nobody'"):
        bench("beginner", cluster=address, agent="nobody")
    with pytest.raises(SapperError, match="no cluster answers at nonsense://"):
        bench("beginner", cluster="nonsense://")


def test_a_worker_of_another_version_does_not_play() -> None:
    with pytest.raises(SapperError, match=r"a worker has Sapper .*, not Sapper 0"):
        play_range("Sapper 0", "safest", Setup.of("2x1/1"), Limit(), SeedRange(7, range(1)))


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SapperError, match="needs the extra cluster"):
        bench("beginner", agent="safest", cluster="local")
