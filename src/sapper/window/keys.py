"""Keys: which action a key press triggers, according to the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import pygame

from sapper.errors import BadKey
from sapper.profile.keys import ACTIONS, MODIFIERS, key_name

KeyTable = Mapping[str, Sequence[str]]
"""The keys of each action."""

CUSTOMS: Final[KeyTable] = {
    "undo": ("ctrl+z",),
    "redo": ("ctrl+shift+z", "ctrl+y"),
    "copy": ("ctrl+c",),
    "paste": ("ctrl+v",),
    "new": ("f2",),
    "help": ("?",),
}
"""Keys that are common in other programs. They apply unless the table assigns them differently."""

PAD: Final = {
    "enter": pygame.K_KP_ENTER,
    "[.]": pygame.K_KP_PERIOD,
    "[/]": pygame.K_KP_DIVIDE,
    "[*]": pygame.K_KP_MULTIPLY,
    "[-]": pygame.K_KP_MINUS,
    "[+]": pygame.K_KP_PLUS,
    **{f"[{digit}]": getattr(pygame, f"K_KP{digit}") for digit in range(10)},
}
"""The keys of the numeric keypad."""
LABELS: Final = {
    "return": "Enter",
    "escape": "Esc",
    ".": "Period",
    ",": "Comma",
    "+": "Plus",
    "-": "Minus",
}
"""Display names of keys, where pygame's names would be unclear."""


class Key(NamedTuple):
    """A key press: pygame's key code, and the character it types, if any."""

    code: int
    character: str = ""
    repeated: bool = False
    """Whether the key is held down and repeats."""
    control: bool = False
    """Whether Ctrl is held down, or Command on a Mac."""
    shift: bool = False
    alt: bool = False


class _Press(NamedTuple):
    """A key with its modifiers."""

    code: int
    character: str
    control: bool
    shift: bool
    alt: bool

    def matches(self, key: Key) -> bool:
        """Return whether a key press matches: by key code, or by the typed character."""
        if (self.control, self.alt) != (key.control, key.alt) or (self.shift and not key.shift):
            return False
        typed = bool(key.character) and key.character.lower() == self.character and not self.control
        return typed or key.code == self.code


def parse_key(text: str) -> _Press:
    """Return the key with this name.

    >>> parse_key("ctrl+z").control, parse_key("f1").code == pygame.K_F1
    (True, True)
    """
    text = key_name(text)
    held = [part for part in text.split("+") if part in MODIFIERS]
    name = text[sum(len(part) + 1 for part in held) :]
    if len(name) == 1:
        code = ord(name)
    elif name in PAD:
        code = PAD[name]
    else:
        code = getattr(pygame, f"K_{name}", getattr(pygame, f"K_{name.upper()}", 0))
    control = "ctrl" in held or "meta" in held
    return _Press(code, name if len(name) == 1 else "", control, "shift" in held, "alt" in held)


class Keys:
    """A lookup table from key presses to actions.

    >>> Keys({"flag": ("x",)}).action(Key(pygame.K_x, "x"))
    'flag'
    >>> Keys().label("undo"), Keys().label("open")
    ('U', 'Space')
    """

    def __init__(self, table: KeyTable | None = None) -> None:
        """Use a table; actions missing from it keep their default keys."""
        given = {} if table is None else table
        for action in given:
            if action not in ACTIONS:
                raise BadKey(f"unknown action {action!r}; choose one of {', '.join(ACTIONS)}")
        self._names = {name: tuple(given.get(name, action.keys)) for name, action in ACTIONS.items()}
        # Configured keys come before defaults, and keys with Shift before keys without.
        order = sorted(ACTIONS, key=lambda action: action not in given)
        presses = [(parse_key(name), action) for action in order for name in self._names[action]]
        customs = [(parse_key(name), action) for action, names in CUSTOMS.items() for name in names]
        self._presses = [
            *sorted(presses, key=lambda pair: not pair[0].shift),
            *sorted(customs, key=lambda pair: not pair[0].shift),
        ]

    def action(self, key: Key) -> str | None:
        """Return the action of a key press. The keypad's Enter key defaults to the action of Enter."""
        found = next((action for press, action in self._presses if press.matches(key)), None)
        if found is None and key.code == pygame.K_KP_ENTER:
            return self.action(key._replace(code=pygame.K_RETURN))
        return found

    def label(self, action: str) -> str:
        """Return the display name of an action's first key; empty if it has none."""
        if not self._names[action]:
            return ""
        name = self._names[action][0]
        held = [part for part in name.split("+") if part in MODIFIERS]
        last = name[sum(len(part) + 1 for part in held) :]
        return "+".join([*(part.capitalize() for part in held), LABELS.get(last, last.capitalize())])
