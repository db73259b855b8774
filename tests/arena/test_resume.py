"""Resumed runs have the same games as uninterrupted runs."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper.agents.specs import parse_agent_spec
from sapper.arena import Boards, Match, Plan, Played, Run, SequentialTest, bench, compare
from sapper.arena.database import Store
from sapper.arena.workers import AgentSource
from sapper.errors import SapperError
from tests.support.subprocesses import ROOT, sapper_command

pytestmark = pytest.mark.any_engine

TIMES = {"seconds", "cpu_seconds_a_game", "cpu_seconds_a_move"}
LEVEL = "5x4/5"
RECKLESS = parse_agent_spec("tests.arena.test_experiments:Reckless")
QUICK = "safest" if sapper.engine_name == "compiled" else RECKLESS


def timeless(played: Sequence[Played]) -> list[Played]:
    return [game._replace(seconds=0.0) for game in played]


def saved_games(file: Path) -> list[list[Played]]:
    """Return the games of each run in a file, without times."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(
            "SELECT run, games.seed, won, cells_left, decisions, guesses, survival, solved, lost_at,"
            " luck, width FROM games JOIN runs ON run = id ORDER BY run, number"
        ).fetchall()
    runs: dict[int, list[Played]] = {}
    for run, seed, won, *fields, at, luck, width in rows:
        cell = None if at is None else divmod(at, width)
        board = None if seed is None else int(seed)
        runs.setdefault(run, []).append(Played._make([board, bool(won), *fields, 0.0, cell, luck]))
    return list(runs.values())


def play(file: Path, games: int, *, most: int | None = None, agent: AgentSource = "safest") -> Run:
    """Resume or start a run, and play at most `most` games."""
    with Store(file) as store, Run(Plan.of(LEVEL, games=games), agent=agent, jobs=1) as run:
        store.resume(run)
        while run.left and (most is None or run.tally.games < most):
            store.save(run.play(7))
    return run


# A run in a file ---------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 40), max_size=3))
@settings(deadline=None, max_examples=10)
def test_a_resumed_run_equals_an_uninterrupted_run(stops: list[int]) -> None:
    plan = Plan.of(LEVEL, games=40)
    whole = bench(LEVEL, agent=QUICK, games=40, jobs=1)
    with Store(":memory:") as store:
        for stop in [*stops, 40]:
            with Run(plan, agent=QUICK, jobs=1) as run:
                store.resume(run)
                while run.left and run.tally.games < stop:
                    store.save(run.play(7))
        assert store.query("SELECT count(*) FROM runs") == [(1,)]
    assert timeless(run.played) == timeless(whole.played)
    assert sum(run.times.counts) == sum(whole.times.counts)
    assert run.seconds > 0


def test_a_run_can_be_extended(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 20)
    longer = play(file, 50)
    assert timeless(longer.played) == timeless(bench(LEVEL, games=50, jobs=1).played)
    (games,) = saved_games(file)
    assert games == timeless(longer.played)
    play(file, 30)  # The run already has more games, so a new one begins.
    assert [len(games) for games in saved_games(file)] == [50, 30]


def test_only_runs_of_the_same_games_are_resumed(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    plans = [
        Plan.of(LEVEL, games=10),
        Plan.of(LEVEL, games=10, seed=1),
        Plan.of(LEVEL, games=10, first=(1, 1)),
        Plan.of(LEVEL, games=10, promise="safe"),
        Plan.of("4x5/5", games=10),
        Plan.of("5x4/4", games=10),
    ]
    with Store(file) as store:
        for agent in ("safest", "logic"):
            for plan in plans:
                with Run(plan, agent=agent, jobs=1) as run:
                    assert store.resume(run) == {}
                    store.save(run.play(5))
        for number, plan in enumerate(plans, 1):
            with Run(plan, jobs=1) as run:
                assert store.resume(run) == {number: 5}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("engine = 'other'", "with the other engine, but this is Sapper"),
        ("version = '0.0.1'", "it was played by Sapper 0.0.1 with the"),
        ("version = NULL, bound = NULL", "it was played by Sapper (unknown version)"),
        ("bound = 'less'", "its limit was less, and now it is"),
    ],
)
def test_runs_of_another_version_engine_or_limit_are_not_resumed(
    change: str, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 20, most=10)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"UPDATE runs SET {change}")
    before = saved_games(file)
    with pytest.raises(SapperError, match=r"runs.sqlite has run 1, which cannot be resumed: ") as error:
        play(file, 20)
    assert reason in str(error.value)
    assert saved_games(file) == before


def test_missing_games_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 20, most=10)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DELETE FROM games WHERE number = 3")
    with pytest.raises(SapperError, match="some of its games are missing"):
        play(file, 20)


def test_boards_from_a_file_are_resumed_if_they_are_the_same(tmp_path: Path) -> None:
    lines = ["3 2 1 0 0 none", *"2345"]
    boards, others = Boards.parse(lines), Boards.parse([*lines[:-1], "1"])
    with Store(tmp_path / "runs.sqlite") as store:
        with Run(Plan.of(boards=boards), jobs=1) as run:
            store.resume(run)
            store.save(run.play(2))
        with (
            Run(Plan.of(boards=others), jobs=1) as run,
            pytest.raises(SapperError, match="its boards are different"),
        ):
            store.resume(run)
        with Run(Plan.of(boards=boards), jobs=1) as run:
            assert store.resume(run) == {1: 2}
            store.save(run.play(4))
    assert timeless(run.played) == timeless(bench(boards=boards, jobs=1).played)


@pytest.mark.parametrize("agents", [(RECKLESS, "logic"), ("logic", "logic")])
def test_a_resumed_comparison_has_the_same_verdict(
    agents: tuple[AgentSource, AgentSource], tmp_path: Path
) -> None:
    plan, test = Plan.of("4x4/4", games=600, seed=3), SequentialTest(points=15)
    whole = compare(*agents, "4x4/4", games=600, seed=3, jobs=1, test=test)
    for stop in (150, 250, 600):
        with (
            Store(tmp_path / "runs.sqlite") as store,
            Run(plan, agent=agents[0], jobs=1) as one,
            Run(plan, agent=agents[1], jobs=1) as other,
        ):
            store.resume(one, other)
            match = Match(one, other, test)
            for games in match.step_sizes():
                store.save(*match.play(min(games, 25)))
                if one.tally.games >= stop:
                    break
    assert match.pairs == whole.pairs
    assert match.comparison().verdict is whole.verdict
    assert [len(games) for games in saved_games(tmp_path / "runs.sqlite")] == [whole.pairs.games] * 2


def test_a_comparison_resumes_the_run_of_one_agent(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 30, agent="logic")
    plan = Plan.of(LEVEL, games=50)
    with (
        Store(file) as store,
        Run(plan, agent="logic", jobs=1) as one,
        Run(plan, agent=RECKLESS, jobs=1) as other,
    ):
        assert store.resume(one, other) == {1: 30}
        match = Match(one, other)
        for games in match.step_sizes():
            store.save(*match.play(games))
    assert match.pairs == compare("logic", RECKLESS, LEVEL, games=50, jobs=1).pairs
    assert [len(games) for games in saved_games(file)] == [50, 50]


def test_resuming_a_run_twice_at_once_is_an_error(tmp_path: Path) -> None:
    file, plan = tmp_path / "runs.sqlite", Plan.of(LEVEL, games=30)
    play(file, 30, most=10, agent=RECKLESS)
    with (
        Store(file) as first,
        Store(file) as second,
        Run(plan, agent=RECKLESS, jobs=1) as one,
        Run(plan, agent=RECKLESS, jobs=1) as other,
    ):
        assert first.resume(one) == second.resume(other)
        first.save(one.play(20))
        with pytest.raises(SapperError, match="another process also saves games of run 1"):
            second.save(other.play(20))
    (games,) = saved_games(file)
    assert games == timeless(one.played)


# Damaged files -----------------------------------------------------------------------------------

VALUES = ("1e400", "-1e400", "-5", "'abc'", "x'ff'", "9223372036854775807", "'[]'", "''", "0.5")


@pytest.mark.parametrize(
    "column",
    [
        *("seed", "won", "cells_left", "decisions", "guesses", "survival", "solved", "seconds"),
        *("lost_at", "luck"),
    ],
)
def test_a_damaged_game_is_named_and_nothing_is_changed(tmp_path: Path, column: str) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 10)
    intact = file.read_bytes()
    for value in VALUES:
        if (column, value) in {
            ("survival", "0.5"),
            ("solved", "0.5"),
            ("seconds", "0.5"),
            ("luck", "0.5"),
        }:
            continue  # These values are valid.
        if (column, value) in {("luck", "-5"), ("decisions", "9223372036854775807")}:
            continue
        file.write_bytes(intact)
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(f"UPDATE games SET {column} = {value} WHERE number = 7")
        with pytest.raises(SapperError, match=r"run 1, .* resumed: game 7 is damaged; start"):
            play(file, 12)
        assert saved_count(file) == 10


def saved_count(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM games").fetchone()[0])


@pytest.mark.parametrize("column", ["seconds", "times"])
@pytest.mark.parametrize(
    "value", ["1e400", "-5", "'abc'", "x'ff'", "'[[1], 2]'", "'[[], 1e999]'", "''"]
)
def test_damaged_times_are_named(tmp_path: Path, column: str, value: str) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 10)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"UPDATE runs SET {column} = {value}")
    with pytest.raises(SapperError, match="cannot be resumed: its times are damaged; start again"):
        play(file, 12)
    assert saved_count(file) == 10


@pytest.mark.parametrize("length", [1, 50, 100, 4096, 8192])
def test_a_truncated_file_is_an_error_and_is_not_changed(tmp_path: Path, length: int) -> None:
    file = tmp_path / "runs.sqlite"
    play(file, 300)
    file.write_bytes(file.read_bytes()[:length])
    before = file.read_bytes()
    with pytest.raises(SapperError, match=r"runs\.sqlite "):
        play(file, 301)
    assert file.read_bytes() == before


def test_a_file_called_memory_is_not_an_in_memory_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play(Path(":memory:"), 3)
    assert saved_count(tmp_path / ":memory:") == 3


# The command -------------------------------------------------------------------------------------


def killed(arguments: Sequence[str], file: Path) -> None:
    """Run a command until it has saved some games, and kill it; check that its children end."""
    running = subprocess.Popen(
        [sys.executable, "-c", "from sapper.cli import main; main()", *arguments],
        cwd=ROOT,
        env={**os.environ, "SAPPER_ENGINE": sapper.engine_name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    for _ in range(6000):
        if _saved_any(file):
            break
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    assert running.wait(timeout=60) == -signal.SIGKILL, "it was over before it was killed"
    for _ in range(3000):
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    pytest.fail("processes of the command went on without it")


def _saved_any(file: Path) -> bool:
    if not file.exists():
        return False
    with closing(sqlite3.connect(file)) as database:
        try:
            return database.execute("SELECT 1 FROM games LIMIT 1").fetchone() is not None
        except sqlite3.OperationalError:  # There is no table yet.
            return False


@pytest.mark.skipif(os.name == "nt", reason="nothing is killed so there")
@pytest.mark.parametrize("how", ["threads", "processes", "cluster"])
def test_a_killed_command_can_be_resumed(how: str, tmp_path: Path) -> None:
    command, options = {
        "threads": (("compare", "safest", "strong"), ("intermediate", "--games", "4000")),
        "processes": (("bench", "--agent", "logic"), ("6x6/6", "--games", "120")),
        "cluster": (
            ("bench", "--agent", "logic"),
            ("6x6/6", "--games", "120", "--cluster", "local"),
        ),
    }[how]
    if how == "threads" and sapper.engine_name != "compiled":
        pytest.skip("needs the compiled engine")
    if how == "cluster":
        pytest.importorskip("distributed")
    file, table = tmp_path / "runs.sqlite", tmp_path / "games.csv"
    arguments = (*command, *options, "--jobs", "2", "--save", str(file))
    killed((*arguments, "--csv", str(tmp_path / "never.csv")), file)
    asked = int(options[2])
    begun = [len(games) for games in saved_games(file)]
    assert all(0 < count < asked for count in begun)
    done = sapper_command(*arguments, "--resume", "--json", "--csv", str(table))
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    assert said == [
        f"Note: resuming run {number} of {file} with {count:,} of {asked:,} games"
        for number, count in enumerate(begun, 1)
    ]
    if command[0] == "bench":
        whole = [bench(options[0], agent="logic", games=asked, jobs=1)]
        objects = [result.to_json() for result in whole]
    else:
        both = compare(*command[1:], options[0], games=asked)
        whole = [both.first, both.second]
        objects = _objects(json.dumps(both.to_json()))
    assert saved_games(file) == [timeless(result.played) for result in whole]
    assert len(table.read_text().splitlines()) == 1 + len(begun) * asked
    assert not (tmp_path / "never.csv").exists()
    for resumed, never_stopped in zip(_objects(done.stdout), objects, strict=True):
        assert {key for key in resumed if resumed[key] != never_stopped[key]} <= TIMES
    with closing(sqlite3.connect(file)) as database:
        timed = database.execute("SELECT times FROM runs").fetchall()
        decided = database.execute("SELECT sum(decisions) FROM games GROUP BY run").fetchall()
    assert [sum(json.loads(times)[0]) for (times,) in timed] == [count for (count,) in decided]


def _objects(printed: str) -> list[dict[str, object]]:
    """Return the JSON objects that may contain times."""
    both = json.loads(printed)
    if "only_first_won" not in both:
        return [both]
    return [both.pop("first"), both.pop("second"), both]


def test_the_command_prints_which_run_it_resumes(tmp_path: Path) -> None:
    file, outcomes = tmp_path / "runs.sqlite", tmp_path / "outcomes"
    options = (
        *("bench", LEVEL, "--agent", "safest", "--jobs", "1", "--save", str(file)),
        *("--resume", "--json", "--outcomes", str(outcomes)),
    )
    new = sapper_command(*options, "--games", "20")
    assert (new.returncode, new.stderr) == (
        0,
        f"Note: {file} has no matching run to resume; starting a new run\n",
    )
    first = outcomes.read_text()
    again = sapper_command(*options, "--games", "20", "--force")
    assert again.stderr == f"Note: resuming run 1 of {file} with 20 of 20 games\n"
    assert json.loads(again.stdout) == json.loads(
        new.stdout
    )  # Even the times are equal, because nothing was played.
    assert outcomes.read_text() == first
    assert len(first) == 21


def test_resume_requires_save() -> None:
    done = sapper_command("compare", "logic", "safest", "--resume")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: --resume requires --save, the database with the run to resume\n"
