"""Check answers on random positions: `python -m benchmarks.soundness --seconds 600`.

On small positions of all shapes, these are compared with a list of all layouts: analyses (also with
trusted flags, right or wrong, and with limits that are too low), the moves of the agents, and proofs.
Every proof is checked and then forged; a forgery that passes the check must be true, sound and of the
right kind. The risks of larger positions are compared with exact fractions.

Each case depends only on its number: `--first NUMBER --count 1` repeats one. `SAPPER_ENGINE=python`
selects the pure-Python engine.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import NamedTuple

import sapper
from benchmarks.games import game_of_size
from benchmarks.support import command_line
from sapper import (
    FLAG,
    Analysis,
    InconsistentPosition,
    Limit,
    NotCertain,
    Position,
    WrongProof,
    agents,
    analyse,
    explain,
)
from sapper.minesweeper import Minesweeper
from sapper.position import Cell
from tests.support.forging import forged, has_right_kind, is_sound, is_true
from tests.support.oracle import AllLayouts, around, corrupted, seen

MOST_HIDDEN = 15
"""The most hidden cells of a small position: 2**15 layouts."""
BATCH = 20
"""The number of cases that a process gets at once."""
FORGERIES = 12
"""How often each proof is forged."""
PATIENT = Limit(seconds=120, states=10**8, memory=4096)
NAMES = {
    "positions": "positions compared with all layouts",
    "possible": "of them possible",
    "cells": "hidden cells compared",
    "certain": "certain cells",
    "limited": "analyses with a low limit",
    "moves": "moves that agents reported as safe",
    "proofs": "proofs found and checked",
    "forged": "forged proofs",
    "passed": "of them still valid, true and of the right kind",
    "large": "large positions compared with exact fractions",
    "large cells": "hidden cells in them",
}


# Positions ---------------------------------------------------------------------------------------


def small_position(random: Random) -> Position:
    """Return a position of any shape, with any number of mines and any flags. A few are impossible."""
    height, width = any_shape(random)
    cells = height * width
    mines = random.choice([0, 1, cells - 1, cells, random.randint(0, cells), random.randint(0, cells)])
    mines = min(max(mines, 0), cells, MOST_HIDDEN)
    minefield = game_of_size(height, width, mines, random.getrandbits(32))
    position = seen(minefield, any_opened(minefield, random))
    position = with_flags(position, minefield, random)
    return corrupted(position, random.getrandbits(32)) if random.random() < 0.15 else position


def any_shape(random: Random) -> tuple[int, int]:
    """Return height and width: a row, a column, a strip or any rectangle."""
    match random.randrange(5):
        case 0:
            sides = (1, random.randint(1, 40))
        case 1:
            sides = (2, random.randint(1, 15))
        case 2:
            sides = (3, random.randint(1, 10))
        case _:
            sides = (random.randint(1, 7), random.randint(1, 7))
    return sides if random.random() < 0.5 else (sides[1], sides[0])


def any_opened(minefield: Minesweeper, random: Random) -> set[Cell]:
    """Return the open cells: all safe cells or some, in half of the positions opened by cascades."""
    safe = [
        (i, j)
        for i in range(minefield.height)
        for j in range(minefield.width)
        if not minefield.is_mine((i, j))
    ]
    random.shuffle(safe)
    most = MOST_HIDDEN - len(minefield.mines)
    hidden = random.choice([0, 1, 2, random.randint(0, most), most])
    cascades = random.random() < 0.5
    opened: set[Cell] = set()
    while len(safe) - len(opened) > min(hidden, most):
        waiting = [random.choice([cell for cell in safe if cell not in opened])]
        while waiting:
            cell = waiting.pop()
            if cell not in opened:
                opened.add(cell)
                if cascades and minefield.nearby_mines(cell) == 0:
                    waiting += around(cell, safe)
    return opened


def with_flags(position: Position, minefield: Minesweeper, random: Random) -> Position:
    """Return the position with no flags, correct ones, random ones, all, or some next to numbers."""
    hidden = position.hidden
    match random.randrange(6):
        case 0:
            flags: Collection[Cell] = {cell for cell in minefield.mines if random.random() < 0.5}
        case 1:
            flags = {cell for cell in hidden if random.random() < 0.3}
        case 2:
            beside = {cell for cell in hidden if position.neighbours(cell) - hidden}
            flags = {cell for cell in beside if random.random() < 0.5}
        case 3 if random.random() < 0.3:
            flags = hidden
        case _:
            flags = ()
    codes = bytearray(position.codes)
    for row, column in flags:
        codes[row * position.width + column] = FLAG
    return Position(position.height, position.width, position.mines, bytes(codes))


def large_position(random: Random) -> Position:
    """Return a position of up to 16 x 16 cells, or a strip of up to 60, partly opened."""
    if random.random() < 0.3:
        height, width = random.randint(1, 3), random.randint(20, 60)
    else:
        height, width = random.randint(6, 16), random.randint(6, 16)
    cells = height * width
    minefield = game_of_size(
        height, width, round(cells * random.uniform(0.05, 0.35)), random.getrandbits(32)
    )
    share = random.uniform(0.1, 1.0)
    order = [(i, j) for i in range(height) for j in range(width) if not minefield.is_mine((i, j))]
    random.shuffle(order)
    return seen(minefield, order[: round(share * len(order))])


# Checks -----------------------------------------------------------------------------------------


def check_case(number: int) -> Counter[str]:
    """Check everything about the case of this number; return how much was checked."""
    random = Random(number)
    if random.random() < 0.02:
        return check_large(large_position(random))
    return check_small(small_position(random), random)


def check_small(position: Position, random: Random) -> Counter[str]:
    trust_flags = random.random() < 0.3
    layouts = AllLayouts(position, trust_flags=trust_flags)
    done = Counter(positions=1)
    exact = random.random() < 0.2
    try:
        analysis = analyse(position, trust_flags=trust_flags, exact_fractions=exact, limit=PATIENT)
    except InconsistentPosition:
        assert layouts.count == 0, "a possible position is called impossible"
        return done
    assert layouts.count > 0, "an impossible position is called possible"
    done += Counter(possible=1) + compare(analysis, layouts)
    done += check_limited(position, layouts, random, trust_flags=trust_flags)
    if not trust_flags:
        done += check_moves(position, layouts, random)
        done += check_proofs(analysis, layouts, random)
    return done


def compare(analysis: Analysis, layouts: AllLayouts) -> Counter[str]:
    """Compare risks, certain cells and the number of layouts with all layouts."""
    mines, count = layouts.mines, layouts.count
    assert analysis.exact
    assert analysis.layouts == count, "the number of layouts is wrong"
    assert analysis.safe == {cell for cell in mines if mines[cell] == 0}, "safe cells are wrong"
    assert analysis.mines == {cell for cell in mines if mines[cell] == count}, "mines are wrong"
    assert analysis.risk.keys() == mines.keys()
    for cell, risk in analysis.risk.items():
        assert abs(float(risk) - mines[cell] / count) < 1e-12, f"the risk of {cell} is wrong"
    return Counter(cells=len(mines), certain=len(analysis.safe) + len(analysis.mines))


def check_limited(
    position: Position, layouts: AllLayouts, random: Random, *, trust_flags: bool
) -> Counter[str]:
    """Check that cells reported as certain under a low limit are certain."""
    limit = Limit(seconds=random.choice([0, 10]), states=random.choice([0, 1, 5, 30, 200]))
    try:
        analysis = analyse(position, trust_flags=trust_flags, limit=limit)
    except sapper.LimitReached:
        return Counter(limited=1)
    mines, count = layouts.mines, layouts.count
    assert all(mines[cell] == 0 for cell in analysis.safe), "a limit made a cell safe"
    assert all(mines[cell] == count for cell in analysis.mines), "a limit made a cell a mine"
    return Counter(limited=1)


def check_moves(position: Position, layouts: AllLayouts, random: Random) -> Counter[str]:
    """Check that moves reported as safe are safe, and that known mines are mines."""
    agent = agents.named(random.choice(agents.available()), seed=1, seconds=2)
    choice = agent.decide(position)
    mines = layouts.mines
    known = agent.known_mines(position)
    assert all(mines[cell] == layouts.count for cell in known), f"{agent} is wrong about a mine"
    if choice is None or not choice.safe:
        return Counter()
    assert mines[choice.cell] == 0, f"{agent} calls {choice.cell} safe"
    return Counter(moves=1)


def check_proofs(analysis: Analysis, layouts: AllLayouts, random: Random) -> Counter[str]:
    """Check that exactly the certain cells have proofs, and that no forged proof passes wrongly."""
    position, done = analysis.position, Counter[str]()
    for cell in sorted(position.hidden):
        try:
            proof = explain(position, cell, limit=PATIENT)
        except NotCertain:
            assert 0 < layouts.mines[cell] < layouts.count, f"{cell} is certain, but has no proof"
            continue
        proof.check(position)
        assert is_true(proof, layouts, position), f"the proof of {cell} is wrong"
        assert has_right_kind(proof), f"the proof of {cell} has the wrong kind"
        done["proofs"] += 1
        for _ in range(FORGERIES):
            forgery = forged(proof, random)
            done["forged"] += 1
            try:
                forgery.check(position)
            except WrongProof:
                continue
            done["passed"] += 1
            assert is_true(forgery, layouts, position), f"a forged proof is wrong: {forgery!r}"
            assert has_right_kind(forgery), f"a forged proof has the wrong kind: {forgery!r}"
            if len(position.hidden) <= 10:
                assert is_sound(forgery, position), f"a forged proof is unsound: {forgery!r}"
    return done


def check_large(position: Position) -> Counter[str]:
    """Compare the engine with exact fractions, and prove some of the certain cells."""
    try:
        analysis = analyse(position, limit=PATIENT)
        exact = analyse(position, exact_fractions=True, limit=PATIENT)
    except sapper.LimitReached:
        return Counter()
    if not (analysis.exact and exact.exact):
        return Counter()
    assert analysis.safe == exact.safe, "safe cells differ"
    assert analysis.mines == exact.mines, "mines differ"
    for cell, risk in exact.risk.items():
        assert abs(float(risk) - float(analysis.risk[cell])) < 1e-9, f"the risk of {cell} differs"
    done = Counter({"large": 1, "large cells": len(exact.risk)})
    for cell in sorted(exact.safe | exact.mines)[:10]:
        try:
            proof = explain(position, cell)
        except sapper.LimitReached:
            continue
        proof.check(position)
        assert (cell in exact.safe) == (proof.verdict == "safe")
        assert has_right_kind(proof), f"the proof of {cell} has the wrong kind"
        done["proofs"] += 1
    return done


# Many cases --------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """How much was checked, and the first failure."""

    done: Counter[str]
    failure: str | None = None


def check_batch(numbers: range) -> Batch:
    """Check some cases, up to the first that fails."""
    done = Counter[str]()
    for number in numbers:
        try:
            done += check_case(number)
        except Exception as error:
            return Batch(done, f"case {number} failed: {type(error).__name__}: {error}")
    return Batch(done)


def batches(first: int, count: int | None, seconds: float) -> Iterator[range]:
    """Yield ranges of case numbers until there are enough, or the time is up."""
    end = time.monotonic() + seconds
    last = None if count is None else first + count
    while time.monotonic() < end and (last is None or first < last):
        stop = first + BATCH if last is None else min(first + BATCH, last)
        yield range(first, stop)
        first = stop


def main() -> int:
    parser = command_line(__doc__)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--count", type=int, help="stop after this number of cases")
    parser.add_argument("--first", type=int, help="number of the first case (default: random)")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="number of processes"
    )
    options = parser.parse_args()
    if options.count is None and options.seconds == float("inf"):
        parser.error("give --seconds or --count")
    first = secrets.randbits(40) if options.first is None else options.first
    start, done = time.monotonic(), Counter[str]()
    failures: list[str] = []
    with ProcessPoolExecutor(options.processes) as pool:
        running: set[Future[Batch]] = set()
        waiting = batches(first, options.count, options.seconds)
        while True:
            more = [] if failures else list(islice(waiting, 2 * options.processes - len(running)))
            running |= {pool.submit(check_batch, numbers) for numbers in more}
            if not running:
                break
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for each in ended:
                batch = each.result()
                done += batch.done
                if batch.failure is not None:
                    failures.append(batch.failure)
    taken = time.monotonic() - start
    used = sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    print(f"engine: {sapper.engine_name}; first case: {first}")
    print(f"{taken:.0f} s, {used:.0f} s of CPU time, {options.processes} processes")
    for key, name in NAMES.items():
        print(f"{done[key]:12,} {name}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
