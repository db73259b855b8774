"""Sessions: one person's game, with help."""

from __future__ import annotations

from sapper.session.session import Session
from sapper.session.start import NoGuess, Start

__all__ = [
    "NoGuess",
    "Session",
    "Start",
]
