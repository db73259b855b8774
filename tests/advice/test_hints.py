"""Hints: they point out flags on safe cells."""

from __future__ import annotations

from sapper.game.game import Game
from sapper.session.session import Session


def text_of(session: Session) -> str:
    assert session.overlay is not None
    return " ".join([session.overlay.title, *session.overlay.lines])


def test_a_hint_points_out_a_flag_on_a_safe_cell() -> None:
    session = Session(Game.on("4x1/1", [(0, 0)]))
    session.open((0, 1))
    session.flag((0, 2))
    session.open((0, 3))
    session.hint()
    assert text_of(session) == "One of your flags here is wrong."
    session.hint()
    assert text_of(session) == "Row 1, column 3 is safe. Your flag there is wrong: remove it."
    session.why((0, 2))
    assert "Your flag there is wrong" in text_of(session)
    session.flag((0, 2))
    session.hint()
    session.hint()
    assert text_of(session) == "Row 1, column 3 is safe."


def test_a_flag_on_a_mine_is_not_called_wrong() -> None:
    session = Session(Game.on("7x1/2", [(0, 0), (0, 4)]))
    session.open((0, 2))
    for mine in ((0, 0), (0, 4)):
        session.flag(mine)
    for _ in range(2):
        session.hint()
        assert "flag" not in text_of(session)
    session.why((0, 0))
    assert "flag" not in text_of(session)
