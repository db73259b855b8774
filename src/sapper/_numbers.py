"""Numbers as people read them: large counts, and chances that never look certain."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.analysis import Chance


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


def format_percent(chance: Chance, *, digits: int = 0) -> str:
    """Return a chance that is not certain in percent; it never reads as 0 or 100.

    >>> format_percent(0.123), format_percent(0.001), format_percent(0.9999)
    ('12', '<1', '>99')
    >>> format_percent(0.123, digits=1), format_percent(0.0001, digits=1)
    ('12.3', '<0.1')
    """
    percent, least = 100 * float(chance), 10.0**-digits
    if percent < least:
        return f"<{least:.{digits}f}"
    if percent > 100 - least:
        return f">{100 - least:.{digits}f}"
    return f"{percent:.{digits}f}"
