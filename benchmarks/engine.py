"""How fast the engine analyses a position: `python -m benchmarks.engine`.

Expert positions where a guess is due (benchmarks/positions.py): inside the compiled core, from Python,
and by ms_toollib, a public solver written in Rust, if it is there (`pip install ms_toollib`). Then
boards of growing size at one density. All in one run of one process, and of each time the least of some
repeats; compare the ratios, because times depend on the machine.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import sapper
from benchmarks.games import game_of_size, shuffled_openings
from benchmarks.positions import CACHE, PATIENT, guess_positions
from sapper import HIDDEN, Position, analyse
from sapper.minesweeper import neighbours
from sapper.position import Cell

Asked = TypeVar("Asked")
Board = list[list[int]]
"""A position as ms_toollib takes it: rows of numbers, 10 for a hidden cell."""

DENSITY = 0.206  # Of expert.
SIZES = ((16, 30), (100, 100), (300, 300), (1000, 1000))


def least_times(call: Callable[[Asked], object], asked: Sequence[Asked], repeats: int) -> list[float]:
    """Return the least seconds that each call took over some rounds through all of them."""
    least = [float("inf")] * len(asked)
    for _ in range(repeats):
        for place, each in enumerate(asked):
            start = perf_counter()
            call(each)
            least[place] = min(least[place], perf_counter() - start)
    return least


def core_times(positions: Sequence[Position], repeats: int) -> list[float] | None:
    """Return the least seconds inside the compiled engine, None where it cannot tell."""
    try:
        time_analyses = importlib.import_module("sapper._core").time_analyses
    except (ImportError, AttributeError):
        return None
    asked = [(each.height, each.width, each.mines, each.codes) for each in positions]
    times: list[float] = time_analyses(asked, repeats)
    return times


def peer_solver() -> Callable[[Board, int], Board] | None:
    """Return the function of ms_toollib that gives the chance of every cell, None without it."""
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
    """Return for how many positions the peer's chances are not ours."""
    differ = 0
    for position in positions:
        chances = solve(peer_board(position), position.mines)
        risk = analyse(position, limit=PATIENT).risk
        differ += any(abs(chances[i][j] - risk[i, j]) > tolerance for i, j in position.hidden)
    return differ


def print_row(name: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    figures = (
        statistics.mean(ordered),
        statistics.median(ordered),
        ordered[len(ordered) * 99 // 100],
        ordered[-1],
    )
    print(f"  {name:24}" + "".join(f"{1e6 * figure:12,.1f}" for figure in figures))


def expert_positions(size: int, repeats: int, cache: Path) -> None:
    positions = guess_positions(size, cache)
    rows: dict[str, list[float]] = {}
    inside = core_times(positions, repeats)
    if inside is not None:
        rows["inside the core"] = inside
    rows["sapper.analyse"] = least_times(
        lambda position: analyse(position, limit=PATIENT), positions, repeats
    )
    rows["and all risks read"] = least_times(
        lambda position: dict(analyse(position, limit=PATIENT).risk), positions, repeats
    )
    solve = peer_solver()
    if solve is not None:
        boards = [(peer_board(position), position.mines) for position in positions]
        rows["ms_toollib"] = least_times(lambda asked: solve(*asked), boards, repeats)
    print(f"{size} expert positions where a guess is due, {sapper.engine_name} engine, microseconds:")
    print(f"  {'':24}" + "".join(f"{name:>12}" for name in ("mean", "median", "99 %", "worst")))
    for name, times in rows.items():
        print_row(name, times)
    if inside is None:
        print("  (no row for the core: it was not built, or has no time_analyses)")
    if solve is None:
        print("  (no row for ms_toollib: pip install ms_toollib)")
        return
    for name in rows:
        if name != "ms_toollib":
            ratio = statistics.mean(rows["ms_toollib"]) / statistics.mean(rows[name])
            print(f"  ms_toollib / {name}: {ratio:.3g} (of the means)")
    differ = count_differences(positions, solve)
    print(f"  its chances differ from ours by more than 1e-6 in {differ} positions")


def half_open(height: int, width: int, seed: int) -> Position:
    """Return a position in which empty cells were opened, with their cascades, here and there.

    So many that about half of the safe cells are open.
    """
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
    print(f"  {'':14}{'frontier cells':>16}{'not certain':>14}{'ms':>10}{'us a frontier cell':>20}")
    for height, width in SIZES:
        if max(height, width) > largest:
            continue
        position = half_open(height, width, seed=1)
        [time] = least_times(lambda each: analyse(each, limit=PATIENT), [position], repeats)
        analysis = analyse(position, limit=PATIENT)
        assert analysis.exact
        beside_open = {near for cell in position.numbers for near in position.neighbours(cell)}
        frontier = beside_open & position.hidden
        size, unsure = f"{height} x {width}", frontier - analysis.safe - analysis.mines
        figures = f"{len(frontier):16,}{len(unsure):14,}{1e3 * time:10.2f}"
        print(f"  {size:14}{figures}{1e6 * time / len(frontier):20.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=1_500, help="expert positions")
    parser.add_argument("--repeats", type=int, default=5, help="of which the least time counts")
    parser.add_argument("--largest", type=int, default=1000, help="the longest side of a growing board")
    parser.add_argument("--cache", type=Path, default=CACHE, help="the folder to keep positions in")
    options = parser.parse_args()
    gc.disable()  # As timeit does: pauses of the collector are not the engine's.
    expert_positions(options.positions, options.repeats, options.cache)
    if sapper.engine_name == "compiled":
        growing_boards(options.repeats, options.largest)
    else:
        print("Boards of growing size are for the compiled engine.")


if __name__ == "__main__":
    main()
