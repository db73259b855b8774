"""Tiles: pictures of cells, with their marks."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import pygame

from sapper.advice.mistakes import MISSED_SIGN, WRONG_SIGN
from sapper.caching import cached_property
from sapper.game.game import Game, Outcome
from sapper.position import FLAG, HIDDEN, Cell
from sapper.window.canvas import Canvas, draw_svg
from sapper.window.marks import (
    CROWDED,
    CURSOR,
    LAST,
    MISSED,
    NO_MARK,
    QUESTION,
    SAFE,
    TARGET,
    WRONG,
    Mark,
    Sign,
)
from sapper.window.marks import MINE as SURE_MINE

MINE = "mine"
FLAGGED_MINE = "flagged mine"
EXPLODED = "exploded mine"
WRONG_FLAG = "wrong flag"
SUNKEN = "sunken"
TileKind = int | str
"""What a cell shows: its code in the position, or one of the names above."""

LETTERS: Final = {QUESTION: "?", MISSED: MISSED_SIGN, WRONG: WRONG_SIGN}
"""The signs that are characters."""
SMALLEST_PERCENT: Final = 22
"""The smallest cell, in pixels, with room for a percentage."""
MOST_TILES: Final = 3000
"""The most tiles to cache. A heat map has many different ones."""


def final_tile_kind(game: Game, cell: Cell, code: int) -> TileKind:
    """Return what a cell with this code shows in a finished game."""
    if code < HIDDEN or game.minefield is None:
        return code
    if cell in game.exploded:
        return EXPLODED
    if not game.minefield.is_mine(cell):
        return WRONG_FLAG if code == FLAG else code
    if code == HIDDEN:
        return MINE
    return FLAGGED_MINE if game.outcome is Outcome.LOST else FLAG


class Tiles:
    """The pictures of cells of one size, each drawn when it is first needed.

    An open cell without adjacent mines is blank, unless `show_zeros` is true.
    """

    def __init__(self, canvas: Canvas, size: int, *, show_zeros: bool = False) -> None:
        self.size = size
        self._show_zeros = show_zeros
        self._canvas = canvas
        self._theme = canvas.theme
        self._made: dict[tuple[TileKind, bool, Mark], pygame.Surface] = {}
        self._gap = max(1, round(size / 28))
        self._radius = size * 0.12

    def tile(self, kind: TileKind, hovered: bool = False, mark: Mark = NO_MARK) -> pygame.Surface:
        """Return the picture of a kind of cell."""
        made = self._made.get((kind, hovered, mark))
        if made is None:
            if len(self._made) >= MOST_TILES:
                self._made.clear()
            made = self._made[kind, hovered, mark] = self._make(kind, hovered, mark)
        return made

    def _make(self, kind: TileKind, hovered: bool, mark: Mark) -> pygame.Surface:
        if mark.rings or mark.edges:
            tile = self.tile(kind, hovered, Mark(mark.sign)).copy()
            for side in mark.edges:
                self._draw_edge(tile, side)
            for ring in mark.rings:
                tile.blit(self._ring(ring), (0, 0))
            return tile
        tile = pygame.Surface((self.size, self.size)).convert()
        tile.fill(self._theme.frame)
        side = self.size - self._gap
        fill = self._fill(kind, hovered, mark.sign)
        tile.blit(self._canvas.shape(side, side, self._radius, fill), self._corner)
        if kind == SUNKEN:
            return tile
        if mark.sign == CROWDED:
            self._draw_crowded(tile, str(kind))
            return tile
        self._decorate(tile, kind, small=mark.sign != "")
        is_open = isinstance(kind, int) and kind < HIDDEN
        is_mine = kind in (MINE, FLAGGED_MINE, EXPLODED)
        if is_mine and mark.sign == QUESTION:
            pass  # The question is answered.
        elif mark.sign == WRONG if is_open else mark.sign != "":
            self._draw_sign(tile, mark.sign, small=kind != HIDDEN)
        return tile

    def _fill(self, kind: TileKind, hovered: bool, sign: Sign) -> str:
        theme = self._theme
        if kind == SUNKEN or (isinstance(kind, int) and kind < HIDDEN):
            return theme.opened_cell
        if kind in (MINE, FLAGGED_MINE):
            return theme.mine_cell
        if kind == EXPLODED:
            return theme.exploded_cell
        if isinstance(sign, int):
            return theme.heat_of(sign / 100)[0]
        plain = theme.hovered_cell if hovered else theme.hidden_cell
        return {SAFE: theme.safe_cell, SURE_MINE: theme.sure_cell}.get(sign, plain)

    @property
    def _corner(self) -> tuple[int, int]:
        return self._gap // 2, self._gap // 2

    def _decorate(self, tile: pygame.Surface, kind: TileKind, small: bool) -> None:
        if isinstance(kind, int) and kind < HIDDEN:
            if kind > 0 or self._show_zeros:
                height = max(10, round(self.size * 0.66))
                self._write(tile, str(kind), height, self._theme.numbers.get(kind, self._theme.muted))
        elif kind == EXPLODED:
            self._place(tile, self._burst(round(self.size * 0.96)))
            mine = self._theme.burst_mine
            glint = self._theme.glint if mine == self._theme.mine else self._theme.burst
            self._place(tile, self._canvas.picture("mine.svg", round(self.size * 0.56), mine, glint))
        elif kind == MINE:
            self._place(tile, self._picture("mine.svg", 0.74))
        elif kind == FLAGGED_MINE:
            self._place(tile, self._picture("mine.svg", 0.74))
            corner = self._picture("flag.svg", 0.42)
            tile.blit(corner, (self.size - corner.get_width() - self._gap, self._gap // 2))
        elif kind == FLAG and small:
            tile.blit(self._picture("flag.svg", 0.5), (self._gap, self._gap))
        elif kind in (FLAG, WRONG_FLAG):
            self._place(tile, self._picture("flag.svg", 0.74))
            if kind == WRONG_FLAG:
                self._place(tile, self._cross(self.size))

    def _draw_crowded(self, tile: pygame.Surface, number: str) -> None:
        """Draw a number with too many flags: red and, for those who do not see red, underlined."""
        self._write(tile, number, max(10, round(self.size * 0.58)), self._theme.lost)
        thick = max(2, self.size // 12)
        left = self.size // 5
        line = pygame.Rect(left, self.size - self._gap - 2 * thick, self.size - 2 * left, thick)
        tile.fill(self._theme.lost, line)

    def _draw_sign(self, tile: pygame.Surface, sign: Sign, small: bool) -> None:
        """Draw the sign of a hidden cell: in its lower right corner if it has a flag."""
        theme, share = self._theme, 0.5 if small else 0.74
        if isinstance(sign, int):
            if self.size >= SMALLEST_PERCENT:
                height = max(9, round(self.size * (0.34 if small else 0.46)))
                self._write(tile, str(sign), height, theme.heat_of(sign / 100)[1], corner=small)
            return
        if sign in LETTERS:
            height = max(10, round(self.size * (0.4 if small and sign != QUESTION else 0.66)))
            self._write(tile, LETTERS[sign], height, theme.question, corner=small)
            return
        side = round(self.size * share)
        if sign == SAFE:
            path = f'<path d="M12 34 L27 50 L53 15" fill="none" stroke="{theme.safe_mark}"'
            picture = draw_svg(
                f'{path} stroke-width="9" stroke-linecap="round"/>', (64, 64), (side, side)
            )
        else:
            picture = self._canvas.picture("mine.svg", side, theme.sure_mark, theme.sure_cell)
        if small:
            tile.blit(picture, (self.size - side - self._gap, self.size - side - self._gap))
        else:
            self._place(tile, picture)

    def _write(
        self, tile: pygame.Surface, text: str, height: int, colour: str, corner: bool = False
    ) -> None:
        """Write in the middle, or in the lower right corner."""
        letters = self._canvas.letters(text, height, colour)
        bounds = letters.get_bounding_rect()  # Centred by its pixels, not by its line box.
        share = 0.9 if corner else 0.5
        x = self._corner[0] + (self.size - self._gap - bounds.width) * share
        y = self._corner[1] + (self.size - self._gap - bounds.height) * share
        tile.blit(letters, (round(x), round(y)), bounds)

    def _picture(self, name: str, share: float) -> pygame.Surface:
        return self._canvas.picture(name, round(self.size * share))

    def _place(self, tile: pygame.Surface, picture: pygame.Surface) -> None:
        offset = self._gap // 2 + (self.size - self._gap - picture.get_width()) // 2
        tile.blit(picture, (offset, offset))

    # Marks -----------------------------------------------------------------------------------

    def _ring(self, ring: str) -> pygame.Surface:
        if ring == LAST:
            return self.last_mark
        if ring == CURSOR:
            return self.cursor_mark
        return self.target_mark if ring == TARGET else self.used_mark

    @cached_property
    def last_mark(self) -> pygame.Surface:
        """The mark of the last move: a ring."""
        theme = self._theme
        body = _stroke("M5 5 H59 V59 H5 Z", theme.last_move, 5, theme.last_move_edge, 7)
        return draw_svg(body, (64, 64), (self.size, self.size))

    @cached_property
    def target_mark(self) -> pygame.Surface:
        """The mark of the cell that help is about: a double ring."""
        theme = self._theme
        body = _stroke("M6 6 H58 V58 H6 Z", theme.target, 6, theme.ring_edge, 11)
        return draw_svg(body, (64, 64), (self.size, self.size))

    @cached_property
    def used_mark(self) -> pygame.Surface:
        """The mark of a number that a proof uses: a circle."""
        theme = self._theme
        circle = "M32 5 A27 27 0 1 1 31.9 5 Z"
        body = _stroke(circle, theme.used, 5, theme.ring_edge, 9)
        return draw_svg(body, (64, 64), (self.size, self.size))

    @cached_property
    def cursor_mark(self) -> pygame.Surface:
        """The mark of the cursor: four corners."""
        arm, inset = 13, 5
        corners = []
        for x, turn_x in ((inset, 1), (64 - inset, -1)):
            for y, turn_y in ((inset, 1), (64 - inset, -1)):
                corners.append(f"M{x} {y + turn_y * arm} V{y} H{x + turn_x * arm}")
        theme = self._theme
        body = _stroke(" ".join(corners), theme.cursor, 4.5, theme.cursor_edge, 7.5)
        return draw_svg(body, (64, 64), (self.size, self.size))

    def _draw_edge(self, tile: pygame.Surface, side: int) -> None:
        """Draw the frame of an area along one side of the cell."""
        thick, size = max(2, round(self.size / 9)), self.size
        halo = thick + max(1, thick // 3)
        for colour, line in ((self._theme.ring_edge, halo), (self._theme.area, thick)):
            rects = (
                (0, 0, size, line),
                (size - line, 0, line, size),
                (0, size - line, size, line),
                (0, 0, line, size),
            )
            tile.fill(colour, rects[side])

    def _burst(self, size: int) -> pygame.Surface:
        """Return the star behind an exploded mine."""
        points = []
        for number in range(24):
            reach = 31 if number % 2 == 0 else 21
            angle = pi * number / 12
            points.append(f"{32 + reach * sin(angle):.2f},{32 - reach * cos(angle):.2f}")
        body = f'<polygon points="{" ".join(points)}" fill="{self._theme.burst}"/>'
        return draw_svg(body, (64, 64), (size, size))

    def _cross(self, size: int) -> pygame.Surface:
        """Return the cross over a wrong flag."""
        body = _stroke("M10 10 L54 54 M54 10 L10 54", self._theme.cross, 4, self._theme.cross_edge, 8.5)
        return draw_svg(body, (64, 64), (size, size))


def _stroke(path: str, colour: str, line: float, edge: str, edge_line: float) -> str:
    """Return a path with an outline."""
    return "".join(
        f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width}"'
        ' stroke-linecap="round"/>'
        for stroke, width in ((edge, edge_line), (colour, line))
    )
