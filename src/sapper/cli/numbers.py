"""Numbers on the command line, parsed strictly. Errors name the value and the valid range."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

import typer

_MOST_DIGITS: Final = 30
"""More than any option needs. Thousands of digits would take long to parse."""
_LONGEST_SHOWN: Final = 40


def whole_number(least: int | None = None, most: int | None = None) -> Callable[[object], int]:
    """Return a parser for a whole number in a range, which includes both ends.

    Without a range, the command has to check the number itself.

    >>> whole_number(1, 10)("7")
    7
    >>> try:
    ...     whole_number(1, 10)("11")
    ... except typer.BadParameter as error:
    ...     print(error)
    '11' is not a whole number from 1 to 10
    """

    def parse(value: object) -> int:
        text = str(value).strip()
        number = int(text) if re.fullmatch(rf"[+-]?\d{{1,{_MOST_DIGITS}}}", text, re.ASCII) else None
        if number is None or not _is_between(number, least, most):
            raise typer.BadParameter(f"{_shown(text)} is not a whole number{_range(least, most)}")
        return number

    return parse


def number(least: float | None = None, most: float | None = None) -> Callable[[object], float]:
    """Return a parser for a number in a range, which includes both ends.

    Without a range, the command has to check the number itself. Infinity is a number, NaN is not.

    >>> number(0)("1.5")
    1.5
    >>> try:
    ...     number(0, 3600)("nan")
    ... except typer.BadParameter as error:
    ...     print(error)
    'nan' is not a number from 0 to 3,600
    """

    def parse(value: object) -> float:
        text = str(value).strip()
        try:
            number = float(text) if text.isascii() and "_" not in text else math.nan
        except ValueError:
            number = math.nan
        if math.isnan(number) or not _is_between(number, least, most):
            raise typer.BadParameter(f"{_shown(text)} is not a number{_range(least, most)}")
        return number

    return parse


def _is_between(number: float, least: float | None, most: float | None) -> bool:
    return (least is None or least <= number) and (most is None or number <= most)


def _range(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    return f" of at least {least:,}" if most is None else f" from {least:,} to {most:,}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")
