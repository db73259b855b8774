"""How long `add_knowledge` of the course's agent takes: `python -m benchmarks.knowledge`.

Prints the figures in docs/knowledge.md: whole boards compared with a straightforward agent, the cost of
a call on small and large boards, and the slowest single call. Compare the ratios: times depend on the
machine.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
from collections.abc import Iterable
from time import perf_counter, process_time
from typing import Protocol

from benchmarks.baseline import PairwiseAI
from benchmarks.games import any_game, game_of_size, openings, shuffled_openings
from benchmarks.support import command_line, end_progress, show_progress
from sapper.minesweeper import Cell, Minesweeper, MinesweeperAI

EXPERT = (16, 30, 99)
LARGE = (200, 200, 8250)  # The density of expert.


class Learner(Protocol):
    mines: set[Cell]
    safes: set[Cell]

    def add_knowledge(self, cell: Cell, count: int) -> None: ...


def feeding_time(ai: Learner, fed: Iterable[tuple[Cell, int]]) -> float:
    """Return the CPU time, in seconds, of adding these openings to the agent's knowledge."""
    start = process_time()
    for cell, count in fed:
        ai.add_knowledge(cell, count)
    return process_time() - start


def against_baseline(boards: int) -> None:
    fed = [shuffled_openings(game_of_size(*EXPERT, seed), seed) for seed in range(boards)]
    our_time = pairwise_time = float("inf")
    for _ in range(3):  # The best of three passes, for both.
        ours = [MinesweeperAI(16, 30) for _ in fed]
        our_time = min(our_time, sum(map(feeding_time, ours, fed)))
        pairwise = [PairwiseAI(16, 30) for _ in fed]
        pairwise_time = min(pairwise_time, sum(map(feeding_time, pairwise, fed)))
    if any((a.safes, a.mines) != (b.safes, b.mines) for a, b in zip(ours, pairwise, strict=True)):
        sys.exit("the two agents reached different conclusions")
    print(f"Whole expert boards, 381 openings in random order, {boards} boards, same conclusions:")
    print(f"  MinesweeperAI          {1e3 * our_time / boards:8.2f} ms per board")
    print(f"  all pairs, repeatedly  {1e3 * pairwise_time / boards:8.2f} ms per board")
    print(f"  ratio                  {pairwise_time / our_time:8.1f}")


def flatness(boards: int) -> None:
    small = large = 0.0
    small_calls = large_calls = 0
    for seed in range(boards):
        for repeat in range(84):  # As many cells as on one large board.
            fed = shuffled_openings(game_of_size(*EXPERT, seed * 84 + repeat), seed)
            small += feeding_time(MinesweeperAI(16, 30), fed)
            small_calls += len(fed)
        fed = shuffled_openings(game_of_size(*LARGE, seed), seed)
        large += feeding_time(MinesweeperAI(200, 200), fed)
        large_calls += len(fed)
    print("Mean time per call, same density of mines, random order:")
    print(f"  16 x 30     {1e6 * small / small_calls:8.2f} microseconds")
    print(f"  200 x 200   {1e6 * large / large_calls:8.2f} microseconds")
    print(f"  ratio       {(large / large_calls) / (small / small_calls):8.2f}")


def call_times(game: Minesweeper, seed: int) -> list[float]:
    """Return the time of each call in seconds, by the wall clock: the CPU clock is too coarse."""
    ai = MinesweeperAI(game.height, game.width)
    times = []
    for cell, count in openings(game, ai, seed):
        start = perf_counter()
        ai.add_knowledge(cell, count)
        times.append(perf_counter() - start)
    return times


def steadiest_times(seed: int, repeats: int) -> list[float]:
    """Return the shortest time of each call over several repeats: interruptions only add time."""
    game = any_game(seed)
    return [min(times) for times in zip(*(call_times(game, seed) for _ in range(repeats)), strict=True)]


def worst_call(games: int) -> None:
    """Compare the slowest call with the median one.

    An interrupted process looks like a slow call. So the games with the slowest calls are repeated, and
    the shortest time of each call counts. The median is measured in the same way.
    """
    slowest: list[tuple[float, int]] = []
    calls = 0
    for seed in range(games):
        times = call_times(any_game(seed), seed)
        calls += len(times)
        slowest.append((max(times, default=0.0), seed))
        if seed % 500 == 0:
            show_progress(f"game {seed} of {games}")
    end_progress()
    for repeats, kept in ((3, 400), (10, 40)):
        slowest = sorted(slowest, reverse=True)[:kept]
        slowest = [(max(steadiest_times(seed, repeats), default=0.0), seed) for _, seed in slowest]
    worst, worst_seed = max((max(steadiest_times(seed, 50)), seed) for _, seed in slowest[:10])
    sample = random.Random(0).sample(range(games), min(games, 300))
    median = statistics.median(time for seed in sample for time in steadiest_times(seed, 10))
    print(f"Single calls: {calls} calls in {games} games, 1 x 1 to 16 x 30 cells, 0 to 60 % mines:")
    print(f"  median  {1e6 * median:8.2f} microseconds")
    print(f"  longest {1e6 * worst:8.2f} microseconds (seed {worst_seed})")
    print(f"  ratio   {worst / median:8.1f}")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--boards", type=int, default=25, help="expert boards for the comparison")
    parser.add_argument("--games", type=int, default=20_000, help="games for the slowest call")
    options = parser.parse_args()
    gc.disable()  # As timeit does: garbage collection would distort the times.
    against_baseline(options.boards)
    flatness(boards=2)
    worst_call(options.games)


if __name__ == "__main__":
    main()
