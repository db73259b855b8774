"""Expert positions that need a guess, for other benchmarks: `python -m benchmarks.positions`.

The games are on the expert boards of seeds 0, 1, 2, ...; the first click is at row 4, column 4 and has
no adjacent mines. Certainly safe cells are opened. If there are none, the position joins the set, and
the game continues with the safest cell. The set is the same on every machine and with every engine. It
is cached in a file, because the pure-Python engine needs a while to make it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from benchmarks.support import UNLIMITED, command_line, end_progress, show_progress
from sapper import Analysis, Game, Position, analyse
from sapper.position import Cell

FIRST = (3, 3)
CACHE = Path("build/benchmarks")


def safest_cell(analysis: Analysis) -> Cell:
    """Return the safest cell. Rounding makes ties, and so the choice, the same with every engine."""
    return min(analysis.risk, key=lambda cell: (round(float(analysis.risk[cell]), 9), cell))


def guesses(seed: int) -> Iterator[Position]:
    """Yield the positions of a game in which no cell is certainly safe."""
    game = Game.new("expert", seed=seed, promise="open")
    game.open(FIRST)
    while not game.over:
        analysis = analyse(game.position, limit=UNLIMITED)
        if not analysis.safe:
            yield game.position
            game.open(safest_cell(analysis))
        for cell in sorted(analysis.safe):
            if game.position[cell] > 8:  # Not yet opened by a cascade.
                game.open(cell)


def guess_positions(size: int, folder: Path = CACHE) -> list[Position]:
    """Return the first positions that need a guess, from the cache if it has them."""
    cached = folder / f"expert-{size}.txt"
    if cached.exists():
        return [Position.parse(text) for text in cached.read_text().split("\n\n")]
    positions = []
    for position in islice((each for seed in count() for each in guesses(seed)), size):
        positions.append(position)
        show_progress(f"position {len(positions)} of {size}")
    end_progress()
    folder.mkdir(parents=True, exist_ok=True)
    cached.write_text("\n\n".join(map(str, positions)))
    return positions


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--positions", type=int, default=1_500, help="number of positions")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder that caches them")
    options = parser.parse_args()
    positions = guess_positions(options.positions, options.cache)
    hidden = sum(len(position.hidden) for position in positions) / len(positions)
    print(f"{len(positions)} positions in {options.cache}, {hidden:.0f} hidden cells on average")


if __name__ == "__main__":
    main()
