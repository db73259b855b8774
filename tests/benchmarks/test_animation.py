"""The animation in the README shows a game that is won, and its clock and counter move."""

from __future__ import annotations

import pytest

pytest.importorskip("PIL", reason="the animation needs Pillow")

import pygame

from benchmarks.animation import Animation
from benchmarks.support import IMAGES
from sapper import Outcome


def test_the_animation_shows_a_won_game_with_a_running_clock() -> None:
    pygame.display.init()
    pygame.font.init()
    animation = Animation()
    shown = [milliseconds for _, milliseconds in animation.frames()]
    session = animation.window.session
    animation.window.close()
    assert session.game.outcome is Outcome.WON
    assert session.game.flags
    assert 10 < session.seconds < sum(shown) / 1000 < 60


def test_the_committed_animation_is_small() -> None:
    assert (IMAGES / "demo.gif").stat().st_size < 1_000_000
