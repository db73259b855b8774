"""The menu: choose a level or a custom board, and its options."""

from __future__ import annotations

from typing import Final

import pygame

from sapper.errors import BadLevel, SapperError
from sapper.levels import LEVELS, Level
from sapper.session.session import Session
from sapper.window.canvas import Canvas
from sapper.window.choices import LABELS, Choices
from sapper.window.layout import FIELDS, MENU_ITEMS, OPTIONS, MenuLayout, Rect, arrange_menu
from sapper.window.screens import LEFT, RIGHT, Destination, Key, Screen, Target

CHANGING: Final = {
    pygame.K_LEFT: -1,
    pygame.K_RIGHT: 1,
    pygame.K_RETURN: 1,
    pygame.K_KP_ENTER: 1,
    pygame.K_SPACE: 1,
}
"""The keys that change an option, and in which direction."""
MOST_DIGITS: Final = {"width": 4, "height": 4, "mines": 7}


class MenuScreen(Screen):
    """Four levels, the size and mines of a custom board, and the options."""

    layout: MenuLayout

    def __init__(self, session: Session, choices: Choices | None = None) -> None:
        super().__init__(session)
        self.choices = Choices() if choices is None else choices
        self._refused = ""
        level = session.game.level
        self.focus = level.name if level.name in LEVELS else "width"
        self._typed = {
            "width": str(level.width),
            "height": str(level.height),
            "mines": str(level.mines),
        }
        self._fresh = True  # The first digit typed into a field replaces its value.

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        scale = self.look.text_scale
        self.layout = arrange_menu(width, height, density=density, text_scale=scale)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons; those inside a field come before the field."""
        return {**self.layout.steps, **self.layout.items, "back": self.layout.back}

    def custom(self) -> Level | str:
        """Return the custom level, or an error message if its numbers are invalid."""
        width, height, mines = (int(self._typed[field] or "0") for field in FIELDS)
        try:
            return Level.custom(height, width, mines)
        except BadLevel as reason:
            return str(reason)

    @property
    def error(self) -> str:
        """What is wrong with the chosen values; empty if nothing is."""
        custom = self.custom()
        return custom if isinstance(custom, str) else self._refused

    # Input -----------------------------------------------------------------------------------

    def click(self, target: Target, button: int) -> Destination:
        """Handle a click on a target; the right button changes an option to its previous value."""
        if button == RIGHT and target in OPTIONS and isinstance(target, str):
            self._focus_on(target)
            self._change(target, -1)
            return Destination.STAY
        return super().click(target, LEFT) if button == LEFT else Destination.STAY

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        if name == "back":
            return Destination.BACK
        if name in self.layout.steps:
            self._focus_on(name[:-1])
            self._step(1 if name.endswith("+") else -1)
            return Destination.STAY
        self._focus_on(name)
        if name in OPTIONS:
            self._change(name, 1)
            return Destination.STAY
        return Destination.STAY if name in FIELDS else self._choose(name)

    def _change(self, name: str, step: int) -> None:
        """Change an option to its next or previous value."""
        self._refused = ""
        self.choices.change(name, step)

    def value(self, option: str) -> str:
        """Return the value of an option."""
        return str(getattr(self.choices, option))

    def _choose(self, name: str) -> Destination:
        if name == "settings":
            return Destination.SETTINGS
        level = self.custom() if name == "custom" else LEVELS[name]
        if isinstance(level, str):
            return Destination.STAY
        try:
            self.choices.begin(self.session, level)
        except SapperError as reason:
            self._refused = str(reason)
            return Destination.STAY
        return Destination.BOARD

    def _focus_on(self, name: str) -> None:
        self.focus = name
        self._fresh = True
        self._refused = ""

    def _step(self, change: int) -> None:
        value = int(self._typed[self.focus] or "0") + change
        highest = 10 ** MOST_DIGITS[self.focus] - 1
        self._typed[self.focus] = str(min(max(0, value), highest))
        self._fresh = True

    def key(self, key: Key) -> Destination:
        """Handle a key press; only keys that move or change a number repeat."""
        place = MENU_ITEMS.index(self.focus)
        if key.code in (pygame.K_DOWN, pygame.K_TAB):
            self._focus_on(MENU_ITEMS[(place + 1) % len(MENU_ITEMS)])
        elif key.code == pygame.K_UP:
            self._focus_on(MENU_ITEMS[place - 1])
        elif self.focus in FIELDS and self._change_field(key):
            return Destination.STAY
        elif self.focus in OPTIONS and key.code in CHANGING:
            self._change(self.focus, CHANGING[key.code])
        elif key.code == pygame.K_RIGHT:
            self._focus_on(FIELDS[0])
        elif key.repeated:
            return Destination.STAY
        elif key.code in (pygame.K_ESCAPE, pygame.K_m):
            return Destination.BACK
        elif key.code in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            return self._choose("custom" if self.focus in FIELDS else self.focus)
        return Destination.STAY

    def _change_field(self, key: Key) -> bool:
        """Change the focused number; return whether the key does that."""
        typed = self._typed[self.focus]
        if key.code == pygame.K_LEFT or key.character == "-":
            self._step(-1)
        elif key.code == pygame.K_RIGHT or (key.character and key.character in "+="):
            self._step(1)
        elif key.code == pygame.K_BACKSPACE:
            self._typed[self.focus] = typed[:-1]
            self._fresh = False
        elif key.character and key.character in "0123456789":
            longer = ("" if self._fresh else typed) + key.character
            self._typed[self.focus] = (longer.lstrip("0") or "0")[: MOST_DIGITS[self.focus]]
            self._fresh = False
        else:
            return False
        return True

    # Drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        layout, unit = self.layout, self.layout.unit
        canvas.text(layout.title, "Choose a level", round(1.9 * unit), canvas.theme.ink, "left")
        if layout.subtitle is not None:
            canvas.text(
                layout.subtitle, "Or a custom board", round(1.4 * unit), canvas.theme.muted, "left"
            )
        for name, rect in layout.items.items():
            custom = name == "custom"
            canvas.button(
                rect,
                {"custom": "Play this board", "settings": "Settings"}.get(name, ""),
                round(1.15 * unit),
                main=custom and not self.error,
                hovered=hovered == name,
                pressed=pressed == name,
                focused=self.focus == name,
            )
            if name in FIELDS:
                self._draw_field(canvas, name, rect, hovered, pressed)
            elif name in OPTIONS:
                self._draw_option(canvas, name, rect)
            elif name in LEVELS:
                self._draw_level(canvas, LEVELS[name], rect)
        if self.error:
            sentence = f"{self.error[0].upper()}{self.error[1:]}."
            canvas.paragraph(layout.error, sentence, unit, canvas.theme.lost)
        else:
            hint = "Arrow keys select and change; type digits for numbers. Enter plays, Esc goes back."
            canvas.paragraph(layout.error, hint, round(0.9 * unit), canvas.theme.muted)
        canvas.button(layout.back, "Back", unit, hovered=hovered == "back", pressed=pressed == "back")

    def _draw_level(self, canvas: Canvas, level: Level, rect: Rect) -> None:
        unit = self.layout.unit
        tall = min(rect.height - 4, round(2.6 * unit))
        edge, middle = unit * 2 // 3, rect.center[1]
        inside = Rect(rect.x + edge, middle - tall // 2, rect.width - 2 * edge, tall)
        size = f"{level.width} x {level.height}, {level.mines} mines"
        current = self.session.game.level == level
        label = f"{level.name} (current)" if current else level.name
        if rect.height < 2.4 * unit:
            canvas.text(inside.column(0, 2, 0), label, round(1.05 * unit), canvas.theme.ink, "left")
            canvas.text(inside.column(1, 2, 0), size, round(0.85 * unit), canvas.theme.muted, "right")
        elif inside.width < 24 * unit:
            canvas.text(inside.row(0, 2, 0), label, round(1.15 * unit), canvas.theme.ink, "left")
            canvas.text(inside.row(1, 2, 0), size, round(0.9 * unit), canvas.theme.muted, "left")
        else:
            canvas.text(inside, label, round(1.15 * unit), canvas.theme.ink, "left")
            canvas.text(inside, size, round(0.9 * unit), canvas.theme.muted, "right")

    def _draw_option(self, canvas: Canvas, name: str, rect: Rect) -> None:
        unit = self.layout.unit
        edge = unit * 2 // 3
        inside = Rect(rect.x + edge, rect.y, rect.width - 2 * edge, rect.height)
        label, value = inside.column(0, 2, 0), inside.column(1, 2, 0)
        canvas.text(label, LABELS[name], round(1.05 * unit), canvas.theme.muted, "left")
        canvas.text(value, self.value(name), round(1.05 * unit), canvas.theme.ink, "right")

    def _draw_field(
        self, canvas: Canvas, name: str, rect: Rect, hovered: Target | None, pressed: Target | None
    ) -> None:
        unit = self.layout.unit
        minus, plus = self.layout.steps[f"{name}-"], self.layout.steps[f"{name}+"]
        label = Rect(rect.x + unit * 2 // 3, rect.y, minus.x - rect.x - unit, rect.height)
        canvas.text(label, name, round(1.15 * unit), canvas.theme.ink, "left")
        for sign, step in (("-", minus), ("+", plus)):
            canvas.button(
                step,
                "",
                unit,
                hovered=hovered == f"{name}{sign}",
                pressed=pressed == f"{name}{sign}",
            )
            self._draw_sign(canvas, sign, step)
        value = Rect(minus.right, rect.y, plus.x - minus.right, rect.height).inset(2)
        canvas.text(value, self._typed[name] or "_", round(1.15 * unit), canvas.theme.ink)

    def _draw_sign(self, canvas: Canvas, sign: str, rect: Rect) -> None:
        """Draw a plus or a minus; the font's own are not centred vertically."""
        thick = max(2, self.layout.unit // 7)
        long = thick * 5
        x, y = rect.center
        canvas.box(Rect(x - long // 2, y - thick // 2, long, thick), 0, canvas.theme.ink)
        if sign == "+":
            upright = Rect(x - long // 2 + thick * 2, y - thick // 2 - thick * 2, thick, long)
            canvas.box(upright, 0, canvas.theme.ink)
