"""CSV cells: keep spreadsheets from treating text as formulas."""

from __future__ import annotations

from typing import Final

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula starts with, including the full-width forms that some spreadsheets accept."""


def safe_cell(value: object) -> object:
    r"""Return a value for a CSV file. Text that looks like a formula gets a leading apostrophe.

    Spreadsheets then show the cell as text. Characters that are not printable, such as tabs and line
    breaks, are escaped, because they could end the cell. Numbers, even negative ones, are unchanged.

    >>> safe_cell("strong"), safe_cell("=1+1"), safe_cell(-1.5), safe_cell("-1.5")
    ('strong', "'=1+1", -1.5, "'-1.5")
    >>> print(safe_cell("\r=1+1"))
    \r=1+1
    """
    if not isinstance(value, str):
        return value
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
