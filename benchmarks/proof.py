"""How long proofs take to find: `python -m benchmarks.proof [--games N]`.

Prints the times of docs/proofs.md. Every cell of expert games is explained when it first becomes
certain, and the proof is checked. Beside it stands the time of one exact analysis of the same position,
its risks read; both are from one run of one process, so compare the ratio rather than the times.
"""

from __future__ import annotations

import argparse
import gc
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import sapper
from sapper import Analysis, Game, Kind, Position, Proof, analyse, explain
from sapper.position import Cell

START = (3, 3)


Cells = frozenset[Cell]


def certain_positions(level: str, seed: int) -> Iterator[tuple[Position, Cells, Cells]]:
    """Generate the positions of a game where cells become certain, with those that are safe, and mines.

    All safe cells are opened at once. Where there is none, the safest of the cells without a mine is,
    so that every game goes on to its end.
    """
    game = Game.new(level, seed=seed, promise="open")
    game.open(START)
    known: Cells = frozenset()
    while not game.over:
        analysis = analyse(game.position)
        if analysis.safe or analysis.mines - known:
            yield game.position, analysis.safe, analysis.mines - known
        known = analysis.mines
        open_all(game, analysis.safe or [lucky_cell(game, analysis)])


def lucky_cell(game: Game, analysis: Analysis) -> Cell:
    """Return the safest of the cells without a mine."""
    assert game.minefield is not None
    free = game.position.hidden - game.minefield.mines
    return min(free, key=lambda cell: (analysis.risk[cell], cell))


def open_all(game: Game, cells: Iterable[Cell]) -> None:
    for cell in sorted(cells):
        if not game.over and game.position.is_hidden(cell):
            game.open(cell)


@dataclass
class Times:
    """The seconds that it took."""

    analyses: list[float] = field(default_factory=list)
    explained: list[float] = field(default_factory=list)
    by_kind: dict[Kind, list[tuple[float, Proof]]] = field(default_factory=lambda: defaultdict(list))

    def play(self, seed: int) -> None:
        """Measure everything of one game."""
        for position, safe, mines in certain_positions("expert", seed):
            start = perf_counter()
            dict(analyse(position).risk)
            self.analyses.append(perf_counter() - start)
            for cell in sorted(safe | mines):
                self.measure(position, cell)

    def measure(self, position: Position, cell: Cell) -> None:
        """Explain a cell, and check the proof."""
        start = perf_counter()
        proof = explain(position, cell)
        seconds = perf_counter() - start
        proof.check(position)
        self.explained.append(seconds)
        self.by_kind[proof.kind].append((seconds, proof))


def milliseconds(times: Sequence[float]) -> str:
    ordered = sorted(times)
    figures = statistics.median(ordered), ordered[len(ordered) * 99 // 100], ordered[-1]
    return "".join(f"{1e3 * figure:12.3f}" for figure in figures)


def print_kind(kind: Kind, proofs: Sequence[tuple[float, Proof]], cells: int) -> None:
    figures = (
        1e3 * statistics.median(seconds for seconds, _ in proofs),
        statistics.median(len(proof.numbers) for _, proof in proofs),
        statistics.median(sum(1 for _ in proof.every_step()) for _, proof in proofs),
    )
    row = f"{figures[0]:12.3f}{figures[1]:12g}{figures[2]:12g}"
    print(f"  {kind!s:12}{len(proofs):10,}{len(proofs) / cells:10.2%}{row}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=50, help="expert games, seeds from 0")
    options = parser.parse_args()
    gc.disable()  # As timeit does: pauses of the collector are not the prover's.
    times = Times()
    for seed in range(options.games):
        times.play(seed)
    cells = len(times.explained)
    print(f"{cells:,} certain cells of {options.games} expert games, {sapper.engine_name} engine, ms:")
    print(f"  {'':12}" + "".join(f"{name:>12}" for name in ("median", "99 %", "worst")))
    print(f"  {'explain':12}{milliseconds(times.explained)}")
    print(f"  {'analyse':12}{milliseconds(times.analyses)}  (all risks read)")
    ratio = statistics.median(times.explained) / statistics.median(times.analyses)
    print(f"  ratio of the medians: {ratio:.1f}")
    names = ("cells", "share"), ("median ms", "numbers", "steps")
    header = "".join(f"{name:>10}" for name in names[0]) + "".join(f"{name:>12}" for name in names[1])
    print(f"By kind, numbers and steps in the median:\n  {'':12}{header}")
    for kind in sorted(times.by_kind):
        print_kind(kind, times.by_kind[kind], cells)


if __name__ == "__main__":
    main()
