"""The arena: all agents play the same boards, whatever the number of threads."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper import Game, Outcome, Position, agents
from sapper.agents.specs import parse_agent_spec
from sapper.arena import Boards, Plan, Played, Run, Setup, bench, board_seed, compare
from sapper.errors import SapperError
from tests.support.players import Reckless, Timid
from tests.support.subprocesses import ROOT, sapper_command

DICE = f"program:{shlex.quote(sys.executable)} examples/program.py"


class Deadly(Reckless):
    """Ends its process."""

    def choose(self, position: Position) -> sapper.Cell:
        if self.seed != 0:
            os._exit(1)
        return super().choose(position)


def timeless(played: Iterator[Played] | list[Played]) -> list[Played]:
    return [game._replace(seconds=0.0) for game in played]


# Games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["safest", "logic"])
def test_the_number_of_jobs_changes_nothing(agent: str) -> None:
    one, two, three = (
        timeless(list(bench("5x4/4", agent=agent, games=30, seed=5, jobs=jobs).played))
        for jobs in (1, 2, 3)
    )
    assert one == two == three
    assert [game.seed for game in one] == [board_seed(5, number) for number in range(30)]


@pytest.mark.compiled
@pytest.mark.parametrize(("level", "promise"), [("beginner", "open"), ("7x5/9", "none")])
@pytest.mark.parametrize("first", [None, (2, 4)])
@pytest.mark.parametrize("name", ["safest", "strong"])
def test_the_engine_and_the_python_agent_play_the_same_games(
    level: str, promise: str, first: sapper.Cell | None, name: str
) -> None:
    plan = Plan.of(level, promise=promise, first=first, games=100, seed=11)
    with Run(plan, agent=name, jobs=2) as run:
        run.play(100)
    for played in run.played:
        game, agent, guesses = Game.new(level, seed=played.seed, promise=promise), agents.named(name), 0
        game.open(plan.setup.first)
        while not game.over:
            choice = agent.decide(game.position)
            assert choice is not None
            guesses += not choice.safe
            game.open(choice.cell)
        left = len(game.position) - game.level.mines - len(game.position.numbers)
        assert (game.outcome is Outcome.WON, left, guesses) == (played.won, played.left, played.guesses)
        assert game.exploded == frozenset(() if played.lost_at is None else (played.lost_at,))


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["safest", "strong"])
def test_expert_games_are_the_same_in_python(name: str) -> None:
    in_core, in_python = (
        [
            (game.won, game.left, game.guesses, game.lost_at)
            for game in bench(games=12, agent=agent, jobs=1).played
        ]
        for agent in (name, partial(agents.named, name))
    )
    assert in_core == in_python


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["safest", "strong"])
def test_scores_have_narrower_intervals_than_outcomes(name: str) -> None:
    result = bench("expert", promise="safe", agent=name, games=2000, seed=3)
    luck = [game.luck for game in result.played]
    assert abs(sum(luck)) < 4 * sum(each * each for each in luck) ** 0.5
    rate, score = result.rate, result.score
    assert score.high - score.low < 0.8 * (rate.high - rate.low)


def test_agents_of_any_kind_play() -> None:
    results = [
        bench("4x4/3", agent=agent, games=20, jobs=jobs)
        for agent in (Reckless, parse_agent_spec(f"{__name__}:Reckless"))
        for jobs in (1, 2)
    ]
    assert len({tuple(timeless(list(result.played))) for result in results}) == 1
    assert results[0].guesses is None
    assert results[0].agent == "Reckless"


def test_an_agent_that_cannot_play_is_rejected() -> None:
    with pytest.raises(SapperError, match="unknown agent 'oracle'"):
        bench("beginner", agent="oracle")
    for text in ("nowhere:Agent", "sapper.agents:Nobody", ":", "builtins:str"):
        with pytest.raises(SapperError, match="agent"):
            bench("beginner", agent=parse_agent_spec(text))
    with pytest.raises(SapperError, match="jobs=1"):
        bench("beginner", agent=lambda seed: Reckless(seed), jobs=2)
    with pytest.raises(SapperError, match="a worker process died"):
        bench("4x4/3", agent=Deadly, jobs=2, games=20)


def test_the_course_is_played_with_cascades() -> None:
    result = bench("course", games=20, jobs=1)
    assert result.wins > 10
    assert result.plan.setup.first == (0, 0)


def test_the_default_first_click_depends_on_the_promise() -> None:
    assert Setup.of("expert").first == (3, 3)
    assert Setup.of("expert", promise="safe").first == (0, 0)
    assert Setup.of("2x9/0", promise="open").first == (3, 1)
    with pytest.raises(SapperError, match="row 10, column 1, is not on a board of 9 x 9"):
        Setup.of("beginner", first=(9, 0))


def test_a_game_without_safe_cells_is_won_at_once() -> None:
    for agent in ("safest", Reckless):
        (game,) = bench("3x3/9", agent=agent, games=1, jobs=1).played
        assert (game.won, game.decisions, game.left) == (True, 0, 0)


def test_a_lost_game_names_the_cell_of_the_mine() -> None:
    boards = Boards.parse(["3 1 1 0 0 none", "0", "2", "1"])
    for agent in ("safest", "logic", Reckless, parse_agent_spec(DICE)):
        result = bench(agent=agent, boards=boards, jobs=1)
        first, *rest = result.played
        assert (first.won, first.decisions, first.lost_at) == (False, 0, (0, 0))
        assert all(game.won or game.lost_at in {(0, 1), (0, 2)} for game in rest)
        assert result.losses[0, 0] == 1
        assert sum(result.losses.values()) == 3 - result.wins


def test_an_agent_that_gives_up_loses_without_a_mine() -> None:
    result = bench("4x4/3", promise="safe", agent=Timid, games=5, seed=1, jobs=1)
    assert result.wins == 0
    assert result.losses == {}
    assert {game.lost_at for game in result.played} == {None}


def test_progress_is_called_with_every_game() -> None:
    told: list[Played] = []
    result = bench("4x4/3", games=100, jobs=2, progress=told.extend)
    assert told == list(result.played)


@pytest.mark.parametrize("options", [{"games": 0}, {"seed": -1}, {"seed": 2**64}, {"jobs": 0}])
def test_invalid_numbers_of_games_and_jobs_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(SapperError):
        bench("beginner", **options)  # type: ignore[arg-type]


def test_the_better_agent_wins_more_of_the_same_boards() -> None:
    both = compare(Reckless, "logic", "5x5/4", games=60, jobs=1)
    assert both.difference.low > 0
    assert both.difference.value == pytest.approx((both.only_second - both.only_first) / 60)
    assert [game.seed for game in both.first.played] == [game.seed for game in both.second.played]


# Boards in files ---------------------------------------------------------------------------------


@st.composite
def some_boards(draw: st.DrawFn) -> Boards:
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    first = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
    promise = draw(st.sampled_from(sapper.Promise))
    level = sapper.Level.custom(height, width, 0)
    free = sorted(
        set(range(height * width))
        - {row * width + column for row, column in Setup(level, first, promise).kept_free}
    )
    mines = draw(st.integers(0, len(free)))
    setup = Setup(sapper.Level.custom(height, width, mines), first, promise)
    chosen = st.permutations(free).map(lambda order: frozenset(order[:mines]))
    layouts = draw(st.lists(chosen, min_size=1, max_size=4))
    return Boards(setup, [bytes(at in layout for at in range(height * width)) for layout in layouts])


@pytest.mark.any_engine
@given(some_boards())
@settings(max_examples=50)
def test_boards_round_trip_through_text(boards: Boards) -> None:
    lines = list(boards.lines())
    assert Boards.parse(lines) == boards
    assert Boards.parse(f"{line}\n" for line in lines) == boards


def test_boards_from_a_file_and_from_seeds_are_played_the_same_way() -> None:
    setup = Setup.of("5x4/4")
    by_seed = bench("5x4/4", games=30, seed=3, jobs=1)
    minefields = []
    for played in by_seed.played:
        game = Game.new("5x4/4", seed=played.seed)
        game.open(setup.first)
        assert game.minefield is not None
        mines = game.minefield.mines
        minefields.append(bytes(divmod(at, 5) in mines for at in range(20)))
    boards = Boards(setup, minefields)
    for agent in ("safest", lambda _: agents.Safest()):
        by_file = bench(agent=agent, boards=boards, jobs=1)
        assert [(game.won, game.left, game.guesses) for game in by_file.played] == [
            (game.won, game.left, game.guesses) for game in by_seed.played
        ]
        assert {game.seed for game in by_file.played} == {None}
    assert bench("5x4/4", boards=boards, games=3, jobs=1).games == 3
    for options in ({"level": "expert"}, {"first": (0, 0)}, {"promise": "safe"}, {"games": 31}):
        with pytest.raises(SapperError, match="board"):
            bench(boards=boards, **options)


BAD_BOARDS = {
    "": ("line 1", "WIDTH HEIGHT MINES"),
    "\n\n": ("line 1", "WIDTH HEIGHT MINES"),
    "3 3 1 0 0\n8": ("line 1", "WIDTH HEIGHT MINES"),
    "3 3 x 0 0 safe\n8": ("line 1", "'x' is not a number"),
    "3 -3 1 0 0 safe\n8": ("line 1", "'-3' is not a number"),
    "3 3 10 0 0 safe\n8": ("line 1", "10 mines do not fit"),
    "3 0 0 0 0 safe\n": ("line 1", "not 0"),
    "3 3 1 3 0 safe\n8": ("line 1", "row 1, column 4, is not on a board"),
    "3 3 1 0 0 sure\n8": ("line 1", "'sure' is not a promise"),
    "3 3 1 0 0 safe": ("line 2", "the first board is missing"),
    "3 3 2 0 0 safe\n7 8\n8": ("line 3", "expected 2 mines, not 1"),
    "3 3 2 0 0 safe\n7 8\n\n5 6": ("line 3", "expected 2 mines, not 0"),
    "3 3 2 0 0 safe\n7 9": ("line 2", "cell 9 is not on a board of 3 x 3"),
    "3 3 2 0 0 safe\n7 7": ("line 2", "cell 7 is listed twice"),
    "3 3 2 0 0 safe\n0 7": (
        "line 2",
        "cell 0 cannot be a mine: the first click has the",
    ),
    "3 3 2 0 0 open\n4 7": (
        "line 2",
        "cell 4 cannot be a mine: the first click has the",
    ),
    "3 3 2 0 0 safe\n7 8.5": ("line 2", "'8.5' is not a number"),
    "3 3 2 0 0 safe\n7 \N{SUPERSCRIPT TWO}": ("line 2", "is not a number"),
    "SQLite format 3\x00\x01": ("line 1", "WIDTH HEIGHT MINES"),
}


@pytest.mark.any_engine
@pytest.mark.parametrize("text", BAD_BOARDS)
def test_errors_in_boards_name_the_line(text: str) -> None:
    line, trouble = BAD_BOARDS[text]
    with pytest.raises(SapperError) as error:
        Boards.parse(text.splitlines(keepends=True))
    assert str(error.value).startswith(f"{line}: ")
    assert trouble in str(error.value)
    assert "\n" not in str(error.value)


# The command -------------------------------------------------------------------------------------


def test_bench_prints_the_win_rate() -> None:
    done = sapper_command("bench", "beginner", "--games", "9", "--seed", "4", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    agent = "strong" if sapper.engine_name == "compiled" else "safest"
    result = bench("beginner", agent=agent, games=9, seed=4, jobs=1)
    lines = done.stdout.splitlines()
    heading = "beginner (9x9/10), seed 4, first click at row 4, column 4, promise: open"
    assert lines[0] == heading
    assert lines[1] == f"{agent}: {result.wins} of 9 games won, {result.rate.percent()}"
    assert "\x1b" not in done.stdout


def test_compare_prints_json() -> None:
    options = ("--promise", "safe", "--first", "2,3", "--games", "20", "--jobs", "1", "--json")
    done = sapper_command("compare", "logic", "safest", "5x4/4", *options)
    assert (done.returncode, done.stderr) == (0, "")
    both = json.loads(done.stdout)
    assert [both[side]["agent"] for side in ("first", "second")] == ["logic", "safest"]
    first = both["first"]
    assert (first["width"], first["height"], first["first"], first["promise"]) == (5, 4, [1, 2], "safe")
    assert set(both["difference"]) == {"value", "low", "high"}


def test_runs_are_saved_one_after_the_other(tmp_path: Path) -> None:
    file, written = tmp_path / "runs.sqlite", tmp_path / "outcomes"
    played = bench("5x5/4", games=30, jobs=1).played
    options = ("--games", "30", "--jobs", "1", "--save", str(file), "--outcomes", str(written))
    for command in (("bench", "5x5/4", "--agent", "safest"), ("compare", "safest", "logic", "5x5/4")):
        assert sapper_command(*command, *options, "--force").returncode == 0
    database = sqlite3.connect(file)
    runs = database.execute("SELECT id, agent, level, mines, promise, seed, games FROM runs").fetchall()
    same = ("5x5/4", 4, "open", "0", 30)
    assert runs == [(1, "safest", *same), (2, "safest", *same), (3, "logic", *same)]
    rows = database.execute("SELECT run, number, seed, won, guesses FROM games").fetchall()
    expected = [(i, str(game.seed), game.won, game.guesses) for i, game in enumerate(played)]
    assert [row[1:] for row in rows if row[0] == 1] == expected
    assert [row[1:] for row in rows if row[0] == 2] == expected
    assert len(rows) == 90
    database.close()
    outcomes = written.read_text().splitlines()
    assert outcomes[0] == "".join(str(int(game.won)) for game in played)
    assert [len(line) for line in outcomes] == [30, 30]


def test_bench_reads_boards_and_writes_outcomes(tmp_path: Path) -> None:
    boards, outcomes = tmp_path / "boards.txt", tmp_path / "outcomes.txt"
    boards.write_text("3 1 1 0 0 none\n0\n2\n0\n")
    done = sapper_command("bench", "--boards", str(boards), "--outcomes", str(outcomes), "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 of 3 games won" in done.stdout
    assert outcomes.read_text() == "010\n"


@pytest.mark.any_engine
@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("bench", "experts"), "'experts' is not a level"),
        (("bench", "--agent", "oracle"), "unknown agent 'oracle'"),
        (("bench", "--first", "3"), "'3' is not a cell: write ROW,COLUMN"),
        (("bench", "--first", "17,1"), "the first click, row 17, column 1, is not on a board"),
        (("bench", "--seed", "-4"), "-4"),
        (("bench", "--boards", "missing"), "cannot read missing: no such file"),
        (("bench", "--boards", "bad"), "bad, line 2: cell 9 is not on a board"),
        (("bench", "--save", "text"), "text cannot be used as a database"),
        (("bench", "--save", "other"), "other is a database, but does not contain Sapper's runs"),
        (("bench", "--save", "nowhere/runs"), "nowhere/runs cannot be used as a database"),
        (("compare", "safest", "oracle", "--outcomes", "new"), "unknown agent 'oracle'"),
        (("bench", "--outcomes", "nowhere/new"), "cannot write nowhere/new: "),
        (("bench", "--save", "new", "--outcomes", "nowhere/new"), "cannot write nowhere/new: "),
        (("bench", "--save", "nowhere/new", "--outcomes", "new"), "nowhere/new cannot be used"),
        (("bench", "--save", "new", "--outcomes", "bad"), "bad already exists: use --force"),
        (("bench", "--boards", "bad", "--csv", "./bad"), "bad cannot be both the boards and"),
        (
            ("bench", "--games", "9" * 20),
            "the number of games must be at most 1,000,000,000,000,000, not 99",
        ),
        (("bench", "--games", "nan"), "'nan' is not a whole number"),
        (("bench", "--cluster", ""), "--cluster requires an address, or local"),
        (
            ("bench", "--boards", "/dev/zero"),
            "/dev/zero: too long: a line may have 8,388,608",
        ),
        (("bench", "--save", "new", "--outcomes", "./new"), "new cannot be both the database and"),
        (("bench", "--games", "0"), "the number of games must be at least 1, not 0"),
        (("bench", "--games", "-5"), "the number of games must be at least 1, not -5"),
        (("bench", "--jobs", "0"), "the number of jobs must be from 1 to 1024, not 0"),
        (("bench", "--jobs", "-1"), "the number of jobs must be from 1 to 1024, not -1"),
        (
            ("compare", "logic", "safest", "--jobs", "99999999999"),
            "the number of jobs must be from 1 to 1024",
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments: tuple[str, ...], trouble: str, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text("3 3 2 0 0 safe\n7 9\n")
    (tmp_path / "text").write_text("This is no database. " * 100)
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE games (name)")
    other.close()
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", "from sapper.cli import main; main()", *arguments],
        cwd=tmp_path,
        env={**os.environ, "SAPPER_ENGINE": sapper.engine_name},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert trouble in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.any_engine
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
@pytest.mark.parametrize(
    ("agent", "cluster"),
    [("safest", []), ("logic", []), (DICE, []), ("safest", ["--cluster", "local"])],
)
def test_ctrl_c_prints_the_games_so_far(agent: str, cluster: list[str], tmp_path: Path) -> None:
    if cluster:
        pytest.importorskip("distributed")
    file = tmp_path / "runs.sqlite"
    options = ["--agent", agent, "--games", "100000000", "--save", str(file), "--json", *cluster]
    running = subprocess.Popen(
        [sys.executable, "-c", "from sapper.cli import main; main()", "bench", "5x5/4", *options],
        cwd=ROOT,
        env={**os.environ, "SAPPER_ENGINE": sapper.engine_name},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for _ in range(600):
        if file.exists() and _saved(file):
            break
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)  # A terminal sends it to the whole group.
    printed, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (130, "")
    result = json.loads(printed)
    assert 0 < result["games"] < result["games_asked"] == 100_000_000
    assert _saved(file) == result["games"]


def _saved(file: Path) -> int:
    database = sqlite3.connect(file)
    try:
        (count,) = database.execute("SELECT count(*) FROM games").fetchone()
        return int(count)
    except sqlite3.OperationalError:  # There is no table yet.
        return 0
    finally:
        database.close()
