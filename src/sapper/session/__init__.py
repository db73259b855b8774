"""Sessions: one person's game, with help."""

from __future__ import annotations

from sapper.session.session import Session

__all__ = [
    "Session",
]
