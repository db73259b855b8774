"""The picture of the board: only cells that have changed are redrawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import pygame

from sapper.game.game import Game
from sapper.position import HIDDEN, Cell
from sapper.window.canvas import Canvas
from sapper.window.marks import HelpMarks, Mark
from sapper.window.tiles import SUNKEN, TileKind, Tiles, final_tile_kind
from sapper.window.view import View

MOST_SIZES: Final = 6
"""The most cell sizes whose tiles are cached. Zooming uses few sizes."""


class BoardPicture:
    """The visible part of a board, on its own surface."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.surface = pygame.Surface((1, 1)).convert()
        self._tiles: dict[tuple[int, bool], Tiles] = {}
        self._view: View | None = None
        self._game: Game | None = None
        self._over = False
        self._codes = b""
        self._help = HelpMarks()
        self._marks: Mapping[Cell, Mark] = {}
        self._hovered: Cell | None = None
        self._sunken: frozenset[Cell] = frozenset()
        self._ranges = range(0), range(0)
        self._cells: list[Cell] = []

    def update(
        self,
        view: View,
        game: Game,
        help_marks: HelpMarks,
        marks: Mapping[Cell, Mark],
        hovered: Cell | None = None,
        sunken: frozenset[Cell] = frozenset(),
    ) -> int:
        """Redraw what has changed; return the number of cells redrawn.

        The `sunken` cells look pressed; there are none once the game is over.
        Help marks are compared only if `help_marks` is a new object, because there may be many.
        """
        codes, over = game.position.codes, game.over
        if over or (hovered is not None and codes[hovered[0] * view.columns + hovered[1]] < HIDDEN):
            hovered = None
        last = self._view
        whole = last is None or game is not self._game or over or self._over
        if whole or last is None or replace(last, left=view.left, top=view.top) != view:
            if self.surface.get_size() != (view.area.width, view.area.height):
                self.surface = pygame.Surface((view.area.width, view.area.height)).convert()
            changed: Iterable[Cell] = _cells(view.visible_rows(), view.visible_columns())
            if whole and last == view and self._same(game, over, codes, help_marks, marks):
                changed = ()
        else:
            changed = set(self._changed_cells(view, codes, help_marks, marks, hovered))
            changed |= sunken ^ self._sunken
            if view != last:
                self.surface.scroll(last.left - view.left, last.top - view.top)
                changed |= set(_uncovered(last, view))
        self._view, self._game, self._over, self._codes = view, game, over, codes
        self._help, self._marks, self._hovered = help_marks, dict(marks), hovered
        self._sunken = sunken
        return self._draw(changed)

    def _same(
        self,
        game: Game,
        over: bool,
        codes: bytes,
        help_marks: HelpMarks,
        marks: Mapping[Cell, Mark],
    ) -> bool:
        """Return whether a finished game looks the same as before."""
        same = game is self._game and over == self._over and codes == self._codes
        return same and help_marks is self._help and marks == self._marks

    def _changed_cells(
        self,
        view: View,
        codes: bytes,
        help_marks: HelpMarks,
        marks: Mapping[Cell, Mark],
        hovered: Cell | None,
    ) -> Iterator[Cell]:
        columns, rows = view.visible_columns(), view.visible_rows()
        if codes != self._codes:
            for row in rows:
                first = row * view.columns + columns.start
                now, before = (part[first : first + len(columns)] for part in (codes, self._codes))
                if now != before:
                    for place, code in enumerate(now):
                        if code != before[place]:
                            yield row, columns.start + place
        for cell in marks.keys() | self._marks.keys():
            if marks.get(cell) != self._marks.get(cell):
                yield cell
        if help_marks is not self._help:
            cells = self._visible_cells(view)
            marks_now, marks_before = help_marks.of(cells), self._help.of(cells)
            for cell, new, old in zip(cells, marks_now, marks_before, strict=True):
                if new is not old and new != old:
                    yield cell
        if hovered != self._hovered:
            yield from (cell for cell in (hovered, self._hovered) if cell is not None)

    def _visible_cells(self, view: View) -> list[Cell]:
        """Return the visible cells. With a heat map, they are needed in every frame."""
        ranges = view.visible_rows(), view.visible_columns()
        if self._ranges != ranges:
            self._ranges, self._cells = ranges, list(_cells(*ranges))
        return self._cells

    def _draw(self, cells: Iterable[Cell]) -> int:
        view, game, codes = self._view, self._game, self._codes
        assert view is not None
        assert game is not None
        tiles = self.tiles(view.cell, show_zeros=game.level.course_rules)
        size, images = view.cell, []
        rows, columns = view.visible_rows(), view.visible_columns()
        for cell in cells:
            row, column = cell
            if row not in rows or column not in columns:
                continue
            kind: TileKind = codes[row * view.columns + column]
            if self._over:
                kind = final_tile_kind(game, cell, codes[row * view.columns + column])
            elif cell in self._sunken:
                kind = SUNKEN
            mark = self._help.at(cell)
            if cell in self._marks:
                mark = mark.under(self._marks[cell])
            tile = tiles.tile(kind, cell == self._hovered, mark)
            images.append((tile, (column * size - view.left, row * size - view.top)))
        self.surface.fblits(images)
        return len(images)

    def tiles(self, size: int, *, show_zeros: bool = False) -> Tiles:
        """Return the tiles for cells of this size; the most recent sizes are cached.

        The course's window shows the digit 0; elsewhere, such cells are blank.
        """
        tiles = self._tiles.pop((size, show_zeros), None)
        if tiles is None:
            tiles = Tiles(self.canvas, size, show_zeros=show_zeros)
        self._tiles[size, show_zeros] = tiles
        if len(self._tiles) > MOST_SIZES:
            del self._tiles[next(iter(self._tiles))]
        return tiles


def _cells(rows: range, columns: range) -> Iterator[Cell]:
    return ((row, column) for row in rows for column in columns)


def _uncovered(last: View, view: View) -> Iterator[Cell]:
    """Return the visible cells that were not completely visible before scrolling."""
    size, area = view.cell, view.area
    rows = range(-(-last.top // size), (last.top + area.height) // size)
    columns = range(-(-last.left // size), (last.left + area.width) // size)
    for cell in _cells(view.visible_rows(), view.visible_columns()):
        if cell[0] not in rows or cell[1] not in columns:
            yield cell
