"""What follows from the numbers on a board: with the course's two rules, and in principle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sapper.course.scripts import Cells, Claim
from sapper.minesweeper import neighbours
from sapper.position import Cell
from sapper.text import listed

_MOST_CLAIMS: Final = 4000
"""A derivation is given up when this many sentences follow. Small boards have a few hundred at most."""


@dataclass(frozen=True)
class Line:
    """One line of a derivation: a sentence, and where it comes from."""

    claim: Claim
    number: Cell | None = None
    """The open cell that states it, if one does."""
    whole: int | None = None
    """The line that it was subtracted from, counted from 1."""
    part: int | None = None
    """The line that was subtracted; None if the line only repeats a part of what `whole` settles."""


@dataclass(frozen=True)
class Derivation:
    """The sentences from which a cell follows, in order; the last one settles the cell."""

    lines: tuple[Line, ...]
    cell: Cell
    is_mine: bool

    def __str__(self) -> str:
        return "\n".join(self.sentences(numbers=None))

    def sentences(self, numbers: Mapping[Cell, int] | None) -> list[str]:
        """Return the derivation in words, one line each."""
        found = []
        for place, line in enumerate(self.lines, 1):
            if line.number is not None:
                shown = "" if numbers is None else f" shows {numbers[line.number]}"
                because = f"{line.number}{shown}"
            elif line.part is None:
                because = f"from {line.whole}"
            else:
                because = f"{line.part} is a subset of {line.whole}; subtract it"
            found.append(f"{place}. {line.claim}   ({because})")
        last = self.lines[-1].claim
        names = listed([str(cell) for cell in sorted(last.cells)])
        plural = len(last.cells) > 1
        if self.is_mine:
            why = f"all {last.count} cells of the sentence are mines" if plural else "its count is 1"
            found.append(f"So {names} {'are mines' if plural else 'is a mine'}: {why}.")
        else:
            found.append(f"So {names} {'are' if plural else 'is'} safe: the count is 0.")
        return found


def derive(height: int, width: int, numbers: Mapping[Cell, int], cell: Cell) -> Derivation | None:
    """Return a derivation of what a hidden cell is by counting and subsets, or None.

    It takes as few rounds as possible.

    >>> print(derive(2, 3, {(0, 0): 1, (0, 1): 1}, (1, 2)))
    1. {(1, 0), (1, 1)} = 1   ((0, 0))
    2. {(0, 2), (1, 0), (1, 1), (1, 2)} = 1   ((0, 1))
    3. {(0, 2), (1, 2)} = 0   (1 is a subset of 2; subtract it)
    So (0, 2) and (1, 2) are safe: the count is 0.
    """
    # Removing a marked cell from a sentence is a subtraction, too: of `{cell} = 0` or `{cell} = 1`.
    origin: dict[Claim, tuple[Cell | None, Claim | None, Claim | None]] = {}
    for number, count in numbers.items():
        hidden = frozenset(neighbours(number, height, width) - numbers.keys())
        if hidden:
            origin.setdefault(Claim(hidden, count), (number, None, None))
    fresh = list(origin)
    while fresh and len(origin) < _MOST_CLAIMS:
        settled = _settling(origin, cell)
        if settled is not None:
            return _derivation(origin, settled, cell)
        found: dict[Claim, tuple[Cell | None, Claim | None, Claim | None]] = {}
        for claim in fresh:
            if claim.count in (0, len(claim.cells)) and len(claim.cells) > 1:
                for each in claim.cells:
                    found.setdefault(Claim(frozenset({each}), min(claim.count, 1)), (None, claim, None))
            for other in list(origin):
                whole, part = (claim, other) if other.cells < claim.cells else (other, claim)
                if part.cells < whole.cells:
                    rest = Claim(whole.cells - part.cells, whole.count - part.count)
                    found.setdefault(rest, (None, whole, part))
        fresh = [claim for claim in found if claim not in origin]
        origin.update({claim: found[claim] for claim in fresh})
    return None


def _settling(claims: Iterable[Claim], cell: Cell) -> Claim | None:
    """Return the shortest sentence that makes the cell certain."""
    settling = [
        claim for claim in claims if cell in claim.cells and claim.count in (0, len(claim.cells))
    ]
    return min(settling, key=lambda claim: len(claim.cells), default=None)


def _derivation(
    origin: Mapping[Claim, tuple[Cell | None, Claim | None, Claim | None]], last: Claim, cell: Cell
) -> Derivation:
    lines: list[Line] = []
    places: dict[Claim, int] = {}

    def add(claim: Claim) -> int:
        if claim not in places:
            number, whole, part = origin[claim]
            first = None if part is None else add(part)
            second = None if whole is None else add(whole)
            lines.append(Line(claim, number, second, first))
            places[claim] = len(lines)
        return places[claim]

    add(last)
    return Derivation(tuple(lines), cell, last.count > 0)


def find_layout(
    height: int, width: int, numbers: Mapping[Cell, int], fixed: Mapping[Cell, bool]
) -> Cells | None:
    """Return mines that agree with all numbers and with the fixed cells; None if there are none.

    Cells that no number mentions have no mine, unless they are fixed.

    >>> find_layout(1, 3, {(0, 1): 1}, {(0, 0): False})
    frozenset({(0, 2)})
    >>> find_layout(1, 3, {(0, 1): 1}, {(0, 0): True, (0, 2): True}) is None
    True
    """
    values: dict[Cell, bool] = dict.fromkeys(numbers, False)
    if any(mine and cell in values for cell, mine in fixed.items()):
        return None
    values |= fixed
    around = {number: neighbours(number, height, width) for number in numbers}
    near: dict[Cell, list[Cell]] = {}
    for number, cells in around.items():
        for cell in cells:
            near.setdefault(cell, []).append(number)

    def settle(waiting: list[Cell], trail: list[Cell]) -> bool:
        """Set every cell that one number makes certain; return False if a number cannot be right."""
        while waiting:
            number = waiting.pop()
            unknown = [cell for cell in around[number] if cell not in values]
            needed = numbers[number] - sum(values.get(cell, False) for cell in around[number])
            if not 0 <= needed <= len(unknown):
                return False
            if unknown and needed in (0, len(unknown)):
                for cell in unknown:
                    values[cell] = needed > 0
                    trail.append(cell)
                    waiting.extend(near[cell])
        return True

    def search(waiting: list[Cell]) -> bool:
        trail: list[Cell] = []
        if settle(waiting, trail):
            open_numbers = ([cell for cell in cells if cell not in values] for cells in around.values())
            choice = min((cells for cells in open_numbers if cells), key=len, default=None)
            if choice is None:
                return True
            cell = choice[0]
            for value in (False, True):
                values[cell] = value
                if search(list(near[cell])):
                    return True
                del values[cell]
        for cell in trail:
            del values[cell]
        return False

    if not search(list(numbers)):
        return None
    return frozenset(cell for cell, mine in values.items() if mine)


def show_board(height: int, width: int, numbers: Mapping[Cell, int], mines: Cells = frozenset()) -> str:
    """Return a board as text: numbers, `#` for hidden cells, and `*` for mines.

    >>> print(show_board(2, 2, {(0, 0): 1}, frozenset({(1, 1)})))
    1 #
    # *
    """
    return "\n".join(
        " ".join(
            str(numbers[cell]) if (cell := (i, j)) in numbers else "*" if cell in mines else "#"
            for j in range(width)
        )
        for i in range(height)
    )
