"""For the site of the docs: examples in docstrings become blocks of code."""

from __future__ import annotations

import re

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).+)*", re.MULTILINE)


class DoctestFences(griffe.Extension):
    """Puts a fence around each example."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(
                lambda found: f"\n```pycon\n{found[0]}\n```", obj.docstring.value
            )
