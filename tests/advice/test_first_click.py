"""The first click: hints and risks take its guarantee into account."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from sapper.advice.first_click import FirstClick
from sapper.game.game import Game
from sapper.levels import Promise
from sapper.position import Position
from sapper.session.session import Session
from sapper.session.start import Start

AGENTS = ["logic", "safest", "strong-fast"]


@pytest.mark.parametrize("promise", ["safe", "open"])
def test_the_risk_of_a_guaranteed_first_click_is_zero(promise: str) -> None:
    session = Session("beginner", seed=7, promise=promise)
    session.toggle_heat()
    assert session.overlay is not None
    assert set(session.overlay.risks) == session.game.position.hidden
    assert set(session.overlay.risks.values()) == {0.0}


@pytest.mark.parametrize(("promise", "adjacent"), [("safe", False), ("open", True)])
def test_help_names_the_guarantee_instead_of_a_guess(promise: str, adjacent: bool) -> None:
    session = Session("beginner", seed=7, promise=promise)
    for help_ in (session.hint, session.hint, session.why):
        help_()
        assert session.overlay is not None
        text = " ".join([session.overlay.title, *session.overlay.lines])
        assert "guaranteed to be safe" in text
        assert "guess" not in text
        assert ("it has no adjacent mines" in text) == adjacent
    session.why((2, 3))
    assert session.overlay is not None
    assert session.overlay.title.startswith("Row 3, column 4 is safe if you open it first")


def test_without_a_guarantee_the_first_click_is_a_guess() -> None:
    for session in (Session("course", seed=7), Session("beginner", seed=7, promise="none")):
        session.hint()
        assert session.overlay is not None
        assert "you have to guess" in session.overlay.title


def test_the_guarantee_ends_with_the_first_click_and_returns_with_undo() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    assert FirstClick.of(session.game) is None
    session.undo()
    assert FirstClick.of(session.game) is not None


@pytest.mark.parametrize("promise", [Promise.SAFE, Promise.OPEN])
def test_the_risks_around_a_given_first_click_are_exact(promise: Promise) -> None:
    first = 0, 0
    position = Position.blank(3, 4, 2)
    excluded = {first} | (position.neighbours(first) if promise is Promise.OPEN else set())
    layouts = list(combinations(sorted(position.hidden - excluded), position.mines))
    risks = FirstClick(position, promise, first).heat().risks
    for cell in position.hidden:
        exact = Fraction(sum(cell in layout for layout in layouts), len(layouts))
        assert risks[cell] == pytest.approx(float(exact))


def test_a_board_made_for_a_first_click_points_to_it() -> None:
    session = Session(Game.on("4x4/2", [(0, 3), (3, 3)], first=(1, 0)))
    session.hint()
    assert session.overlay is not None
    assert session.overlay.target == (1, 0)
    again = Start.again(session.game, kind="given", no_guess=None)
    assert FirstClick.of(again.game) is not None


def test_a_first_click_with_adjacent_mines_is_only_safe() -> None:
    field = Game.on("4x4/2", [(0, 3), (3, 3)]).minefield
    game = Game(Game.new("4x4/2", seed=1).level, seed=None, promise=Promise.OPEN, minefield=field,
                first=(0, 2))  # fmt: skip
    guarantee = FirstClick.of(game)
    assert guarantee is not None
    assert guarantee.promise is Promise.SAFE


@pytest.mark.parametrize("agent", AGENTS)
def test_the_ai_knows_that_the_first_click_is_guaranteed(agent: str) -> None:
    session = Session("beginner", seed=7, promise="safe")
    if agent not in session.agent_names:
        pytest.skip("this agent needs the compiled engine")
    session.use_agent(agent)
    assert session.ai_move() == "AI making safe move."
    assert "the first click is guaranteed to be safe" in session.message
    assert "%" not in session.message
