"""The window: clicks, keys, levels and scrolling."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("pygame", reason="the window needs pygame-ce")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from sapper.game.game import Outcome
from sapper.levels import LEVELS, Level
from sapper.position import FLAG, HIDDEN, Cell
from sapper.window.app import Window
from sapper.window.board import BoardScreen
from sapper.window.canvas import Canvas
from sapper.window.layout import (
    SMALLEST_CELL,
    Rect,
    arrange_board,
)
from sapper.window.screens import StartScreen
from sapper.window.tiles import EXPLODED, FLAGGED_MINE, MINE, WRONG_FLAG, Tiles, final_tile_kind
from tests.support.window_player import MIDDLE, RIGHT, Player, display

ROOT = Path(__file__).parents[2]


_display = pytest.fixture(autouse=True)(display)


@pytest.fixture
def player() -> Player:
    """A player on the course's board, past the start screen."""
    player = Player()
    player.click("play")
    return player


# The course's window ---------------------------------------------------------------------------


def test_start_screen_has_the_courses_rules_and_leads_to_the_board() -> None:
    player = Player()
    assert isinstance(player.window.screen, StartScreen)
    assert player.window.screen.rules == [
        "Click a cell to reveal it.",
        "Right-click a cell to mark it as a mine.",
        "Mark all mines successfully to win!",
    ]
    player.click("play")
    assert isinstance(player.window.screen, BoardScreen)
    assert player.game.position.hidden == set(player.game.position)


@pytest.mark.parametrize("code", [pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE])
def test_keys_leave_the_start_screen(code: int) -> None:
    player = Player()
    player.key(code)
    assert isinstance(player.window.screen, BoardScreen)
    assert player.game.position.hidden == set(player.game.position)  # The key opened no cell.


def test_left_click_opens_and_right_click_flags(player: Player) -> None:
    safe = min(set(player.game.position) - player.mines)
    player.click(safe)
    assert player.game.position[safe] < HIDDEN
    mine = min(player.mines)
    player.click(mine, RIGHT)
    assert player.game.position[mine] == FLAG
    player.click(mine)  # A flagged cell stays closed.
    assert player.game.outcome is Outcome.PLAYING
    player.click(mine, RIGHT)
    assert player.game.position[mine] == HIDDEN


def test_flagging_exactly_the_mines_wins(player: Player) -> None:
    before = player.pixels()
    for mine in player.mines:
        player.click(mine, RIGHT)
    assert player.game.outcome is Outcome.WON
    assert player.pixels() != before


def test_opening_a_mine_loses_and_shows_all_mines(player: Player) -> None:
    first, second, *_ = sorted(player.mines)
    wrong = min(set(player.game.position) - player.mines)
    player.click(second, RIGHT)
    player.click(wrong, RIGHT)
    player.click(first)
    assert player.game.outcome is Outcome.LOST
    shown = {
        cell: final_tile_kind(player.game, cell, player.game.position[cell])
        for cell in player.game.position
    }
    assert {
        cell for cell, kind in shown.items() if kind in (MINE, FLAGGED_MINE, EXPLODED)
    } == player.mines
    assert shown[first] == EXPLODED
    assert shown[second] == FLAGGED_MINE
    assert shown[wrong] == WRONG_FLAG


def test_ai_button_moves_and_prints_its_announcement(
    player: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    while not player.game.over:
        before = player.game.position
        player.click("ai")
        said = capsys.readouterr().out
        if said == "No moves left to make.\n":
            assert player.game.flags > before.flags
        else:
            assert said in ("AI making safe move.\n", "No known safe moves, AI making random move.\n")
            assert len(before.hidden - player.game.position.hidden) == 1
    assert player.game.outcome is Outcome.WON
    player.click("ai")
    assert capsys.readouterr().out == ""  # Nothing to say once the game is over.


def test_reset_starts_a_new_board_with_a_new_ai(player: Player) -> None:
    player.click("ai")
    game, agent = player.game, player.session.agent
    player.click("reset")
    assert player.game is not game
    assert player.session.agent is not agent
    assert player.game.position.hidden == set(player.game.position)
    assert player.game.level == LEVELS["course"]


# Mouse -------------------------------------------------------------------------------------------


def test_release_elsewhere_does_nothing(player: Player) -> None:
    before = player.game.position
    places: list[tuple[str | Cell, str | Cell]] = [((0, 0), "ai"), ("ai", (0, 0)), ("ai", "reset")]
    for start, end in places:
        player.press(player.rect(start))
        player.release(player.rect(end))
    assert player.game.position == before


def test_release_without_a_press_does_nothing(player: Player) -> None:
    before = player.game.position
    player.release(player.rect((0, 0)))
    player.release(player.rect("ai"))
    assert player.game.position == before


def test_a_press_alone_does_nothing_and_a_click_acts_once(player: Player) -> None:
    before = player.game.position
    player.press(player.rect("ai"))
    assert player.game.position == before
    player.release(player.rect("ai"))
    player.release(player.rect("ai"))
    assert len(player.game.actions) == 1


def test_left_click_on_a_number_chords() -> None:
    player = Player("beginner", seed=7)
    player.click("play")
    player.click((4, 4))
    number, around = player.chordable_number()
    for mine in around & player.mines:
        player.click(mine, RIGHT)
    player.click(number)
    assert not around & player.game.position.hidden - player.mines


def test_hovering_is_visible_and_redraws_only_when_it_changes(player: Player) -> None:
    before = player.pixels()
    center = player.rect((2, 2)).center
    player.hover(center)
    hovered = player.pixels()
    assert hovered != before
    player.hover((center[0] + 1, center[1]))
    assert not player.window.stale
    player.hover(player.rect((2, 3)).center)
    assert player.window.stale


# Keyboard ----------------------------------------------------------------------------------------


def walk(player: Player, cell: Cell) -> None:
    row, column = player.board.cursor
    down, right = cell[0] - row, cell[1] - column
    player.key(pygame.K_DOWN if down > 0 else pygame.K_UP, times=abs(down))
    player.key(pygame.K_RIGHT if right > 0 else pygame.K_LEFT, times=abs(right))
    assert player.board.cursor == cell


def test_whole_game_by_keys_wins() -> None:
    player = Player()
    player.key(pygame.K_RETURN)
    for cell in sorted(set(player.game.position) - player.mines):
        walk(player, cell)
        player.key(pygame.K_SPACE)
    for mine in sorted(player.mines):
        walk(player, mine)
        player.key(pygame.K_f)
    assert player.game.outcome is Outcome.WON
    player.key(pygame.K_r)
    assert not player.game.over
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.window.screen, StartScreen)
    player.key(pygame.K_ESCAPE)
    assert player.window.running


def test_the_key_a_makes_an_ai_move(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    player.key(pygame.K_a)
    assert capsys.readouterr().out == "No known safe moves, AI making random move.\n"
    assert len(player.game.actions) == 1


def test_a_held_key_moves_the_cursor_but_acts_once(player: Player) -> None:
    player.hover((0, 0))
    for code in (pygame.K_a, pygame.K_UP):
        for _ in range(3):
            player.window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=""))
    assert len(player.game.actions) == 1
    assert player.board.cursor == (1, 4)


def test_the_cursor_stays_on_the_board(player: Player) -> None:
    player.key(pygame.K_UP, times=20)
    player.key(pygame.K_LEFT, times=20)
    assert player.board.cursor == (0, 0)
    player.key(pygame.K_PAGEDOWN)
    player.key(pygame.K_END)
    assert player.board.cursor == (7, 7)


def test_the_cursor_is_visible(player: Player) -> None:
    before = player.pixels()
    player.key(pygame.K_LEFT)
    assert player.pixels() != before


def test_the_last_move_is_visible(player: Player) -> None:
    """After the same two moves in either order, the window differs only in the mark of the last one."""
    first, second, *_ = sorted(set(player.game.position) - player.mines)
    positions, pictures = [], []
    for cells in ((first, second), (second, first)):
        other = Player()
        other.key(pygame.K_RETURN)
        for cell in cells:
            other.click(cell)
        other.board.cursor = (7, 7)
        positions.append(other.game.position)
        pictures.append(other.pixels())
    assert positions[0] == positions[1]
    assert pictures[0] != pictures[1]


# Levels ------------------------------------------------------------------------------------------


def test_captions_name_the_level(player: Player) -> None:
    assert player.window.title == "Minesweeper"
    player.key(pygame.K_m)
    player.click("expert")
    assert player.window.title == "Minesweeper — expert"
    assert player.game.level == LEVELS["expert"]
    player.key(pygame.K_m)
    player.click("course")
    assert player.window.title == "Minesweeper"


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_is_reached_by_keys(player: Player, name: str) -> None:
    player.key(pygame.K_m)
    while player.menu.focus != name:
        player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    assert player.game.level == LEVELS[name]
    assert isinstance(player.window.screen, BoardScreen)


def test_custom_level_by_typing(player: Player) -> None:
    player.key(pygame.K_m)
    player.key(pygame.K_RIGHT)
    player.type("12")
    player.key(pygame.K_TAB)
    player.type("6")
    player.key(pygame.K_TAB)
    player.type("100")
    player.key(pygame.K_BACKSPACE)
    player.key(pygame.K_RETURN)
    assert player.game.level == Level.custom(height=6, width=12, mines=10)


def test_custom_level_by_buttons_and_arrows(player: Player) -> None:
    player.key(pygame.K_m)
    player.click("width+")
    player.click("height-")
    player.click("mines+")
    player.key(pygame.K_RIGHT)
    player.type("+-")
    player.key(pygame.K_LEFT)
    player.click("custom")
    assert player.game.level == Level.custom(height=7, width=9, mines=9)


@pytest.mark.parametrize(
    ("width", "mines", "error"),
    [
        ("9999", "1", "the width of a board is 1 to 1000 cells, not 9999"),
        ("0", "1", "the width of a board is 1 to 1000 cells, not 0"),
        ("", "1", "the width of a board is 1 to 1000 cells, not 0"),
        ("5", "41", "41 mines do not fit on a board of 5 x 8 cells"),
        ("x²٣?", "65", "65 mines do not fit on a board of 8 x 8 cells"),
    ],
)
def test_invalid_numbers_show_an_error_and_start_no_game(
    player: Player, width: str, mines: str, error: str
) -> None:
    game = player.game
    player.key(pygame.K_m)
    player.click("width")
    player.type(width)
    if not width:
        player.key(pygame.K_BACKSPACE, times=5)
    player.click("mines")
    player.type(mines)
    assert player.menu.error == error
    player.key(pygame.K_RETURN)
    player.click("custom")
    assert player.game is game
    player.window.draw()
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.window.screen, BoardScreen)
    assert player.window.running


def test_leaving_the_menu_returns_to_the_previous_screen() -> None:
    player = Player()
    player.click("level")
    player.click("back")
    assert isinstance(player.window.screen, StartScreen)
    player.key(pygame.K_m)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.window.screen, StartScreen)
    player.click("play")
    player.click("level")
    player.key(pygame.K_m)
    assert isinstance(player.window.screen, BoardScreen)


def test_other_levels_show_their_own_rule() -> None:
    screen = Player("expert").window.screen
    assert isinstance(screen, StartScreen)
    assert screen.rules[2] == "Reveal every cell that is not a mine to win!"


@pytest.mark.parametrize("size", ["1x1/0", "1x1/1", "1000x1/5", "1x1000/5", "1000x1000/200000"])
def test_boards_of_any_size_are_drawn_and_played(size: str) -> None:
    player = Player(size)
    player.click("play")
    player.window.draw()
    player.key(pygame.K_SPACE)
    player.window.draw()
    level = player.game.level
    player.key(pygame.K_f)
    player.click("level")
    player.window.draw()
    assert player.game.level == level


@pytest.mark.parametrize("size", ["9x9/10", "100x100/9999", "1000x1000/200000", "1000x1000/999999"])
def test_the_mine_counter_is_readable_on_every_board(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(size)
    player.click("play")
    sizes: list[int] = []
    letters = Canvas.letters

    def noted(canvas: Canvas, text: str, size: int, colour: str) -> pygame.Surface:
        if text == str(player.game.level.mines):
            sizes.append(size)
        return letters(canvas, text, size, colour)

    monkeypatch.setattr(Canvas, "letters", noted)
    player.window.draw()
    assert min(sizes) >= player.board.layout.unit


# Size and scrolling --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 300), (320, 260), (400, 700), (2560, 1440), (3840, 2160)])
def test_resizing_keeps_cells_square_and_inside(player: Player, size: tuple[int, int]) -> None:
    player.window.resize(*size)
    whole = Rect(0, 0, *size)
    corners = [player.rect((0, 0)), player.rect((7, 7))]
    for rect in corners:
        assert rect.width == rect.height
        assert whole.contains((rect.x, rect.y))
        assert whole.contains((rect.right - 1, rect.bottom - 1))
    assert player.window.surface.get_size() == size
    player.click((0, 0), RIGHT)
    assert player.game.flags == {(0, 0)}
    player.window.draw()


def test_clicks_hit_the_right_cell_on_a_high_density_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mouse coordinates are in points, each of which may be several pixels wide."""
    monkeypatch.setattr(Window, "density", 2.0)
    player = Player()
    player.key(pygame.K_RETURN)
    x, y = player.rect((3, 5)).center
    player.press(Rect(x // 2, y // 2, 1, 1), RIGHT)
    player.release(Rect(x // 2, y // 2, 1, 1), RIGHT)
    assert player.game.flags == {(3, 5)}
    assert player.board.layout == arrange_board(900, 660, 8, 8, density=2.0)


def test_the_desktop_can_resize_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[pygame.Window] = []
    open_window = pygame.Window

    def open_and_remember(title: str, size: tuple[int, int], **options: bool) -> pygame.Window:
        opened.append(open_window(title, size, **options))
        return opened[-1]

    monkeypatch.setattr(pygame, "Window", open_and_remember)
    player = Player()
    player.key(pygame.K_RETURN)
    player.window.draw()
    opened[0].size = 500, 400
    player.window.handle(pygame.Event(pygame.WINDOWSIZECHANGED, x=500, y=400))
    assert player.window.stale
    assert player.board.layout == arrange_board(500, 400, 8, 8)


def test_scrolling_shows_the_last_cell_of_a_large_board() -> None:
    player = Player("200x200/4000")
    player.click("play")
    last = (199, 199)
    assert not player.board.view.area.contains(player.rect(last).center)
    walk(player, last)
    assert player.board.view.area.contains(player.rect(last).center)
    player.click(last, RIGHT)
    assert player.game.flags == {last}


def test_wheel_drag_and_zoom_move_a_large_board() -> None:
    player = Player("200x200/4000")
    player.click("play")
    view = player.board.view
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=1, y=0))
    assert player.board.view == view.scrolled(3 * view.cell, 0)
    pygame.key.set_mods(pygame.KMOD_SHIFT)
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    pygame.key.set_mods(pygame.KMOD_NONE)
    assert player.board.view == view.scrolled(6 * view.cell, 0)

    middle = view.area
    x, y = middle.center
    player.press(middle, MIDDLE)
    player.hover((x + 20, y + 30))
    player.release(Rect(x + 20, y + 30, 1, 1), MIDDLE)
    player.hover((x, y))
    assert player.board.view == view.scrolled(6 * view.cell - 20, -30)

    seen = player.board.view.cell_at(middle.center)
    player.key(pygame.K_PLUS, "+")
    assert player.board.view.cell > view.cell
    assert player.board.view.cell_at(player.board.view.area.center) == seen
    player.key(pygame.K_MINUS, "-")
    assert player.board.view.cell == view.cell


def test_a_board_that_fits_does_not_scroll(player: Player) -> None:
    view = player.board.view
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=1, y=-5))
    assert player.board.view == view


def test_only_visible_cells_are_drawn() -> None:
    view = Player("1000x1000/1000").window.board.view
    assert len(view.visible_rows()) * len(view.visible_columns()) < 10_000


# What it looks like --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALLEST_CELL, 40, 200])
def test_kinds_of_cells_differ_without_colour(size: int) -> None:
    tiles = Tiles(Canvas(Player().window.surface), size)
    kinds = [*range(1, HIDDEN + 2), MINE, FLAGGED_MINE, EXPLODED, WRONG_FLAG]
    grey = [pygame.transform.grayscale(tiles.tile(kind)) for kind in kinds]
    assert len({pygame.image.tobytes(tile, "RGB") for tile in grey}) == len(kinds)
