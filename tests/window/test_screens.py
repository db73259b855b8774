"""The window's keys, other screens, imported boards and themes."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapper
from sapper.errors import BadKey
from sapper.game.game import Game, Outcome
from sapper.levels import Promise
from sapper.profile.keys import ACTIONS, MODIFIERS, NAMED_KEYS
from sapper.profile.settings import Settings
from sapper.session.session import Session
from sapper.window import clipboard
from sapper.window.app import Window
from sapper.window.canvas import Canvas
from sapper.window.choices import NEVER
from sapper.window.guide import GuideScreen
from sapper.window.keys import CUSTOMS, LABELS, Key, Keys, parse_key
from sapper.window.layout import MENU_ITEMS, SETTINGS, Rect
from sapper.window.preferences import SettingsScreen
from sapper.window.screens import Destination, Screen, StartScreen
from sapper.window.theme import THEMES, Look
from tests.support.window_player import RIGHT, Player, beginner, display

_display = pytest.fixture(autouse=True, scope="module")(display)


player = pytest.fixture(beginner)


# Keys ------------------------------------------------------------------------------------------------


def test_keys_can_be_replaced() -> None:
    player = Player("beginner", keys={"flag": ("x",), "ai": ()})
    player.click("play")
    player.key(pygame.K_f)
    player.key(pygame.K_a)
    assert player.game.position.hidden == set(player.game.position)
    assert not player.game.flags
    player.key(pygame.K_LEFT)
    player.key(pygame.K_x)
    assert player.game.flags == {player.board.cursor}


def test_configured_keys_take_precedence_over_defaults() -> None:
    keys = Keys({"flag": ("h",)})
    assert keys.action(Key(pygame.K_h, "h")) == "flag"


@pytest.mark.parametrize("table", [{"jump": ("j",)}, {"flag": ("nokey",)}, {"flag": ("",)}])
def test_an_invalid_key_table_is_an_error(table: dict[str, tuple[str, ...]]) -> None:
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
def test_every_key_performs_its_action(action: str, name: str) -> None:
    press = parse_key(name)
    assert press.code
    assert Keys().action(Key(press.code, "", False, press.control, press.shift)) == action


@given(st.sampled_from([*NAMED_KEYS, *"abxyz0189.,+-#"]), st.sets(st.sampled_from(MODIFIERS)))
def test_every_key_name_of_the_settings_is_a_key(name: str, held: set[str]) -> None:
    text = "+".join([*(each for each in MODIFIERS if each in held), name])
    press = parse_key(text)
    assert press.code
    keys = Keys({"flag": (text,)})
    assert keys.action(Key(press.code, "", False, press.control, press.shift, press.alt)) == "flag"
    assert keys.label("flag").endswith(LABELS.get(name, name.capitalize()))


# Screens ---------------------------------------------------------------------------------------------


def test_the_guide_is_shown_at_the_first_run_and_by_a_key() -> None:
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
def test_the_guide_scrolls_to_its_end(size: tuple[int, int]) -> None:
    player = Player("beginner", size=size)
    player.key(pygame.K_F1)
    guide = player.window.screen
    assert isinstance(guide, GuideScreen)
    player.window.draw()
    player.key(pygame.K_PAGEDOWN, times=50)
    player.window.draw()
    assert guide.top == guide.room
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

    def key(self, key: Key) -> Destination:
        return Destination.BACK if key.code == pygame.K_ESCAPE else Destination.STAY


def refuse(_: object) -> Screen:
    raise sapper.SapperError("there is nothing to review")


@pytest.mark.parametrize(
    ("code", "where"),
    [
        (pygame.K_v, Destination.REVIEW),
        (pygame.K_s, Destination.STATISTICS),
        (pygame.K_o, Destination.SETTINGS),
    ],
)
def test_other_screens_can_be_added(player: Player, code: int, where: Destination) -> None:
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


def test_settings_apply_at_once_and_changes_are_saved() -> None:
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
    player.click("strict_chords")
    player.click("agent")
    player.click("autoplay_speed")
    player.window.draw()
    assert player.session.question_marks
    assert not player.session.strict_chords
    assert player.session.agent_name == "safest"
    assert player.session.speed == 8
    player.click("back")
    assert window.look == Look.named("high contrast", text_scale=1.25)
    expected = Settings(
        theme="high contrast",
        text_scale=1.25,
        question_marks=True,
        strict_chords=False,
        agent="safest",
        autoplay_speed=8,
        keys=keys,
    )
    assert saved == [expected]
    assert player.session.message == "The settings could not be saved: the disk is full."


def test_an_unreferenced_window_is_deleted_at_once() -> None:
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
def test_keys_cycle_through_every_setting(player: Player, name: str) -> None:
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


def test_the_promise_can_be_chosen(player: Player) -> None:
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


def test_an_impossible_promise_is_refused(player: Player) -> None:
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


def test_a_no_guess_board_is_chosen_by_keys(player: Player) -> None:
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


def test_the_menu_opens_the_settings_and_back_returns(player: Player) -> None:
    player.key(pygame.K_m)
    player.click("settings")
    assert isinstance(player.window.screen, SettingsScreen)
    player.click("theme")
    player.click("back")
    player.window.draw()
    assert player.menu.look.theme.name == "dark"
    assert player.window.surface.get_at((0, 0)) == pygame.Color(THEMES["dark"].page)
    while player.menu.focus != "settings":
        player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    assert isinstance(player.window.screen, SettingsScreen)


# Imported boards -------------------------------------------------------------------------------


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
    for text in ("no board", "a9x9-10.o.sBw.f4-5.pUk"):  # The code has a wrong checksum.
        held.append(text)
        player.key(pygame.K_v, held=pygame.KMOD_CTRL)
        assert player.game is game
        assert "board code" in player.session.message


def test_a_pasted_path_is_not_opened(
    player: Player, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "board.mbf"
    sapper.write(path, Game.on("3x1/1", [(0, 2)]))
    game = player.game
    for text in (str(path), "any text " * 200_000):
        monkeypatch.setattr(clipboard, "read", lambda text=text: text)
        player.key(pygame.K_v, held=pygame.KMOD_CTRL)
        assert player.game is game
        assert player.session.message == "The clipboard contains no board code."


@pytest.mark.parametrize("size", [(900, 660), (400, 500), (1600, 900)])
def test_a_long_message_is_cut_off_after_two_lines(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    player = Player("beginner", seed=7, size=size)
    player.click("play")
    player.session.show_message("Message " * 200)
    drawn: list[tuple[str, int]] = []
    letters = Canvas.letters

    def noted(canvas: Canvas, text: str, size: int, colour: str) -> pygame.Surface:
        drawn.append((text, size))
        return letters(canvas, text, size, colour)

    monkeypatch.setattr(Canvas, "letters", noted)
    player.window.draw()
    lines = [(text, size) for text, size in drawn if "Message" in text]
    assert 1 <= len(lines) <= 2
    assert lines[-1][0].endswith("…")
    assert all(size >= player.board.layout.unit * 0.65 for _, size in lines)


def test_without_a_clipboard_the_message_says_so(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "write", lambda _: False)
    monkeypatch.setattr(clipboard, "read", lambda: None)
    player.key(pygame.K_c, held=pygame.KMOD_CTRL)
    assert player.session.message.startswith("No clipboard is available.")
    assert player.session.code in player.session.message
    player.key(pygame.K_v, held=pygame.KMOD_CTRL)
    assert player.session.message == "No clipboard is available."


def test_a_dropped_file_is_played_and_a_bad_one_reported(player: Player, tmp_path: Path) -> None:
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
