"""Expert positions where a guess is due, to measure engines on: `python -m benchmarks.positions`.

Boards of 16 x 30 cells with 99 mines, in order of their seeds, first click at row 3, column 3 (from 0)
with nothing around it. What is certainly safe is opened; where nothing is, the position is one of the
set, and the game goes on with the least risky cell. The set is the same on every machine and engine. It
is kept in a file, because making it takes a while on the plain-Python engine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from sapper import Analysis, Game, Limit, Position, analyse
from sapper.position import Cell

FIRST = (3, 3)
CACHE = Path("build/benchmarks")
PATIENT = Limit(seconds=3600, states=10**12)


def least_risky(analysis: Analysis) -> Cell:
    """Return the least risky cell, the first of equal ones: equal to nine digits, on either engine."""
    return min(analysis.risk, key=lambda cell: (round(float(analysis.risk[cell]), 9), cell))


def guesses(seed: int) -> Iterator[Position]:
    """Generate the positions of a game in which no cell is certainly safe."""
    game = Game.new("expert", seed=seed, promise="open")
    game.open(FIRST)
    while not game.over:
        analysis = analyse(game.position, limit=PATIENT)
        if not analysis.safe:
            yield game.position
            game.open(least_risky(analysis))
        for cell in sorted(analysis.safe):
            if game.position[cell] > 8:  # Not yet opened by another one.
                game.open(cell)


def guess_positions(size: int, folder: Path = CACHE) -> list[Position]:
    """Return the first positions where a guess is due, from a file in the folder if it has them."""
    kept = folder / f"expert-{size}.txt"
    if kept.exists():
        return [Position.parse(text) for text in kept.read_text().split("\n\n")]
    positions = []
    for position in islice((each for seed in count() for each in guesses(seed)), size):
        positions.append(position)
        print(f"\r  position {len(positions)} of {size}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text("\n\n".join(map(str, positions)))
    return positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=1_500, help="how many to make")
    parser.add_argument("--cache", type=Path, default=CACHE, help="the folder to keep them in")
    options = parser.parse_args()
    positions = guess_positions(options.positions, options.cache)
    hidden = sum(len(position.hidden) for position in positions) / len(positions)
    print(f"{len(positions)} positions in {options.cache}, {hidden:.0f} hidden cells on average")


if __name__ == "__main__":
    main()
