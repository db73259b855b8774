"""What `print` and notebooks show of an analysis."""

from __future__ import annotations

import pytest

from sapper import Game, Limit, Position, analyse


def test_an_analysis_prints_its_findings() -> None:
    position = Position.parse("# # # #\n1 2 2 1", mines=2)
    assert str(analyse(position)).splitlines() == [
        "4x2/2: 1 layout",
        "Safe: row 1, columns 1 and 4",
        "Mines: row 1, columns 2 and 3",
        "Best: row 1, column 1 (safe, perfect play wins 100 %)",
    ]


def test_without_a_safe_cell_it_prints_the_risk_of_the_best_move() -> None:
    lines = str(analyse(Position.blank(9, 9, mines=10))).splitlines()
    assert lines[0] == "9x9/10: 1.88e+12 layouts"
    assert lines[1:3] == ["Safe: none", "Mines: none"]
    assert lines[3].endswith("(risk 12.3 %)")


def test_if_every_hidden_cell_is_a_mine_there_is_no_best_move() -> None:
    lines = str(analyse(Position.parse("1 #", mines=1))).splitlines()
    assert lines[3] == "Best: none; every hidden cell is a mine"


@pytest.mark.compiled
def test_an_analysis_that_reached_its_limit_says_so() -> None:
    game = Game.new("30x16/130", seed=1)
    game.open((3, 3))
    text = str(analyse(game, limit=Limit(states=1)))
    assert text.startswith("30x16/130: number of layouts unknown")


@pytest.mark.parametrize("level", ["beginner", "expert"])
def test_functions_that_take_a_position_also_take_a_game(level: str) -> None:
    game = Game.new(level, seed=3)
    game.open((4, 4))
    assert str(analyse(game)) == str(analyse(game.position))
    assert analyse(game)._repr_svg_() == game.position.svg(analyse(game))
