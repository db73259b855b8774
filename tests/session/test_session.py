"""Sessions: a person and the agent at one board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import LEVELS, Cell, Game, Outcome, Promise, Session

ANNOUNCED = {
    True: "AI making safe move.",
    False: "No known safe moves, AI making random move.",
}


@given(st.integers(0, 2**32), st.sampled_from(["course", "beginner", "5x5/4"]))
def test_the_ai_plays_any_game_to_its_end(seed: int, level: str) -> None:
    session = Session(level, seed=seed)
    while not session.game.over:
        choice = session.agent.decide(session.game.position)
        is_promised = session.game.promise is not Promise.NONE and not session.game.begun
        announced = session.ai_move()
        if choice is None:
            assert announced == "No moves left to make."
            assert session.game.outcome is Outcome.WON
        elif is_promised:
            assert announced == ANNOUNCED[True]
        else:
            assert announced == ANNOUNCED[choice.safe]
            assert choice.reason in session.message
            if choice.safe:  # A random cell is drawn anew each time.
                assert session.last == choice.cell
    assert session.ai_move() is None


def test_the_agent_learns_what_the_player_opens() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    assert session.ai_move() == "AI making safe move."


def test_a_player_wins_the_course_by_flagging_the_mines() -> None:
    session = Session(seed=11)
    assert session.game.minefield is not None
    for mine in sorted(session.game.minefield.mines):
        assert session.game.outcome is Outcome.PLAYING
        session.flag(mine)
    assert session.game.outcome is Outcome.WON
    assert session.message.endswith("Won!")


def test_clicks_on_flagged_and_opened_cells_do_nothing() -> None:
    session = Session(seed=11)
    assert session.game.minefield is not None
    mine = min(session.game.minefield.mines)
    session.flag(mine)
    session.open(mine)
    assert not session.game.over
    session.flag(mine)
    session.open(mine)
    assert session.game.outcome is Outcome.LOST
    assert "mine" in session.message
    before = session.game.position
    session.open((0, 0))
    session.flag((0, 1))
    assert session.game.position == before


def test_the_ai_opens_a_safe_cell_even_if_it_is_flagged() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    choice = session.agent.decide(session.game.position)
    assert choice is not None
    session.flag(choice.cell)
    session.ai_move()
    assert not session.game.position.is_hidden(choice.cell)


def test_clicking_a_number_chords() -> None:
    session = Session("3x1/1", seed=8, promise="none")
    assert session.game.minefield is not None
    assert session.game.minefield.mines == {(0, 0)}
    session.open((0, 1))
    session.flag((0, 0))
    session.open((0, 1))
    assert session.game.outcome is Outcome.WON


@pytest.mark.parametrize(
    ("mines", "flags", "words"),
    [
        ([(0, 2)], [(0, 1)], "Row 1, column 3 was a mine."),
        ([(0, 0), (0, 2)], [(0, 1), (1, 0)], "Row 1, columns 1 and 3 were mines."),
    ],
)
def test_a_losing_chord_names_the_mines_and_not_the_number(
    mines: list[Cell], flags: list[Cell], words: str
) -> None:
    session = Session(Game.on(f"3x2/{len(mines)}", mines))
    session.open((1, 1))
    for cell in flags:
        session.flag(cell)
    session.open((1, 1))
    assert session.game.outcome is Outcome.LOST
    assert session.message == f"You opened the cells around row 2, column 2. {words}"


def test_clicking_a_number_does_not_chord_in_the_course() -> None:
    session = Session("course", seed=11)
    assert session.game.minefield is not None
    field = session.game.minefield
    safe = (cell for cell in session.game.position if not field.is_mine(cell))
    empty = next(cell for cell in safe if field.nearby_mines(cell) == 0)
    session.open(empty)
    session.open(empty)
    assert session.game.position.numbers == {empty: 0}


def test_reset_is_a_new_board_with_a_new_agent() -> None:
    session = Session("beginner", seed=7)
    session.open((4, 4))
    game, agent = session.game, session.agent
    session.reset()
    assert session.game is not game
    assert session.agent is not agent
    assert session.game.seed != game.seed
    assert session.game.level is LEVELS["beginner"]
    assert session.last is None
    session.reset("expert")
    assert session.game.level is LEVELS["expert"]
