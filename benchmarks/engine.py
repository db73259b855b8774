"""How long the analysis of a position takes: `python -m benchmarks.engine`.

Prints the figures in docs/engine.md. The first part analyses expert positions that need a guess
(benchmarks/positions.py): inside the compiled core, from Python, and with ms_toollib, a public solver
written in Rust, if it is installed (`pip install ms_toollib`). The second part analyses boards of
growing size with the same density of mines. Each time is the shortest of several repeats. Compare
the ratios: times depend on the machine.
"""

from __future__ import annotations

import gc
import importlib
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import sapper
from benchmarks.games import game_of_size, shuffled_openings
from benchmarks.positions import CACHE, guess_positions
from benchmarks.support import UNLIMITED, command_line, percentile
from sapper import HIDDEN, Position, analyse
from sapper.minesweeper import neighbours
from sapper.position import Cell

Argument = TypeVar("Argument")
Board = list[list[int]]
"""A position as ms_toollib takes it: rows of numbers, 10 for a hidden cell."""

DENSITY = 0.206  # Of expert.
SIZES = ((16, 30), (100, 100), (300, 300), (1000, 1000))


def shortest_times(
    call: Callable[[Argument], object], arguments: Sequence[Argument], repeats: int
) -> list[float]:
    """Return the shortest time of each call, in seconds, over several passes through all arguments."""
    shortest = [float("inf")] * len(arguments)
    for _ in range(repeats):
        for index, argument in enumerate(arguments):
            start = perf_counter()
            call(argument)
            shortest[index] = min(shortest[index], perf_counter() - start)
    return shortest


def core_times(positions: Sequence[Position], repeats: int) -> list[float] | None:
    """Return the shortest times inside the compiled core, or None if it was built without a timer."""
    try:
        time_analyses = importlib.import_module("sapper._core").time_analyses
    except (ImportError, AttributeError):
        return None
    arguments = [(each.height, each.width, each.mines, each.codes) for each in positions]
    times: list[float] = time_analyses(arguments, repeats)
    return times


def peer_solver() -> Callable[[Board, int], Board] | None:
    """Return ms_toollib's function for mine probabilities, or None if it is not installed."""
    try:
        peer = importlib.import_module("ms_toollib")
    except ImportError:
        return None
    return lambda board, mines: peer.cal_probability_onboard(board, mines)[0]


def peer_board(position: Position) -> Board:
    codes = [10 if code >= HIDDEN else code for code in position.codes]
    return [codes[start : start + position.width] for start in range(0, len(codes), position.width)]


def count_differences(
    positions: Sequence[Position], solve: Callable[[Board, int], Board], tolerance: float = 1e-6
) -> int:
    """Return the number of positions where the probabilities of ms_toollib differ from ours."""
    differ = 0
    for position in positions:
        chances = solve(peer_board(position), position.mines)
        risk = analyse(position, limit=UNLIMITED).risk
        differ += any(abs(chances[i][j] - risk[i, j]) > tolerance for i, j in position.hidden)
    return differ


def print_row(name: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    figures = (
        statistics.mean(ordered),
        statistics.median(ordered),
        percentile(ordered, 99),
        ordered[-1],
    )
    print(f"  {name:24}" + "".join(f"{1e6 * figure:12,.1f}" for figure in figures))


def expert_positions(size: int, repeats: int, cache: Path) -> None:
    positions = guess_positions(size, cache)
    rows: dict[str, list[float]] = {}
    inside = core_times(positions, repeats)
    if inside is not None:
        rows["inside the core"] = inside
    rows["sapper.analyse"] = shortest_times(
        lambda position: analyse(position, limit=UNLIMITED), positions, repeats
    )
    rows["and reading all risks"] = shortest_times(
        lambda position: dict(analyse(position, limit=UNLIMITED).risk), positions, repeats
    )
    solve = peer_solver()
    if solve is not None:
        boards = [(peer_board(position), position.mines) for position in positions]
        rows["ms_toollib"] = shortest_times(lambda arguments: solve(*arguments), boards, repeats)
    print(f"{size} expert positions that need a guess, {sapper.engine_name} engine, microseconds:")
    print(f"  {'':24}" + "".join(f"{name:>12}" for name in ("mean", "median", "p99", "longest")))
    for name, times in rows.items():
        print_row(name, times)
    if inside is None:
        print("  (no row for the core: it is not built, or was built without time_analyses)")
    if solve is None:
        print("  (no row for ms_toollib: pip install ms_toollib)")
        return
    for name in rows:
        if name != "ms_toollib":
            ratio = statistics.mean(rows["ms_toollib"]) / statistics.mean(rows[name])
            print(f"  ms_toollib / {name}: {ratio:.3g} (ratio of means)")
    differ = count_differences(positions, solve)
    print(f"  its probabilities differ from ours by more than 1e-6 in {differ} positions")


def half_open(height: int, width: int, seed: int) -> Position:
    """Return a position in which cascades have opened about half of the safe cells."""
    minefield = game_of_size(height, width, round(DENSITY * height * width), seed)
    numbers = dict(shuffled_openings(minefield, seed))
    codes = bytearray([HIDDEN]) * (height * width)
    opened: set[Cell] = set()
    for start in [cell for cell, number in numbers.items() if number == 0]:
        if len(opened) >= len(numbers) / 2:
            break
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            if cell not in opened:
                opened.add(cell)
                codes[cell[0] * width + cell[1]] = numbers[cell]
                if numbers[cell] == 0:
                    waiting += neighbours(cell, height, width)
    return Position(height, width, len(minefield.mines), bytes(codes))


def growing_boards(repeats: int, largest: int) -> None:
    print(f"Half-open boards of growing size, {DENSITY:.1%} mines, `sapper.analyse`:")
    print(f"  {'':14}{'frontier cells':>16}{'not certain':>14}{'ms':>10}{'us per frontier cell':>22}")
    for height, width in SIZES:
        if max(height, width) > largest:
            continue
        position = half_open(height, width, seed=1)
        [time] = shortest_times(lambda each: analyse(each, limit=UNLIMITED), [position], repeats)
        analysis = analyse(position, limit=UNLIMITED)
        assert analysis.exact
        beside_open = {near for cell in position.numbers for near in position.neighbours(cell)}
        frontier = beside_open & position.hidden
        size, unsure = f"{height} x {width}", frontier - analysis.safe - analysis.mines
        figures = f"{len(frontier):16,}{len(unsure):14,}{1e3 * time:10.2f}"
        print(f"  {size:14}{figures}{1e6 * time / len(frontier):22.2f}", flush=True)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--positions", type=int, default=1_500, help="number of expert positions")
    parser.add_argument("--repeats", type=int, default=5, help="repeats; the shortest time counts")
    parser.add_argument("--largest", type=int, default=1000, help="longest side of the growing boards")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder that caches the positions")
    options = parser.parse_args()
    gc.disable()  # As timeit does: garbage collection would distort the times.
    expert_positions(options.positions, options.repeats, options.cache)
    if sapper.engine_name == "compiled":
        growing_boards(options.repeats, options.largest)
    else:
        print("Boards of growing size are measured with the compiled engine only.")


if __name__ == "__main__":
    main()
