"""Analyses of hostile positions stop at their limits, and certain cells are still proven."""

from __future__ import annotations

import random
import subprocess
import sys
import threading

import pytest

from benchmarks.games import game_of_size
from sapper import (
    HIDDEN,
    Analyser,
    Game,
    InconsistentPosition,
    Limit,
    LimitReached,
    Position,
    SapperError,
    agents,
    analyse,
)
from tests.support import SLOWDOWN
from tests.support.hostile_positions import HOSTILE, opened_by


@pytest.mark.compiled
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("limit", [Limit(seconds=5), Limit(states=10), Limit(seconds=0)], ids=repr)
def test_hostile_positions_get_an_answer(name: str, limit: Limit) -> None:
    height, width, pattern = HOSTILE[name]
    field = game_of_size(height, width, height * width // 5, seed=3)
    position = opened_by(pattern, field)
    analysis = analyse(position, limit=limit)
    assert analysis.safe.isdisjoint(field.mines)
    assert analysis.mines <= field.mines
    assert all(0 <= risk <= 1 for risk in analysis.risk.values())
    assert analysis.best is not None
    if not analysis.exact:
        uncertain = set(analysis.risk) - analysis.safe - analysis.mines
        assert all(0 < analysis.risk[cell] < 1 for cell in uncertain)
        with pytest.raises(LimitReached):
            _ = analysis.layouts


@pytest.mark.compiled
def test_estimates_are_near_the_truth_where_it_can_be_counted() -> None:
    field = game_of_size(20, 20, 80, seed=3)
    position = opened_by(HOSTILE["every second"][2], field)
    truth = analyse(position, limit=Limit(seconds=600, states=10**9))
    estimate = analyse(position, limit=Limit(seconds=600, states=10))
    assert truth.exact
    assert not estimate.exact
    squares = [(truth.risk[cell] - estimate.risk[cell]) ** 2 for cell in truth.risk]
    assert (sum(map(float, squares)) / len(squares)) ** 0.5 < 0.03


@pytest.mark.compiled
def test_without_complete_samples_the_estimate_still_fits_the_numbers() -> None:
    """The estimate is much better than the mine density, and certain cells are certain."""
    field = game_of_size(200, 200, 8000, seed=3)
    analysis = analyse(opened_by(HOSTILE["checkerboard"][2], field))
    assert not analysis.exact
    assert analysis.safe.isdisjoint(field.mines)
    assert analysis.mines <= field.mines
    squares = [(risk - (cell in field.mines)) ** 2 for cell, risk in analysis.risk.items()]
    assert sum(map(float, squares)) / len(squares) < 0.05  # The mine density alone gives 0.2.
    assert sum(map(float, analysis.risk.values())) == pytest.approx(8000, rel=0.02)


@pytest.mark.compiled
def test_an_error_names_the_limit_that_was_reached() -> None:
    position = opened_by(HOSTILE["every second"][2], game_of_size(300, 300, 18_000, seed=3))
    analysis = analyse(position, limit=Limit(seconds=SLOWDOWN))
    with pytest.raises(LimitReached, match=r"too complex to count: .* \d+ numbers pending at once"):
        analysis.shows(min(analysis.risk.keys() - analysis.safe - analysis.mines))
    position = opened_by(HOSTILE["every second"][2], game_of_size(30, 30, 180, seed=3))
    analysis = analyse(position, limit=Limit(states=100))
    with pytest.raises(LimitReached, match="the limit of 100 states was reached"):
        analysis.shows(min(analysis.risk.keys() - analysis.safe - analysis.mines))


@pytest.mark.compiled
def test_estimates_are_the_same_each_time() -> None:
    position = opened_by(HOSTILE["every second"][2], game_of_size(16, 16, 51, seed=3))
    limit = Limit(seconds=600, states=10)
    assert dict(analyse(position, limit=limit).risk) == dict(analyse(position, limit=limit).risk)


def test_the_plain_engine_stops_at_its_limit() -> None:
    position = opened_by(HOSTILE["every second"][2], game_of_size(30, 30, 180, seed=3))
    with pytest.raises(LimitReached, match="100 states"):
        analyse(position, exact_fractions=True, limit=Limit(states=100))


@pytest.mark.parametrize("bad", [{"seconds": -1}, {"states": -1}, {"seconds": float("nan")}])
def test_a_limit_cannot_be_negative(bad: dict[str, float]) -> None:
    with pytest.raises(SapperError, match="must not be negative"):
        Limit(**bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad", [{"states": 1e6}, {"states": True}, {"states": None}, {"seconds": "1"}, {"seconds": False}]
)
def test_a_limit_consists_of_numbers(bad: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=f"the {next(iter(bad))} of a limit"):
        Limit(**bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "limit", [Limit(float("inf"), 10**30), Limit(10**400, 2**64)], ids=["inf", "large"]
)
def test_a_limit_may_be_unlimited(limit: Limit) -> None:
    position = Position.parse("# 1 # #", mines=2)
    for analysis in (
        analyse(position, limit=limit),
        analyse(position, limit=limit, exact_fractions=True),
        Analyser(limit=limit).feed(Position.parse("\n".join(["# " * 100] * 100), mines=9)),
    ):
        assert analysis.exact
        assert analysis.layouts > 0
        assert analysis.shows((0, 0))
    with pytest.raises(InconsistentPosition, match="the 2 at row 1, column 1 cannot be true"):
        analyse(Position.parse("2 #", mines=1), limit=limit)


HOSTILE_SCRIPT = """
import os, signal, sys, threading
from benchmarks.games import game_of_size
from sapper import Limit, analyse
from sapper.engine import engine
from tests.support.hostile_positions import HOSTILE, opened_by, unsettled
position = unsettled(opened_by(HOSTILE["every second"][2], game_of_size(60, 60, 720, seed=3)))
try:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    {work}
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.compiled
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize(
    "work",
    [
        "analyse(position, limit=Limit(seconds=3000, states=10**9))",
        "engine.decide('strong', position, Limit(seconds=3000, states=10**9).start())",
    ],
)
def test_control_c_stops_an_analysis_and_a_player(work: str) -> None:
    script = HOSTILE_SCRIPT.format(work=work)
    done = subprocess.run([sys.executable, "-c", script], timeout=120, check=False)
    assert done.returncode == 7  # Without Ctrl-C, it would take most of an hour.


@pytest.mark.compiled
def test_other_threads_go_on_during_an_analysis() -> None:
    position = opened_by(HOSTILE["every second"][2], game_of_size(40, 40, 320, seed=3))
    steps, done = 0, threading.Event()

    def count() -> None:
        nonlocal steps
        while not done.wait(0.001):
            steps += 1

    thread = threading.Thread(target=count)
    thread.start()
    analyse(position, limit=Limit(seconds=2, states=10**9))
    done.set()
    thread.join()
    assert steps > 10


# Large boards ------------------------------------------------------------------------------


@pytest.mark.compiled
def test_risks_on_a_large_board_are_precise() -> None:
    """Two distant copies of a position have the same risks, and the risks sum to the mines."""
    field = game_of_size(300, 300, 18_540, seed=3)
    game = Game.new("300x300/18540", seed=5)
    game.open((150, 150))
    agent = agents.Safest()
    for _ in range(300):
        choice = agent.decide(game.position)
        if choice is None or not choice.safe:
            break
        game.open(choice.cell)
    for position in (game.position, opened_by(lambda i, j: (i // 7 + j // 7) % 3 > 0, field)):
        analysis = analyse(position)
        assert analysis.exact
        assert sum(map(float, analysis.risk.values())) == pytest.approx(position.mines, rel=1e-9)


@pytest.mark.compiled
def test_part_of_a_large_board_has_the_same_risks_as_alone() -> None:
    """Risks agree with the reference even on boards too large for plain double arithmetic."""
    rows = ["# # # # # #", "# 1 1 2 1 #", "# # # # # #"]
    small = Position.parse("\n".join(rows), mines=4)
    codes = bytearray([HIDDEN]) * (50 * 50)
    for i in range(3):
        for j in range(6):
            codes[(20 + i) * 50 + 20 + j] = small[i, j]
    large = Position(50, 50, 500, bytes(codes))
    found = analyse(large)
    expected = analyse(large, exact_fractions=True)
    assert found.safe == expected.safe
    assert found.mines == expected.mines
    assert all(abs(float(found.risk[c]) - float(expected.risk[c])) < 1e-12 for c in expected.risk)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_an_analyser_that_follows_a_game_agrees_with_analyse(seed: int) -> None:
    game = Game.new("80x70/800", seed=seed)
    analyser, generator = Analyser(), random.Random(seed)
    game.open((35, 40))
    for _ in range(60):
        position = game.position
        followed, alone = analyser.feed(position), analyse(position)
        assert followed.best is not None
        assert (followed.best.risk == 0) == bool(alone.safe)
        if alone.safe:
            assert followed.best.cell in alone.safe
            cell = generator.choice(sorted(alone.safe))
        else:
            assert game.minefield is not None
            cell = generator.choice(sorted(position.hidden - game.minefield.mines))
        assert followed.safe == alone.safe
        assert dict(followed.risk) == dict(alone.risk)
        game.open(cell)
        if game.over:
            break
