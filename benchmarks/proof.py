"""How long it takes to find proofs: `python -m benchmarks.proof [--games N]`.

Prints the times in docs/proofs.md. Every cell of expert games is explained when it first becomes
certain, and its proof is checked. For comparison, each position is also analysed exactly, and all risks
are read. Compare the ratio: times depend on the machine.
"""

from __future__ import annotations

import gc
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import sapper
from benchmarks.support import command_line, percentile
from sapper import Analysis, Game, Kind, Position, Proof, analyse, explain
from sapper.position import Cell

START = (3, 3)


Cells = frozenset[Cell]


def certain_positions(level: str, seed: int) -> Iterator[tuple[Position, Cells, Cells]]:
    """Yield each position of a game in which cells become certain, the safe cells and the new mines.

    All safe cells are opened at once. If there are none, the safest cell without a mine is opened, so
    that every game is played to its end.
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
    """Return the cell with the lowest risk among those that are not mines."""
    assert game.minefield is not None
    free = game.position.hidden - game.minefield.mines
    return min(free, key=lambda cell: (analysis.risk[cell], cell))


def open_all(game: Game, cells: Iterable[Cell]) -> None:
    for cell in sorted(cells):
        if not game.over and game.position.is_hidden(cell):
            game.open(cell)


@dataclass
class Times:
    """Times in seconds."""

    analyses: list[float] = field(default_factory=list)
    explained: list[float] = field(default_factory=list)
    by_kind: dict[Kind, list[tuple[float, Proof]]] = field(default_factory=lambda: defaultdict(list))

    def play(self, seed: int) -> None:
        """Measure all certain cells of one game."""
        for position, safe, mines in certain_positions("expert", seed):
            start = perf_counter()
            dict(analyse(position).risk)
            self.analyses.append(perf_counter() - start)
            for cell in sorted(safe | mines):
                self.measure(position, cell)

    def measure(self, position: Position, cell: Cell) -> None:
        """Measure the explanation of a cell, and check the proof."""
        start = perf_counter()
        proof = explain(position, cell)
        seconds = perf_counter() - start
        proof.check(position)
        self.explained.append(seconds)
        self.by_kind[proof.kind].append((seconds, proof))


def milliseconds(times: Sequence[float]) -> str:
    figures = statistics.median(times), percentile(times, 99), max(times)
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
    parser = command_line(__doc__)
    parser.add_argument("--games", type=int, default=50, help="expert games, from seed 0")
    options = parser.parse_args()
    gc.disable()  # As timeit does: garbage collection would distort the times.
    times = Times()
    for seed in range(options.games):
        times.play(seed)
    cells = len(times.explained)
    print(f"{cells:,} certain cells of {options.games} expert games, {sapper.engine_name} engine, ms:")
    print(f"  {'':12}" + "".join(f"{name:>12}" for name in ("median", "p99", "longest")))
    print(f"  {'explain':12}{milliseconds(times.explained)}")
    print(f"  {'analyse':12}{milliseconds(times.analyses)}  (including all risks)")
    ratio = statistics.median(times.explained) / statistics.median(times.analyses)
    print(f"  ratio of the medians: {ratio:.1f}")
    names = ("cells", "share"), ("median ms", "numbers", "steps")
    header = "".join(f"{name:>10}" for name in names[0]) + "".join(f"{name:>12}" for name in names[1])
    print(f"By kind of proof (median time, numbers and steps):\n  {'':12}{header}")
    for kind in sorted(times.by_kind):
        print_kind(kind, times.by_kind[kind], cells)


if __name__ == "__main__":
    main()
