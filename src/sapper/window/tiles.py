"""Tiles: how each kind of cell looks, and the marks that are laid over cells."""

from __future__ import annotations

from functools import cached_property
from math import cos, pi, sin

import pygame

from minesweeper import Cell
from sapper.game import Game, Outcome
from sapper.position import FLAG, HIDDEN
from sapper.window import theme
from sapper.window.canvas import Canvas, draw_svg
from sapper.window.view import View

MINE = "mine"
FLAGGED_MINE = "flagged mine"
EXPLODED = "exploded mine"
WRONG_FLAG = "wrong flag"
Kind = int | str
"""What a cell shows: a code of a position or, once the game is over, one of the names above."""


def kind_of(game: Game, cell: Cell) -> Kind:
    """Return what a cell shows; in a game that is over, where the mines were too."""
    code = game.position[cell]
    return _kind_at_the_end(game, cell, code) if game.over else code


def _kind_at_the_end(game: Game, cell: Cell, code: int) -> Kind:
    if code < HIDDEN or game.minefield is None:
        return code
    if cell in game.exploded:
        return EXPLODED
    if not game.minefield.is_mine(cell):
        return WRONG_FLAG if code == FLAG else code
    if code == HIDDEN:
        return MINE
    return FLAGGED_MINE if game.outcome is Outcome.LOST else FLAG


def draw_cells(
    surface: pygame.Surface, tiles: Tiles, view: View, game: Game, hovered: Cell | None
) -> None:
    """Draw the cells that are seen: the work does not grow with the board."""
    codes, width, over = game.position.codes, game.level.width, game.over
    x, y = view.area.x - view.left, view.area.y - view.top
    images = []
    for row in view.visible_rows():
        for column in view.visible_columns():
            kind: Kind = codes[row * width + column]
            if over:
                kind = _kind_at_the_end(game, (row, column), codes[row * width + column])
            images.append((tiles.tile(kind), (x + column * view.cell, y + row * view.cell)))
    surface.fblits(images)
    if hovered is not None and not over and codes[hovered[0] * width + hovered[1]] >= HIDDEN:
        surface.blit(tiles.tile(kind_of(game, hovered), hovered=True), view.rect(hovered))


class Tiles:
    """The pictures of cells at one size; each is made when it is first needed."""

    def __init__(self, canvas: Canvas, size: int) -> None:
        self.size = size
        self._canvas = canvas
        self._made: dict[tuple[Kind, bool], pygame.Surface] = {}
        self._gap = max(1, round(size / 28))
        self._radius = size * 0.12

    def tile(self, kind: Kind, hovered: bool = False) -> pygame.Surface:
        """Return how a cell of this kind looks."""
        made = self._made.get((kind, hovered))
        if made is None:
            made = self._made[kind, hovered] = self._make(kind, hovered)
        return made

    def _make(self, kind: Kind, hovered: bool) -> pygame.Surface:
        tile = pygame.Surface((self.size, self.size)).convert()
        tile.fill(theme.FRAME)
        side = self.size - self._gap
        fill = theme.HOVERED_CELL if hovered else theme.HIDDEN_CELL
        if isinstance(kind, int) and kind < HIDDEN:
            fill = theme.OPENED_CELL
        elif kind in (MINE, FLAGGED_MINE):
            fill = theme.MINE_CELL
        elif kind == EXPLODED:
            fill = theme.EXPLODED_CELL
        tile.blit(self._canvas.shape(side, side, self._radius, fill), self._corner)
        self._decorate(tile, kind)
        return tile

    @property
    def _corner(self) -> tuple[int, int]:
        return self._gap // 2, self._gap // 2

    def _decorate(self, tile: pygame.Surface, kind: Kind) -> None:
        if isinstance(kind, int) and 0 < kind < HIDDEN:
            height = max(10, round(self.size * 0.66))
            digit = self._canvas.letters(str(kind), height, theme.NUMBERS[kind])
            bounds = digit.get_bounding_rect()  # Centred by its ink, not by the line it stands in.
            x = self._corner[0] + (self.size - self._gap - bounds.width) / 2
            y = self._corner[1] + (self.size - self._gap - bounds.height) / 2
            tile.blit(digit, (round(x), round(y)), bounds)
        elif kind == EXPLODED:
            self._place(tile, _burst(round(self.size * 0.96)))
            self._place(tile, self._picture("mine.svg", 0.56))
        elif kind == MINE:
            self._place(tile, self._picture("mine.svg", 0.74))
        elif kind == FLAGGED_MINE:
            self._place(tile, self._picture("mine.svg", 0.74))
            small = self._picture("flag.svg", 0.42)
            tile.blit(small, (self.size - small.get_width() - self._gap, self._gap // 2))
        elif kind in (FLAG, WRONG_FLAG):
            self._place(tile, self._picture("flag.svg", 0.74))
            if kind == WRONG_FLAG:
                self._place(tile, _cross(self.size))

    def _picture(self, name: str, share: float) -> pygame.Surface:
        return self._canvas.picture(name, round(self.size * share))

    def _place(self, tile: pygame.Surface, picture: pygame.Surface) -> None:
        offset = self._gap // 2 + (self.size - self._gap - picture.get_width()) // 2
        tile.blit(picture, (offset, offset))

    # Marks laid over a cell ------------------------------------------------------------------

    @cached_property
    def last_mark(self) -> pygame.Surface:
        """The mark of the last move: a ring."""
        line = max(2, round(self.size / 12))
        return self._canvas.shape(self.size, self.size, self._radius, "none", theme.LAST_MOVE, line)

    @cached_property
    def cursor_mark(self) -> pygame.Surface:
        """The mark of the cell that the keys are on: four corners."""
        arm, inset = 13, 5
        corners = []
        for x, turn_x in ((inset, 1), (64 - inset, -1)):
            for y, turn_y in ((inset, 1), (64 - inset, -1)):
                corners.append(f"M{x} {y + turn_y * arm} V{y} H{x + turn_x * arm}")
        path = " ".join(corners)
        body = (
            f'<path d="{path}" fill="none" stroke="#ffffff" stroke-width="7.5"/>'
            f'<path d="{path}" fill="none" stroke="{theme.CURSOR}" stroke-width="4.5"/>'
        )
        return draw_svg(body, (64, 64), (self.size, self.size))


def _burst(size: int) -> pygame.Surface:
    """Return the star behind a mine that went off."""
    points = []
    for number in range(24):
        reach = 31 if number % 2 == 0 else 21
        angle = pi * number / 12
        points.append(f"{32 + reach * sin(angle):.2f},{32 - reach * cos(angle):.2f}")
    body = f'<polygon points="{" ".join(points)}" fill="{theme.BURST}"/>'
    return draw_svg(body, (64, 64), (size, size))


def _cross(size: int) -> pygame.Surface:
    """Return the cross over a flag that stood on no mine."""
    path = "M10 10 L54 54 M54 10 L10 54"
    body = (
        f'<path d="{path}" stroke="{theme.INK}" stroke-width="8.5" stroke-linecap="round"/>'
        f'<path d="{path}" stroke="{theme.CROSS}" stroke-width="4" stroke-linecap="round"/>'
    )
    return draw_svg(body, (64, 64), (size, size))
