"""CSV cells: texts that a spreadsheet would execute are made harmless."""

from __future__ import annotations

from typing import Final

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Also in the full-width forms that some spreadsheets accept."""


def safe_cell(value: object) -> object:
    r"""Return a value for a CSV file. A text that looks like a formula gets an apostrophe in front.

    Spreadsheets show such a cell as text. Characters that cannot be printed, as tabs and line breaks,
    are escaped: they could end the cell. Numbers are not changed, negative ones included.

    >>> safe_cell("strong"), safe_cell("=1+1"), safe_cell(-1.5), safe_cell("-1.5")
    ('strong', "'=1+1", -1.5, "'-1.5")
    >>> print(safe_cell("\r=1+1"))
    \r=1+1
    """
    if not isinstance(value, str):
        return value
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in value)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
