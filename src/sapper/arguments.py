"""Checks of arguments: a value of the wrong type raises a clear `TypeError` where it enters."""

from __future__ import annotations

from operator import index
from typing import TypeVar

from sapper.text import quoted

Instance = TypeVar("Instance")


def integer(value: object, what: str) -> int:
    """Return an integer as a plain `int`; integers of other libraries, such as NumPy, are accepted.

    >>> integer(3, "the height of a board")
    3
    >>> integer(3.0, "the height of a board")
    Traceback (most recent call last):
    TypeError: the height of a board must be an integer, not 3.0
    """
    if type(value) is int:
        return value
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        try:
            return int(index(value))  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(f"{what} must be an integer, not {quoted(value)}")


def boolean(value: object, what: str) -> bool:
    """Return a value that must be True or False.

    >>> boolean(1, "trust_flags")
    Traceback (most recent call last):
    TypeError: trust_flags must be True or False, not 1
    """
    if isinstance(value, bool):
        return value
    raise TypeError(f"{what} must be True or False, not {quoted(value)}")


def text(value: object, what: str) -> str:
    """Return a value that must be a string.

    >>> text(b"3x1/1", "the name of a level")
    Traceback (most recent call last):
    TypeError: the name of a level must be a string, not b'3x1/1'
    """
    if isinstance(value, str):
        return value
    raise TypeError(f"{what} must be a string, not {quoted(value)}")


def instance(value: object, kind: type[Instance], what: str) -> Instance:
    """Return a value that must be an instance of this class.

    >>> instance("9x9/10", dict, "the settings")
    Traceback (most recent call last):
    TypeError: the settings must be a dict object, not '9x9/10'
    """
    if isinstance(value, kind):
        return value
    raise TypeError(f"{what} must be a {kind.__name__} object, not {quoted(value)}")
