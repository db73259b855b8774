"""Call every public function from many threads, and fork meanwhile: every answer must be the right one.

    python tests/support/stress_threads.py --seconds 60 --threads 8 --seed 1

The threads call the entry points in tests/support/entry_points.py in random order, on positions of the
same game, and compare every answer with the one that a single thread got. Children are forked at random
moments and do the same. Under ThreadSanitizer (tools/sanitize.sh thread) a data race ends the process.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import threading
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from sapper import Limit, Position
from tests.support.entry_points import ENTRY_POINTS, outcome
from tests.support.positions import game_positions

PATIENT = Limit(seconds=600, states=10**9)
"""Large enough that no answer depends on the speed of the machine."""
SLOW = ("bench", "agents.logic", "agents.strong-high", "review")
"""Entry points that a thread calls only now and then."""
CHILD_TIMEOUT = 120.0


class Stress:
    """The right answers, and calls that must give them."""

    def __init__(self, positions: list[Position]) -> None:
        self.positions = positions
        self.expected = {
            name: [outcome(call, position, PATIENT) for position in positions]
            for name, call in ENTRY_POINTS.items()
        }
        self.names = [name for name in ENTRY_POINTS if name not in SLOW] * 8 + list(SLOW)

    def call(self, generator: random.Random) -> None:
        """Call a random entry point, and raise an error if its answer is wrong."""
        name, place = generator.choice(self.names), generator.randrange(len(self.positions))
        found = outcome(ENTRY_POINTS[name], self.positions[place], PATIENT)
        if found != self.expected[name][place]:
            raise AssertionError(
                f"{name} on position {place}: {found}, not {self.expected[name][place]}"
            )

    def fork(self, generator: random.Random) -> None:
        """Fork a child that makes calls; raise an error if it fails or hangs."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for _ in range(20):
                    self.call(generator)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        end = time.monotonic() + CHILD_TIMEOUT
        while time.monotonic() < end:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                if status != 0:
                    raise AssertionError(f"a forked child ended with status {status}")
                return
            time.sleep(0.01)
        os.kill(child, 9)
        os.waitpid(child, 0)
        raise AssertionError(f"a forked child did not end in {CHILD_TIMEOUT:g} seconds")


def main() -> int:
    """Run the stress test; return 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to run")
    parser.add_argument("--threads", type=int, default=8, help="how many threads call at the same time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the order of the calls")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns about a fork with threads.
    stress = Stress(game_positions("beginner", 6))
    end = time.monotonic() + options.seconds
    failures: list[str] = []
    calls = [0] * options.threads

    def work(number: int) -> None:
        generator = random.Random(f"{options.seed}/{number}")
        try:
            while time.monotonic() < end and not failures:
                stress.call(generator)
                calls[number] += 1
        except BaseException:
            failures.append(traceback.format_exc())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(options.threads)]
    for thread in threads:
        thread.start()
    generator, forks = random.Random(f"{options.seed}/forks"), 0
    while time.monotonic() < end and not failures:
        try:
            stress.fork(generator)
        except AssertionError as error:
            failures.append(str(error))
        forks += 1
        time.sleep(generator.uniform(0, 0.05))
    for thread in threads:
        thread.join()
    print(
        f"{sum(calls)} calls on {options.threads} threads and {forks} forks, {len(failures)} failures"
    )
    print(*failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
