"""The page in a real browser: games by mouse, keyboard and touch, the analyser, shared addresses."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sapper
from sapper import Cell, Game
from sapper.text import format_count, format_percent
from tests.support.web_games import lost_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route

sync_api = pytest.importorskip("playwright.sync_api", reason="tests of the page need playwright")
pytest.importorskip("uvicorn", reason="the web page is an extra")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    pytest.mark.skipif(sapper.engine_name == "python", reason="one engine is enough to see the page"),
]
SERVE = """
import os, sys
from pathlib import Path
import sapper.web.tasks
sapper.web.tasks.REVIEW_PLAYOUTS = int(os.environ["PLAYOUTS"])  # Worker processes do this, too.
if __name__ == "__main__":
    sapper.web.serve(port=int(sys.argv[1]), games=Path(sys.argv[2]), workers=1)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("page"), playouts=256) as address:
        yield address


@contextmanager
def serving(folder: Path, *, playouts: int) -> Iterator[str]:
    """Serve the page; reviews play so many games for each position."""
    (folder / "serve.py").write_text(SERVE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "serve.py", str(port), "games.sqlite"]
    server = subprocess.Popen(command, env={**os.environ, "PLAYOUTS": str(playouts)}, cwd=folder)
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(address, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = browser.new_page(viewport={"width": 1200, "height": 850})
    yield from watched(made)


def watched(page: Page) -> Iterator[Page]:
    """Yield the page; whatever it complained about fails the test."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error" and "422" not in said.text:  # What the server refuses is logged, too.
            complaints.append(said.text)

    page.on("console", hear)
    yield page
    page.close()
    assert not complaints


def a_board() -> Game:
    return sapper.generate("beginner", seed=7)


def open_board(page: Page, address: str, game: Game) -> None:
    page.goto(f"{address}#play/code={sapper.board_code(game)}")
    wait_for(page, "Start at")


def point_of(page: Page, cell: Cell, game: Game) -> tuple[float, float]:
    box = page.locator("canvas").bounding_box()
    assert box is not None
    size = box["width"] / game.level.width
    return box["x"] + (cell[1] + 0.5) * size, box["y"] + (cell[0] + 0.5) * size


def wait_for(page: Page, words: str, where: str = ".message") -> None:
    sync_api.expect(page.locator(where).first).to_contain_text(words, timeout=30_000)


def opened(cell: Cell) -> str:
    return f"You opened row {cell[0] + 1}, column {cell[1] + 1}."


def cells_to_open(game: Game) -> Iterator[Cell]:
    """Generate cells by which the board is won, and open them here too."""
    cell = game.first
    while cell is not None:
        game.open(cell)
        yield cell
        cell = None if game.over else min(sapper.analyse(game.position).safe)


def test_a_whole_game_by_mouse(page: Page, address: str) -> None:
    game = a_board()
    open_board(page, address, game)
    assert game.minefield is not None
    mine = min(game.minefield.mines)
    flagged = False
    for cell in cells_to_open(game):
        page.mouse.click(*point_of(page, cell, game))
        wait_for(page, opened(cell))
        if not flagged:
            page.mouse.click(*point_of(page, mine, game), button="right")
            wait_for(page, "You flagged")
            assert page.locator(".figures").first.text_content() == "9 mines left"
            flagged = True
    wait_for(page, "Won!")
    page.get_by_role("button", name="Review").click()
    page.wait_for_selector(".plot")
    assert "No decisions to rate." in (page.locator("section[aria-label=Review]").text_content() or "")


def test_a_whole_game_by_keyboard(page: Page, address: str) -> None:
    game = a_board()
    open_board(page, address, game)
    page.locator("canvas").focus()
    row, column = game.level.height // 2, game.level.width // 2
    for cell in cells_to_open(game):
        for key, steps in (
            ("ArrowUp", row - cell[0]),
            ("ArrowDown", cell[0] - row),
            ("ArrowLeft", column - cell[1]),
            ("ArrowRight", cell[1] - column),
        ):
            for _ in range(max(0, steps)):
                page.keyboard.press(key)
        row, column = cell
        page.keyboard.press("Space")
        wait_for(page, opened(cell))
    wait_for(page, "Won!")


def test_a_whole_game_by_touch(browser: Browser, address: str) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True
    )
    for page in watched(context.new_page()):
        game = a_board()
        open_board(page, address, game)
        assert game.minefield is not None
        mine = min(game.minefield.mines)
        page.get_by_role("button", name="Flag mode").tap()
        page.touchscreen.tap(*point_of(page, mine, game))
        wait_for(page, "You flagged")
        page.get_by_role("button", name="Flag mode").tap()
        for cell in cells_to_open(game):
            page.touchscreen.tap(*point_of(page, cell, game))
            wait_for(page, opened(cell))
        wait_for(page, "Won!")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360
    context.close()


def test_help_and_autoplay(page: Page, address: str) -> None:
    open_board(page, address, a_board())
    page.get_by_role("button", name="AI move").click()
    wait_for(page, "the board was made for this first click")
    page.get_by_role("button", name="Hint").click()
    wait_for(page, "certainly safe", ".words")
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector("text=Next step")
    page.get_by_role("button", name="Next step").click()
    page.wait_for_selector("text=step 1 of")
    page.get_by_role("button", name="Autoplay").click()
    wait_for(page, "Won!")


def test_the_analyser_says_what_the_engine_says(page: Page, address: str) -> None:
    page.goto(f"{address}#analyse")
    text = page.get_by_label("Position as text")
    text.fill("4x4/3\n# # # #\n1 2 # #\n. 1 # #\n. 1 1 1")
    page.get_by_role("button", name="Load text").click()
    wait_for(page, "4 layouts", "section [role=status]")
    box = page.locator("canvas").bounding_box()
    assert box is not None
    size = box["width"] / 4
    page.get_by_role("button", name="number 3").click()
    page.mouse.click(box["x"] + 1.5 * size, box["y"] + 1.5 * size)  # The 2 becomes a 3.
    sync_api.expect(text).to_have_value("4x4/3\n# # # #\n1 3 # #\n. 1 # #\n. 1 1 1")
    position = sapper.Position.parse(text.input_value())
    wait_for(page, f"{sapper.analyse(position).layouts:,} layouts", "section [role=status]")


@pytest.mark.parametrize("count", [0, 1, 2, 999, 16_290_120, 10**12 - 1, 10**12, 7**99])
def test_the_page_formats_counts_as_python_does(page: Page, address: str, count: int) -> None:
    page.goto(address)
    call = """async digits => (await import("/js/dom.js")).formatPlural(digits, "layout")"""
    noun = "layout" if count == 1 else "layouts"
    assert page.evaluate(call, str(count)) == f"{format_count(count)} {noun}"


@pytest.mark.parametrize("digits", [0, 1])
@pytest.mark.parametrize("probability", [0, 1 / 3600, 0.004, 0.123, 0.5, 0.996, 1 - 1 / 3600, 1])
def test_the_page_formats_probabilities_as_python_does(
    page: Page, address: str, probability: float, digits: int
) -> None:
    page.goto(address)
    call = """async ([value, digits]) => (await import("/js/dom.js")).formatPercent(value, digits)"""
    shown = page.evaluate(call, [probability, digits])
    assert shown == format_percent(probability, digits=digits)


def test_conflicting_numbers_are_named(page: Page, address: str) -> None:
    page.goto(f"{address}#analyse")
    page.get_by_label("Position as text").fill("3x1/1\n1 # 2")
    page.get_by_role("button", name="Load text").click()
    page.wait_for_selector(".message.bad")
    assert "2 at row 1, column 3" in (page.locator(".message.bad").text_content() or "")


def test_the_url_contains_the_position(page: Page, browser: Browser, address: str) -> None:
    page.goto(f"{address}#analyse")
    page.get_by_label("Position as text").fill("5x2/3\n# # # F #\n1 2 2 2 1")
    page.get_by_role("button", name="Load text").click()
    page.wait_for_url("**#analyse/5x2-3.*")
    other = browser.new_page()
    other.goto(page.url)
    other.wait_for_selector("canvas")
    expected = page.get_by_label("Position as text").input_value()
    assert other.get_by_label("Position as text").input_value() == expected
    other.close()


def test_the_agents_inferences_step_forwards_and_backwards(page: Page, address: str) -> None:
    page.goto(f"{address}#learn")
    page.wait_for_selector("text=The agent knows nothing yet")
    said = [page.locator(".message").text_content()]
    steps = int((page.get_by_text("Step 0 of").text_content() or "").rstrip(".").split()[-1])
    for _ in range(min(steps, 6)):  # A game may end with the first cell.
        page.get_by_role("button", name="Next ▶").click()
        said.append(page.locator(".message").text_content())
    assert re.match(r"The agent opened cell \([0-7], [0-7]\)", said[1] or "")
    for words in reversed(said[:-1]):
        page.get_by_role("button", name="◀ Back").click()
        assert page.locator(".message").text_content() == words


def test_every_inference_is_a_sentence_with_cells_as_in_the_course(page: Page, address: str) -> None:
    page.goto(f"{address}#learn")
    page.wait_for_selector("text=The agent knows nothing yet")
    steps = int((page.get_by_text("Step 0 of").text_content() or "").rstrip(".").split()[-1])
    for _ in range(min(steps, 60)):
        page.get_by_role("button", name="Next ▶").click()
        words = page.locator(".message").text_content() or ""
        assert re.match(r"[A-Z].*\.$", words)
        assert "row" not in words
        assert "every sentence" not in words
    assert page.get_by_text("both counted from 0").count() == 1


def test_nothing_leaves_the_machine(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_board(page, address, a_board())
    assert asked
    assert all(url.startswith((address, "data:", "blob:")) for url in asked)


@pytest.mark.parametrize("size", [(320, 640), (1280, 860), (3840, 2160)])
def test_the_page_fits_screens_of_every_size(
    browser: Browser, address: str, size: tuple[int, int], tmp_path: Path
) -> None:
    for page in watched(browser.new_page(viewport={"width": size[0], "height": size[1]})):
        for name in ("play", "analyse", "learn"):
            page.goto(f"{address}#{name}")
            page.wait_for_selector("canvas")
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
            page.screenshot(path=tmp_path / f"{name}-{size[0]}.png")


def test_a_recorded_game_is_reviewed(page: Page, address: str, tmp_path: Path) -> None:
    game = a_board()
    for _ in cells_to_open(game):
        pass
    sapper.write(tmp_path / "game.json", game)
    page.goto(f"{address}#analyse")
    page.set_input_files("input[type=file]", tmp_path / "game.json")
    page.wait_for_selector(".plot", timeout=30_000)
    wait_for(page, "No decisions to rate.", "section[aria-label=Review]")


def review_panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Review")


def test_a_review_shows_its_progress_and_can_be_stopped(page: Page, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(lost_game())
    count = len(json.loads(lost_game())["moves"]) - 1  # A position before each move but the first.
    stopped: list[str] = []
    page.on("requestfailed", lambda request: stopped.append(request.url))
    with serving(tmp_path, playouts=4096) as address:
        page.goto(f"{address}#analyse")
        wait_for(page, "layouts", "section [role=status]")
        before = page.locator("canvas").screenshot()
        page.set_input_files("input[type=file]", tmp_path / "game.json")
        wait_for(page, f" of {count} positions", "section[aria-label=Review]")
        bar = page.get_by_role("progressbar")
        sync_api.expect(bar).to_have_attribute("max", str(count))
        first = bar.get_attribute("value") or ""
        sync_api.expect(bar).not_to_have_attribute("value", first, timeout=30_000)
        assert 1 <= int(first) < int(bar.get_attribute("value") or 0) < count
        page.get_by_role("button", name="Stop").click()
        sync_api.expect(review_panel(page)).to_have_count(0)
        wait_for(page, "layouts", "section [role=status]")  # The position is there again.
        assert page.locator("canvas").screenshot() == before
        assert stopped == [f"{address}api/review"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('{"done": 1, "of": 2}\n{"status": 503, "error": "it took too long"}\n', "it took too long"),
        ('{"done": 1, "of": 2}\n', "the server does not respond"),
        ('{"done": 1, "of"', "the server does not respond"),
    ],
    ids=["refused", "cut off after a line", "cut off in a line"],
)
def test_a_failed_review_shows_the_error(
    page: Page, address: str, tmp_path: Path, lines: str, words: str
) -> None:
    (tmp_path / "game.json").write_text(lost_game())
    answer = {"content_type": "application/x-ndjson", "body": lines}
    page.route("**/api/review", lambda route: route.fulfill(**answer))
    page.goto(f"{address}#analyse")
    page.set_input_files("input[type=file]", tmp_path / "game.json")
    wait_for(page, f"The review failed: {words}.", "section[aria-label=Review]")
    sync_api.expect(page.get_by_role("progressbar")).to_have_count(0)


def open_small_review(page: Page, address: str, folder: Path) -> None:
    """Review a game whose second move, a blunder, is then shown."""
    entries = tuple(sapper.Entry(1.0, "open", (0, column)) for column in (4, 1, 0))
    mines = frozenset({(0, 2), (0, 3)})
    level = sapper.Level.named("5x1/2")
    sapper.write(folder / "game.json", sapper.Record(level, sapper.Promise.NONE, mines, entries))
    page.goto(f"{address}#analyse")
    wait_for(page, "layouts", "section [role=status]")
    page.set_input_files("input[type=file]", folder / "game.json")
    wait_for(page, "Move 2 by player", "section[aria-label=Review]")


def expect_on_the_board(page: Page, words: str) -> None:
    said = re.compile(rf"{words}$")
    sync_api.expect(page.locator("canvas")).to_have_attribute("aria-label", said, timeout=30_000)


def test_a_review_shows_the_risks_of_each_move(page: Page, address: str, tmp_path: Path) -> None:
    open_small_review(page, address, tmp_path)
    expect_on_the_board(page, "column 3: hidden")
    review_panel(page).get_by_label("Risks").check()
    expect_on_the_board(page, "column 3: hidden, risk 33 %")  # One of three cells is a mine.
    page.get_by_role("button", name="Next ▶").click()
    expect_on_the_board(page, "column 3: hidden, risk 50 %")  # A coin toss.
    for _ in range(2):
        page.get_by_role("button", name="◀ Previous").click()
    expect_on_the_board(page, "column 3: hidden, risk 40 %")  # Two of five.
    review_panel(page).get_by_label("Risks").uncheck()
    expect_on_the_board(page, "column 3: hidden")


def test_late_risks_do_not_change_the_board(page: Page, address: str, tmp_path: Path) -> None:
    open_small_review(page, address, tmp_path)
    late: list[Route] = []
    page.route("**/api/analyse", lambda route: late.append(route), times=1)
    with page.expect_request("**/api/analyse"):
        review_panel(page).get_by_label("Risks").check()
    page.get_by_role("button", name="Back").click()
    wait_for(page, "layouts", "section [role=status]")
    with page.expect_response("**/api/analyse"):
        late.pop().continue_()
    page.wait_for_timeout(100)
    expect_on_the_board(page, r"Board of 9 by 9 cells\..*")


def test_failed_risks_show_the_error(page: Page, address: str, tmp_path: Path) -> None:
    open_small_review(page, address, tmp_path)
    page.route("**/api/analyse", lambda route: route.fulfill(status=422, json={"error": "too hard"}))
    review_panel(page).get_by_label("Risks").check()
    wait_for(page, "The risks could not be computed: too hard.", "section[aria-label=Review]")
    expect_on_the_board(page, "column 3: hidden")


def test_a_review_of_a_game_in_which_nothing_was_opened(
    page: Page, address: str, tmp_path: Path
) -> None:
    flags = (sapper.Entry(1.0, "flag", (0, 2)),)
    mines = frozenset({(0, 2)})
    record = sapper.Record(sapper.Level.named("5x1/1"), sapper.Promise.NONE, mines, flags)
    sapper.write(tmp_path / "game.json", record)
    page.goto(f"{address}#analyse")
    page.set_input_files("input[type=file]", tmp_path / "game.json")
    wait_for(page, "No decisions to rate.", "section[aria-label=Review]")
    page.get_by_role("button", name="Back").click()
    sync_api.expect(review_panel(page)).to_have_count(0)


def test_a_board_scrolls_to_a_cell(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(address)
    page.wait_for_selector("canvas")
    is_seen = """async cell => {
      const { Board } = await import("/js/board.js"), board = new Board();
      document.getElementById("main").replaceChildren(board.element);
      board.show({ width: 60, height: 60, cells: "#".repeat(3600), reveal: [[0, 59], cell] });
      const box = board.canvas.getBoundingClientRect(), [row, column] = cell;
      const [x, y] = [column * board.size - board.left, row * board.size - board.top];
      return 0 <= x && x + board.size <= box.width && 0 <= y && y + board.size <= box.height;
    }"""
    for cell in ((0, 0), (0, 59), (59, 0), (30, 40), (59, 59)):
        assert page.evaluate(is_seen, cell), cell
