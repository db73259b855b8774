"""The risks of the hidden cells, read from the array that the compiled engine returns."""

from __future__ import annotations

from array import array
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from itertools import compress
from math import isnan
from typing import Any

from sapper.caching import cached_property
from sapper.position import IS_HIDDEN, Cell, Position, cells_where


class Risks(Mapping[Cell, float]):
    """The probability of a mine for every hidden cell.

    >>> risks = Risks(Position.parse("# 1 #", mines=1), array("d", [0.5, float("nan"), 0.5]).tobytes())
    >>> risks[0, 0], dict(risks), (0, 1) in risks
    (0.5, {(0, 0): 0.5, (0, 2): 0.5}, False)
    """

    def __init__(self, position: Position, risks: bytes) -> None:
        self._position = position
        self._risks = array("d", risks)  # One per cell; NaN if the cell is open.

    @cached_property
    def _mapping(self) -> dict[Cell, float]:
        hidden = self._position.codes.translate(IS_HIDDEN)
        cells = cells_where(hidden, self._position.width)
        return dict(zip(cells, compress(self._risks, hidden), strict=True))

    def tobytes(self) -> bytes:
        """Return the array: one double per cell, NaN if the cell is open."""
        return self._risks.tobytes()

    def __getitem__(self, cell: Cell) -> float:
        if cell in self._position:
            i, j = cell
            risk = self._risks[i * self._position.width + j]
            if not isnan(risk):
                return risk
        raise KeyError(cell)

    def get(self, cell: Cell, default: Any = None) -> Any:
        """Return the risk of a cell, or the default. It is fast: heat maps call it for every cell."""
        row, column = cell
        if 0 <= column < self._position.width and 0 <= row < self._position.height:
            risk = self._risks[row * self._position.width + column]
            if risk == risk:  # It is not NaN.
                return risk
        return default

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Risks):
            same_width = self._position.width == other._position.width
            return same_width and self.tobytes() == other.tobytes()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._mapping)

    def __len__(self) -> int:
        return self._position.codes.translate(IS_HIDDEN).count(1)

    def items(self) -> ItemsView[Cell, float]:
        """Return the hidden cells and their risks, row by row."""
        return self._mapping.items()

    def values(self) -> ValuesView[float]:
        """Return the risks of the hidden cells, row by row."""
        return self._mapping.values()

    def __repr__(self) -> str:
        return repr(self._mapping)
