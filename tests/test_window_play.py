"""Facts about the bar, the help and the keys of the window, on boards other than the course's."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from minesweeper import Cell
from sapper.game import Game, Outcome
from sapper.keys import ACTIONS, MODIFIERS, NAMED_KEYS, BadKey
from sapper.levels import Promise
from sapper.overlay import Overlay
from sapper.position import FLAG, HIDDEN
from sapper.session import SPEEDS, Session
from sapper.settings import Settings
from sapper.window import clipboard
from sapper.window.app import Window
from sapper.window.choices import NEVER
from sapper.window.guide import GuideScreen
from sapper.window.keys import CUSTOMS, LABELS, Key, Keys, parse_key
from sapper.window.layout import MENU_ITEMS, SETTINGS, Rect
from sapper.window.marks import CURSOR, LAST, MINE, QUESTION, SAFE, TARGET, USED, HelpMarks, Mark
from sapper.window.panel import rail
from sapper.window.preferences import SettingsScreen
from sapper.window.screens import Go, Screen, StartScreen
from sapper.window.theme import THEMES, Look
from sapper.window.tiles import SMALLEST_PERCENT
from tests.window_player import LEFT, MIDDLE, RIGHT, Player

LETTERS = {
    "hint": pygame.K_h,
    "why": pygame.K_w,
    "heat": pygame.K_e,
    "undo": pygame.K_u,
    "redo": pygame.K_y,
}


@pytest.fixture(autouse=True, scope="module")
def _display() -> Iterator[None]:
    pygame.display.init()
    pygame.font.init()
    yield
    pygame.font.quit()
    pygame.display.quit()


@pytest.fixture
def player() -> Player:
    """A player on a beginner's board, one cell opened."""
    player = Player("beginner", seed=7)
    player.click("play")
    player.click((4, 4))
    player.window.draw()
    return player


# The picture of the board --------------------------------------------------------------------------

cells = st.tuples(st.integers(0, 8), st.integers(0, 8))
deeds = st.one_of(
    st.tuples(st.just("click"), cells, st.sampled_from([LEFT, RIGHT])),
    st.tuples(st.just("hover"), cells),
    st.tuples(
        st.just("letter"), st.sampled_from([*LETTERS.values(), pygame.K_g, pygame.K_x, pygame.K_n])
    ),
    st.tuples(st.just("letter"), st.sampled_from([pygame.K_LEFT, pygame.K_DOWN, pygame.K_END])),
    st.tuples(st.just("type"), st.sampled_from("+-.,")),
    st.tuples(st.just("scroll"), st.integers(-60, 60), st.integers(-60, 60)),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(deeds, max_size=12), st.sampled_from([(320, 260), (500, 300)]))
def test_what_is_drawn_bit_by_bit_is_what_is_drawn_at_once(
    deeds: list[tuple[object, ...]], size: tuple[int, int]
) -> None:
    player = Player("beginner", seed=7, size=size)
    player.click("play")
    player.session.question_marks = True
    player.click((4, 4))
    for deed in deeds:
        match deed:
            case ("click", (int(row), int(column)), int(button)):
                player.board.view = player.board.view.showing((row, column))
                player.click((row, column), button)
            case ("hover", (int(row), int(column))):
                player.hover(player.rect((row, column)).center)
            case ("letter", int(code)):
                player.key(code)
            case ("type", str(text)):
                player.type(text)
            case ("scroll", int(right), int(down)):
                player.board.scroll(right, down)
        bit_by_bit = player.pixels()
        kept, player.board._picture = player.board._picture, None
        assert player.pixels() == bit_by_bit
        player.board._picture = kept


def test_only_cells_that_look_different_are_drawn(player: Player) -> None:
    picture, view = player.board._picture, player.board.view
    assert picture is not None
    game, help_marks = player.game, player.board._help_marks
    marks = player.board._own_marks()
    hidden = sorted(player.game.position.hidden)
    assert picture.update(view, game, help_marks, marks) == 0
    assert picture.update(view, game, help_marks, marks, hidden[0]) == 1
    assert picture.update(view, game, help_marks, marks, hidden[1]) == 2
    game.flag(hidden[1])
    assert picture.update(view, game, help_marks, marks, hidden[1]) == 1
    game.flag(hidden[2])
    assert picture.update(view, game, help_marks, marks) == 2
    assert picture.update(view, game, HelpMarks(Overlay(safe=frozenset({hidden[3]}))), marks) == 1
    assert picture.update(view.fitted(view.area, view.cell + 1), game, help_marks, {}) >= 64


# Help ------------------------------------------------------------------------------------------------


def test_an_overlay_becomes_marks() -> None:
    overlay = Overlay(
        risks={(0, 0): 0.0, (0, 1): 1.0, (0, 2): 0.254, (0, 3): 0.999},
        safe=frozenset({(1, 0)}),
        mines=frozenset({(1, 1)}),
        area=frozenset({(2, 0)}),
        numbers=frozenset({(2, 1)}),
        target=(1, 0),
    )
    marks = HelpMarks(overlay)
    board = [(row, column) for row in range(4) for column in range(4)]
    assert {cell: marks.at(cell) for cell in board if marks.at(cell) != Mark()} == {
        (0, 0): Mark(SAFE),
        (0, 1): Mark(MINE),
        (0, 2): Mark(25),
        (0, 3): Mark(99),
        (1, 0): Mark(SAFE, (TARGET,)),
        (1, 1): Mark(MINE),
        (2, 0): Mark(edges=(0, 1, 2, 3)),
        (2, 1): Mark(rings=(USED,)),
    }
    assert HelpMarks(None).at((0, 0)) == HelpMarks(Overlay(title="Words only.")).at((0, 0)) == Mark()


def test_every_mark_is_seen_without_colours(player: Player) -> None:
    picture = player.board._picture
    assert picture is not None
    for size in (SMALLEST_PERCENT, 60):
        tiles = picture._tiles(size)
        signs: list[Mark] = [Mark(), Mark(SAFE), Mark(MINE), Mark(QUESTION), Mark(26), Mark(74)]
        rings = [Mark(rings=(ring,)) for ring in (LAST, CURSOR, TARGET, USED)]
        marks = signs + rings + [Mark(edges=(side,)) for side in range(4)]
        kinds = [(code, mark) for code in (HIDDEN, FLAG) for mark in marks]
        kinds += [(3, mark) for mark in (Mark(), *rings)]
        grey = [pygame.transform.grayscale(tiles.tile(kind, mark=mark)) for kind, mark in kinds]
        assert len({pygame.image.tobytes(tile, "RGB") for tile in grey}) == len(kinds)


def test_hint_shows_where_then_which(player: Player) -> None:
    player.key(pygame.K_h)
    player.window.draw()
    overlay = player.session.overlay
    assert overlay is not None
    assert overlay.area
    assert overlay.target is None
    player.click("hint")
    player.window.draw()
    overlay = player.session.overlay
    assert overlay is not None
    assert overlay.target is not None
    assert overlay.target not in player.mines
    assert player.board._help_marks.at(overlay.target).rings == (TARGET,)
    player.key(pygame.K_ESCAPE)  # Puts help away, and leaves only when there is none.
    assert player.session.overlay is None
    assert player.window.running
    player.key(pygame.K_ESCAPE)
    assert not player.window.running


def test_why_goes_through_its_steps(player: Player) -> None:
    player.click("why")
    overlay = player.session.overlay
    assert overlay is not None
    assert overlay.numbers
    player.type(".")
    overlay = player.session.overlay
    assert overlay is not None
    assert overlay.step is not None
    assert overlay.step[0] == 1
    player.type(",")
    assert player.session.overlay is not None
    assert player.session.overlay.step is None


def test_why_of_a_cell_by_key_and_by_shift_and_click(player: Player) -> None:
    mine = next(cell for cell in sorted(player.mines) if shows_certain(player, cell))
    player.board.cursor = mine
    player.key(pygame.K_w, "W", held=pygame.KMOD_SHIFT)
    assert player.session.overlay is not None
    assert mine in player.session.overlay.mines
    player.session.clear_help()
    pygame.key.set_mods(pygame.KMOD_SHIFT)
    player.click(mine)
    pygame.key.set_mods(pygame.KMOD_NONE)
    assert player.game.outcome is Outcome.PLAYING
    assert player.session.overlay is not None
    assert mine in player.session.overlay.mines


def shows_certain(player: Player, cell: Cell) -> bool:
    return cell in sapper.analyse(player.game.position).mines


def test_heat_shows_the_risk_of_every_hidden_cell(player: Player) -> None:
    player.click("heat")
    player.window.draw()
    analysis = sapper.analyse(player.game.position)
    marks = {cell: player.board._help_marks.at(cell) for cell in player.game.position}
    assert {cell for cell, mark in marks.items() if mark != Mark()} == player.game.position.hidden
    assert {cell for cell, mark in marks.items() if mark.sign == SAFE} == analysis.safe
    assert {cell for cell, mark in marks.items() if mark.sign == MINE} == analysis.mines
    player.click("heat")
    player.window.draw()
    assert {player.board._help_marks.at(cell) for cell in player.game.position} == {Mark()}


@pytest.mark.parametrize("size", [(320, 260), (900, 660), (400, 700)])
def test_long_help_is_scrolled_to_its_end(player: Player, size: tuple[int, int]) -> None:
    player.window.resize(*size)
    player.session.why()
    help_desk = player.session._help
    words = tuple(f"{number}. A line of many words that has to be wrapped." for number in range(80))
    help_desk._help = Overlay(title="A proof", lines=words)
    first = player.pixels()
    rect = player.board.help_rect
    assert rect is not None
    player.hover(rect.center)
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    assert player.pixels() != first
    player.key(pygame.K_PAGEDOWN, times=200)
    assert player.board.help_top == player.board._help_room > 0
    last = player.pixels()
    player.key(pygame.K_PAGEDOWN)
    assert player.pixels() == last
    player.key(pygame.K_PAGEUP, times=200)
    assert player.board.help_top == 0


# The bar ---------------------------------------------------------------------------------------------


def test_undo_redo_and_again(player: Player) -> None:
    before = player.game.position
    safe = min(player.game.position.hidden - player.mines)
    player.click(safe)
    after = player.game.position
    player.click("undo")
    assert player.game.position == before
    player.key(pygame.K_z, held=pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert player.game.position == after
    player.key(pygame.K_z, held=pygame.KMOD_CTRL)
    assert player.game.position == before
    mines = set(player.mines)
    player.click("again")
    assert player.game.position.hidden == set(player.game.position)
    player.click((4, 4))
    assert player.mines == mines


def test_go_on_after_a_mine_is_practice(player: Player) -> None:
    player.click(min(player.mines))
    assert player.game.over
    player.key(pygame.K_x)
    assert player.game.outcome is Outcome.PLAYING
    assert player.session.practice


def test_ai_and_autoplay_with_its_speed(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    player.click("ai")
    assert capsys.readouterr().out == "AI making safe move.\n"
    player.type("]")
    assert player.session.speed == pytest.approx(6)
    player.type("[[")
    assert player.session.speed == pytest.approx(4 / 1.5)
    line = rail(player.rect("speed"))
    y = player.rect("speed").center[1]
    for x, speed in ((line.x, SPEEDS[0]), (line.right, SPEEDS[1])):
        down = pygame.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=LEFT)
        player.window.handle(down)
        assert player.session.speed == pytest.approx(speed)
    player.hover((-50, y))  # The button is still down: the knob follows, but not beyond its line.
    assert player.session.speed == pytest.approx(SPEEDS[0])
    player.window.handle(pygame.Event(pygame.MOUSEBUTTONUP, pos=(line.right, y), button=LEFT))
    player.session.speed = SPEEDS[1]
    moves = len(player.game.actions)
    player.click("autoplay")
    deadline = time.monotonic() + 60
    while player.session.autoplay and time.monotonic() < deadline:
        player.window.tick()
    assert len(player.game.actions) > moves
    assert player.game.over


def test_autoplay_stops_where_it_is_not_seen(player: Player) -> None:
    player.key(pygame.K_p)
    assert player.session.autoplay
    player.click("level")
    assert not player.session.autoplay


def test_the_agent_button_goes_round(player: Player) -> None:
    seen = []
    for _ in player.session.agent_names:
        player.click("agent")
        seen.append(player.session.agent_name)
        player.window.draw()
    assert sorted(seen) == sorted(player.session.agent_names)


def test_every_button_is_reached_by_tab_and_pressed_by_enter(player: Player) -> None:
    names = list(player.board.buttons)
    for name in names:
        player.key(pygame.K_TAB)
        assert player.board.focus == name
        player.window.draw()
    player.key(pygame.K_TAB)
    assert player.board.focus is None
    player.key(pygame.K_TAB, held=pygame.KMOD_SHIFT)
    assert player.board.focus == names[-1]
    for _ in range(names.index("ai"), len(names) - 1):
        player.key(pygame.K_TAB, held=pygame.KMOD_SHIFT)
    player.key(pygame.K_LEFT, times=names.index("ai") - names.index("hint"))
    assert player.board.focus == "hint"
    player.key(pygame.K_RETURN)
    assert player.session.overlay is not None
    player.key(pygame.K_ESCAPE)
    assert player.board.focus is None
    assert player.window.running


def test_arrows_change_the_speed_when_the_keys_are_on_it(player: Player) -> None:
    player.key(pygame.K_TAB, times=list(player.board.buttons).index("speed") + 1)
    assert player.board.focus == "speed"
    player.key(pygame.K_RIGHT)
    assert player.session.speed > 4
    player.key(pygame.K_LEFT, times=50)
    assert player.session.speed == SPEEDS[0]


def test_the_course_keeps_its_three_buttons_and_the_new_keys_work() -> None:
    player = Player()
    player.click("play")
    assert list(player.board.buttons) == ["ai", "reset", "level"]
    player.key(pygame.K_TAB)
    assert player.board.focus is None
    safe = min(set(player.game.position) - player.mines)
    player.click(safe)
    player.key(pygame.K_e)
    player.window.draw()
    assert player.session.overlay is not None
    assert player.session.overlay.risks
    player.key(pygame.K_u)
    assert player.game.position.hidden == set(player.game.position)
    player.session.question_marks = True
    for flagged in (True, False, True):
        player.click(safe, RIGHT)
        assert (player.game.position[safe] == FLAG) is flagged


def test_the_clock_is_drawn_again_when_its_second_changes(player: Player) -> None:
    player.window.draw()
    player.window.tick()
    player.window.draw()
    player.window.tick()
    assert not player.window.stale
    player.session._seconds += 1
    player.window.tick()
    assert player.window.stale


# The mouse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_both_buttons_chord(player: Player, first: int, second: int) -> None:
    position = player.game.position
    number, around = next(
        (cell, position.neighbours(cell))
        for cell in position.numbers
        if position.neighbours(cell) & position.hidden - player.mines
        and position.neighbours(cell) & player.mines
    )
    for mine in around & player.mines:
        player.click(mine, RIGHT)
    rect = player.rect(number)
    player.press(rect, first)
    player.press(rect, second)
    player.release(rect, first)
    opened = player.game.position
    assert not around & opened.hidden - player.mines
    player.release(rect, second)
    assert player.game.position == opened


def test_both_buttons_on_a_hidden_cell_do_nothing(player: Player) -> None:
    before = player.game.position
    rect = player.rect(min(before.hidden))
    for button in (LEFT, RIGHT):
        player.press(rect, button)
    for button in (LEFT, RIGHT):
        player.release(rect, button)
    assert player.game.position == before


def test_question_marks_follow_flags(player: Player) -> None:
    player.session.question_marks = True
    cell = min(player.game.position.hidden)
    pictures = [player.pixels()]
    for flags, questions in (({cell}, set()), (set(), {cell}), (set(), set())):
        player.click(cell, RIGHT)
        player.board.cursor, player.session.last = (4, 4), (4, 4)
        assert player.game.flags == flags
        assert player.session.questions == questions
        pictures.append(player.pixels())
    assert len(set(pictures[:3])) == 3


def test_zooming_with_the_wheel_keeps_the_cell_under_the_mouse() -> None:
    player = Player("200x200/4000")
    player.click("play")
    point = player.rect((98, 95)).center
    player.hover(point)
    cell = player.board.view.cell_at(point)
    pygame.key.set_mods(pygame.KMOD_CTRL)
    for turn in (1, 1, 1, -1, -1, 1):
        player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=turn))
        assert player.board.view.cell_at(point) == cell
    pygame.key.set_mods(pygame.KMOD_NONE)
    before = player.board.view
    player.press(before.area, MIDDLE)
    drag = pygame.Event(pygame.MOUSEMOTION, pos=point, rel=(-7, 9), buttons=(0, 1, 0))
    player.window.handle(drag)
    assert player.board.view == before.scrolled(7, -9)


# Keys ------------------------------------------------------------------------------------------------


def test_keys_can_be_replaced() -> None:
    player = Player("beginner", keys={"flag": ("x",), "ai": ()})
    player.click("play")
    player.key(pygame.K_f)
    player.key(pygame.K_a)
    assert player.game.position.hidden == set(player.game.position)
    assert not player.game.flags
    player.key(pygame.K_x)
    assert player.game.flags == {player.board.cursor}


def test_what_a_player_chose_goes_before_a_default() -> None:
    keys = Keys({"flag": ("h",)})
    assert keys.action(Key(pygame.K_h, "h")) == "flag"


@pytest.mark.parametrize("table", [{"jump": ("j",)}, {"flag": ("nokey",)}, {"flag": ("",)}])
def test_a_bad_table_is_an_error(table: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(BadKey):
        Keys(table)


@pytest.mark.parametrize(
    ("action", "name"),
    [
        *((action.name, name) for action in ACTIONS.values() for name in action.keys),
        *((action, name) for action, names in CUSTOMS.items() for name in names),
        ("open", "enter"),
    ],
)
def test_every_key_does_its_action(action: str, name: str) -> None:
    press = parse_key(name)
    assert press.code
    assert Keys().action(Key(press.code, "", False, press.control, press.shift)) == action


@given(st.sampled_from([*NAMED_KEYS, *"abxyz0189.,+-#"]), st.sets(st.sampled_from(MODIFIERS)))
def test_every_name_of_the_settings_is_a_key(name: str, held: set[str]) -> None:
    text = "+".join([*(each for each in MODIFIERS if each in held), name])
    press = parse_key(text)
    assert press.code
    keys = Keys({"flag": (text,)})
    assert keys.action(Key(press.code, "", False, press.control, press.shift, press.alt)) == "flag"
    assert keys.label("flag").endswith(LABELS.get(name, name.capitalize()))


# Screens ---------------------------------------------------------------------------------------------


def test_the_guide_is_shown_at_the_first_start_and_by_a_key() -> None:
    window = Window(Session("beginner", seed=7), (900, 660), first_run=True)
    player = Player("beginner")
    player.window = window
    assert isinstance(window.screen, GuideScreen)
    window.draw()
    player.click("back")
    assert isinstance(window.screen, StartScreen)
    player.click("play")
    board = window.screen
    player.key(pygame.K_F1)
    assert isinstance(window.screen, GuideScreen)
    player.key(pygame.K_ESCAPE)
    assert window.screen is board


@pytest.mark.parametrize("size", [(320, 260), (400, 700), (900, 660), (1600, 1000)])
def test_the_guide_can_be_read_to_its_end(size: tuple[int, int]) -> None:
    player = Player("beginner", size=size)
    player.key(pygame.K_F1)
    guide = player.window.screen
    assert isinstance(guide, GuideScreen)
    player.window.draw()
    player.key(pygame.K_PAGEDOWN, times=50)
    player.window.draw()
    assert guide.top == guide._room
    text = " ".join(text for _, text in guide.parts)
    assert "{" not in text


class Other(Screen):
    """A screen that someone else makes."""

    @property
    def buttons(self) -> dict[str, Rect]:
        return {}

    def arrange(self, width: int, height: int, density: float) -> None:
        pass

    def draw(self, *_: object) -> None:
        pass

    def key(self, key: Key) -> Go:
        return Go.BACK if key.code == pygame.K_ESCAPE else Go.STAY


def refuse(_: object) -> Screen:
    raise sapper.SapperError("there is nothing to review")


@pytest.mark.parametrize(
    ("code", "where"), [(pygame.K_v, Go.REVIEW), (pygame.K_s, Go.STATISTICS), (pygame.K_o, Go.SETTINGS)]
)
def test_other_screens_can_be_added(player: Player, code: int, where: Go) -> None:
    board = player.window.screen
    player.window.makers.pop(where, None)
    player.key(code)
    assert player.window.screen is board
    player.window.makers[where] = Other
    player.key(code)
    assert isinstance(player.window.screen, Other)
    player.key(pygame.K_ESCAPE)
    assert player.window.screen is board
    player.window.makers[where] = refuse
    player.key(code)
    assert player.window.screen is board
    assert player.session.message == "There is nothing to review."


def test_settings_hold_at_once_and_are_saved_when_they_were_changed() -> None:
    saved: list[Settings] = []

    def save(settings: Settings) -> str | None:
        saved.append(settings)
        return "the disk is full"

    keys = {"flag": ("q",)}
    window = Window(Session("beginner", seed=7), (900, 660), keys=keys, save=save)
    player = Player("beginner")
    player.window = window
    player.click("play")
    player.key(pygame.K_o)
    player.key(pygame.K_ESCAPE)
    assert saved == []  # Nothing was changed.
    player.key(pygame.K_o)
    player.click("theme")
    player.window.draw()
    assert window.surface.get_at((0, 0)) == pygame.Color(THEMES["dark"].page)
    player.click("theme", RIGHT)
    player.click("theme", RIGHT)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RIGHT)
    player.click("question_marks")
    player.click("agent")
    player.click("autoplay_speed")
    player.window.draw()
    assert player.session.question_marks
    assert player.session.agent_name == "safest"
    assert player.session.speed == 8
    player.click("back")
    assert window.look == Look.named("high contrast", text_scale=1.25)
    expected = Settings(
        theme="high contrast",
        text_scale=1.25,
        question_marks=True,
        agent="safest",
        autoplay_speed=8,
        keys=keys,
    )
    assert saved == [expected]
    assert player.session.message == "The settings are not saved: the disk is full."


def test_a_window_goes_when_nobody_holds_it() -> None:
    """SDL must not be asked to close a window after it was itself ended."""
    player = Player("beginner")
    for code in (pygame.K_RETURN, pygame.K_o, pygame.K_ESCAPE, pygame.K_m, pygame.K_ESCAPE):
        player.key(code)
        player.window.draw()
    gone = weakref.ref(player.window)
    gc.disable()
    try:
        del player
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_goes_round_by_keys(player: Player, name: str) -> None:
    player.key(pygame.K_o)
    screen = player.window.screen
    assert isinstance(screen, SettingsScreen)
    before = screen.settings
    player.key(pygame.K_TAB, times=SETTINGS.index(name))
    assert screen.focus == name
    first, seen = screen.value(name), [screen.value(name)]
    while seen[-1] != first or len(seen) == 1:
        player.key(pygame.K_SPACE)
        player.window.draw()
        seen.append(screen.value(name))
        assert len(seen) < 20
    assert len(set(seen)) == len(seen) - 1 > 1
    assert screen.settings == before


# The menu --------------------------------------------------------------------------------------------


def test_the_promise_of_the_first_click_is_chosen(player: Player) -> None:
    player.click("level")
    player.click("promise")
    assert player.menu.value("promise") == "none"
    player.click("promise", RIGHT)
    player.click("promise", RIGHT)
    assert player.menu.value("promise") == "open"
    player.click("promise", RIGHT)
    player.click("beginner")
    assert player.game.promise is Promise.SAFE
    player.key(pygame.K_m)
    assert player.menu.value("promise") == "safe"  # It is still what was chosen.


def test_a_promise_that_a_board_has_no_room_for_is_refused(player: Player) -> None:
    game = player.game
    player.click("level")
    player.click("promise", RIGHT)
    for field, number in (("width", "3"), ("height", "3"), ("mines", "8")):
        player.click(field)
        player.type(number)
    player.click("custom")
    assert player.game is game
    assert "too many to promise 'open'" in player.menu.error
    player.window.draw()
    player.click("mines-")
    assert player.menu.error == ""


def test_a_board_that_needs_no_guess_is_chosen_by_keys(player: Player) -> None:
    player.key(pygame.K_m)
    player.key(pygame.K_DOWN, times=MENU_ITEMS.index("difficulty") - MENU_ITEMS.index("beginner"))
    assert player.menu.focus == "difficulty"
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_SPACE)
    assert (player.menu.value("difficulty"), player.menu.value("guesses")) == ("subset", NEVER)
    player.window.draw()
    player.key(pygame.K_UP, times=MENU_ITEMS.index("difficulty") - MENU_ITEMS.index("beginner"))
    player.key(pygame.K_RETURN)
    player.key(pygame.K_SPACE)
    position, proven = player.game.position, 0
    assert player.session.kind == "no guess"
    while not player.game.over:  # It can be won by what is certain.
        player.session.open(min(sapper.analyse(player.game.position).safe))
        proven += 1
    assert player.game.outcome is Outcome.WON
    assert proven or not position.hidden


def test_the_theme_is_chosen_in_the_menu(player: Player) -> None:
    player.key(pygame.K_m)
    player.click("theme")
    assert player.window.look.theme.name == "dark"
    player.window.draw()
    assert player.window.surface.get_at((0, 0)) == pygame.Color(THEMES["dark"].page)
    player.key(pygame.K_ESCAPE)
    player.window.draw()
    assert player.window.surface.get_at((0, 0)) == pygame.Color(THEMES["dark"].page)


# Boards from elsewhere -------------------------------------------------------------------------------


def test_a_code_is_copied_and_pasted(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []

    def write(text: str) -> bool:
        held.append(text)
        return True

    monkeypatch.setattr(clipboard, "write", write)
    monkeypatch.setattr(clipboard, "read", lambda: held[-1])
    mines = set(player.mines)
    player.key(pygame.K_c, held=pygame.KMOD_CTRL)
    assert held[0] in player.session.message
    player.key(pygame.K_n)
    player.key(pygame.K_v, held=pygame.KMOD_CTRL)
    player.click((4, 4))
    assert player.mines == mines
    game = player.game
    held.append("no board")
    player.key(pygame.K_v, held=pygame.KMOD_CTRL)
    assert player.game is game
    assert "no board" in player.session.message


def test_without_a_clipboard_the_message_says_so(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "write", lambda _: False)
    monkeypatch.setattr(clipboard, "read", lambda: None)
    player.key(pygame.K_c, held=pygame.KMOD_CTRL)
    assert player.session.message.startswith("There is no clipboard")
    assert player.session.code in player.session.message
    player.key(pygame.K_v, held=pygame.KMOD_CTRL)
    assert player.session.message == "There is no clipboard to paste from."


def test_a_dropped_file_is_played_and_a_bad_one_is_named(player: Player, tmp_path: Path) -> None:
    game = Game.new("expert", seed=3)
    game.open((8, 8))
    path = tmp_path / "board.mbf"
    sapper.write(path, game)
    player.window.handle(pygame.Event(pygame.DROPFILE, file=str(path)))
    player.window.draw()
    assert player.game.level.name == "expert"
    assert player.window.title == "Minesweeper — expert"
    before = player.game
    bad = tmp_path / "bad.mbf"
    bad.write_bytes(b"x")
    for name in (str(bad), str(tmp_path / "none.mbf")):
        player.window.handle(pygame.Event(pygame.DROPFILE, file=name))
        assert player.game is before
        assert player.session.message.endswith(".")
        assert "mbf" in player.session.message


# Looks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [(320, 260), (900, 660)])
def test_every_screen_is_drawn_in_every_theme(theme: str, size: tuple[int, int]) -> None:
    page = pygame.Color(THEMES[theme].page)
    for level in ("course", "beginner"):
        player = Player(level, seed=7, size=size, look=Look.named(theme, text_scale=1.4))
        for code in (pygame.K_F1, pygame.K_ESCAPE, pygame.K_m, pygame.K_ESCAPE, pygame.K_RETURN):
            player.window.draw()
            assert player.window.surface.get_at((0, 0)) == page
            player.key(code)
        player.key(pygame.K_SPACE)
        player.key(pygame.K_e)
        player.window.draw()
        assert player.window.surface.get_at((0, 0)) == page


def test_the_look_can_be_changed_at_any_time(player: Player) -> None:
    light = player.pixels()
    player.window.look = Look.named("dark")
    assert player.pixels() != light
    player.window.look = Look.named("light")
    assert player.pixels() == light
    unit = player.board.layout.unit
    player.window.look = Look(text_scale=1.5)
    assert player.board.layout.unit > unit
