"""Rows: lines of one height in a rectangle that may be too small for them. Pure geometry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sapper.window.layout import Point, Rect


@dataclass(frozen=True)
class Rows:
    """So many rows seen through a rectangle; `top` says by how many pixels they are scrolled.

    >>> rows = Rows(Rect(0, 0, 100, 50), height=20, count=10)
    >>> rows.at((5, 45)), rows.visible(), rows.showing(9).top
    (2, range(0, 3), 150)
    """

    area: Rect
    height: int
    count: int
    top: int = 0

    def rect(self, row: int) -> Rect:
        """Return where the row is, seen or not."""
        y = self.area.y - self.top + row * self.height
        return Rect(self.area.x, y, self.area.width, self.height)

    def seen(self, row: int) -> Rect:
        """Return what is seen of the row: a rectangle without a pixel if it is nothing."""
        rect = self.rect(row)
        top = min(max(rect.y, self.area.y), self.area.bottom)
        bottom = min(max(rect.bottom, top), self.area.bottom)
        return rect._replace(y=top, height=bottom - top)

    def at(self, point: Point) -> int | None:
        """Return the row seen at the point."""
        if not self.area.contains(point):
            return None
        row = int(point[1] - self.area.y + self.top) // self.height
        return row if row < self.count else None

    def visible(self) -> range:
        """Return the rows that are seen, wholly or in part."""
        last = (self.top + self.area.height - 1) // self.height
        return range(self.top // self.height, min(last + 1, self.count))

    def scrolled(self, down: int) -> Rows:
        """Return the rows moved by so many pixels, but not beyond their ends."""
        most = max(0, self.height * self.count - self.area.height)
        return replace(self, top=min(max(0, self.top + down), most))

    def showing(self, row: int) -> Rows:
        """Return the rows moved as little as needed to see the whole of one."""
        rect = self.rect(row)
        up, down = min(0, rect.y - self.area.y), max(0, rect.bottom - self.area.bottom)
        return self.scrolled(up or down)

    def scroll_bar(self, thickness: int) -> Rect | None:
        """Return the bar at the right that shows which part is seen; None if all is."""
        tall, area = self.height * self.count, self.area
        if tall <= area.height:
            return None
        length = min(max(thickness * 3, area.height * area.height // tall), area.height)
        y = area.y + (area.height - length) * self.top // (tall - area.height)
        return Rect(area.right - thickness, y, thickness, length)
