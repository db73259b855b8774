"""The toolbar and the help of the window, on boards other than the course's."""

from __future__ import annotations

import time

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper.advice.overlay import Overlay
from sapper.game.game import Outcome
from sapper.position import FLAG, HIDDEN, Cell
from sapper.session.session import SPEEDS, Session
from sapper.window.board import BoardScreen
from sapper.window.marks import CURSOR, LAST, MINE, QUESTION, SAFE, TARGET, USED, HelpMarks, Mark
from sapper.window.panel import rail
from sapper.window.screens import StartScreen
from sapper.window.tiles import EXPLODED, FLAGGED_MINE, SMALLEST_PERCENT
from sapper.window.tiles import MINE as MINE_TILE
from tests.support.window_player import LEFT, MIDDLE, RIGHT, Player, beginner, display

LETTERS = {
    "hint": pygame.K_h,
    "why": pygame.K_w,
    "heat": pygame.K_e,
    "undo": pygame.K_u,
    "redo": pygame.K_y,
}


_display = pytest.fixture(autouse=True, scope="module")(display)


player = pytest.fixture(beginner)


# The picture of the board --------------------------------------------------------------------------

cells = st.tuples(st.integers(0, 8), st.integers(0, 8))
deeds = st.one_of(
    st.tuples(st.just("click"), cells, st.sampled_from([LEFT, RIGHT])),
    st.tuples(st.just("hover"), cells),
    st.tuples(st.just("press"), cells, st.sampled_from([LEFT, MIDDLE, RIGHT])),
    st.tuples(st.just("release"), cells, st.sampled_from([LEFT, MIDDLE, RIGHT])),
    st.tuples(
        st.just("letter"), st.sampled_from([*LETTERS.values(), pygame.K_g, pygame.K_x, pygame.K_n])
    ),
    st.tuples(st.just("letter"), st.sampled_from([pygame.K_LEFT, pygame.K_DOWN, pygame.K_END])),
    st.tuples(st.just("type"), st.sampled_from("+-.,")),
    st.tuples(st.just("scroll"), st.integers(-60, 60), st.integers(-60, 60)),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(deeds, max_size=12), st.sampled_from([(320, 260), (500, 300)]))
def test_incremental_drawing_equals_a_full_redraw(
    deeds: list[tuple[object, ...]], size: tuple[int, int]
) -> None:
    player = Player("beginner", seed=7, size=size)
    player.click("play")
    player.session.use_question_marks(True)
    player.click((4, 4))
    for deed in deeds:
        match deed:
            case ("click", (int(row), int(column)), int(button)):
                player.board.view = player.board.view.showing((row, column))
                player.click((row, column), button)
            case ("press", (int(row), int(column)), int(button)):
                player.press(player.rect((row, column)), button)
            case ("release", (int(row), int(column)), int(button)):
                player.release(player.rect((row, column)), button)
            case ("hover", (int(row), int(column))):
                player.hover(player.rect((row, column)).center)
            case ("letter", int(code)):
                player.key(code)
            case ("type", str(text)):
                player.type(text)
            case ("scroll", int(right), int(down)):
                player.board.scroll(right, down)
        bit_by_bit = player.pixels()
        kept, player.board.picture = player.board.picture, None
        assert player.pixels() == bit_by_bit
        player.board.picture = kept


def test_only_changed_cells_are_redrawn(player: Player) -> None:
    picture, view = player.board.picture, player.board.view
    assert picture is not None
    game, help_marks = player.game, player.board.help_marks
    marks = player.board.own_marks()
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


def test_an_overlay_is_shown_as_marks_on_the_board() -> None:
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


def test_every_mark_is_visible_without_colour(player: Player) -> None:
    picture = player.board.picture
    assert picture is not None
    for size in (SMALLEST_PERCENT, 60):
        tiles = picture.tiles(size)
        signs: list[Mark] = [Mark(), Mark(SAFE), Mark(MINE), Mark(QUESTION), Mark(26), Mark(74)]
        rings = [Mark(rings=(ring,)) for ring in (LAST, CURSOR, TARGET, USED)]
        marks = signs + rings + [Mark(edges=(side,)) for side in range(4)]
        kinds = [(code, mark) for code in (HIDDEN, FLAG) for mark in marks]
        kinds += [(3, mark) for mark in (Mark(), *rings)]
        grey = [pygame.transform.grayscale(tiles.tile(kind, mark=mark)) for kind, mark in kinds]
        assert len({pygame.image.tobytes(tile, "RGB") for tile in grey}) == len(kinds)


def test_the_marks_of_many_cells_are_those_of_each(player: Player) -> None:
    player.session.toggle_heat()
    position = player.game.position
    overlays = [player.session.overlay, None]
    player.session.hint()
    overlays.append(player.session.overlay)
    player.session.why()
    overlays.append(player.session.overlay)
    some = frozenset({(0, 0), (3, 3), (8, 8)})
    overlays.append(Overlay(missed=some, wrong=some - {(0, 0)}, numbers=some, target=(3, 3)))
    for overlay in overlays:
        marks = HelpMarks(overlay)
        for cells in ([*position], [*position][::-2], []):
            assert marks.of(cells) == [HelpMarks(overlay).at(cell) for cell in cells]


def test_question_marks_are_not_drawn_over_mines(player: Player) -> None:
    picture = player.board.picture
    assert picture is not None
    tiles = picture.tiles(40)
    for kind in (MINE_TILE, FLAGGED_MINE, EXPLODED):
        plain, questioned = tiles.tile(kind), tiles.tile(kind, mark=Mark(QUESTION))
        assert pygame.image.tobytes(plain, "RGB") == pygame.image.tobytes(questioned, "RGB")


def test_a_hint_shows_first_the_area_and_then_the_cell(player: Player) -> None:
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
    assert player.board.help_marks.at(overlay.target).rings == (TARGET,)
    player.key(pygame.K_ESCAPE)  # Puts help away, and leaves only when there is none.
    assert player.session.overlay is None
    assert isinstance(player.window.screen, BoardScreen)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.window.screen, StartScreen)


def test_a_proof_is_shown_step_by_step(player: Player) -> None:
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
    player.hover(player.rect(mine).center)
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
    marks = {cell: player.board.help_marks.at(cell) for cell in player.game.position}
    assert {cell for cell, mark in marks.items() if mark != Mark()} == player.game.position.hidden
    assert {cell for cell, mark in marks.items() if mark.sign == SAFE} == analysis.safe
    assert {cell for cell, mark in marks.items() if mark.sign == MINE} == analysis.mines
    player.click("heat")
    player.window.draw()
    assert {player.board.help_marks.at(cell) for cell in player.game.position} == {Mark()}


@pytest.mark.parametrize("size", [(320, 260), (900, 660), (400, 700)])
def test_long_help_is_scrolled_to_its_end(
    player: Player, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    player.window.resize(*size)
    player.session.why()
    words = tuple(f"{number}. A line of many words that has to be wrapped." for number in range(80))
    overlay = Overlay(title="A proof", lines=words)
    monkeypatch.setattr(Session, "overlay", property(lambda _: overlay))
    first = player.pixels()
    rect = player.board.help_rect
    assert rect is not None
    player.hover(rect.center)
    player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    assert player.pixels() != first
    player.key(pygame.K_PAGEDOWN, times=200)
    assert player.board.help_top == player.board.help_room > 0
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


def test_continuing_after_a_mine_is_practice(player: Player) -> None:
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
    player.session.set_speed(SPEEDS[1])
    moves = len(player.game.actions)
    player.click("autoplay")
    deadline = time.monotonic() + 60
    while player.session.autoplay and time.monotonic() < deadline:
        player.window.tick()
    assert len(player.game.actions) > moves
    assert player.game.over


def test_autoplay_stops_on_other_screens(player: Player) -> None:
    player.key(pygame.K_p)
    assert player.session.autoplay
    player.click("level")
    assert not player.session.autoplay


def test_the_agent_button_cycles_through_the_agents(player: Player) -> None:
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


def test_arrow_keys_change_the_focused_speed(player: Player) -> None:
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
    player.session.use_question_marks(True)
    for flagged in (True, False, True):
        player.click(safe, RIGHT)
        assert (player.game.position[safe] == FLAG) is flagged


def test_the_clock_is_redrawn_every_second(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.window.draw()
    player.window.tick()
    player.window.draw()
    player.window.tick()
    assert not player.window.stale
    seconds = player.session.seconds + 1
    monkeypatch.setattr(Session, "seconds", property(lambda _: seconds))
    player.window.tick()
    assert player.window.stale


# The mouse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_both_buttons_chord(player: Player, first: int, second: int) -> None:
    number, around = player.chordable_number()
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
    player.session.use_question_marks(True)
    cell = min(player.game.position.hidden)
    pictures = []
    for flags, questions in (({cell}, set()), (set(), {cell}), (set(), set())):
        player.click(cell, RIGHT)
        assert player.game.flags == flags
        assert player.session.questions == questions
        pictures.append(player.pixels())
    assert len(set(pictures)) == 3


def test_zooming_with_the_wheel_keeps_the_cell_under_the_mouse() -> None:
    player = Player("200x200/4000")
    player.click("play")
    point = player.rect((98, 95)).center
    player.hover(point)
    cell = player.board.view.cell_at(point)
    for turn in (1, 1, 1, -1, -1, 1):
        player.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=turn))
        assert player.board.view.cell_at(point) == cell
