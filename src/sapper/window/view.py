"""The view: the visible part of the board, and the positions of its cells. Pure geometry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sapper.position import Cell
from sapper.window.layout import Point, Rect


@dataclass(frozen=True)
class View:
    """A board of square cells seen through a rectangle, scrolled by `left` and `top` pixels.

    >>> view = View(Rect(0, 0, 100, 100), cell=20, rows=50, columns=5)
    >>> view.cell_at((50, 30)), view.showing((49, 0)).top
    ((1, 2), 900)
    """

    area: Rect
    cell: int
    rows: int
    columns: int
    left: int = 0
    top: int = 0

    def rect(self, cell: Cell) -> Rect:
        """Return the rectangle of a cell, visible or not."""
        x = self.area.x - self.left + cell[1] * self.cell
        return Rect(x, self.area.y - self.top + cell[0] * self.cell, self.cell, self.cell)

    def cell_at(self, point: Point) -> Cell | None:
        """Return the cell at a point."""
        if not self.area.contains(point):
            return None
        row = int(point[1] - self.area.y + self.top) // self.cell
        column = int(point[0] - self.area.x + self.left) // self.cell
        return (row, column) if row < self.rows and column < self.columns else None

    def core_at(self, point: Point) -> Cell | None:
        """Return the cell at a point that is well inside it; None near its edges.

        >>> view = View(Rect(0, 0, 100, 100), cell=20, rows=5, columns=5)
        >>> view.core_at((50, 30)), view.core_at((41, 30))
        ((1, 2), None)
        """
        cell = self.cell_at(point)
        margin = self.cell // 5
        return cell if cell is not None and self.rect(cell).inset(margin).contains(point) else None

    def visible_rows(self) -> range:
        """Return the rows that are at least partly visible."""
        last = (self.top + self.area.height - 1) // self.cell
        return range(self.top // self.cell, min(last + 1, self.rows))

    def visible_columns(self) -> range:
        """Return the columns that are at least partly visible."""
        last = (self.left + self.area.width - 1) // self.cell
        return range(self.left // self.cell, min(last + 1, self.columns))

    def scrolled(self, right: int, down: int) -> View:
        """Return the view scrolled by a number of pixels, but not beyond the board."""
        most_left = max(0, self.cell * self.columns - self.area.width)
        most_top = max(0, self.cell * self.rows - self.area.height)
        left = min(max(0, self.left + right), most_left)
        return replace(self, left=left, top=min(max(0, self.top + down), most_top))

    def showing(self, cell: Cell) -> View:
        """Return the view scrolled just enough to show all of a cell."""
        rect = self.rect(cell)
        right = min(0, rect.x - self.area.x) or max(0, rect.right - self.area.right)
        down = min(0, rect.y - self.area.y) or max(0, rect.bottom - self.area.bottom)
        return self.scrolled(right, down)

    def centred_on(self, cell: Cell) -> View:
        """Return the view centred on a cell, as far as the board allows."""
        x, y = self.rect(cell).center
        middle_x, middle_y = self.area.center
        return self.scrolled(x - middle_x, y - middle_y)

    def fitted(self, area: Rect, cell: int, about: Point | None = None) -> View:
        """Return the view for another area and cell size.

        The centre of the view stays fixed or, if it is given, the point `about`.
        """
        before, after = (about, about) if about is not None else (self.area.center, area.center)
        left = round((self.left + before[0] - self.area.x) * cell / self.cell - after[0] + area.x)
        top = round((self.top + before[1] - self.area.y) * cell / self.cell - after[1] + area.y)
        return View(area, cell, self.rows, self.columns).scrolled(left, top)

    def scroll_bars(self, thickness: int, away: int) -> list[Rect]:
        """Return the scroll bars, at a distance of `away` pixels from the board."""
        area, bars = self.area, []
        wide, tall = self.cell * self.columns, self.cell * self.rows
        if wide > area.width:
            length = max(thickness * 3, area.width * area.width // wide)
            x = area.x + (area.width - length) * self.left // (wide - area.width)
            bars.append(Rect(x, area.bottom + away, length, thickness))
        if tall > area.height:
            length = max(thickness * 3, area.height * area.height // tall)
            y = area.y + (area.height - length) * self.top // (tall - area.height)
            bars.append(Rect(area.right + away, y, thickness, length))
        return bars
