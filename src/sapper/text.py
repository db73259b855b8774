"""Text for people: counts, probabilities, and values that error messages quote."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fractions import Fraction

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


def format_digits(number: int) -> str:
    """Return all the digits of a number, however many: `str` refuses more than some thousands.

    >>> len(format_digits(10**5000))
    5001
    """
    return f"{Decimal(number):f}"


def format_count(number: int) -> str:
    """Return a number as people read it: with separators, or rounded if it is huge.

    >>> format_count(1234567), format_count(7**99)
    ('1,234,567', '4.62e+83')
    """
    return f"{number:,}" if number < 10**12 else f"{Decimal(number):.2e}"


def format_percent(chance: float | Fraction, *, digits: int = 0) -> str:
    """Return a probability in percent. Only 0 and 1 themselves read as 0 and 100.

    >>> format_percent(0.123), format_percent(0.001), format_percent(0.9999)
    ('12', '<1', '>99')
    >>> format_percent(0.123, digits=1), format_percent(0.0001, digits=1)
    ('12.3', '<0.1')
    >>> format_percent(0), format_percent(1.0, digits=1)
    ('0', '100')
    """
    if chance in (0, 1):
        return f"{100 * int(chance)}"
    percent, least = 100 * float(chance), 10.0**-digits
    if percent < least:
        return f"<{least:.{digits}f}"
    if percent > 100 - least:
        return f">{100 - least:.{digits}f}"
    return f"{percent:.{digits}f}"
