"""How no-guess boards are generated: `python -m benchmarks.generate [--boards N] [--plots FOLDER]`.

Prints the figures in docs/boards.md: how long an expert board takes, also with ms_toollib, a public
library written in Rust, if it is installed (`pip install ms-toollib`); how long boards of other sizes
take, and how many mines are moved; and how no-guess boards differ from random ones. `--plots` draws the
last comparison.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

from benchmarks.support import UNLIMITED, command_line, percentile
from sapper import BoardMeasures, generate, measure
from sapper.boards.no_guess import NoGuessSearch, draw, walk
from sapper.drawing.charts import Line, Point, draw_lines
from sapper.engine.seeds import board_seed
from sapper.game.game import minefield_of
from sapper.game.setup import Setup

SIZES = (
    "beginner",
    "intermediate",
    "expert",
    "30x16/120",
    "30x16/144",
    "16x16/77",
    "100x100/2000",
    "100x100/3000",
)


# Speed -------------------------------------------------------------------------------------------


def peer() -> Callable[[], object] | None:
    """Return a function that makes an expert board with ms_toollib, or None if it is not installed."""
    try:
        library = importlib.import_module("ms_toollib")
    except ImportError:
        return None

    def make() -> object:
        board, is_solvable = library.laymine_solvable(16, 30, 99, 3, 3)
        assert is_solvable
        return board

    return make


def print_times(boards: int) -> None:
    """Print the CPU time per expert board, with Sapper and with ms_toollib."""
    other = peer()
    ours, theirs = [], []
    for seed in range(boards):
        start = time.process_time()
        generate("expert", seed=seed)
        ours.append(time.process_time() - start)
        if other is not None:
            start = time.process_time()
            other()
            theirs.append(time.process_time() - start)
    print(f"{boards:,} expert boards, CPU milliseconds per board:")
    print(f"  {'':12}{'mean':>8}{'median':>8}{'p99':>8}{'longest':>8}")
    for name, times in (("sapper", ours), ("ms_toollib", theirs)):
        if times:
            print(f"  {name:12}" + "".join(f"{1000 * each:8.2f}" for each in spread(times)))
    if theirs:
        mean, median = (f(theirs) / f(ours) for f in (statistics.mean, statistics.median))
        print(f"  {'ratio':12}{mean:8.1f}{median:8.1f}")


def spread(times: list[float]) -> tuple[float, float, float, float]:
    """Return the mean, the median, the 99th percentile and the maximum."""
    return statistics.mean(times), statistics.median(times), percentile(times, 99), max(times)


def print_sizes(boards: int) -> None:
    """Print how long boards of each size take, and how many are repaired."""
    print("Boards of other sizes:")
    columns = ("mean ms", "longest", "repaired", "moved", "no guess")
    print(f"  {'':14}{'boards':>8}" + "".join(f"{column:>10}" for column in columns))
    for size in SIZES:
        setup = Setup.of(size)
        some = max(4, boards * 480 // len(draw(setup, 0)) // 4)
        times, moved = [], []
        for seed in range(some):
            search = NoGuessSearch(setup, UNLIMITED.start())
            start = time.process_time()
            minefield = next(search.minefields(seed))
            times.append(time.process_time() - start)
            moved.append(count_moved(minefield, search.drawn))
        repaired = [each for each in moved if each]
        average = f"{statistics.mean(repaired):10.1f}" if repaired else " " * 10
        solved = sum(walk(setup, draw(setup, seed), UNLIMITED.start()).is_done for seed in range(some))
        print(
            f"  {size:14}{some:8}{1000 * statistics.mean(times):10.2f}{1000 * max(times):10.1f}"
            f"{len(repaired) / some:10.1%}{average}{solved / some:10.1%}",
            flush=True,
        )
    print("repaired: share of boards with moved mines; moved: mean number of moved mines in those;")
    print("no guess: share of random boards that need no guess")


def count_moved(one: bytes, other: bytes) -> int:
    """Return how many mines of one minefield are not mines of the other."""
    return sum(mine > there for mine, there in zip(one, other, strict=True))


# How natural -------------------------------------------------------------------------------------


def any_boards(setup: Setup) -> Iterator[bytes]:
    return (draw(setup, board_seed(1, number)) for number in count())


def drawn_boards(setup: Setup) -> Iterator[bytes]:
    return (next(NoGuessSearch(setup, UNLIMITED.start()).minefields(seed)) for seed in count())


def repaired_boards(setup: Setup) -> Iterator[bytes]:
    return (
        next(NoGuessSearch(setup, UNLIMITED.start(), unchanged_tries=0).minefields(seed))
        for seed in count()
    )


Kinds = dict[str, Callable[[Setup], Iterator[bytes]]]
EXPERT: Kinds = {
    "any": any_boards,
    "no guess, drawn": drawn_boards,
    "no guess, repaired": repaired_boards,
}
DENSE: Kinds = {"any": any_boards, "no guess, repaired": repaired_boards}


def mean_and_error(values: list[int]) -> str:
    error = statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):9.2f} ± {error:.2f}"


def print_differences(size: str, kinds: Kinds, boards: int, plots: Path | None) -> None:
    """Print how no-guess boards differ from random ones; draw it if `plots` is a folder."""
    setup = Setup.of(size)
    work, near = [], []
    print(f"Mean measures of {boards:,} boards of each kind, {size}:")
    print(f"  {'':20}{'3BV':>16}{'openings':>16}{'islands':>16}")
    for name, make in kinds.items():
        minefields = list(islice(make(setup), boards))
        found = [measure(minefield_of(setup.level, each)) for each in minefields]
        columns = (
            [each.bbbv for each in found],
            [each.openings for each in found],
            [each.islands for each in found],
        )
        print(f"  {name:20}" + "".join(f"{mean_and_error(each):>16}" for each in columns), flush=True)
        work.append(Line(name, histogram(found)))
        near.append(Line(name, density_by_distance(setup, minefields)))
    if plots is not None:
        stem = size.replace("/", "-")
        for kind, title, across, lines in (
            ("3bv", f"{size}: distribution of 3BV", "3BV", work),
            (
                "density",
                f"{size}: density of mines by distance from the first click",
                "distance in cells",
                near,
            ),
        ):
            file = plots / f"boards-{stem}-{kind}.svg"
            file.write_text(draw_lines(title, lines, across=across), encoding="utf-8")


def histogram(found: list[BoardMeasures], width: int = 10) -> list[Point]:
    """Return the share of boards in each interval of 3BV."""
    counts = Counter(each.bbbv // width for each in found)
    low, high = min(counts), max(counts)
    return [Point((at + 0.5) * width, counts[at] / len(found)) for at in range(low, high + 1)]


def density_by_distance(setup: Setup, minefields: list[bytes], most: int = 14) -> list[Point]:
    """Return the density of mines at each distance from the first click."""
    level, (row, column) = setup.level, setup.first
    mines: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    for i in range(level.height):
        for j in range(level.width):
            distance, index = max(abs(i - row), abs(j - column)), i * level.width + j
            cells[distance] += len(minefields)
            mines[distance] += sum(each[index] for each in minefields)
    return [Point(at, mines[at] / cells[at]) for at in range(2, most + 1)]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--boards", type=int, default=2_000, help="boards of each kind")
    parser.add_argument(
        "--plots", type=Path, metavar="FOLDER", help="folder for the charts in docs/boards.md"
    )
    options = parser.parse_args()
    print_times(min(options.boards, 1_000))
    print_sizes(options.boards)
    print_differences("expert", EXPERT, options.boards, options.plots)
    print_differences("30x16/130", DENSE, options.boards, options.plots)


if __name__ == "__main__":
    main()
