"""Keys: which keys do what. The table is data, so that a player may replace it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import pygame

from sapper.errors import SapperError

KeyTable = Mapping[str, Sequence[str]]
"""For each action the keys that do it."""

DEFAULT_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "open": ("space", "return", "kp_enter"),
    "flag": ("f",),
    "chord": ("c",),
    "ai": ("a",),
    "new": ("n", "f2"),
    "reset": ("r",),
    "again": ("b",),
    "level": ("m",),
    "undo": ("u", "ctrl+z", "backspace"),
    "redo": ("y", "ctrl+y", "ctrl+shift+z"),
    "hint": ("h",),
    "why": ("w",),
    "why_here": ("shift+w",),
    "next_step": (".",),
    "previous_step": (",",),
    "heat": ("t",),
    "autoplay": ("p",),
    "faster": ("]",),
    "slower": ("[",),
    "agent": ("g",),
    "review": ("v",),
    "statistics": ("i",),
    "settings": ("s",),
    "copy": ("ctrl+c",),
    "paste": ("ctrl+v",),
    "go_on": ("o",),
    "help": ("f1", "?"),
    "zoom_in": ("+", "="),
    "zoom_out": ("-",),
    "leave": ("escape",),
}
"""What the window uses unless it is given another table."""

LABELS: Final = {
    "return": "Enter",
    "kp_enter": "Enter",
    "escape": "Esc",
    "ctrl": "Ctrl",
    "kp_plus": "+",
}


class BadKey(SapperError):
    """A name that no key has, or an action that there is not."""


class Key(NamedTuple):
    """A key that went down: pygame's code for it, and the character it types, if any."""

    code: int
    character: str = ""
    repeated: bool = False
    """Whether it comes again because it is held down."""
    control: bool = False
    shift: bool = False


class _Press(NamedTuple):
    """A key with what is held down beside it."""

    code: int
    character: str
    control: bool
    shift: bool

    def matches(self, key: Key) -> bool:
        """Return whether the key is this one. A typed character counts wherever its key is."""
        if self.control != key.control or (self.shift and not key.shift):
            return False
        typed = bool(key.character) and key.character == self.character and not self.control
        return typed or key.code == self.code


def parse_key(name: str) -> _Press:
    """Return the key of this name: a character or pygame's name, after `ctrl+` or `shift+` if need be.

    >>> parse_key("ctrl+z").control, parse_key("f1").code == pygame.K_F1
    (True, True)
    >>> parse_key("any")
    Traceback (most recent call last):
    sapper.window.keys.BadKey: 'any' is not the name of a key
    """
    held, last = set[str](), name.strip().lower()
    while len(last) > 1 and last.split("+")[0] in ("ctrl", "shift"):
        first, _, last = last.partition("+")
        held.add(first)
    named = getattr(pygame, f"K_{last}", getattr(pygame, f"K_{last.upper()}", 0))
    code = ord(last) if len(last) == 1 else named
    if not code or not last.isascii():
        raise BadKey(f"{name!r} is not the name of a key")
    return _Press(code, last if len(last) == 1 else "", "ctrl" in held, "shift" in held)


class Keys:
    """The keys of every action, ready to be looked up.

    >>> Keys({"flag": ("x",)}).action(Key(pygame.K_x, "x"))
    'flag'
    >>> Keys().label("undo"), Keys().label("open")
    ('U', 'Space')
    """

    def __init__(self, table: KeyTable | None = None) -> None:
        """Take a table; an action that it does not name keeps its default keys."""
        given = {} if table is None else table
        for action in given:
            if action not in DEFAULT_KEYS:
                raise BadKey(f"{action!r} is not an action: {', '.join(DEFAULT_KEYS)}")
        self._names = {action: tuple(given.get(action, keys)) for action, keys in DEFAULT_KEYS.items()}
        own = [action for action in DEFAULT_KEYS if action in given]
        order = own + [action for action in DEFAULT_KEYS if action not in given]
        presses = [(parse_key(name), action) for action in order for name in self._names[action]]
        # What a player chose goes before defaults; what asks for Shift before what does not.
        self._presses = sorted(presses, key=lambda pair: not pair[0].shift)

    def action(self, key: Key) -> str | None:
        """Return what the key does."""
        return next((action for press, action in self._presses if press.matches(key)), None)

    def label(self, action: str) -> str:
        """Return the first key of an action as it is shown to a player; nothing if it has none."""
        if not self._names[action]:
            return ""
        name = self._names[action][0]
        parts = [name] if len(name) == 1 else name.split("+")
        return "+".join(LABELS.get(part, part.capitalize()) for part in parts)
