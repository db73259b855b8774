"""Helpers that tests share."""

from __future__ import annotations

import os
from typing import Final

SLOWDOWN: Final = float(os.environ.get("SAPPER_TEST_SLOWDOWN", "1"))
"""How many times slower than usual the engine may be: tools/sanitize.sh sets it."""
