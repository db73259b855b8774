"""The guide: the help page of the window."""

from __future__ import annotations

from typing import Final

import pygame

from sapper.profile.keys import ACTIONS
from sapper.window.canvas import Canvas
from sapper.window.layout import Point, Rect, frame
from sapper.window.screens import Destination, Key, Screen, Target

PARTS: Final = (
    (
        "The game",
        "A number shows how many of the eight cells around it are mines. Open every cell that is not"
        " a mine to win. Opening an empty cell also opens its neighbours. On the course level, flag all"
        " mines to win; opening a 0 opens nothing else.",
    ),
    (
        "Mouse",
        "Left-click opens a cell, right-click flags it; a right drag flags several. If a number has all"
        " its flags, click it with the left or middle button, or with both, to open its other"
        " neighbours. Or hold right on a mine, slide to the number and click left. A red, underlined"
        " number has too many flags. Shift-click a hidden cell to ask why it is safe or a mine.",
    ),
    (
        "Keyboard",
        "{open} opens and {flag} flags the cell under the mouse. The arrow keys show a cursor and move"
        " it; then the keys apply to the cursor. Tab moves to the buttons."
        " {undo} undoes a move and {redo} redoes it. {again} restarts the same board; {new} starts a"
        " new one, and {undo} then returns to the old one. After you hit a mine,"
        " {go_on} continues the game for practice.",
    ),
    (
        "Help",
        "{hint} shows where a cell is certainly safe; press it again to see which one. {why} shows the"
        " proof; {next_step} and {previous_step} step through it. {heat} shows the risk of every cell"
        " in percent; a tick marks a safe cell, a mine symbol a certain mine. {leave} closes the help.",
    ),
    (
        "The AI",
        "{ai} makes one AI move, {autoplay} starts or stops autoplay, and {slower} and {faster} change"
        " its speed. {agent} switches to the next agent."
        " With --ai FILE, your own agent moves: ! marks cells that it missed, x wrong beliefs. {why}"
        " explains them, and {knowledge} shows how its knowledge changed with each number.",
    ),
    (
        "Boards",
        "{level} opens the menu: choose a level, a custom size, what the first click guarantees, or"
        " boards that never need a guess. {copy} copies the board code; {paste} plays the board code on"
        " the clipboard. You can also drop a file on the window.",
    ),
    (
        "View",
        "The wheel, {zoom_in} and {zoom_out} zoom. Drag a large board with the middle button."
        " {help} shows this page, {leave} the start screen.",
    ),
    (
        "After the game",
        "{review} reviews the game move by move, {statistics} shows your statistics, and {settings}"
        " opens the settings: the theme, the text size and more.",
    ),
)
"""Titles and texts. The name of an action in braces is replaced by its key."""


class GuideScreen(Screen):
    """The help page."""

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        room, self.unit, gap = frame(width, height, density, self.look.text_scale)
        unit = self.unit
        back = Rect(
            room.center[0] - 5 * unit, room.bottom - round(2.4 * unit), 10 * unit, round(2.4 * unit)
        )
        self.back = back
        self.title = Rect(room.x, room.y, room.width, 2 * unit)
        self.text = Rect(
            room.x, self.title.bottom + gap // 2, room.width, back.y - gap - self.title.bottom
        )
        self.top = 0
        self.room = 0

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons."""
        return {"back": self.back}

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The titles and texts, with the configured keys."""
        labels = {action: self.keys.label(action) for action in ACTIONS}
        return [(title, text.format(**labels)) for title, text in PARTS]

    def press(self, name: str) -> Destination:  # noqa: ARG002 - there is only one button.
        """Handle a press of a button."""
        return Destination.BACK

    def key(self, key: Key) -> Destination:
        """Scroll, or go back."""
        steps = {
            pygame.K_DOWN: self.unit,
            pygame.K_UP: -self.unit,
            pygame.K_PAGEDOWN: self.text.height * 3 // 4,
            pygame.K_PAGEUP: -self.text.height * 3 // 4,
        }
        if key.code in steps:
            self.scroll(0, steps[key.code])
            return Destination.STAY
        leaving = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE)
        asked = key.code in leaving or self.keys.action(key) == "help"
        return Destination.BACK if asked and not key.repeated else Destination.STAY

    def scroll(self, right: int, down: int, point: Point | None = None) -> None:  # noqa: ARG002
        """Scroll the text, if it does not fit."""
        self.top = min(max(0, self.top + down), self.room)

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen in one or two columns, with smaller text if it would not fit."""
        unit, theme = self.unit, canvas.theme
        canvas.text(self.title, "How to play", round(1.8 * unit), theme.ink)
        columns = 2 if self.text.width >= 44 * unit else 1
        gap = 2 * unit
        size = max(round(1.05 * unit), 10)
        wide = self.text.column(0, columns, gap).width - unit  # There may be a scroll bar.
        blocks = self._blocks(canvas, size, wide)
        while size > max(10, round(0.8 * unit)) and self._height(blocks, columns) > self.text.height:
            size -= 1
            blocks = self._blocks(canvas, size, wide)
        self.room = max(0, self._height(blocks, columns) - self.text.height)
        self.top = min(self.top, self.room)
        canvas.surface.set_clip(self.text)
        for number, column in enumerate(_split(blocks, columns)):
            rect = self.text.column(number, columns, gap)
            y = rect.y - self.top
            for line, height, is_title in column:
                colour = theme.accent if is_title else theme.ink
                if line and y + height > rect.y and y < rect.bottom:
                    canvas.line(Rect(rect.x, y, rect.width, height), line, round(height / 1.35), colour)
                y += height
        canvas.surface.set_clip(None)
        if self.room:
            thick = max(3, unit // 4)
            length = max(3 * thick, self.text.height**2 // (self.text.height + self.room))
            y = self.text.y + (self.text.height - length) * self.top // self.room
            canvas.box(Rect(self.text.right - thick, y, thick, length), thick / 2, theme.scroll_bar)
        canvas.button(
            self.back, "Play", unit, main=True, hovered=hovered == "back", pressed=pressed == "back"
        )

    def _blocks(self, canvas: Canvas, size: int, wide: int) -> list[list[tuple[str, int, bool]]]:
        """Return the lines of each part: their text, height, and whether they are a title."""
        blocks = []
        for title, text in self.parts:
            lines = [(title, round(1.15 * size * 1.35), True)]
            lines += [(line, round(size * 1.35), False) for line in canvas.wrap(text, size, wide)]
            lines.append(("", round(size * 0.6), False))
            blocks.append(lines)
        return blocks

    @staticmethod
    def _height(blocks: list[list[tuple[str, int, bool]]], columns: int) -> int:
        return max(sum(height for _, height, _ in column) for column in _split(blocks, columns))


def _split(
    blocks: list[list[tuple[str, int, bool]]], columns: int
) -> list[list[tuple[str, int, bool]]]:
    """Return the lines of each column, so that the longest one is as short as possible."""
    if columns == 1:
        return [[line for block in blocks for line in block]]
    heights = [sum(height for _, height, _ in block) for block in blocks]
    first = min(range(len(blocks) + 1), key=lambda n: max(sum(heights[:n]), sum(heights[n:])))
    return [[line for block in part for line in block] for part in (blocks[:first], blocks[first:])]
