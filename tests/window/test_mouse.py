"""Mouse gestures and keys in the window."""

from __future__ import annotations

import pygame
import pytest

from sapper.game.game import Outcome
from sapper.levels import LEVELS
from sapper.position import Cell
from sapper.window.app import BUTTON_FRAMES, FRAMES
from sapper.window.canvas import Canvas
from sapper.window.layout import Rect
from sapper.window.marks import CROWDED, CURSOR, Mark
from sapper.window.screens import StartScreen
from sapper.window.theme import THEMES
from sapper.window.tiles import SUNKEN, Tiles
from tests.support.window_player import LEFT, MIDDLE, RIGHT, Player, beginner, display

_display = pytest.fixture(autouse=True, scope="module")(display)
player = pytest.fixture(beginner)

OFF_BOARD = Rect(0, 0, 1, 1)


def move(player: Player, cell: Cell) -> None:
    player.hover(player.rect(cell).center)


def flag_mines_around(player: Player) -> tuple[Cell, frozenset[Cell]]:
    """Flag the mines around a number; return the number and the safe cells that a chord opens."""
    number, around = player.chordable_number()
    for mine in around & player.mines:
        player.click(mine, RIGHT)
    return number, around & player.game.position.hidden - player.mines


def has_opened(player: Player, cells: frozenset[Cell]) -> bool:
    return bool(cells) and not cells & player.game.position.hidden


# Gestures ------------------------------------------------------------------------------------------


def test_a_cell_opens_where_the_button_is_released(player: Player) -> None:
    first, second = sorted(player.game.position.hidden - player.mines)[:2]
    player.press(player.rect(first))
    move(player, second)
    player.release(player.rect(second))
    assert player.game.position.is_hidden(first)
    assert not player.game.position.is_hidden(second)


@pytest.mark.parametrize("button", [LEFT, MIDDLE])
def test_leaving_the_board_cancels(player: Player, button: int) -> None:
    before, picture = player.game.position, player.pixels()
    player.press(player.rect(min(before.hidden)), button)
    player.hover(OFF_BOARD.center)
    player.release(OFF_BOARD, button)
    assert player.game.position == before
    assert player.pixels() == picture


def test_a_flag_is_set_on_press(player: Player) -> None:
    cell = min(player.game.position.hidden)
    player.press(player.rect(cell), RIGHT)
    assert player.game.flags == {cell}
    player.release(player.rect(cell), RIGHT)
    assert player.game.flags == {cell}


def test_a_right_drag_sets_and_removes_flags(player: Player) -> None:
    hidden = player.game.position.hidden
    row = next([(i, j), (i, j + 1)] for i, j in sorted(hidden) if (i, j + 1) in hidden)
    for flags in (set(row), set()):
        player.press(player.rect(row[0]), RIGHT)
        move(player, row[1])
        player.release(player.rect(row[1]), RIGHT)
        assert player.game.flags == flags


def test_the_left_button_chords(player: Player) -> None:
    number, safe = flag_mines_around(player)
    player.click(number)
    assert has_opened(player, safe)


def test_the_middle_button_chords(player: Player) -> None:
    number, safe = flag_mines_around(player)
    player.click(number, MIDDLE)
    assert has_opened(player, safe)


def test_the_one_and_a_half_click_flags_and_chords(player: Player) -> None:
    number, around = player.chordable_number()
    *others, last = sorted(around & player.mines)
    for mine in others:
        player.click(mine, RIGHT)
    safe = around & player.game.position.hidden - player.mines
    player.press(player.rect(last), RIGHT)
    move(player, number)
    player.click(number)
    player.release(player.rect(number), RIGHT)
    assert has_opened(player, safe)
    assert player.game.outcome is not Outcome.LOST


def test_a_chord_with_too_few_flags_does_nothing(player: Player) -> None:
    number, _ = player.chordable_number()
    before = player.game.position
    player.click(number)
    player.click(number, MIDDLE)
    assert player.game.position == before


def test_a_middle_drag_pans_and_does_not_chord() -> None:
    player = Player("200x200/4000")
    player.click("play")
    view = player.board.view
    x, y = view.area.center
    player.press(view.area, MIDDLE)
    for step in range(1, 4):
        player.hover((x - 7 * step, y + 9 * step))
    player.release(Rect(x - 21, y + 27, 1, 1), MIDDLE)
    player.hover((x, y))
    assert player.board.view == view.scrolled(21, -27)


def test_the_wheel_scrolls_other_screens(player: Player) -> None:
    player.window.resize(320, 260)
    player.key(pygame.K_F1)
    before = player.pixels()
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    assert player.pixels() != before


def test_a_release_that_was_not_reported_cancels(player: Player) -> None:
    before = player.game.position
    first, second = sorted(before.hidden)[:2]
    player.press(player.rect(first))
    player.held.clear()
    move(player, second)
    assert not player.board.gestures.is_active
    player.release(player.rect(second))
    assert player.game.position == before


def test_a_lost_focus_cancels(player: Player) -> None:
    before = player.game.position
    rect = player.rect(min(before.hidden))
    player.press(rect)
    player.window.handle(pygame.Event(pygame.WINDOWFOCUSLOST))
    player.release(rect)
    assert player.game.position == before


# What it looks like --------------------------------------------------------------------------------


def test_the_pressed_cell_sinks(player: Player) -> None:
    cell = min(player.game.position.hidden)
    move(player, cell)
    before = player.pixels()
    player.press(player.rect(cell))
    assert player.board.gestures.sunken == {cell}
    assert player.pixels() != before


def test_the_hidden_neighbours_of_a_pressed_number_sink(player: Player) -> None:
    number, safe = flag_mines_around(player)
    player.press(player.rect(number))
    assert player.board.gestures.sunken == safe
    assert player.game.position.hidden >= safe


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [12, 40])
def test_sunken_cells_and_crowded_numbers_differ_without_colour(size: int, theme: object) -> None:
    tiles = Tiles(Canvas(Player().window.surface, theme), size)  # type: ignore[arg-type]
    pictures = [tiles.tile(SUNKEN), tiles.tile(9)]
    for number in range(9):
        pictures += [tiles.tile(number, mark=Mark(CROWDED))]
        pictures += [tiles.tile(number)] if number else []
    grey = {pygame.image.tobytes(pygame.transform.grayscale(each), "RGB") for each in pictures}
    assert len(grey) == len(pictures)


def test_a_number_with_too_many_flags_is_marked(player: Player) -> None:
    number, safe = flag_mines_around(player)
    assert CROWDED not in [mark.sign for mark in player.board.own_marks().values()]
    extra = min(safe)
    player.click(extra, RIGHT)
    assert player.board.own_marks()[number].sign == CROWDED
    before = player.game.position
    player.click(number)
    assert player.game.position == before
    player.click(extra, RIGHT)
    assert CROWDED not in [mark.sign for mark in player.board.own_marks().values()]


def test_the_cursor_appears_after_an_arrow_key_until_the_mouse_moves(player: Player) -> None:
    def rings() -> list[str]:
        return [ring for mark in player.board.own_marks().values() for ring in mark.rings]

    assert CURSOR not in rings()
    player.key(pygame.K_LEFT)
    assert CURSOR in rings()
    player.hover((7, 7))
    assert CURSOR not in rings()


# Keys ----------------------------------------------------------------------------------------------


def test_keys_apply_to_the_cell_under_the_mouse(player: Player) -> None:
    cell = min(player.game.position.hidden - player.mines)
    move(player, cell)
    player.key(pygame.K_f)
    assert player.game.flags == {cell}
    player.key(pygame.K_f)
    player.key(pygame.K_SPACE)
    assert not player.game.position.is_hidden(cell)
    number, safe = flag_mines_around(player)
    move(player, number)
    player.key(pygame.K_d)
    assert has_opened(player, safe)


def test_after_an_arrow_key_keys_apply_to_the_cursor(player: Player) -> None:
    row, column = max(player.game.position.hidden)
    move(player, (row, column))
    player.key(pygame.K_LEFT)
    assert player.board.cursor == (row, column - 1)
    player.key(pygame.K_UP, times=20)
    player.key(pygame.K_HOME)
    player.key(pygame.K_f)
    assert player.game.flags <= {(0, 0)}


def test_without_mouse_or_cursor_a_key_only_shows_the_cursor() -> None:
    player = Player("beginner", seed=7)
    player.key(pygame.K_RETURN)
    player.key(pygame.K_SPACE)
    assert not player.game.begun
    assert player.board.cursor_shown
    player.key(pygame.K_SPACE)
    assert player.game.begun


def test_events_are_polled_faster_while_a_button_is_down(player: Player) -> None:
    assert player.window.frames_per_second == FRAMES
    player.press(player.rect((0, 0)))
    assert player.window.frames_per_second == BUTTON_FRAMES > 60
    player.release(OFF_BOARD)
    assert player.window.frames_per_second == FRAMES


# No key destroys a game ----------------------------------------------------------------------------


@pytest.mark.parametrize("code", [pygame.K_n, pygame.K_r, pygame.K_g, pygame.K_F2])
def test_a_new_board_can_be_undone(player: Player, code: int) -> None:
    game, position = player.game, player.game.position
    player.key(code)
    assert player.game is not game
    player.window.draw()
    player.key(pygame.K_u)
    player.window.draw()
    assert player.game is game
    assert player.game.position == position


def test_a_new_level_can_be_undone(player: Player) -> None:
    game = player.game
    player.key(pygame.K_m)
    player.click("expert")
    player.window.draw()
    player.click("undo")
    player.window.draw()
    assert player.game is game
    assert player.window.title == "Minesweeper — beginner"


def test_escape_goes_to_the_start_screen_and_the_game_continues(player: Player) -> None:
    game = player.game
    player.key(pygame.K_p)
    player.key(pygame.K_ESCAPE, times=3)
    assert isinstance(player.window.screen, StartScreen)
    assert player.window.screen.play_label == "Continue"
    assert player.window.running
    assert not player.session.autoplay
    player.window.draw()
    player.click("play")
    assert player.board.session.game is game


# The course level ----------------------------------------------------------------------------------


def test_the_course_level_has_flags_and_openings_but_no_chords() -> None:
    player = Player("course")
    player.click("play")
    assert player.game.level == LEVELS["course"]
    safe = sorted(set(player.game.position) - player.mines)
    player.click(safe[0])
    player.press(player.rect(safe[0]))
    assert player.board.gestures.sunken == set()
    player.release(player.rect(safe[0]))
    player.click(safe[0], MIDDLE)
    assert len(player.game.position.numbers) == 1
    for flags in ({safe[1]}, set()):
        player.click(safe[1], RIGHT)
        assert player.game.flags == flags
