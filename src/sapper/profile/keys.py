"""Keys: what a player can do with the keyboard, and by which keys unless the settings say otherwise."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sapper.errors import BadKey

MODIFIERS: Final = ("ctrl", "alt", "shift", "meta")
"""What may be held down with a key, in the order it is written."""
NAMED_KEYS: Final = (
    *("space", "return", "backspace", "tab", "escape", "delete", "insert"),
    *("enter", "[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]"),
    *("[.]", "[/]", "[*]", "[-]", "[+]"),
    *(f"f{number}" for number in range(1, 16)),
)
"""Keys with a name, as pygame calls them; those in brackets, and `enter`, are of the number pad."""
CURSOR_KEYS: Final = ("up", "down", "left", "right", "page up", "page down", "home", "end")
"""Keys that move the cursor, always."""


class KeyAction(NamedTuple):
    """Something that a key does."""

    name: str
    words: str
    """What it does."""
    keys: tuple[str, ...]
    """The keys for it, unless the settings say otherwise."""


ACTIONS: Final[dict[str, KeyAction]] = {
    action.name: action
    for action in (
        KeyAction("open", "open the cell, or around a number whose flags are set", ("space", "return")),
        KeyAction("flag", "flag the cell, or take its flag off", ("f",)),
        KeyAction("chord", "open around a number whose flags are set", ("d",)),
        KeyAction("ai", "let the agent move", ("a",)),
        KeyAction("new", "begin a new board", ("n",)),
        KeyAction("reset", "begin a new board of the same level", ("r",)),
        KeyAction("again", "play the same board again", ("g",)),
        KeyAction("level", "choose a level", ("m",)),
        KeyAction("undo", "take the last move back", ("u", "backspace")),
        KeyAction("redo", "make the move again that was taken back", ("y",)),
        KeyAction("hint", "show a good move", ("h",)),
        KeyAction("why", "prove why a cell is safe or a mine", ("w",)),
        KeyAction("next_step", "go to the next step of a proof or a review", (".",)),
        KeyAction("previous_step", "go to the step before", (",",)),
        KeyAction("heat", "show the risk of every cell, or hide it", ("e",)),
        KeyAction("autoplay", "let the agent play on, or stop it", ("p",)),
        KeyAction("faster", "let it play faster", ("]",)),
        KeyAction("slower", "let it play slower", ("[",)),
        KeyAction("agent", "choose the next agent", ("t",)),
        KeyAction("review", "review the game, move by move", ("v",)),
        KeyAction("statistics", "show the statistics", ("s",)),
        KeyAction("settings", "show the settings", ("o",)),
        KeyAction("copy", "copy the board's code", ("c",)),
        KeyAction("paste", "play on a board whose code was copied", ("ctrl+v",)),
        KeyAction("go_on", "go on after a mine was opened", ("x",)),
        KeyAction("help", "show the keys", ("f1",)),
        KeyAction("zoom_in", "make cells larger", ("+", "=")),
        KeyAction("zoom_out", "make cells smaller", ("-",)),
        KeyAction("leave", "leave the screen, or the game", ("escape",)),
    )
}
"""What keys can do, by name."""


def key_name(text: str) -> str:
    """Return the name of a key as it is written here: lower case, what is held with it in order.

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
        raise BadKey(f"{text!r} moves the cursor")
    if name not in NAMED_KEYS and not (len(name) == 1 and name.isprintable() and name != " "):
        raise BadKey(f"{text!r} is not the name of a key")
    return "+".join((*(modifier for modifier in MODIFIERS if modifier in held), name))
