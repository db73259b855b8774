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

from sapper.window.layout import Rect, arrange_board, arrange_start

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

    def __init__(self, display: str, folder: Path) -> None:
        hidden = ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self.variables = kept | {"DISPLAY": display, "PYTHONPATH": path}
        self.console = folder / "console"
        self.errors = folder / "errors"
        code = "from sapper.window import run; run(seed=3)"
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

    desktop.key("Escape")
    assert desktop.process.wait(timeout=DEADLINE) == 0
    assert desktop.errors.read_text() == ""


def test_control_c_exits_without_a_traceback(desktop: Desktop) -> None:
    desktop.process.send_signal(signal.SIGINT)
    assert desktop.process.wait(timeout=DEADLINE) == 0
    assert desktop.errors.read_text() == ""
