"""Selection of the engine: the compiled module, unless it was not built or Python was requested."""

from __future__ import annotations

import os
from types import ModuleType

ENGINES = ("compiled", "python")


def load_core(wanted: str | None) -> ModuleType | None:
    """Return the compiled module; None if it is missing, or if pure Python is wanted.

    >>> load_core("python") is None
    True
    >>> load_core("quantum")
    Traceback (most recent call last):
    ImportError: SAPPER_ENGINE is 'quantum': choose compiled or python
    """
    if wanted and wanted not in ENGINES:
        raise ImportError(f"SAPPER_ENGINE is {wanted!r}: choose {' or '.join(ENGINES)}")
    if wanted == "python":
        return None
    try:
        from sapper import _core
    except ImportError as reason:
        if wanted == "compiled":
            message = f"SAPPER_ENGINE asks for the compiled engine: {reason}"
            raise ImportError(message) from reason
        return None
    return _core


core = load_core(os.environ.get("SAPPER_ENGINE"))
