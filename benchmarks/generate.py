"""Boards without guessing: `python -m benchmarks.generate [--boards N] [--plots FOLDER]`.

Prints how long an expert board takes, in the same run as by ms_toollib, a public library written in
Rust, if it is there (`pip install ms-toollib`); how long other boards take, and how many mines are
moved; and how the boards differ from random ones. `--plots` draws that for docs/boards.md.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

from sapper import BoardMeasures, Limit, generate, measure
from sapper.boards.no_guess import Search, draw, walk
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
PATIENT = Limit(seconds=600)


# How fast ----------------------------------------------------------------------------------------


def peer() -> Callable[[], object] | None:
    """Return what makes an expert board with ms_toollib, None without it."""
    try:
        library = importlib.import_module("ms_toollib")
    except ImportError:
        return None

    def make() -> object:
        board, is_solvable = library.laymine_solvable(16, 30, 99, 3, 3)
        assert is_solvable
        return board

    return make


def print_race(boards: int) -> None:
    """Print the CPU time that an expert board takes us, and the other."""
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
    print(f"{boards:,} expert boards, CPU milliseconds a board:")
    print(f"  {'':12}{'mean':>8}{'median':>8}{'99 %':>8}{'worst':>8}")
    for name, times in (("sapper", ours), ("ms_toollib", theirs)):
        if times:
            print(f"  {name:12}" + "".join(f"{1000 * each:8.2f}" for each in spread(times)))
    if theirs:
        mean, median = (f(theirs) / f(ours) for f in (statistics.mean, statistics.median))
        print(f"  {'ratio':12}{mean:8.1f}{median:8.1f}")


def spread(times: list[float]) -> tuple[float, float, float, float]:
    ordered = sorted(times)
    high = ordered[int(0.99 * (len(ordered) - 1))]
    return statistics.mean(times), statistics.median(times), high, ordered[-1]


def print_sizes(boards: int) -> None:
    """Print how boards of each size are found."""
    print("Boards of other sizes:")
    print(
        f"  {'':14}{'boards':>8}{'mean ms':>10}{'worst':>10}{'mended':>9}{'moved':>8}{'no guess':>10}"
    )
    for size in SIZES:
        setup = Setup.of(size)
        some = max(4, boards * 480 // len(draw(setup, 0)) // 4)
        times, moved = [], []
        for seed in range(some):
            search = Search(setup, PATIENT.start())
            start = time.process_time()
            minefield = next(search.minefields(seed))
            times.append(time.process_time() - start)
            moved.append(moves(minefield, search.drawn))
        mended = [each for each in moved if each]
        average = f"{statistics.mean(mended):8.1f}" if mended else f"{'':8}"
        solved = sum(walk(setup, draw(setup, seed), PATIENT.start()).is_done for seed in range(some))
        print(
            f"  {size:14}{some:8}{1000 * statistics.mean(times):10.2f}{1000 * max(times):10.1f}"
            f"{len(mended) / some:9.1%}{average}{solved / some:10.1%}",
            flush=True,
        )
    print("mended: with moved mines; moved: how many; no guess: so many random boards need none")


def moves(one: bytes, other: bytes) -> int:
    """Return how many mines of one board are not on the other."""
    return sum(mine > there for mine, there in zip(one, other, strict=True))


# How natural -------------------------------------------------------------------------------------


def any_boards(setup: Setup) -> Iterator[bytes]:
    return (draw(setup, board_seed(1, number)) for number in count())


def drawn_boards(setup: Setup) -> Iterator[bytes]:
    return (next(Search(setup, PATIENT.start()).minefields(seed)) for seed in count())


def mended_boards(setup: Setup) -> Iterator[bytes]:
    return (next(Search(setup, PATIENT.start(), plain=0).minefields(seed)) for seed in count())


Kinds = dict[str, Callable[[Setup], Iterator[bytes]]]
EXPERT: Kinds = {"any": any_boards, "no guess, drawn": drawn_boards, "no guess, mended": mended_boards}
DENSE: Kinds = {"any": any_boards, "no guess, mended": mended_boards}


def mean_and_error(values: list[int]) -> str:
    error = statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):9.2f} ± {error:.2f}"


def print_nature(size: str, kinds: Kinds, boards: int, plots: Path | None) -> None:
    """Print, and draw, how boards without guesses differ from any."""
    setup = Setup.of(size)
    work, near = [], []
    print(f"What boards are like, {size}, {boards:,} of each kind:")
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
            ("3bv", f"{size}: how many boards have how much 3BV", "3BV", work),
            ("density", f"{size}: mines by the distance from the first click", "cells", near),
        ):
            file = plots / f"boards-{stem}-{kind}.svg"
            file.write_text(draw_lines(title, lines, across=across), encoding="utf-8")


def histogram(found: list[BoardMeasures], width: int = 10) -> list[Point]:
    """Return the share of the boards whose 3BV is within each stretch of the scale."""
    counts = Counter(each.bbbv // width for each in found)
    low, high = min(counts), max(counts)
    return [Point((at + 0.5) * width, counts[at] / len(found)) for at in range(low, high + 1)]


def density_by_distance(setup: Setup, minefields: list[bytes], most: int = 14) -> list[Point]:
    """Return the share of mines among the cells at each distance from the first click."""
    level, (row, column) = setup.level, setup.first
    mines: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    for i in range(level.height):
        for j in range(level.width):
            distance, place = max(abs(i - row), abs(j - column)), i * level.width + j
            cells[distance] += len(minefields)
            mines[distance] += sum(each[place] for each in minefields)
    return [Point(at, mines[at] / cells[at]) for at in range(2, most + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=2_000)
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="draw what boards are like")
    options = parser.parse_args()
    print_race(min(options.boards, 1_000))
    print_sizes(options.boards)
    print_nature("expert", EXPERT, options.boards, options.plots)
    print_nature("30x16/130", DENSE, options.boards, options.plots)


if __name__ == "__main__":
    main()
