"""The settings screen: theme, text size, marks, chords, agent and autoplay speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pygame

from sapper.profile.settings import Settings, settings_path
from sapper.session.session import Session
from sapper.window.canvas import Canvas
from sapper.window.choices import apply_settings
from sapper.window.keys import KeyTable
from sapper.window.layout import SETTINGS, Rect, SettingsLayout, arrange_settings
from sapper.window.screens import LEFT, RIGHT, Destination, Key, Screen, Target
from sapper.window.theme import THEMES

SCALES: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
MOVES: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
LABELS: Final = {
    "theme": "theme",
    "text_scale": "text size",
    "question_marks": "question marks",
    "strict_chords": "chords need exact flags",
    "agent": "agent",
    "autoplay_speed": "autoplay speed",
}


class SettingsScreen(Screen):
    """One row per setting. Changes apply at once."""

    layout: SettingsLayout

    def __init__(
        self,
        session: Session,
        keys: KeyTable | None = None,
        save: Callable[[Settings], str | None] = lambda _: None,
    ) -> None:
        """Show the current settings; `save` stores changes and returns an error message if it fails."""
        super().__init__(session)
        self.focus = SETTINGS[0]
        self._table = {} if keys is None else {action: tuple(names) for action, names in keys.items()}
        self._save = save
        self._changed = False

    @property
    def settings(self) -> Settings:
        """The current settings."""
        session, look = self.session, self.look
        return Settings(
            theme=look.theme.name,
            text_scale=look.text_scale,
            reduced_motion=look.reduced_motion,
            question_marks=session.question_marks,
            strict_chords=session.strict_chords,
            agent=session.built_in_agent,
            autoplay_speed=min(session.speed, MOVES[-1]),
            keys=self._table,
        )

    def arrange(self, width: int, height: int, density: float) -> None:
        """Lay out the screen for a window of this size."""
        scale = self.look.text_scale
        self.layout = arrange_settings(width, height, density=density, text_scale=scale)

    @property
    def buttons(self) -> dict[str, Rect]:
        """The rectangles of the buttons."""
        return {**self.layout.rows, "back": self.layout.back}

    def value(self, name: str) -> str:
        """Return the value of a setting as text."""
        settings = self.settings
        return {
            "theme": settings.theme,
            "text_scale": f"{100 * settings.text_scale:.0f} %",
            "question_marks": "on" if settings.question_marks else "off",
            "strict_chords": "on" if settings.strict_chords else "off",
            "agent": settings.agent,
            "autoplay_speed": f"{settings.autoplay_speed:g} moves per second",
        }[name]

    # Input -----------------------------------------------------------------------------------

    def click(self, target: Target, button: int) -> Destination:
        """Change the clicked setting; the right button goes to the previous value."""
        if isinstance(target, str) and target in SETTINGS and button in (LEFT, RIGHT):
            self.focus = target
            self.change(target, 1 if button == LEFT else -1)
            return Destination.STAY
        return super().click(target, button)

    def press(self, name: str) -> Destination:
        """Handle a press of a button."""
        if name == "back":
            return Destination.BACK
        self.change(name, 1)
        return Destination.STAY

    def change(self, name: str, step: int) -> None:
        """Change a setting to its next or previous value."""
        values: dict[str, tuple[object, ...]] = {
            "theme": tuple(THEMES),
            "text_scale": SCALES,
            "question_marks": (False, True),
            "strict_chords": (False, True),
            "agent": self.session.agent_names,
            "autoplay_speed": MOVES,
        }
        choices, settings = values[name], self.settings
        present = getattr(settings, name)
        place = choices.index(present) if present in choices else _nearest(present, choices)
        value = choices[(place + step) % len(choices)]
        settings = replace(settings, **{name: value})  # type: ignore[arg-type]
        theme, scale = THEMES[settings.theme], settings.text_scale
        self.look = replace(self.look, theme=theme, text_scale=scale)
        apply_settings(self.session, settings)
        self._changed = True

    def key(self, key: Key) -> Destination:
        """Handle a key press; only keys that move repeat."""
        place = SETTINGS.index(self.focus)
        if key.code == pygame.K_UP or (key.code == pygame.K_TAB and key.shift):
            self.focus = SETTINGS[place - 1]
        elif key.code in (pygame.K_DOWN, pygame.K_TAB):
            self.focus = SETTINGS[(place + 1) % len(SETTINGS)]
        elif key.code in (pygame.K_LEFT, pygame.K_RIGHT):
            self.change(self.focus, 1 if key.code == pygame.K_RIGHT else -1)
        elif key.repeated:
            return Destination.STAY
        elif key.code in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.change(self.focus, 1)
        elif key.code == pygame.K_ESCAPE or self.keys.action(key) == "settings":
            return Destination.BACK
        return Destination.STAY

    def leave(self) -> None:
        """Save changes; show an error as the session's message."""
        trouble = self._save(self.settings) if self._changed else None
        if trouble is not None:
            self.session.show_message(f"The settings could not be saved: {trouble}.")
        self._changed = False

    # Drawing ---------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, hovered: Target | None, pressed: Target | None) -> None:
        """Draw the screen."""
        layout, unit, theme = self.layout, self.layout.unit, canvas.theme
        canvas.text(layout.title, "Settings", round(1.9 * unit), theme.ink, "left")
        size = round(1.15 * unit)
        for name, rect in layout.rows.items():
            canvas.button(
                rect,
                "",
                size,
                hovered=hovered == name,
                pressed=pressed == name,
                focused=self.focus == name,
            )
            inside = Rect(rect.x + unit, rect.y, rect.width - 2 * unit, rect.height)
            canvas.text(inside.column(0, 2, unit), LABELS[name], size, theme.muted, "left")
            canvas.text(inside.column(1, 2, unit), self.value(name), size, theme.ink, "right")
        note = f"Arrow keys select and change; Esc goes back. To change keys, edit {settings_path()}."
        canvas.paragraph(layout.note, note, round(0.9 * unit), theme.muted)
        canvas.button(layout.back, "Back", unit, hovered=hovered == "back", pressed=pressed == "back")


def _nearest(value: object, choices: tuple[object, ...]) -> int:
    """Return the index of the choice nearest to a number; 0 for other values."""
    if not isinstance(value, float):
        return 0
    numbers = [choice for choice in choices if isinstance(choice, float)]
    return min(range(len(numbers)), key=lambda place: abs(numbers[place] - value), default=0)
