"""Comparisons: McNemar's test, the sequential test and its error rates, tables."""

from __future__ import annotations

import csv
import json
import math
import random
import sqlite3
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sapper import arena
from sapper.arena.sequential import BATCH, RunningTest, SequentialTest, Verdict
from sapper.arena.statistics import mcnemar
from sapper.arena.tables import COLUMNS
from sapper.errors import SapperError
from tests.support.subprocesses import sapper_command

pytestmark = pytest.mark.any_engine

counts = st.integers(0, 60)


# McNemar's test ----------------------------------------------------------------------------------


@given(counts, counts)
def test_mcnemar_is_the_two_sided_binomial_test(first: int, second: int) -> None:
    boards = first + second
    tail = sum(math.comb(boards, few) for few in range(min(first, second) + 1))
    exact = min(Fraction(2 * tail, 2**boards), Fraction(1))
    assert mcnemar(first, second) == pytest.approx(float(exact), rel=1e-9)


def test_mcnemar_on_many_boards_is_close_to_its_normal_approximation() -> None:
    first, second = 499_000, 501_000
    corrected = (abs(first - second) - 1) / math.sqrt(first + second)
    assert mcnemar(first, second) == pytest.approx(math.erfc(corrected / math.sqrt(2)), rel=1e-3)
    assert mcnemar(0, 1_000_000) == 0.0


# The sequential test -----------------------------------------------------------------------------


def log_likelihood(counts: Sequence[int], probabilities: Sequence[float]) -> float:
    return math.fsum(
        count * math.log(probability)
        for count, probability in zip(counts, probabilities, strict=True)
        if count
    )


@given(counts, counts, st.integers(0, 200), st.floats(1, 50), st.floats(0, 1))
def test_the_ratio_compares_the_largest_likelihoods(
    only_first: int, only_second: int, neither: int, points: float, share: float
) -> None:
    """No probabilities whose difference is `points` make the games more likely than the ratio says."""
    games, difference = only_first + only_second + neither, points / 100
    assume(games)
    observed = (only_first, only_second, neither)
    second = difference + share * (1 - difference) / 2  # The most that leaves all three possible.
    probabilities = (second - difference, second, 1 - 2 * second + difference)
    assume(not any(count and of <= 0 for count, of in zip(observed, probabilities, strict=True)))
    found = log_likelihood(observed, probabilities)
    equal = (only_first + only_second) / (2 * games)  # The maximum if the agents are equally strong.
    base = log_likelihood(observed, (equal, equal, 1 - 2 * equal))
    ratio = SequentialTest(points=points).ratio(only_first, only_second, games)
    assert found - base <= ratio + 1e-7 * (1 + abs(found))


def test_the_ratio_matches_values_computed_by_hand() -> None:
    """Only the second agent wins: its probability is 3/4 with a difference of 50 points, else 1/2."""
    assert SequentialTest(points=50).ratio(0, 10, 10) == pytest.approx(10 * math.log(1.5))
    # Neither agent wins alone: with a difference of 50 points, it would on half of the boards.
    assert SequentialTest(points=50).ratio(0, 0, 10) == pytest.approx(10 * math.log(0.5))


def test_the_bounds_are_those_of_wald() -> None:
    test = SequentialTest(points=1, alpha=0.01, beta=0.1)
    assert test.high == pytest.approx(math.log(90))
    assert test.low == pytest.approx(math.log(0.1 / 0.99))


@given(counts, counts, st.integers(1, 300))
def test_another_win_of_the_second_agent_never_lowers_the_ratio(
    first: int, second: int, both: int
) -> None:
    test, games = SequentialTest(points=3), first + second + both
    before = test.ratio(first, second, games) - 1e-9
    assert test.ratio(first, second + 1, games + 1) >= before  # On an additional board,
    assert test.ratio(first, second + 1, games) >= before  # or on one that neither had won alone.


def decide(
    dice: random.Random, difference: float, apart: float, test: SequentialTest
) -> tuple[Verdict, int]:
    """Return the verdict of a simulated test and its number of games.

    `apart` is the share of boards that exactly one agent wins.
    """
    running, games = RunningTest(test), 0
    weights = [(apart - difference) / 2, (apart + difference) / 2, 1 - apart]
    outcomes = [(True, False), (False, True), (True, True)]
    while games < 100_000:
        games += BATCH
        verdict = running.add(dice.choices(outcomes, weights, k=BATCH))
        if verdict is not Verdict.UNDECIDED:
            return verdict, games
    return Verdict.UNDECIDED, games


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.02, 0.1)])
@pytest.mark.parametrize(("points", "apart"), [(5, 0.3), (1, 0.02)])
@pytest.mark.parametrize("is_better", [False, True])
def test_the_error_rates_hold_and_the_test_stops_early(
    alpha: float, beta: float, points: float, apart: float, is_better: bool
) -> None:
    runs, test, dice = 1000, SequentialTest(points, alpha, beta), random.Random(2024)
    ended = [decide(dice, is_better * points / 100, apart, test) for _ in range(runs)]
    wrong = Verdict.NOT_BETTER if is_better else Verdict.BETTER
    rate = beta if is_better else alpha
    errors = sum(verdict is wrong for verdict, _ in ended)
    assert errors <= runs * rate + 3 * math.sqrt(runs * rate * (1 - rate))
    assert not any(verdict is Verdict.UNDECIDED for verdict, _ in ended)
    fixed = (
        (1.645 + 1.645) ** 2 * apart / (points / 100) ** 2
    )  # The number of games that a test of fixed size needs for error rates of 5 %.
    assert sum(games for _, games in ended) / runs < fixed


@pytest.mark.parametrize(
    "rates",
    [
        *({"points": points} for points in (0, -1, 100, math.nan)),
        *({"alpha": alpha} for alpha in (0, 1, math.nan)),
        *({"beta": 0}, {"beta": 1}, {"alpha": 0.5, "beta": 0.5}),
    ],
)
def test_invalid_parameters_of_a_test_are_errors(rates: dict[str, float]) -> None:
    with pytest.raises(SapperError):
        SequentialTest(**{"points": 1.0} | rates)


@pytest.mark.parametrize("pieces", [1, 7, 64, 200])
def test_a_running_test_decides_only_at_the_end_of_a_batch(pieces: int) -> None:
    pairs = [(False, True)] * 1000
    running, seen = RunningTest(SequentialTest(points=20)), 0
    while seen < 1000:
        more = min(pieces, BATCH - seen % BATCH)
        verdict = running.add(pairs[seen : seen + more])
        seen += more
        if verdict is not Verdict.UNDECIDED:
            break
    assert (verdict, seen) == (Verdict.BETTER, 200)


def test_a_comparison_stops_at_the_same_game_with_any_number_of_jobs() -> None:
    test = arena.SequentialTest(points=15)
    ended = []
    for jobs in (1, 2):
        both = arena.compare("logic", "safest", "4x4/4", games=1000, seed=3, jobs=jobs, test=test)
        ended.append(
            (both.first.games, both.second.games, both.only_first, both.only_second, both.verdict)
        )
    assert ended[0] == ended[1]
    games, other_games, *_, verdict = ended[0]
    assert games == other_games < 1000
    assert games % BATCH == 0
    assert verdict is not Verdict.UNDECIDED


def test_an_equal_agent_is_not_better() -> None:
    both = arena.compare(
        "safest", "safest", "4x4/2", games=1000, jobs=1, test=arena.SequentialTest(points=5)
    )
    assert both.verdict is Verdict.NOT_BETTER
    assert both.first.games == BATCH
    assert both.p_value == 1.0


def test_the_command_prints_the_decision() -> None:
    arguments = ("compare", "safest", "safest", "4x4/2", "--jobs", "1", "--games", "600")
    done = sapper_command(*arguments, "--points", "5", "--alpha", "0.01")
    assert done.returncode == 0, done.stderr
    *_, boards, verdict, stop = done.stdout.splitlines()
    assert boards == ("  boards won only by safest: 0; only by safest: 0; p = 1 (McNemar's exact test)")
    assert verdict == "  sequential test (alpha 0.01, beta 0.05): safest is not better by 5 points"
    assert stop.startswith("    stopped after 200 of 600 games; the interval and p-value above do not")
    said = json.loads(sapper_command(*arguments, "--points", "5", "--json").stdout)
    assert said["mcnemar_p"] == 1.0
    assert said["sequential"]["verdict"] == "not better"
    assert said["first"]["games"] == 200
    said = json.loads(sapper_command(*arguments, "--json").stdout)
    assert (said["sequential"], said["first"]["games"]) == (None, 600)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--points", "0"), "the points of a test must be between 0 and 100"),
        (("--points", "1", "--alpha", "2"), "alpha and beta must be positive"),
        (("--alpha", "0.1"), "--alpha and --beta require --points"),
        (("--csv", "nowhere/new"), "cannot write nowhere/new: "),
        (
            ("--csv", "new", "--outcomes", "./new"),
            "new cannot be both the list of outcomes and the CSV table",
        ),
    ],
)
def test_bad_options_are_one_line_before_any_game(options: tuple[str, ...], reason: str) -> None:
    done = sapper_command("compare", "safest", "safest", "4x4/2", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr
    assert not Path("new").exists()


# Tables ------------------------------------------------------------------------------------------


def test_the_table_and_the_database_have_the_same_games(tmp_path: Path) -> None:
    table, file = tmp_path / "games.csv", tmp_path / "runs.sqlite"
    options = ("--games", "12", "--jobs", "1", "--csv", str(table), "--save", str(file))
    done = sapper_command("compare", "logic", "safest", "4x4/3", *options)
    assert done.returncode == 0, done.stderr
    with table.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    database = sqlite3.connect(file)
    database.row_factory = sqlite3.Row
    saved = database.execute("SELECT * FROM games ORDER BY run, number").fetchall()
    database.close()
    assert len(rows) == len(saved) == 24
    assert [row["agent"] for row in rows] == ["logic", "safest"] * 12
    by_run = sorted(rows, key=lambda row: (int(row["run"]), int(row["number"])))
    for row, game in zip(by_run, saved, strict=True):
        assert int(row["run"]) == game["run"] - 1
        for name in (
            "number",
            "seed",
            "won",
            "cells_left",
            "decisions",
            "guesses",
            "solved",
            "seconds",
            "lost_at",
            "luck",
        ):
            assert row[name] == ("" if game[name] is None else str(game[name]))


def test_force_replaces_an_existing_table(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text(",".join(COLUMNS) + "\nold\n")
    done = sapper_command(
        "bench", "2x1/1", "--agent", "safest", "--games", "3", "--csv", str(table), "--force"
    )
    assert done.returncode == 0, done.stderr
    assert len(table.read_text().splitlines()) == 4
    assert list(tmp_path.iterdir()) == [table]


def test_a_parquet_table_is_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    plain, table = tmp_path / "games.csv", tmp_path / "games.parquet"
    options = ("--games", "9", "--jobs", "1", "--csv", str(plain), "--parquet", str(table))
    done = sapper_command("bench", "4x4/3", "--agent", "safest", *options)
    assert done.returncode == 0, done.stderr
    read = parquet.read_table(table).to_pylist()
    with plain.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(read) == len(rows) == 9
    for game, row in zip(read, rows, strict=True):
        assert isinstance(game["won"], bool)
        said = {name: int(value) if isinstance(value, bool) else value for name, value in game.items()}
        assert {name: "" if value is None else str(value) for name, value in said.items()} == row


def test_without_pyarrow_a_parquet_table_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from sapper.arena import tables

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(tables, "import_module", missing)
    with pytest.raises(SapperError, match="Parquet files require pyarrow"):
        tables.load_pyarrow()
