"""The first click: what a game guarantees about it."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.advice.overlay import Overlay
from sapper.game.game import Game
from sapper.levels import Promise
from sapper.position import FLAG, Cell, Position, describe_cell
from sapper.text import capitalised, percent

_TITLE = "Your first click is guaranteed to be safe."


@dataclass(frozen=True)
class FirstClick:
    """The guarantee for the first click of a game in which no cell is open yet."""

    position: Position
    promise: Promise
    """`SAFE` or `OPEN`."""
    cell: Cell | None
    """The cell for which the board was made; None if any cell may be opened first."""

    @classmethod
    def of(cls, game: Game) -> FirstClick | None:
        """Return the guarantee of a game; None if it gives none or a cell is open already.

        >>> FirstClick.of(Game.new("beginner", seed=1)).promise
        <Promise.OPEN: 'open'>
        >>> FirstClick.of(Game.new("course", seed=1)) is None
        True
        """
        if game.begun or game.over:
            return None
        position, first, minefield = game.position, game.first, game.minefield
        if first is not None:
            promise = game.promise if game.promise is Promise.OPEN else Promise.SAFE
            # A file may claim more than its board keeps.
            if minefield is not None and not minefield.mines.isdisjoint(position.neighbours(first)):
                promise = Promise.SAFE
            return cls(position, promise, first)
        if minefield is not None or game.promise is Promise.NONE:
            return None
        return cls(position, game.promise, None)

    @property
    def advice(self) -> str:
        """The cell to open, and what is guaranteed about it.

        >>> FirstClick(Position.blank(9, 9, 10), Promise.OPEN, (3, 4)).advice
        'Open row 4, column 5: it is not a mine, and it has no adjacent mines.'
        """
        cell = "any cell" if self.cell is None else describe_cell(self.cell)
        adjacent = ", and it has no adjacent mines" if self.promise is Promise.OPEN else ""
        return f"Open {cell}: it is not a mine{adjacent}."

    @property
    def safe(self) -> frozenset[Cell]:
        """The cells that are certainly not mines, whether they are opened first or later."""
        if self.cell is None:
            return frozenset()
        around = self.position.neighbours(self.cell) if self.promise is Promise.OPEN else frozenset()
        return around | {self.cell}

    @property
    def risk(self) -> float:
        """The probability that the next click hits a mine on a cell that is not in `safe`.

        >>> FirstClick(Position.blank(3, 3, 4), Promise.SAFE, (1, 1)).risk
        0.5
        """
        others = len(self.position) - len(self.safe)
        return 0.0 if self.cell is None or not others else self.position.mines / others

    def hint(self, *, more: bool) -> Overlay:
        """Return an overlay that says what is guaranteed and, with `more`, shows a good cell."""
        lines = [self.advice]
        target = self.cell
        if more and target is None and self.promise is Promise.SAFE:
            target = self._corner()
            if target is not None:
                corner = describe_cell(target)
                lines.append(f"A corner, such as {corner}, is most likely to have no adjacent mines.")
        safe = frozenset() if target is None else frozenset({target})
        return Overlay(safe=safe, target=target, title=_TITLE, lines=tuple(lines))

    def _corner(self) -> Cell | None:
        """Return a corner without a flag. It has the fewest neighbours that could be mines."""
        bottom, right = self.position.height - 1, self.position.width - 1
        corners = ((0, 0), (0, right), (bottom, 0), (bottom, right))
        return next((cell for cell in corners if self.position[cell] != FLAG), None)

    def explain(self, cell: Cell) -> str:
        """Return what is known about opening a cell first.

        >>> FirstClick(Position.blank(9, 9, 10), Promise.SAFE, None).explain((0, 0))
        'Row 1, column 1 is safe if you open it first: the first click is guaranteed.'
        """
        name = capitalised(describe_cell(cell))
        if self.cell is None:
            return f"{name} is safe if you open it first: the first click is guaranteed."
        if cell == self.cell:
            return f"{name} is safe: the board was made for this first click."
        if cell in self.safe:
            return (
                f"{name} is safe: {describe_cell(self.cell)} is guaranteed to have no adjacent mines."
            )
        return f"{name} may be safe or a mine: its risk is {percent(self.risk)}."

    def heat(self) -> Overlay:
        """Return an overlay of the risk of opening each cell first."""
        risks = dict.fromkeys(self.position.hidden, self.risk)
        risks.update(dict.fromkeys(self.safe, 0.0))
        return Overlay(risks=risks, safe=self.safe, lines=(_TITLE,))
