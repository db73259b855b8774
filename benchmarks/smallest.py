"""The smallest positions that need each kind of proof: `python -m benchmarks.smallest [--cells N]`.

Prints, for each kind of proof, the position with the fewest cells, and then the fewest mines, in which
some cell needs a proof of that kind; then the smallest positions where no simpler kind finds anything.
docs/proofs.md shows the latter. The search goes through boards of increasing size, all sets of open
cells and all minefields, except for rotations and reflections. As in a game, the neighbours of an open
0 are open. Certain cells are found by listing all layouts; only those are explained.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import reduce
from operator import and_, or_

from benchmarks.support import command_line
from sapper import HIDDEN, Kind, Position, Proof, explain
from sapper.minesweeper import neighbours
from sapper.position import Cell
from sapper.proof.facts import Fact, Rule, bits
from sapper.proof.knowledge import Knowledge

Layouts = list[int]
"""Layouts as bit sets: cell `(i, j)` is bit `i * width + j`, as in every set of cells here."""


class Board:
    """The cells of a board, and the numbers that they show for each minefield."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.cells = [(i, j) for i in range(height) for j in range(width)]
        self.every = (1 << len(self.cells)) - 1
        self.near = [self.mask(neighbours(cell, height, width)) for cell in self.cells]
        # The numbers of all cells, four bits each, by the mines.
        self.numbers = [0]
        for at in range(len(self.cells)):
            more = sum(1 << 4 * (bit.bit_length() - 1) for bit in bits(self.near[at]))
            self.numbers += [shown + more for shown in self.numbers]

    def mask(self, cells: Collection[Cell]) -> int:
        return sum(1 << i * self.width + j for i, j in cells)

    def images(self) -> list[list[int]]:
        """Return the index of each cell after each rotation and reflection of the board."""
        bottom, right = self.height - 1, self.width - 1
        moved = [
            [(i, j), (bottom - i, j), (i, right - j), (bottom - i, right - j)] for i, j in self.cells
        ]
        if self.height == self.width:
            moved = [[*each, *((j, i) for i, j in each)] for each in moved]
        return [[i * self.width + j for i, j in image] for image in zip(*moved, strict=True)]

    def opened_sets(self) -> Iterator[int]:
        """Yield the sets of open cells, one of each group of rotations and reflections."""
        images = self.images()
        for opened in range(1, self.every):
            places = [bit.bit_length() - 1 for bit in bits(opened)]
            if all(opened <= sum(1 << image[at] for at in places) for image in images):
                yield opened

    def positions(self, opened: int) -> Iterator[tuple[dict[int, int], Layouts]]:
        """Yield the numbers that open cells may show, by index, and the layouts for them."""
        hidden = self.every & ~opened
        edge = [
            bit.bit_length() - 1 for bit in bits(opened) if self.near[bit.bit_length() - 1] & hidden
        ]
        shown = sum(15 << 4 * at for at in edge)
        found: dict[int, Layouts] = defaultdict(list)
        layout = hidden
        while True:
            found[self.numbers[layout] & shown].append(layout)
            if not layout:
                break
            layout = (layout - 1) & hidden
        for digits, layouts in found.items():
            numbers = {at: digits >> 4 * at & 15 for at in edge}
            if all(numbers.values()):
                yield numbers, layouts

    def position(self, opened: int, numbers: dict[int, int], mines: int) -> Position:
        codes = [numbers.get(at, 0) if opened >> at & 1 else HIDDEN for at in range(len(self.cells))]
        return Position(self.height, self.width, mines, bytes(codes))


def certain(layouts: Layouts, hidden: int) -> int:
    """Return the cells that are safe, or mines, in all layouts."""
    return reduce(and_, layouts) | (hidden & ~reduce(or_, layouts))


def left_by_rules(facts: Collection[Fact], cells: int, *, overlaps: bool) -> int:
    """Return the cells that the rules do not settle."""
    known = Knowledge(facts, overlaps=overlaps)
    known.conclude()
    return cells & known.unknown


class Search:
    """The smallest proofs found so far. If `stuck`, the position may have no simpler proof."""

    def __init__(self, *, stuck: bool) -> None:
        self.stuck = stuck
        self.found: dict[Kind, Proof] = {}

    def wanted(self, mines: int) -> list[Kind]:
        """Return the kinds without a proof that needs this few mines."""
        return [
            kind for kind in Kind if kind not in self.found or mines < self.found[kind].position.mines
        ]

    def go_through(self, cells: int, kinds: Collection[Kind]) -> None:
        """Search all boards with this number of cells for proofs of these kinds."""
        for height in range(1, cells + 1):
            width, rest = divmod(cells, height)
            if rest == 0 and height <= width:
                board = Board(height, width)
                for opened in board.opened_sets():
                    self.look_at(board, opened, kinds)

    def look_at(self, board: Board, opened: int, kinds: Collection[Kind]) -> None:
        """Search all positions with these open cells."""
        hidden = board.every & ~opened
        for numbers, layouts in board.positions(opened):
            by_mines: dict[int, Layouts] = defaultdict(list)
            for layout in layouts:
                by_mines[layout.bit_count()].append(layout)
            fewest, settled = min(by_mines), certain(layouts, hidden)
            needed = [kind for kind in self.wanted(fewest) if kind in kinds]
            if settled and needed and needed[0] < Kind.MINE_COUNT:
                facts = [
                    Fact(board.near[at] & hidden, count, count, Rule.NUMBER)
                    for at, count in numbers.items()
                ]
                cells = self.worth_a_proof(facts, settled, needed[0])
                self.explain(board.position(opened, numbers, fewest), cells, kinds)
            if Kind.MINE_COUNT in kinds and not (self.stuck and settled):
                for mines, some in by_mines.items():
                    if Kind.MINE_COUNT in self.wanted(mines):
                        cells = certain(some, hidden) & ~settled
                        self.explain(board.position(opened, numbers, mines), cells, kinds)

    def worth_a_proof(self, facts: Collection[Fact], cells: int, least: Kind) -> int:
        """Return the cells that may need a proof of this kind or a harder one."""
        if least < Kind.OVERLAP:
            return cells
        left = left_by_rules(facts, cells, overlaps=least > Kind.OVERLAP)
        return 0 if self.stuck and left != cells else left

    def explain(self, position: Position, cells: int, kinds: Collection[Kind]) -> None:
        """Explain these cells, and keep the proofs with fewer mines than before."""
        places = [bit.bit_length() - 1 for bit in bits(cells)]
        proofs = [explain(position, divmod(at, position.width)) for at in places]
        least = min((proof.kind for proof in proofs), default=Kind.COUNTING)
        for proof in proofs:
            is_wanted = proof.kind in kinds and proof.kind in self.wanted(position.mines)
            if is_wanted and proof.numbers and not (self.stuck and proof.kind > least):
                self.found[proof.kind] = proof

    def run(self, most: int) -> None:
        """Search all boards of up to `most` cells, and print what is found."""
        for cells in range(2, most + 1):
            missing = [kind for kind in Kind if kind not in self.found]
            if missing:
                self.go_through(cells, missing)
            for kind in missing:
                if kind in self.found:
                    proof = self.found[kind]
                    print(f"{kind}, {cells} cells:\n{proof.position}\n{proof}\n", flush=True)
        for kind in Kind:
            if kind not in self.found:
                print(f"{kind}: none on boards of up to {most} cells\n")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--cells", type=int, default=12, help="cells of the largest board")
    options = parser.parse_args()
    print("The smallest positions with a cell that needs each kind of proof\n")
    Search(stuck=False).run(options.cells)
    print("The smallest positions where no simpler kind of proof finds anything\n")
    Search(stuck=True).run(options.cells)


if __name__ == "__main__":
    main()
