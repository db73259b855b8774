"""A game that a new board replaced can be brought back; chords with too many flags."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sapper import Game, Outcome, Session
from sapper.formats import board_code

REPLACING: dict[str, Callable[[Session], None]] = {
    "reset": lambda session: session.reset(),
    "reset to a level": lambda session: session.reset("expert"),
    "new": lambda session: session.new("intermediate", no_guess=True),
    "again": lambda session: session.again(),
    "load": lambda session: session.load(board_code(Game.new("beginner", seed=5))),
}
replacing = pytest.mark.parametrize("replace", REPLACING.values(), ids=REPLACING)


def played(level: str = "beginner") -> Session:
    session = Session(level, seed=1)
    session.open((4, 4))
    session.flag(min(session.game.position.hidden))
    return session


@replacing
@pytest.mark.parametrize("level", ["beginner", "course"])
def test_undo_on_a_new_board_brings_back_the_running_game(
    level: str, replace: Callable[[Session], None]
) -> None:
    session = played(level)
    game, entries, position = session.game, list(session.entries), session.game.position
    replace(session)
    assert session.game is not game
    assert session.undo()
    assert session.game is game
    assert session.game.position == position
    assert session.entries == entries
    assert session.game.outcome is Outcome.PLAYING
    assert not session.helped
    assert session.undo()  # Now it undoes moves again.
    assert not session.game.flags


@replacing
@pytest.mark.parametrize("level", ["beginner", "course"])
def test_undo_on_a_new_board_brings_back_a_finished_game(
    level: str, replace: Callable[[Session], None]
) -> None:
    ended: list[Outcome] = []
    session = Session(level, seed=1, on_end=lambda play: ended.append(play.game.outcome))
    session.open((4, 4))
    assert session.game.minefield is not None
    if level == "course":
        for mine in session.game.minefield.mines:
            session.flag(mine)
    else:
        session.open(min(session.game.minefield.mines))
    outcome, seconds = session.game.outcome, session.seconds
    assert session.game.over
    replace(session)
    assert session.game.outcome is Outcome.PLAYING
    session.undo()
    assert session.game.outcome is outcome
    assert session.seconds == seconds
    assert ended == [outcome]


def test_several_new_boards_in_a_row_are_one_mistake() -> None:
    session = played()
    game = session.game
    session.reset()
    session.reset()
    session.reset("expert")
    session.undo()
    assert session.game is game


def test_after_a_move_undo_stays_on_the_new_board() -> None:
    session = played()
    session.reset()
    new = session.game
    session.flag((0, 0))
    assert session.undo()
    assert not session.undo()
    assert session.game is new


def test_without_an_earlier_game_there_is_nothing_to_undo() -> None:
    session = Session("beginner", seed=1)
    assert not session.undo()
    session.reset()
    assert not session.undo()


def test_a_board_without_guesses_keeps_the_game_it_replaced() -> None:
    session = played()
    game = session.game
    session.new("beginner", no_guess=True)
    session.open((4, 4))
    assert session.game.begun
    assert session.undo()
    session.reset()
    session.undo()
    assert session.game is not game  # The board without guesses is more recent.


def crowded() -> Session:
    """Return a session with two flags at a 1, and a safe cell that is still hidden."""
    session = Session(Game.on("3x2/1", [(0, 0)]))
    session.open((0, 1))
    session.flag((0, 0))
    session.flag((1, 0))
    return session


def test_a_chord_needs_exactly_as_many_flags_as_the_number_shows() -> None:
    session = crowded()
    before = session.game.position
    session.open((0, 1))
    assert session.game.position == before
    session.flag((1, 0))
    session.open((0, 1))
    assert session.game.outcome is Outcome.WON


def test_a_setting_allows_chords_with_more_flags() -> None:
    session = crowded()
    session.use_strict_chords(False)
    session.open((0, 1))
    assert session.game.position.hidden == {(0, 0), (1, 0)}
    assert session.record is not None
    assert session.record.replay().position == session.game.position
    session.flag((0, 0))
    session.flag((1, 0))
    session.undo()
    session.undo()
    assert session.game.flags == {(0, 0), (1, 0)}


def test_a_chord_with_too_few_flags_does_nothing_in_either_case() -> None:
    for strict in (True, False):
        session = Session(Game.on("3x2/1", [(0, 0)]))
        session.use_strict_chords(strict)
        session.open((0, 1))
        before = session.game.position
        session.open((0, 1))
        assert session.game.position == before
