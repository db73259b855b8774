"""The course's window shows the digit 0 and opens nothing else; other levels show blanks."""

from __future__ import annotations

import pygame
import pytest

from sapper.position import Cell
from tests.support.window_player import Player, beginner, display

_display = pytest.fixture(autouse=True, scope="module")(display)


def is_blank(player: Player, cell: Cell) -> bool:
    """Return whether nothing is written in the middle of a cell."""
    player.window.draw()
    rect = pygame.Rect(player.rect(cell))
    middle = player.window.surface.subsurface(rect.inflate(-rect.width // 2, -rect.height // 2))
    pixels = pygame.image.tobytes(middle, "RGB")
    return pixels == pixels[:3] * (len(pixels) // 3)


def test_opening_a_0_on_the_course_level_shows_the_digit_and_opens_nothing_else() -> None:
    player = Player("course")
    player.click("play")
    near = {(i + a, j + b) for i, j in player.mines for a in (-1, 0, 1) for b in (-1, 0, 1)}
    zero = min({(i, j) for i in range(8) for j in range(8)} - near)
    player.click(zero)
    assert dict(player.game.position.numbers) == {zero: 0}
    assert not is_blank(player, zero)


def test_other_levels_open_the_area_and_leave_zeros_blank() -> None:
    player = beginner()
    numbers = player.game.position.numbers
    assert len(numbers) > 1
    for cell, number in numbers.items():
        assert is_blank(player, cell) == (number == 0)
