"""The page of a review."""

from __future__ import annotations

from sapper.review import Review


def page_of(review: Review) -> str:
    """Return the page."""
    return str(review)
