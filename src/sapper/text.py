"""Text for people: counts, plurals, probabilities, lists, and the values that error messages quote.

`position.describe_cell` and `position.format_size` do the same for cells and sizes.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

_LONGEST_QUOTE: Final = 60
"""A message quotes at most this many characters of a value."""
_LARGE: Final = 10**20
"""Larger numbers are not written out: `str` rejects those with more than 4,300 digits."""


def quoted(value: object, most: int = _LONGEST_QUOTE) -> str:
    """Return a value as error messages quote it, without characters that could control a terminal.

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
    except Exception:  # It contains a number with too many digits, or its own `repr` fails.
        return f"an object of type {type(value).__name__}"
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= most else f"{text[:most]}..."


def format_digits(number: int) -> str:
    """Return all digits of a number; `str` rejects numbers with thousands of digits.

    >>> len(format_digits(10**5000))
    5001
    """
    return f"{Decimal(number):f}"


def format_count(number: int) -> str:
    """Return a number with thousands separators; a huge one is rounded.

    >>> format_count(1234567), format_count(7**99)
    ('1,234,567', '4.62e+83')
    """
    return f"{number:,}" if number < 10**12 else f"{Decimal(number):.2e}"


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """Return a number and its noun, in the plural unless the number is 1.

    >>> plural(1, "layout"), plural(16290120, "layout"), plural(2, "guess", "guesses")
    ('1 layout', '16,290,120 layouts', '2 guesses')
    """
    return f"{format_count(number)} {noun if number == 1 else nouns or noun + 's'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return the parts as an English list.

    >>> listed(["1"]), listed(["1", "2", "4"]), listed(["none", "safe"], "or")
    ('1', '1, 2 and 4', 'none or safe')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capitalised(text: str) -> str:
    """Return a text with its first letter in upper case; the rest stays as it is.

    >>> capitalised("row 1 of A")
    'Row 1 of A'
    """
    return text[:1].upper() + text[1:]


def format_percent(chance: float | Fraction, *, digits: int = 0) -> str:
    """Return a probability in percent, without the sign. Only 0 and 1 themselves read as 0 and 100.

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


def percent(chance: float | Fraction) -> str:
    """Return a probability in percent with one digit after the point.

    >>> percent(0.5), percent(1), percent(0.00001), percent(3599 / 3600)
    ('50.0 %', '100 %', '<0.1 %', '>99.9 %')
    """
    return f"{format_percent(chance, digits=1)} %"
