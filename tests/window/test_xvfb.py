"""The window on a real screen: an X server of its own, a real mouse and a real keyboard."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("pygame", reason="the window needs pygame-ce")

from sapper.formats.records import record_from_json
from sapper.position import Cell
from sapper.session.session import Session
from sapper.window.layout import Rect, arrange_board, arrange_start
from sapper.window.play_layout import arrange_play

ROOT = Path(__file__).parents[2]
TOOLS = ("Xvfb", "xdotool", "import")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"needs Xvfb, xdotool and ImageMagick's import; missing: {', '.join(MISSING)}"
)

DEADLINE = 60.0
"""How many seconds anything may take before the test gives up: far more than it needs."""
RANDOM = "No known safe moves, AI making random move."
SAFE = "AI making safe move."

Value = TypeVar("Value")


def wait_for(what: str, look: Callable[[], Value | None]) -> Value:
    """Look again and again until there is something, or the deadline is over."""
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline:
        value = look()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


class Desktop:
    """A window on an X server, with what a person does to it and sees of it."""

    def __init__(self, display: str, folder: Path, run: str = "run(seed=3)") -> None:
        hidden = ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self.variables = kept | {"DISPLAY": display, "PYTHONPATH": path}
        self.console = folder / "console"
        self.errors = folder / "errors"
        code = f"from sapper.formats.recorder import recorders; from sapper.window import run; {run}"
        with self.console.open("w") as console, self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], env=self.variables, stdout=console, stderr=errors
            )

    def find_window(self) -> None:
        """Wait until the window is on the screen and drawn, and give it the keyboard."""
        # SDL opens and closes a window before ours: only ours is drawn.
        wait_for("a picture on the black screen", self.is_drawn)
        search = ["search", "--onlyvisible", "--pid", str(self.process.pid)]
        self.window = wait_for("the window", lambda: self.tool(*search, check=False).split())[0]
        geometry = self.tool("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in geometry.splitlines())
        self.x, self.y = int(values["X"]), int(values["Y"])
        self.size = int(values["WIDTH"]), int(values["HEIGHT"])
        self.tool("windowfocus", self.window, check=False)  # There is no window manager to do it.

    def is_drawn(self) -> bool:
        assert self.process.poll() is None, f"the window is gone: {self.errors.read_text()}"
        return len(set(self.screenshot())) > 1

    def tool(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self.variables, capture_output=True, text=True, timeout=DEADLINE
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout

    def click(self, rect: Rect, button: int = 1) -> None:
        x, y = rect.center
        self.tool("mousemove", str(self.x + x), str(self.y + y), "click", str(button))

    def key(self, name: str) -> None:
        self.tool("key", name)

    def screenshot(self) -> bytes:
        command = ["import", "-window", "root", "rgb:-"]
        done = subprocess.run(
            command, env=self.variables, capture_output=True, timeout=DEADLINE, check=True
        )
        return done.stdout

    def sees_change(self, before: bytes) -> bytes:
        """Wait until the screen has changed, and return what it shows then."""

        def changed() -> bytes | None:
            after = self.screenshot()
            return after if after != before else None

        return wait_for("a change on the screen", changed)

    def said(self, count: int) -> list[str]:
        """Wait until the console has so many lines, and return them."""

        def lines() -> list[str] | None:
            said = self.console.read_text().splitlines()
            return said if len(said) >= count else None

        return wait_for(f"{count} lines on the console", lines)

    def ends_without_errors(self) -> None:
        """Press Ctrl-C in the terminal, and wait until the process has ended."""
        assert self.process.poll() is None
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=DEADLINE) == 0
        assert self.errors.read_text() == ""


@pytest.fixture
def display() -> Iterator[str]:
    """An X server on a display number that was free."""
    reading, writing = os.pipe()
    # Without -noreset it begins anew when its last client leaves, and loses one that comes just then.
    options = ["-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), *options],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        assert select.select([reading], [], [], DEADLINE)[0], "Xvfb did not start"
        number = os.read(reading, 16).decode().strip()
        assert number, "Xvfb found no free display"
        yield f":{number}"
    finally:
        os.close(reading)
        server.terminate()
        server.wait()


@pytest.fixture
def desktop(display: str, tmp_path: Path) -> Iterator[Desktop]:
    desktop = Desktop(display, tmp_path)
    try:
        desktop.find_window()
        yield desktop
    finally:
        desktop.process.kill()
        desktop.process.wait()


def test_a_game_with_a_real_mouse_and_keyboard(desktop: Desktop) -> None:
    board = arrange_board(*desktop.size, 8, 8)
    start = desktop.screenshot()
    desktop.click(arrange_start(*desktop.size).buttons["play"])
    empty = desktop.sees_change(start)

    corner = Rect(board.board.x, board.board.y, board.cell, board.cell)
    desktop.click(corner, button=3)
    flagged = desktop.sees_change(empty)
    desktop.click(corner, button=3)
    desktop.sees_change(flagged)
    desktop.click(corner)  # With this seed it is safe.
    opened = desktop.sees_change(flagged)

    desktop.key("a")
    assert desktop.said(1)[0] in (RANDOM, SAFE)
    moved = desktop.sees_change(opened)
    desktop.key("r")
    again = desktop.sees_change(moved)
    desktop.click(board.buttons["ai"])
    assert desktop.said(2)[1:] == [RANDOM]  # A new AI knows nothing of the new board.
    desktop.sees_change(again)

    moved = desktop.screenshot()
    desktop.key("Escape")
    home = desktop.sees_change(moved)
    desktop.key("Escape")  # It never quits.
    desktop.key("Return")
    desktop.sees_change(home)
    desktop.ends_without_errors()


class Hand:
    """A hand on a real mouse, over a beginner's board whose moves are recorded in a file."""

    def __init__(self, desktop: Desktop, folder: Path) -> None:
        self.desktop, self.folder = desktop, folder
        self.layout = arrange_play(*desktop.size, 9, 9)
        self.session = Session("beginner", seed=7)
        """The same game, to know what the gestures should have done."""
        self.done: list[tuple[str, Cell | None]] = []

    def at(self, cell: Cell) -> list[str]:
        area, size = self.layout.board, self.layout.cell
        x = self.desktop.x + area.x + cell[1] * size + size // 2
        y = self.desktop.y + area.y + cell[0] * size + size // 2
        return ["mousemove", str(x), str(y)]

    def do(self, *words: str | Cell) -> None:
        """Run words of xdotool; a cell moves the mouse to it."""
        parts = [self.at(word) if isinstance(word, tuple) else [word] for word in words]
        self.desktop.tool(*(part for each in parts for part in each))

    def expect(self, *entries: tuple[str, Cell]) -> None:
        """Wait until these moves, and no others, have been added to the record."""
        self.done += entries
        for kind, cell in entries:
            if kind == "flag":
                self.session.flag(cell)
            else:
                self.session.open(cell)

        def recorded() -> bool:
            try:
                path = max(self.folder.glob("game*.json"), key=lambda path: path.stat().st_mtime)
                record = record_from_json(path.read_text())
            except (OSError, ValueError):  # It does not exist yet, or it is being written.
                return False
            return [(entry.kind, entry.cell) for entry in record.entries] == self.done

        wait_for(
            f"{entries} after {self.done}", lambda: any(self.folder.glob("game*.json")) and recorded()
        )

    def number(self) -> tuple[Cell, list[Cell], Cell]:
        """Return a number that can be chorded, the other mines around it, and one mine to flag last."""
        position = self.session.game.position
        assert self.session.game.minefield is not None
        mines = self.session.game.minefield.mines
        for cell in position.numbers:
            around = position.neighbours(cell)
            unflagged = sorted(around & mines - position.flags)
            if unflagged and around & position.hidden - mines and not around & position.flags - mines:
                return cell, unflagged[:-1], unflagged[-1]
        raise AssertionError("no number can be chorded")


def test_every_gesture_with_a_real_mouse(display: str, tmp_path: Path) -> None:
    run = f"run('beginner', seed=7, recorder=recorders({str(tmp_path / 'game.json')!r}))"
    desktop = Desktop(display, tmp_path, run)
    try:
        desktop.find_window()
        make_every_gesture(desktop, Hand(desktop, tmp_path))
    finally:
        desktop.process.kill()
        desktop.process.wait()


def make_every_gesture(desktop: Desktop, hand: Hand) -> None:
    start = desktop.screenshot()
    desktop.click(arrange_start(*desktop.size).buttons["play"])
    board = desktop.sees_change(start)

    # Slide; sink; leave the board.
    hand.do((4, 3), "mousedown", "1", (4, 4), "mouseup", "1")
    hand.expect(("open", (4, 4)))
    opened = desktop.sees_change(board)
    cell, *_ = sorted(hand.session.game.position.hidden)
    hand.do(cell, "mousedown", "1")
    desktop.sees_change(opened)
    hand.do("mousemove", str(desktop.x + 2), str(desktop.y + 2), "mouseup", "1")

    # Flag on press; paint flags and remove them.
    hand.do(cell, "mousedown", "3")
    hand.expect(("flag", cell))
    hand.do("mouseup", "3", cell, "click", "3")
    hand.expect(("flag", cell))
    hidden = hand.session.game.position.hidden
    one, other = next(((i, j), (i, j + 1)) for i, j in sorted(hidden) if (i, j + 1) in hidden)
    for _ in range(2):
        hand.do(one, "mousedown", "3", other, "mouseup", "3")
        hand.expect(("flag", one), ("flag", other))

    # Chord with the left button, the middle button and both, and with the 1.5-click.
    clicks = (
        ("click", "1"),
        ("click", "2"),
        ("mousedown", "1", "mousedown", "3", "mouseup", "1", "mouseup", "3"),
    )
    for click in clicks:
        number, others, last = hand.number()
        for mine in (*others, last):
            hand.do(mine, "click", "3")
            hand.expect(("flag", mine))
        hand.do(number, *click)
        hand.expect(("chord", number))
    number, others, last = hand.number()
    for mine in others:
        hand.do(mine, "click", "3")
        hand.expect(("flag", mine))
    hand.do(last, "mousedown", "3", number, "click", "1", "mouseup", "3")
    hand.expect(("flag", last), ("chord", number))

    # Keys apply to the cell under the mouse. A new board can be undone.
    cell = min(hand.session.game.position.hidden - hand.session.game.position.flags)
    for _ in range(2):
        hand.do(cell, "key", "f")
        hand.expect(("flag", cell))
    before = desktop.screenshot()
    hand.do("key", "n")
    desktop.sees_change(before)
    hand.do("key", "u", cell, "key", "f")
    hand.expect(("flag", cell))

    # Zoom at the pointer; pan; leave.
    before = desktop.screenshot()
    hand.do((4, 4), "click", "4", "click", "4")
    zoomed = desktop.sees_change(before)
    hand.do((4, 4), "mousedown", "2", (2, 2), "mouseup", "2")
    desktop.sees_change(zoomed)
    hand.expect()
    desktop.ends_without_errors()


def test_control_c_exits_without_a_traceback(desktop: Desktop) -> None:
    desktop.ends_without_errors()
