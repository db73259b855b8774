"""Levels: the named ones, and boards of any size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import LEVELS, BadLevel, Level, Promise
from sapper.levels import most_mines

pytestmark = pytest.mark.any_engine


def test_the_named_levels_are_the_ones_players_know() -> None:
    sizes = {name: (level.height, level.width, level.mines) for name, level in LEVELS.items()}
    assert sizes == {
        "course": (8, 8, 8),
        "beginner": (9, 9, 10),
        "intermediate": (16, 16, 40),
        "expert": (16, 30, 99),
    }
    assert LEVELS["course"].promise is Promise.NONE
    assert [name for name, level in LEVELS.items() if level.course_rules] == ["course"]


def test_a_level_is_found_by_name_size_or_itself() -> None:
    expert = LEVELS["expert"]
    assert Level.named(" Expert ") is expert
    assert Level.named(expert) is expert
    assert Level.named("30X16/99").size == expert.size


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("experts", "'experts' is not a level"),
        ("", "'' is not a level"),
        ("3x3", "'3x3' is not a level"),
        ("0x3/0", "width of a board is 1 to 1000 cells, not 0"),
        ("3x1001/0", "height of a board is 1 to 1000 cells, not 1001"),
        ("2x2/5", "5 mines do not fit"),
        ("-2x2/5", "'-2x2/5' is not a level"),
    ],
)
def test_the_error_quotes_an_unknown_level(name: str, trouble: str) -> None:
    with pytest.raises(BadLevel, match=trouble):
        Level.named(name)


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_a_custom_level_has_the_strongest_promise_that_fits(
    height: int, width: int, data: st.DataObject
) -> None:
    mines = data.draw(st.integers(0, height * width))
    level = Level.custom(height, width, mines)
    kept = [p for p in Promise if mines <= most_mines(height, width, p)]
    assert level.promise is max(kept, key=list(Promise).index)
    assert Level.named(level.size) == level


def test_too_many_mines_for_a_promise_are_rejected() -> None:
    with pytest.raises(BadLevel, match="at most 72"):
        Level("dense", 9, 9, 73)
