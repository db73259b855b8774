"""The graph of a review: the chance to win over the moves. Pure geometry, and the drawing of it."""

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
"""The chances that have a line of their own."""
ALWAYS_MARKED: Final = (*FAULTS, Label.FINE, Label.FORCED_GUESS)
"""Marked however little room there is; the others only where the marks stand apart."""


class Dot(NamedTuple):
    """What is known of the chance to win before a move, or at the end."""

    number: int
    """The move, counted from 1; one more than the last is the end of the game."""
    worth: Worth
    label: Label | None


def dots_of(review: Review) -> list[Dot]:
    """Return the dots of the graph in their order: only moves that were not taken back have one.

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
    """Where each move and each chance is in a rectangle; the end of the game stands after the moves.

    >>> graph = Graph(Rect(0, 0, 101, 51), moves=4)
    >>> graph.point(2, 1.0), graph.point(5, 0.0), graph.number_at((24, 10))
    ((25.0, 0.0), (100.0, 50.0), 2)
    """

    area: Rect
    moves: int

    @property
    def step(self) -> float:
        """How far a move is from the next one."""
        return (self.area.width - 1) / self.moves if self.moves else 0.0

    def point(self, number: int, chance: float) -> Point:
        """Return where a chance to win before this move is."""
        x = self.area.x + (number - 1) * self.step
        return x, self.area.y + (1 - chance) * (self.area.height - 1)

    def number_at(self, point: Point) -> int:
        """Return the move nearest to the point, which may be outside."""
        if not self.moves:
            return 1
        nearest = round((point[0] - self.area.x) / self.step) + 1
        return min(max(1, nearest), self.moves + 1)


def radius_of(area: Rect) -> float:
    """Return how large the marks are in a graph of this size."""
    return min(max(4.0, area.height / 22), 9.0)


def marked(graph: Graph, dots: list[Dot]) -> list[Dot]:
    """Return the dots that get a mark: guesses always, the rest where two marks have room."""
    has_room = graph.step >= 2 * radius_of(graph.area)
    return [dot for dot in dots if dot.label in ALWAYS_MARKED or (has_room and dot.label)]


def draw_graph(canvas: Canvas, graph: Graph, dots: list[Dot], chosen: int, size: int) -> None:
    """Draw the lines, the marks and what the lines at 0, 50 and 100 percent mean."""
    area, radius = graph.area, radius_of(graph.area)
    margin = round(radius) + 2  # Marks at the ends reach out of the area.
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
