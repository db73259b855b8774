"""Win rates of perfect play and of `safest` on small boards: `python -m benchmarks.endgame`.

Prints the table in docs/endgame.md. The compiled engine takes about a minute. There are no options.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

from benchmarks.support import UNLIMITED, command_line
from sapper import Position, agents, perfect_moves, win_chance
from sapper.minesweeper import Minesweeper
from sapper.position import Cell

BOARDS = [
    *[(3, 3, mines) for mines in (1, 2, 3, 4)],
    *[(3, 4, mines) for mines in (1, 2, 3, 4)],
    *[(3, 5, mines) for mines in (1, 2, 3, 4)],
    *[(4, 4, mines) for mines in (1, 2, 3, 4, 5)],
    *[(4, 5, mines) for mines in (1, 2, 3, 4, 5)],
    *[(5, 5, mines) for mines in (1, 2, 3, 4)],
]


def won_by_safest(start: Position) -> int:
    """Return the number of layouts on which `safest` wins."""
    choose = cache(agents.Safest().choose)
    won = 0
    for mines in combinations(start, start.mines):
        minefield = Minesweeper.with_mines(start.height, start.width, set(mines))
        position = start
        while len(position.hidden) > start.mines and (cell := choose(position)) not in minefield.mines:
            position = position.opened(cell, minefield.nearby_mines(cell))
        won += len(position.hidden) == start.mines
    return won


def in_first_corner(cells: frozenset[Cell], position: Position) -> list[Cell]:
    """Return one cell of each group of cells that are rotations or reflections of each other."""
    bottom, right, square = position.height - 1, position.width - 1, position.height == position.width
    return [
        (i, j)
        for i, j in sorted(cells)
        if 2 * i <= bottom and 2 * j <= right and (i <= j or not square)
    ]


def main() -> None:
    command_line(__doc__).parse_args()
    columns = "board, mines, layouts, won, probability, first cell safe, `safest`, start at"
    print(f"| {columns.replace(', ', ' | ')} |")
    print("| --- |" + " ---: |" * 6 + " --- |")
    for height, width, mines in BOARDS:
        position = Position.blank(height, width, mines)
        layouts = comb(len(position), mines)
        won = int(win_chance(position, limit=UNLIMITED) * layouts)
        begin = ", ".join(map(str, in_first_corner(perfect_moves(position, limit=UNLIMITED), position)))
        rates = [
            f"{100 * wins / ways:.2f} %"
            for wins, ways in [
                (won, layouts),
                (won, comb(len(position) - 1, mines)),
                (won_by_safest(position), layouts),
            ]
        ]
        row = [f"{height} x {width}", mines, f"{layouts:,}", f"{won:,}", *rates, begin]
        print("|", " | ".join(map(str, row)), "|", flush=True)


if __name__ == "__main__":
    main()
