"""The review and the statistics in the window."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("pygame", reason="the window needs pygame-ce")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from sapper.game.game import Game, Outcome
from sapper.game.record import Entry, Record
from sapper.levels import Level, Promise
from sapper.profile.scores import BoardKind, FinishedGame, statistics
from sapper.reviews.review import Label, Review, review
from sapper.session.background import Report
from sapper.session.session import Session
from sapper.window.app import Window
from sapper.window.board import BoardScreen
from sapper.window.layout import Rect
from sapper.window.reading import Reading
from sapper.window.review import PARTS, ReviewScreen, review_of
from sapper.window.screens import Destination
from sapper.window.stats import COLUMNS, StatisticsScreen, cells_of, details_of, format_time
from sapper.window.theme import LIGHT, THEMES, Look
from tests.support.window_player import display

LONG = 30.0
SIZES = [(320, 260), (900, 660), (1600, 1000), (400, 900), (2000, 500)]
LEFT = 1


def careless(*, moves: int = 4) -> Record:
    """Five cells, a mine at the second and a game with a needless guess as its second opening."""
    entries = (
        Entry(0.0, "open", (0, 2)),
        Entry(0.5, "flag", (0, 1)),
        Entry(1.0, "open", (0, 3)),
        Entry(2.0, "open", (0, 0)),
    )
    return Record(Level.named("4x1/1"), Promise.SAFE, frozenset({(0, 1)}), entries[:moves])


def click(window: Window, name: str) -> None:
    point = window.button_rect(name).center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        window.handle(pygame.Event(kind, pos=point, button=LEFT))


class Reader:
    """A simulated person who reads a review."""

    def __init__(
        self,
        record: Record | None = None,
        size: tuple[int, int] = (900, 660),
        *,
        reading: Reading | None = None,
    ) -> None:
        self.record = record or careless()
        self.window = Window(Session("course", seed=27), size)
        self.window.makers[Destination.REVIEW] = lambda session: ReviewScreen(
            session, self.record, reading=reading
        )
        self.key(pygame.K_RETURN)
        self.key(pygame.K_v, "v")
        if reading is None:
            self.wait()

    @property
    def screen(self) -> ReviewScreen:
        assert isinstance(self.window.screen, ReviewScreen)
        return self.window.screen

    @property
    def reading(self) -> Reading:
        return self.screen.reading

    def wait(self) -> None:
        """Wait until everything about the move is known and the window has been updated."""
        self.reading.wait()
        self.window.tick()
        self.window.draw()

    def mouse(self, kind: int, point: tuple[float, float]) -> None:
        place = round(point[0]), round(point[1])
        self.window.handle(pygame.Event(kind, pos=place, rel=(0, 0), button=LEFT, buttons=(1, 0, 0)))

    def click(self, name: str) -> None:
        point = self.window.button_rect(name).center
        self.mouse(pygame.MOUSEBUTTONDOWN, point)
        self.mouse(pygame.MOUSEBUTTONUP, point)

    def key(self, code: int, character: str = "") -> None:
        self.window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=character, mod=0))
        self.window.handle(pygame.Event(pygame.KEYUP, key=code, mod=0))

    def turn_wheel(self, over: Rect, steps: int) -> None:
        self.mouse(pygame.MOUSEMOTION, over.center)
        self.window.handle(pygame.Event(pygame.MOUSEWHEEL, x=0, y=steps))

    def colours(self, rect: Rect) -> set[str]:
        """All colours inside the rectangle, as a theme writes them."""
        self.window.draw()
        part = self.window.surface.subsurface(rect)
        width, height = part.get_size()
        pixels = {tuple(part.get_at((x, y)))[:3] for x in range(width) for y in range(height)}
        return {f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels}

    def pixels(self) -> bytes:
        self.window.draw()
        return pygame.image.tobytes(self.window.surface, "RGB")


_display = pytest.fixture(autouse=True)(display)


@pytest.fixture
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.window.close()


# Opening and leaving the review ---------------------------------------------------------------------


def test_a_recorded_game_can_be_reviewed_and_left() -> None:
    session = Session(Game.on("4x1/1", [(0, 1)]))
    window = Window(session, (900, 660))
    for code, character in ((pygame.K_RETURN, ""), (pygame.K_v, "v")):
        window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=character, mod=0))
        window.handle(pygame.Event(pygame.KEYUP, key=code, mod=0))
    assert isinstance(window.screen, BoardScreen)  # Nothing is done yet: there is nothing to review.
    assert "review" in session.message
    session.open((0, 2))
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_v, unicode="v", mod=0))
    assert isinstance(window.screen, ReviewScreen)
    reading = window.screen.reading
    assert reading.record == session.record
    assert session.helped  # The game still goes on, and its risks were shown.
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE, unicode="", mod=0))
    assert isinstance(window.screen, BoardScreen)
    assert window.running
    window.close()


def test_a_finished_game_has_a_review_button() -> None:
    session = Session(Game.on("4x1/1", [(0, 1)]))
    window = Window(session, (900, 660))
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode="", mod=0))
    session.open((0, 2))
    while not session.game.over:
        click(window, "ai")
        assert isinstance(window.screen, BoardScreen)
    click(window, "ai")  # No agent can move any more: now it says *Review*.
    assert isinstance(window.screen, ReviewScreen)
    window.close()


@pytest.mark.parametrize("way", ["escape", "button", "close"])
def test_leaving_cancels_the_review(way: str) -> None:
    has_begun, may_go_on, has_ended = (threading.Event() for _ in range(3))
    outcomes = []

    def judge(record: Record, report: Report) -> Review:
        has_begun.set()
        try:
            assert may_go_on.wait(LONG)
            outcomes.append("reports")
            report(1, 2)
            outcomes.append("continues")
            return review(record)
        finally:
            has_ended.set()

    reading = Reading(careless(), judge=judge)
    reader = Reader(reading=reading)
    assert has_begun.wait(LONG)
    reader.window.tick()
    reader.window.draw()
    if way == "escape":
        reader.key(pygame.K_ESCAPE)
    elif way == "button":
        reader.click("back")
    else:
        reader.window.close()
    may_go_on.set()
    assert has_ended.wait(LONG)
    assert outcomes == ["reports"]
    assert reading.review is None


def test_the_screen_is_usable_while_the_review_runs() -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()

    def judge(record: Record, report: Report) -> Review:
        report(1, 2)
        has_begun.set()
        assert may_go_on.wait(LONG)
        return review(record)

    reader = Reader(reading=Reading(careless(), judge=judge))
    assert has_begun.wait(LONG)
    reader.window.tick()
    half = reader.pixels()
    reader.key(pygame.K_HOME)
    reader.key(pygame.K_RIGHT)
    reader.key(pygame.K_DOWN)  # No faults are known yet.
    assert reader.reading.number == 2
    reader.click("move 4")
    assert reader.reading.number == 4
    reader.key(pygame.K_END)
    reader.window.draw()
    may_go_on.set()
    end = time.monotonic() + LONG
    while reader.reading.review is None and time.monotonic() < end:
        reader.window.tick()
    assert reader.window.stale
    assert reader.pixels() != half
    reader.window.close()


def test_reviewing_a_finished_game_does_not_count_as_help() -> None:
    session = Session(Game.on("4x1/1", [(0, 1)]))
    session.open((0, 2))
    minefield = session.game.minefield
    assert minefield is not None
    session.open(min(minefield.mines))
    assert session.game.over
    review_of(session).leave()
    assert not session.helped


# Going from move to move -----------------------------------------------------------------------------


def test_the_review_screen_starts_at_the_end(reader: Reader) -> None:
    assert reader.reading.number == reader.reading.end == 5
    assert reader.reading.game.outcome is Outcome.WON


def test_arrows_go_one_move_and_stop_at_the_ends(reader: Reader) -> None:
    reader.key(pygame.K_RIGHT)
    assert reader.reading.number == 5
    for number in (4, 3, 2, 1, 1):
        reader.key(pygame.K_LEFT)
        assert reader.reading.number == number
    reader.key(pygame.K_END)
    assert reader.reading.number == 5
    reader.key(pygame.K_HOME)
    assert reader.reading.number == 1


def test_up_and_down_go_to_faults(reader: Reader) -> None:
    reader.key(pygame.K_UP)
    assert reader.reading.number == 3
    assert reader.reading.move is not None
    assert reader.reading.move.label is Label.NEEDLESS_GUESS
    reader.key(pygame.K_UP)
    assert reader.reading.number == 3
    reader.key(pygame.K_HOME)
    reader.key(pygame.K_DOWN)
    assert reader.reading.number == 3


def test_buttons_go_one_move(reader: Reader) -> None:
    reader.click("previous")
    reader.click("previous")
    reader.click("next")
    assert reader.reading.number == 4


def test_the_list_selects_moves_and_can_show_only_faults(reader: Reader) -> None:
    reader.click("move 2")
    assert reader.reading.number == 2
    reader.click("faults")
    rows = [name for name in reader.screen.buttons if name.startswith("move ")]
    assert rows == ["move 3"]
    reader.click("move 3")
    assert reader.reading.number == 3
    reader.key(pygame.K_f, "f")
    rows = [name for name in reader.screen.buttons if name.startswith("move ")]
    assert rows == [f"move {number}" for number in range(1, 6)]


def test_the_graph_selects_the_move_under_the_mouse(reader: Reader) -> None:
    graph = reader.screen.graph
    reader.mouse(pygame.MOUSEBUTTONDOWN, graph.point(2, 0.5))
    assert reader.reading.number == 2
    for number in (3, 4, 5, 1):
        reader.mouse(pygame.MOUSEMOTION, graph.point(number, 0.2))
        assert reader.reading.number == number
    outside = graph.area.right + 500, -100
    reader.mouse(pygame.MOUSEMOTION, outside)
    assert reader.reading.number == 5
    reader.mouse(pygame.MOUSEBUTTONUP, graph.point(5, 0.2))
    reader.mouse(pygame.MOUSEMOTION, graph.point(1, 0.2))
    assert reader.reading.number == 5


def test_tab_goes_through_all_parts_and_is_visible(reader: Reader) -> None:
    seen = []
    for _ in PARTS:
        seen.append((reader.screen.focus, reader.pixels()))
        reader.key(pygame.K_TAB)
    assert [focus for focus, _ in seen] == list(PARTS)
    assert len({pixels for _, pixels in seen}) == len(PARTS)
    assert reader.screen.focus == PARTS[0]


# What is seen ---------------------------------------------------------------------------------------


def test_every_move_looks_different(reader: Reader) -> None:
    pictures = set()
    for number in range(1, reader.reading.end + 1):
        reader.reading.choose(number)
        reader.wait()
        pictures.add(reader.pixels())
    assert len(pictures) == reader.reading.end


def test_the_move_and_the_better_cell_have_rings(reader: Reader) -> None:
    reader.key(pygame.K_UP)
    reader.wait()
    reader.key(pygame.K_e, "e")
    assert (reader.reading.cells, reader.reading.better) == (((0, 3),), (0, 0))
    for cell in reader.reading.game.position:
        colours = reader.colours(reader.screen.view.rect(cell))
        assert (LIGHT.last_move in colours) == (cell == (0, 3))
        assert (LIGHT.target in colours) == (cell == (0, 0))


def test_a_fault_is_marked_in_the_graph_and_in_the_list(reader: Reader) -> None:
    x, y = reader.screen.graph.point(3, 1.0)
    mark = Rect(round(x), round(y), 1, 1).inset(-3)
    assert LIGHT.lost in reader.colours(mark)
    assert LIGHT.lost in reader.colours(reader.window.button_rect("move 3"))
    for other in (1, 2, 4):
        assert LIGHT.lost not in reader.colours(reader.window.button_rect(f"move {other}"))


def test_the_row_of_the_move_is_framed(reader: Reader) -> None:
    for chosen in (2, 4):
        reader.click(f"move {chosen}")
        for number in range(1, 6):
            row = reader.window.button_rect(f"move {number}")
            edge = Rect(row.center[0], row.y, 1, 2)
            assert (LIGHT.ink in reader.colours(edge)) == (number == chosen)


def test_the_board_is_scrolled_to_the_move() -> None:
    reader = Reader(long_game(), (320, 260))
    view = reader.screen.view
    assert view.cell * view.columns > view.area.width
    for code in (pygame.K_HOME, *[pygame.K_RIGHT] * 20):
        reader.key(code)
        (cell,) = reader.reading.cells
        assert reader.screen.view.cell_at(reader.screen.view.rect(cell).center) == cell
    assert reader.screen.view != view
    reader.window.close()


def test_the_board_is_zoomed_and_fits_again() -> None:
    reader = Reader(long_game())
    reader.key(pygame.K_HOME)
    before = reader.screen.view
    for _ in range(3):
        reader.key(pygame.K_PLUS, "+")
    assert reader.screen.view.cell > before.cell
    assert reader.screen.view.cell_at(reader.screen.view.rect((0, 0)).center) == (0, 0)
    for _ in range(9):
        reader.key(pygame.K_MINUS, "-")
    assert reader.screen.view == before
    reader.window.close()


def test_the_heat_map_can_be_switched_off(reader: Reader) -> None:
    reader.key(pygame.K_UP)
    reader.wait()
    assert reader.reading.insight is not None
    assert reader.reading.insight.risks == {(0, 0): 0, (0, 1): 0.5, (0, 3): 0.5}
    with_heat = reader.pixels()
    reader.key(pygame.K_e, "e")
    without = reader.pixels()
    assert without != with_heat
    reader.key(pygame.K_e, "e")
    assert reader.pixels() == with_heat


def long_game() -> Record:
    """A hundred cells in a row of which every second is a mine, the others opened from the left."""
    entries = tuple(Entry(float(column), "open", (0, column)) for column in range(0, 98, 2))
    mines = frozenset((0, column) for column in range(1, 100, 2))
    return Record(Level.named("100x1/50"), Promise.NONE, mines, entries)


def test_long_lists_scroll_by_wheel_and_pages_and_follow_the_move() -> None:
    reader = Reader(long_game(), (320, 260))
    moves = [f"move {number}" for number in range(1, reader.reading.end + 1)]

    def seen() -> list[str]:
        return [name for name in reader.screen.buttons if name.startswith("move ")]

    assert seen()[-1] == moves[-1]
    reader.key(pygame.K_HOME)
    assert seen()[0] == moves[0]
    reader.turn_wheel(reader.screen.layout.moves, -1)
    assert moves[0] not in seen()
    assert reader.reading.number == 1
    reader.key(pygame.K_PAGEUP)
    assert seen()[0] == moves[0]
    reader.key(pygame.K_PAGEDOWN)
    assert moves[0] not in seen()
    before = reader.screen.view
    reader.turn_wheel(reader.screen.layout.board, -1)  # A board of one row does not scroll down.
    assert reader.screen.view == before
    reader.key(pygame.K_END)
    assert seen()[-1] == moves[-1]
    reader.window.close()


def test_long_text_scrolls() -> None:
    reader = Reader(size=(320, 260))
    reader.key(pygame.K_UP)
    reader.wait()
    before = reader.pixels()
    reader.turn_wheel(reader.screen.layout.words, -1)
    scrolled = reader.pixels()
    assert scrolled != before
    reader.turn_wheel(reader.screen.layout.words, 100)
    assert reader.pixels() == before
    reader.window.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_a_review_is_drawn_at_every_size(size: tuple[int, int], theme: str) -> None:
    reader = Reader(size=size)
    reader.window.look = Look.named(theme, text_scale=2.0)
    pictures = [reader.pixels()]
    for _ in range(reader.reading.end - 1):
        reader.key(pygame.K_LEFT)
        reader.wait()
        pictures.append(reader.pixels())
    assert len(set(pictures)) == len(pictures)
    page = pygame.Color(THEMES[theme].page)
    width, height = reader.window.surface.get_size()
    rim = [(x, y) for x in range(width) for y in (0, height - 1)]
    assert all(reader.window.surface.get_at(point) == page for point in rim)
    reader.window.close()


@pytest.mark.parametrize("moves", [0, 1])
def test_a_game_with_few_moves_is_drawn(moves: int) -> None:
    reader = Reader(careless(moves=moves))
    assert reader.reading.end == moves + 1
    for code in (pygame.K_LEFT, pygame.K_UP, pygame.K_RIGHT, pygame.K_PAGEDOWN, pygame.K_f):
        reader.key(code)
        reader.wait()
    reader.window.close()


# Statistics -----------------------------------------------------------------------------------------


def finished(
    level: str, kind: BoardKind, won: bool, seconds: float, *, helped: bool = False
) -> FinishedGame:
    board = Level.named(level)
    return FinishedGame(
        finished="2026-11-05T10:00:00+00:00",
        level=level,
        width=board.width,
        height=board.height,
        mines=board.mines,
        promise="open",
        kind=kind,
        outcome=Outcome.WON if won else Outcome.LOST,
        seconds=seconds,
        bbbv=20,
        clicks=30,
        helped=helped,
        practice=False,
        code="",
    )


GAMES = [
    finished("beginner", "random", False, 3.0),
    finished("beginner", "random", True, 40.0),
    finished("beginner", "random", True, 20.0),
    finished("beginner", "random", True, 1.0, helped=True),
    finished("expert", "no guess", False, 61.0),
]


def look_at_statistics(games: list[FinishedGame], size: tuple[int, int]) -> Window:
    window = Window(Session("course", seed=27), size, history=games)
    for code, character in ((pygame.K_RETURN, ""), (pygame.K_s, "s")):
        window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode=character, mod=0))
        window.handle(pygame.Event(pygame.KEYUP, key=code, mod=0))
    window.draw()
    return window


def test_a_row_counts_helped_games_separately() -> None:
    beginner, expert = statistics(GAMES)
    assert dict(zip(COLUMNS, cells_of(beginner), strict=True)) == {
        "level": "beginner",
        "board": "random",
        "games": "3",
        "won": "2",
        "win rate": "67 %",
        "streak": "2",
        "longest": "2",
        "best time": "20.0 s",
        "mean": "30.0 s",
        "helped": "1",
        "practice": "0",
    }
    assert details_of(beginner) == [
        "beginner, random, best times: 20.0 s (2026-11-05), 40.0 s (2026-11-05).",
        "Best speed: 1.00 3BV/s.",
    ]
    assert details_of(expert) == ["expert, no guess: no games won without help yet."]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0.0 s"), (59.99, "59.9 s"), (60, "1:00.0"), (3599.9, "59:59.9"), (3600, "1:00:00")],
)
def test_times_are_written_as_a_clock_shows_them(seconds: float, words: str) -> None:
    assert format_time(seconds) == words


@pytest.mark.parametrize("size", SIZES)
def test_statistics_are_shown_and_left_at_every_size(size: tuple[int, int]) -> None:
    window = look_at_statistics(GAMES, size)
    screen = window.screen
    assert isinstance(screen, StatisticsScreen)
    assert screen.in_columns == (size[0] >= 900)
    first = pygame.image.tobytes(window.surface, "RGB")
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_DOWN, unicode="", mod=0))
    assert screen.chosen == 1
    window.draw()
    assert pygame.image.tobytes(window.surface, "RGB") != first
    click(window, "row 0")
    assert screen.chosen == 0
    window.handle(pygame.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE, unicode="", mod=0))
    assert isinstance(window.screen, BoardScreen)
    window.close()


@pytest.mark.parametrize(
    ("level", "chosen"), [("beginner", 0), ("expert", 1), ("30x16/99", 1), ("course", 0), ("5x5/5", 0)]
)
def test_statistics_open_at_the_level_being_played(level: str, chosen: int) -> None:
    screen = StatisticsScreen(Session(level, seed=27), statistics(GAMES))
    assert screen.chosen == chosen


def test_statistics_without_games_are_drawn() -> None:
    window = look_at_statistics([], (320, 260))
    assert isinstance(window.screen, StatisticsScreen)
    for code in (pygame.K_DOWN, pygame.K_END, pygame.K_PAGEUP):
        window.handle(pygame.Event(pygame.KEYDOWN, key=code, unicode="", mod=0))
    window.draw()
    window.close()
