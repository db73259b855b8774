"""Which engine answers: the compiled one where it was built, the plain-Python one elsewhere."""

from __future__ import annotations

import os
from types import ModuleType

from sapper import _reference

ENGINES = ("compiled", "python")


def pick(wanted: str | None) -> tuple[str, ModuleType]:
    """Return the name and the module of the engine: the one wanted, or the best there is.

    >>> name, module = pick("python")
    >>> name
    'python'
    """
    if wanted and wanted not in ENGINES:
        raise ImportError(f"SAPPER_ENGINE is {wanted!r}: it can be {' or '.join(ENGINES)}")
    if wanted != "python":
        try:
            from sapper import _core
        except ImportError as reason:
            if wanted == "compiled":
                raise ImportError(f"SAPPER_ENGINE asks for the compiled engine: {reason}") from reason
        else:
            return "compiled", _core
    return "python", _reference


name, engine = pick(os.environ.get("SAPPER_ENGINE"))
