"""Mean measures of random boards: `python -m benchmarks.measures [--boards N] [--promise PROMISE]`.

Prints the table in docs/measures.md: the mean of each measure over the boards of seeds 0, 1, 2, ...,
its standard error, and how long it takes to measure one board.
"""

from __future__ import annotations

import time
from math import sqrt
from statistics import fmean, stdev

from benchmarks.support import command_line
from sapper import BoardMeasures, Promise, measure
from sapper.game.game import draw_minefield
from sapper.game.setup import Setup

LEVELS = ("beginner", "intermediate", "expert")
MEASURES = ("bbbv", "openings", "islands", "zini", "hzini")


def measure_boards(setup: Setup, boards: int) -> tuple[list[BoardMeasures], float]:
    """Return the measures of the first boards, and the seconds per board."""
    measured = []
    seconds = 0.0
    for seed in range(boards):
        field = draw_minefield(setup.level, first=setup.first, promise=setup.promise, seed=seed)
        start = time.perf_counter()
        measured.append(measure(field))
        seconds += time.perf_counter() - start
    return measured, seconds / boards


def print_level(level: str, promise: Promise, boards: int) -> None:
    measured, seconds = measure_boards(Setup.of(level, promise=promise), boards)
    print(f"  {level:14}", end="")
    for name in MEASURES:
        values = [getattr(board, name) for board in measured]
        print(f"{fmean(values):9.2f} ±{stdev(values) / sqrt(boards):5.2f}", end="")
    print(f"{seconds * 1000:9.2f} ms", flush=True)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--boards", type=int, default=10_000, help="boards per level, from seed 0")
    parser.add_argument(
        "--promise", type=Promise, default=Promise.OPEN, help="guarantee for the first click"
    )
    options = parser.parse_args()
    promise = f"promise: {options.promise}"
    print(f"Means of {options.boards:,} boards per level ± standard error, {promise}; time per board:")
    print(f"  {'':14}" + "".join(f"{name:>16}" for name in MEASURES) + f"{'time':>12}")
    for level in LEVELS:
        print_level(level, options.promise, options.boards)


if __name__ == "__main__":
    main()
