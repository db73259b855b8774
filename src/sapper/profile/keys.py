"""Key bindings: the actions that have keys, and their default keys."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sapper.errors import BadKey

MODIFIERS: Final = ("ctrl", "alt", "shift", "meta")
"""The modifier keys, in the order used in key names."""
NAMED_KEYS: Final = (
    *("space", "return", "backspace", "tab", "escape", "delete", "insert"),
    *("enter", "[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]"),
    *("[.]", "[/]", "[*]", "[-]", "[+]"),
    *(f"f{number}" for number in range(1, 16)),
)
"""Keys with names, as in pygame. `enter` and the names in brackets are on the numeric keypad."""
CURSOR_KEYS: Final = ("up", "down", "left", "right", "page up", "page down", "home", "end")
"""Keys that always move the cursor and cannot have other actions."""


class KeyAction(NamedTuple):
    """An action that has keys."""

    name: str
    words: str
    """What it does."""
    keys: tuple[str, ...]
    """The default keys."""


ACTIONS: Final[dict[str, KeyAction]] = {
    action.name: action
    for action in (
        KeyAction("open", "open the cell, or chord on a number", ("space", "return")),
        KeyAction("flag", "flag or unflag the cell", ("f",)),
        KeyAction("chord", "chord: open the neighbours of a number that has all its flags", ("d",)),
        KeyAction("ai", "make one move of the agent", ("a",)),
        KeyAction("new", "start a new board", ("n",)),
        KeyAction("reset", "start a new board of the same level", ("r",)),
        KeyAction("again", "restart the same board", ("g",)),
        KeyAction("level", "choose a level", ("m",)),
        KeyAction("undo", "undo the last move", ("u", "backspace")),
        KeyAction("redo", "redo the last undone move", ("y",)),
        KeyAction("hint", "show a hint", ("h",)),
        KeyAction("why", "explain why a cell is safe or a mine", ("w",)),
        KeyAction("next_step", "show the next step of a proof", (".",)),
        KeyAction("previous_step", "show the previous step of a proof", (",",)),
        KeyAction("heat", "show or hide the risk of every cell", ("e",)),
        KeyAction("knowledge", "show or hide what the agent from a file learned", ("k",)),
        KeyAction("autoplay", "start or stop autoplay", ("p",)),
        KeyAction("faster", "speed up autoplay", ("]",)),
        KeyAction("slower", "slow down autoplay", ("[",)),
        KeyAction("agent", "switch to the next agent", ("t",)),
        KeyAction("review", "review the game move by move", ("v",)),
        KeyAction("statistics", "show the statistics", ("s",)),
        KeyAction("settings", "show the settings", ("o",)),
        KeyAction("copy", "copy the board code", ("c",)),
        KeyAction("paste", "play the board code on the clipboard", ("ctrl+v",)),
        KeyAction("go_on", "continue for practice after hitting a mine", ("x",)),
        KeyAction("help", "show the help page", ("f1",)),
        KeyAction("zoom_in", "zoom in", ("+", "=")),
        KeyAction("zoom_out", "zoom out", ("-",)),
        KeyAction("leave", "close the help, or go to the start screen", ("escape",)),
    )
}
"""The actions, by name."""


def key_name(text: str) -> str:
    """Return the normalised name of a key: lower case, with its modifiers in order.

    >>> key_name("Shift+Ctrl+V"), key_name("ctrl++"), key_name("F1")
    ('ctrl+shift+v', 'ctrl++', 'f1')
    >>> key_name("entr")
    Traceback (most recent call last):
    sapper.errors.BadKey: 'entr' is not the name of a key
    """
    match = re.fullmatch(rf"((?:(?:{'|'.join(MODIFIERS)})\+)*)(.+)", text.lower())
    if match is None:
        raise BadKey(f"{text!r} is not the name of a key")
    held, name = match[1].split("+")[:-1], match[2]
    if name in CURSOR_KEYS:
        raise BadKey(f"{text!r} always moves the cursor")
    if name not in NAMED_KEYS and not (len(name) == 1 and name.isprintable() and name != " "):
        raise BadKey(f"{text!r} is not the name of a key")
    return "+".join((*(modifier for modifier in MODIFIERS if modifier in held), name))
