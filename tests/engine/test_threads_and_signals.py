"""Answers are correct even if threads, signal handlers and forked processes run at the same time."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import sapper
from sapper import Analyser, Limit, Position, agents, analyse, arena
from sapper.engine import engine
from tests.support.entry_points import ENTRY_POINTS, outcome
from tests.support.positions import game_positions

ROOT = Path(__file__).parents[2]
PATIENT = Limit(seconds=600, states=10**9)


def in_threads(work: Callable[[int], None], threads: int = 4) -> None:
    """Run the work on several threads at once; raise what any of them raises."""
    barrier = threading.Barrier(threads)

    def begin(number: int) -> None:
        barrier.wait()
        work(number)

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(begin, number) for number in range(threads)]:
            done.result()


# Threads -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["beginner", "70x70/800"])
def test_threads_may_share_an_analyser(level: str) -> None:
    if level != "beginner" and sapper.engine_name == "python":
        pytest.skip("takes long in plain Python")
    positions = game_positions(level, 24)
    expected = [analyse(position) for position in positions]
    shared = Analyser()

    def work(number: int) -> None:
        order = random.Random(number).sample(range(len(positions)), len(positions))
        for place in order:
            found, truth = shared.feed(positions[place]), expected[place]
            assert found.best is not None
            assert (found.best.risk == 0) == bool(truth.safe)
            assert not truth.safe or found.best.cell in truth.safe
            assert (found.safe, found.mines) == (truth.safe, truth.mines)

    in_threads(work)


@pytest.mark.parametrize("name", [name for name in agents.available() if name != "logic"])
@pytest.mark.parametrize("level", ["beginner", "70x70/800"])
def test_threads_may_share_an_agent(name: str, level: str) -> None:
    if level != "beginner" and (sapper.engine_name == "python" or name == "strong-high"):
        pytest.skip("takes long")
    positions = game_positions(level, 12)
    shared = agents.named(name)
    truth = [analyse(position) for position in positions]
    guesses = [
        agents.named(name).choose(p) for p, a in zip(positions, truth, strict=True) if not a.safe
    ]

    def work(_: int) -> None:
        found = []
        for position, analysis in zip(positions, truth, strict=True):
            choice = shared.decide(position)
            assert choice is not None
            assert choice.safe == bool(analysis.safe)
            if choice.safe:
                assert choice.cell in analysis.safe
            else:
                found.append(choice.cell)
        assert found == guesses

    in_threads(work)


def test_every_entry_point_gives_the_same_answer_on_many_threads() -> None:
    positions = game_positions("beginner", 6 if sapper.engine_name == "compiled" else 2)
    names = [name for name in ENTRY_POINTS if name not in ("bench", "agents.logic")]
    expected = {name: [outcome(ENTRY_POINTS[name], p, PATIENT) for p in positions] for name in names}

    def work(number: int) -> None:
        for name in random.Random(number).sample(names, len(names)):
            assert [outcome(ENTRY_POINTS[name], p, PATIENT) for p in positions] == expected[name], name

    in_threads(work, threads=3)


@pytest.mark.compiled
def test_an_arena_rejects_a_second_thread() -> None:
    expert = {"height": 16, "width": 30, "mines": 99, "first": 0, "promise": 1}
    shared = engine.create_arena("strong", threads=1, limit=Limit(), **expert)
    refused, stop = [], threading.Event()

    def play() -> None:
        while not stop.is_set():
            shared.play_seeds(7, range(200))

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for _ in range(1000):
            try:
                shared.times()
            except RuntimeError as error:
                refused.append(str(error))
                break
    finally:
        stop.set()
        thread.join()
    assert refused == ["this Arena is already in use: give each thread its own"]
    assert len(shared.play_seeds(7, range(5))) == 5  # It works again afterwards.


@pytest.mark.compiled
def test_a_vector_environment_rejects_a_second_thread() -> None:
    numpy = pytest.importorskip("numpy")
    board = {"height": 16, "width": 30, "mines": 99, "promise": 1, "first": None}
    games = engine.create_vector_env(512, **board, progress=1.0, win=1.0, mine=-1.0, repeat=-0.1)
    for game in range(512):
        games.supply(game, numpy.arange(4000, dtype=numpy.uint64) + game)
    games.reset()
    refused = []

    def work(number: int) -> None:
        actions = numpy.random.default_rng(number).integers(0, 480, (300, 512))
        for row in actions:
            try:
                games.step(row)
            except RuntimeError as error:
                refused.append(str(error))

    in_threads(work, threads=2)
    assert set(refused) <= {"this VectorEnv is already in use: give each thread its own"}


def test_a_slow_analysis_does_not_block_a_fast_one() -> None:
    """One lock for all objects, as in `functools.cached_property`, would make the second wait."""
    slow = Position.blank(40, 50, 2)
    done = threading.Event()

    def work_long() -> None:
        outcome(ENTRY_POINTS["win_chance"], slow, Limit(seconds=2))
        done.set()

    analysis = analyse(Position.parse("# 1 # #", mines=2))
    thread = threading.Thread(target=work_long)
    thread.start()
    answers = 0
    while not done.is_set():
        assert analyse(Position.parse("# 1 # #", mines=2)).layouts == analysis.layouts == 2
        answers += 1
    thread.join()
    assert answers > 20


# Signal handlers ---------------------------------------------------------------------------------

SIGNALS = """
import random, signal, sys
from sapper import Limit, Position, agents, analyse, win_chance
from tests.support.entry_points import ENTRY_POINTS, outcome, wide_position
from tests.support.positions import game_positions

patient = Limit(seconds=600, states=10**9)
small = game_positions("beginner", 4)
names = [name for name in ENTRY_POINTS if name not in ("bench", "agents.logic", "agents.strong-high")]
expected = {name: [outcome(ENTRY_POINTS[name], p, patient) for p in small] for name in names}
strong = agents.named("strong")
shared = {place: strong.choose(p) for place, p in enumerate(small)}
nested = calls = 0

def handle(number, frame):
    global nested, calls
    if nested < 2:
        nested += 1
        name = names[calls % len(names)]
        place = calls % len(small)
        calls += 1
        assert outcome(ENTRY_POINTS[name], small[place], patient) == expected[name][place], name
        assert strong.choose(small[place]) == shared[place]  # The agent that may be thinking now.
        nested -= 1

busy = {
    "analyse": lambda: (analyse(wide, limit=patient).exact, dict(analyse(wide, limit=patient).risk)),
    "layouts": lambda: analyse(wide, limit=patient).layouts,
    "best": lambda: analyse(wide, limit=patient).best,
    "win_chance": lambda: win_chance(Position.blank(4, 5, 4), limit=patient),
    "strong": lambda: strong.decide(wide),
    "strong-high": lambda: agents.named("strong-high").decide(game),
    "safest": lambda: agents.named("safest").decide(wide),
}
wide, game = wide_position(13), game_positions("expert", 30)[-1]
truth = {name: call() for name, call in busy.items()}
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
for name, call in busy.items():
    for _ in range(8):
        assert call() == truth[name], name
signal.setitimer(signal.ITIMER_REAL, 0)
print(calls)
"""


@pytest.mark.compiled
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
def test_a_signal_handler_may_call_anything() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIGNALS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


# Forks -------------------------------------------------------------------------------------------

FORKS = """
import os, sys, threading, time
from sapper import Analyser, Limit, Position, agents, analyse
from tests.support.entry_points import wide_position
from tests.support.positions import game_positions

positions, wide = game_positions("beginner", 6), wide_position(13)
strong, analyser = agents.named(agents.available()[-1]), Analyser()
expected = [sorted(analyse(p).safe) for p in positions]
stop = threading.Event()

def work():
    while not stop.is_set():
        analyse(wide, limit=Limit(seconds=5, states=10**9)).layouts
        for position in positions:
            strong.decide(position)
            analyser.feed(position).best

threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(12):
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        right = [sorted(analyser.feed(p).safe) for p in positions] == expected
        right &= all(strong.decide(p) is not None and analyse(p).best for p in positions)
        os._exit(0 if right else 1)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os._exit(3)
    if status != 0:
        os._exit(4)
stop.set()
for thread in threads:
    thread.join()
"""


@pytest.mark.skipif(
    not hasattr(sys, "platform") or sys.platform == "win32", reason="Windows cannot fork"
)
def test_a_process_forked_during_analyses_still_works() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)


def test_two_runs_may_share_a_process() -> None:
    def work(_: int) -> None:
        assert arena.bench("5x5/4", games=30, seed=1, jobs=1).wins == expected

    expected = arena.bench("5x5/4", games=30, seed=1, jobs=1).wins
    in_threads(work, threads=3)
