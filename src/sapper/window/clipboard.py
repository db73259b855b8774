"""Clipboard: a text to and from other programs, where the screen has a clipboard."""

from __future__ import annotations

import pygame


def write(text: str) -> bool:
    """Put a text on the clipboard; return whether there is one."""
    try:
        pygame.scrap.put_text(text)
    except (pygame.error, NotImplementedError, AttributeError):
        return False
    return True


def read() -> str | None:
    """Return the text on the clipboard: empty if it holds none, None if there is no clipboard."""
    try:
        return pygame.scrap.get_text() if pygame.scrap.has_text() else ""
    except (pygame.error, NotImplementedError, AttributeError):
        return None
