"""Rows: a scrolling list of rows of equal height. Pure geometry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sapper.window.layout import Point, Rect


@dataclass(frozen=True)
class Rows:
    """A list of rows seen through a rectangle, scrolled by `top` pixels.

    >>> rows = Rows(Rect(0, 0, 100, 50), height=20, count=10)
    >>> rows.at((5, 45)), rows.visible(), rows.showing(9).top
    (2, range(0, 3), 150)
    """

    area: Rect
    height: int
    count: int
    top: int = 0

    def rect(self, row: int) -> Rect:
        """Return the rectangle of a row, visible or not."""
        y = self.area.y - self.top + row * self.height
        return Rect(self.area.x, y, self.area.width, self.height)

    def seen(self, row: int) -> Rect:
        """Return the visible part of a row; its height is 0 if nothing is visible."""
        rect = self.rect(row)
        top = min(max(rect.y, self.area.y), self.area.bottom)
        bottom = min(max(rect.bottom, top), self.area.bottom)
        return rect._replace(y=top, height=bottom - top)

    def at(self, point: Point) -> int | None:
        """Return the row at a point."""
        if not self.area.contains(point):
            return None
        row = int(point[1] - self.area.y + self.top) // self.height
        return row if row < self.count else None

    def visible(self) -> range:
        """Return the rows that are at least partly visible."""
        last = (self.top + self.area.height - 1) // self.height
        return range(self.top // self.height, min(last + 1, self.count))

    def scrolled(self, down: int) -> Rows:
        """Return the rows scrolled by a number of pixels, but not beyond their ends."""
        most = max(0, self.height * self.count - self.area.height)
        return replace(self, top=min(max(0, self.top + down), most))

    def showing(self, row: int) -> Rows:
        """Return the rows scrolled just enough to show all of one row."""
        rect = self.rect(row)
        up, down = min(0, rect.y - self.area.y), max(0, rect.bottom - self.area.bottom)
        return self.scrolled(up or down)

    def scroll_bar(self, thickness: int) -> Rect | None:
        """Return the scroll bar at the right; None if all rows fit."""
        tall, area = self.height * self.count, self.area
        if tall <= area.height:
            return None
        length = min(max(thickness * 3, area.height * area.height // tall), area.height)
        y = area.y + (area.height - length) * self.top // (tall - area.height)
        return Rect(area.right - thickness, y, thickness, length)
