"""The graph of a review: the win probability before each move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from sapper.reviews.labels import FAULTS, Label
from sapper.reviews.review import Review, Worth
from sapper.window.canvas import Canvas, draw_svg
from sapper.window.label_marks import mark_svg
from sapper.window.layout import Point, Rect
from sapper.window.theme import Theme

GRID: Final = (0.0, 0.5, 1.0)
"""The probabilities at which grid lines are drawn."""
ALWAYS_MARKED: Final = (*FAULTS, Label.FINE, Label.FORCED_GUESS)
"""Labels that are always marked. Others are marked only if the marks do not overlap."""


class Dot(NamedTuple):
    """The win probability before a move, or at the end."""

    number: int
    """The move, counted from 1; the number after the last move stands for the end of the game."""
    worth: Worth
    label: Label | None


def dots_of(review: Review) -> list[Dot]:
    """Return the dots of the graph in order; undone moves have none.

    >>> from sapper import Entry, Level, Promise, Record, review
    >>> moves = (Entry(0.0, "open", (0, 1)), Entry(1.5, "open", (0, 2)))
    >>> game = Record(Level.named("3x1/1"), Promise.SAFE, frozenset({(0, 0)}), moves)
    >>> [(dot.number, str(dot.worth.chance), str(dot.label)) for dot in dots_of(review(game))]
    [(2, '1/2', 'forced guess'), (3, '1', 'None')]
    """
    dots = [Dot(move.number, move.before, move.label) for move in review.line if move.before]
    last = review.line[-1].after if review.line else None
    return dots if last is None else [*dots, Dot(len(review.moves) + 1, last, None)]


@dataclass(frozen=True)
class Graph:
    """The coordinates of moves and probabilities; the end of the game follows the last move.

    >>> graph = Graph(Rect(0, 0, 101, 51), moves=4)
    >>> graph.point(2, 1.0), graph.point(5, 0.0), graph.number_at((24, 10))
    ((25.0, 0.0), (100.0, 50.0), 2)
    """

    area: Rect
    moves: int

    @property
    def step(self) -> float:
        """The distance between two moves."""
        return (self.area.width - 1) / self.moves if self.moves else 0.0

    def point(self, number: int, chance: float) -> Point:
        """Return the point of a win probability before a move."""
        x = self.area.x + (number - 1) * self.step
        return x, self.area.y + (1 - chance) * (self.area.height - 1)

    def number_at(self, point: Point) -> int:
        """Return the move nearest to a point, which may be outside the graph."""
        if not self.moves:
            return 1
        nearest = round((point[0] - self.area.x) / self.step) + 1
        return min(max(1, nearest), self.moves + 1)


def radius_of(area: Rect) -> float:
    """Return the radius of the marks in a graph of this size."""
    return min(max(4.0, area.height / 22), 9.0)


def marked(graph: Graph, dots: list[Dot]) -> list[Dot]:
    """Return the dots with a mark: guesses always, the others only if there is room."""
    has_room = graph.step >= 2 * radius_of(graph.area)
    return [dot for dot in dots if dot.label in ALWAYS_MARKED or (has_room and dot.label)]


def draw_graph(canvas: Canvas, graph: Graph, dots: list[Dot], chosen: int, size: int) -> None:
    """Draw the line, the marks, and the grid lines at 0, 50 and 100 percent."""
    area, radius = graph.area, radius_of(graph.area)
    margin = round(radius) + 2  # Marks at the ends extend beyond the area.
    frame = area.inset(-margin)
    body = "".join(_svg(graph, dots, chosen, canvas.theme))
    origin = f'<g transform="translate({-frame.x} {-frame.y})">{body}</g>'
    picture = draw_svg(origin, (frame.width, frame.height), (frame.width, frame.height))
    canvas.surface.blit(picture, frame)
    wide = canvas.text_width("100 %", size)
    for chance in GRID:
        middle = round(graph.point(1, chance)[1])
        beside = Rect(frame.x - wide - 1, middle - size // 2, wide, size)
        canvas.text(beside, f"{100 * chance:.0f} %", size, canvas.theme.muted, "right")


def _svg(graph: Graph, dots: list[Dot], chosen: int, theme: Theme) -> Iterator[str]:
    radius = radius_of(graph.area)
    left, right = graph.area.x, graph.area.right - 1
    for chance in GRID:
        y = graph.point(1, chance)[1]
        yield f'<path d="M{left} {y:.1f}H{right}" stroke="{theme.button_edge}" stroke-width="1"/>'
    x = graph.point(chosen, 0)[0]
    yield (
        f'<path d="M{x:.1f} {graph.area.y}V{graph.area.bottom - 1}"'
        f' stroke="{theme.last_move}" stroke-width="{max(2.0, radius / 2):.1f}"/>'
    )
    points = [graph.point(dot.number, float(dot.worth.chance)) for dot in dots]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    if len(points) > 1:
        yield (
            f'<polyline points="{line}" fill="none" stroke="{theme.ink}"'
            f' stroke-width="{max(1.2, radius / 3.5):.1f}" stroke-linejoin="round"/>'
        )
    for dot in marked(graph, dots):
        assert dot.label is not None
        place = graph.point(dot.number, float(dot.worth.chance))
        yield mark_svg(dot.label, place, radius, theme, hollow=not dot.worth.exact)
