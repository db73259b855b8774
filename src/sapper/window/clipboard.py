"""The clipboard: copy and paste text."""

from __future__ import annotations

import pygame


def write(text: str) -> bool:
    """Copy text; return whether there is a clipboard."""
    try:
        pygame.scrap.put_text(text)
    except (pygame.error, NotImplementedError, AttributeError):
        return False
    return True


def read() -> str | None:
    """Return the text on the clipboard: empty if it has none, None if there is no clipboard."""
    try:
        return pygame.scrap.get_text() if pygame.scrap.has_text() else ""
    except (pygame.error, NotImplementedError, AttributeError):
        return None
