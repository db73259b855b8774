"""How fast the course's agent learns: `python -m benchmarks.knowledge`.

Prints the figures of docs/knowledge.md. Times are CPU times of one process; compare the ratios, which
come from one run, rather than the times, which depend on the machine. To compare with an older version:

    git show 4cf754f:minesweeper.py > older.py
    python -m benchmarks.knowledge --against older.py
"""

from __future__ import annotations

import gc
import importlib.util
import random
import statistics
import sys
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time
from typing import Protocol

from benchmarks.baseline import PairwiseAI
from benchmarks.games import any_game, game_of_size, openings, shuffled_openings
from benchmarks.support import command_line
from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI

SIZES = ((8, 8, 8), (9, 9, 10), (16, 16, 40), (16, 30, 99))
EXPERT = (16, 30, 99)
LARGE = (100, 100, 2063)  # The density of expert.


class Learner(Protocol):
    mines: set[Cell]
    safes: set[Cell]

    def __init__(self, height: int, width: int) -> None: ...

    def add_knowledge(self, cell: Cell, count: int) -> None: ...


def feeding_time(ai: Learner, fed: Iterable[tuple[Cell, int]]) -> float:
    """Return the CPU seconds it takes to tell the agent these openings."""
    start = process_time()
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    return process_time() - start


def load_agent(path: Path) -> type[Learner]:
    """Return the agent of another `minesweeper.py`."""
    spec = importlib.util.spec_from_file_location("older_minesweeper", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    agent: type[Learner] = module.MinesweeperAI
    return agent


def board_times(size: tuple[int, int, int], agents: list[type[Learner]], boards: int) -> list[float]:
    """Return the seconds per board of each agent: the best of three passes, all on the same boards."""
    height, width, _ = size
    fed = [shuffled_openings(game_of_size(*size, seed), seed) for seed in range(boards)]
    best = [float("inf")] * len(agents)
    for _ in range(3):
        known = []
        for index, agent in enumerate(agents):
            made = [agent(height, width) for _ in fed]
            best[index] = min(best[index], sum(map(feeding_time, made, fed)) / boards)
            known.append([(each.safes, each.mines) for each in made])
        if any(each != known[0] for each in known):
            sys.exit("the agents do not know the same")
    return best


def whole_boards(boards: int, older: type[Learner] | None) -> None:
    agents = [MinesweeperAI, PairwiseAI, *([older] if older else [])]
    names = ["MinesweeperAI", "naive", "naive/ours", *(["older", "ours/older"] if older else [])]
    print(
        f"Milliseconds per board, every safe cell opened in random order, {boards} boards of each size:"
    )
    print(f"  {'board':14}" + "".join(f"{name:>15}" for name in names))
    for size in SIZES:
        ours, naive, *others = board_times(size, agents, boards)
        row = [1e3 * ours, 1e3 * naive, naive / ours]
        for other in others:
            row += [1e3 * other, ours / other]
        height, width, mines = size
        print(f"  {f'{width}x{height}/{mines}':14}" + "".join(f"{value:15.2f}" for value in row))


def growth(boards: int, older: type[Learner] | None) -> None:
    """Compare the cost of a call on a large board and on as many expert boards."""
    large_height, large_width, _ = LARGE
    repeats = large_height * large_width // (16 * 30)
    print("Microseconds per call, same density, random order:")
    for name, agent in (("MinesweeperAI", MinesweeperAI), ("older", older)):
        if agent is None:
            continue
        small = large = 0.0
        small_calls = large_calls = 0
        for seed in range(boards):
            for repeat in range(repeats):
                fed = shuffled_openings(game_of_size(*EXPERT, seed * repeats + repeat), seed)
                small += feeding_time(agent(16, 30), fed)
                small_calls += len(fed)
            fed = shuffled_openings(game_of_size(*LARGE, seed), seed)
            large += feeding_time(agent(large_height, large_width), fed)
            large_calls += len(fed)
        small, large = 1e6 * small / small_calls, 1e6 * large / large_calls
        ratio = large / small
        print(f"  {name:14} 30x16 {small:8.2f}   100x100 {large:8.2f}   ratio {ratio:6.2f}")


def call_times(game: Minesweeper, seed: int) -> list[float]:
    """Return the seconds that each call took. The wall clock: it is the only fine one."""
    ai = MinesweeperAI(game.height, game.width)
    times = []
    for cell, count in openings(game, ai, seed):
        start = perf_counter()
        ai.add_knowledge(cell, count)
        times.append(perf_counter() - start)
    return times


def steadiest_times(seed: int, repeats: int) -> list[float]:
    """Return the least time of each call of a game over some repeats: what the call itself takes."""
    game = any_game(seed)
    return [min(times) for times in zip(*(call_times(game, seed) for _ in range(repeats)), strict=True)]


def worst_call(games: int) -> None:
    """Compare the slowest call with the median one.

    A pause of the machine looks like a slow call. So the games with the slowest calls are played again
    and again, and of each call the least time counts; the median is taken in the same way.
    """
    slowest: list[tuple[float, int]] = []
    calls = 0
    for seed in range(games):
        times = call_times(any_game(seed), seed)
        calls += len(times)
        slowest.append((max(times, default=0.0), seed))
        if seed % 500 == 0:
            print(f"\r  game {seed} of {games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for repeats, kept in ((3, 400), (10, 40)):
        slowest = sorted(slowest, reverse=True)[:kept]
        slowest = [(max(steadiest_times(seed, repeats), default=0.0), seed) for _, seed in slowest]
    worst, worst_seed = max((max(steadiest_times(seed, 50)), seed) for _, seed in slowest[:10])
    sample = random.Random(0).sample(range(games), min(games, 300))
    median = statistics.median(time for seed in sample for time in steadiest_times(seed, 10))
    print(f"Single calls, {games} games of 1 x 1 to 16 x 30, 0 to 60 % mines, {calls} calls:")
    print(f"  median  {1e6 * median:8.2f} microseconds")
    print(f"  worst   {1e6 * worst:8.2f} microseconds (seed {worst_seed})")
    print(f"  ratio   {worst / median:8.1f}")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--boards", type=int, default=25, help="boards of each size")
    parser.add_argument("--games", type=int, default=5_000, help="games for the worst call")
    parser.add_argument("--against", type=Path, help="another minesweeper.py to compare with")
    options = parser.parse_args()
    older = None if options.against is None else load_agent(options.against)
    gc.disable()  # As timeit does: pauses of the collector are not the agent's.
    whole_boards(options.boards, older)
    growth(2, older)
    worst_call(options.games)


if __name__ == "__main__":
    main()
