"""Quoting: values from outside in error messages, on one line, printable and not too long."""

from __future__ import annotations

from typing import Final

_MOST: Final = 60
"""The most characters of a value that a message repeats."""
_LARGE: Final = 10**20
"""Larger numbers are not written out: `str` refuses those of more than 4,300 digits."""


def quoted(value: object, most: int = _MOST) -> str:
    """Return a value as a message repeats it; no character of it can control a terminal.

    >>> quoted("castle"), quoted("\\x1b[2J"), quoted("x" * 1000, most=3)
    ("'castle'", "'\\\\x1b[2J'", "'xxx'...")
    >>> quoted(7), quoted(10**5000)
    ('7', '10**20 or more')
    """
    if isinstance(value, str):
        return repr(value[:most]) + ("..." if len(value) > most else "")
    if isinstance(value, int) and not -_LARGE < value < _LARGE:
        return "10**20 or more" if value > 0 else "-10**20 or less"
    try:
        text = repr(value)
    except Exception:  # A number with too many digits is inside, or the object's own `repr` fails.
        return f"an object of type {type(value).__name__}"
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= most else f"{text[:most]}..."
