"""Every public function respects its time and memory limits, even on hostile positions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sapper
from tests.support import SLOWDOWN
from tests.support.entry_points import ENTRY_POINTS, WITHOUT_LIMIT

ROOT = Path(__file__).parents[2]
SECONDS, MEBIBYTES = 0.05, 64
EXTRA_SECONDS, EXTRA_MEBIBYTES = 10.0 * SLOWDOWN, 700
"""How much CPU time and memory a call may use beyond its limit.

A million cells as Python tuples in a dictionary take some hundred mebibytes.
"""

SCRIPT = """
import gc, json, sys, time
from sapper import Limit
from tests.support.entry_points import ENTRY_POINTS, hostile_positions, outcome

def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")

def memory(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field))

def describe(found):
    # Python refuses to print a number of layouts with more than 4,300 digits.
    return f"{{found.bit_length()}} bits" if isinstance(found, int) else str(found)[:80]

limit = Limit(seconds={seconds}, memory={memory})
for place, position in hostile_positions().items():
    for name in {names}:
        gc.collect()
        reset_peak()
        before, start = memory("VmRSS"), time.process_time()
        found = outcome(ENTRY_POINTS[name], position, limit)
        seconds = time.process_time() - start
        row = [name, place, describe(found), seconds, memory("VmHWM") - before]
        print(json.dumps(row), flush=True)
"""


def test_no_public_function_is_missing() -> None:
    callables = {name for name in sapper.__all__ if callable(getattr(sapper, name))}
    errors = {name for name in callables if _is_error(getattr(sapper, name))}
    data = {
        "Action",
        "Agent",
        "Analysis",
        "BoardMeasures",
        "Difficulty",
        "Entry",
        "GameMeasures",
        "Guess",
    }
    data |= {
        "Kind",
        "Label",
        "Level",
        "Limit",
        "Moment",
        "Move",
        "Outcome",
        "Promise",
        "Proof",
        "Record",
    }
    data |= {"Review", "ReviewedMove", "Step", "Cell"}
    covered = {name.split(".")[0] for name in ENTRY_POINTS}
    assert callables - errors - data - covered == set(WITHOUT_LIMIT)


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("names", [sorted(ENTRY_POINTS)[part::4] for part in range(4)], ids="0123")
def test_every_call_stops_in_time_and_within_its_memory(names: list[str]) -> None:
    script = SCRIPT.format(seconds=SECONDS, memory=MEBIBYTES, names=names)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    for name, place, found, seconds, memory in rows:
        print(f"{name} on {place}: {found}, {seconds:.2f} s, {memory:.0f} MiB")
    too_slow = [row for row in rows if row[3] > SECONDS + EXTRA_SECONDS]
    too_large = [row for row in rows if row[4] > MEBIBYTES + EXTRA_MEBIBYTES]
    assert (too_slow, too_large) == ([], [])
