"""Make docs/images/knowledge-*.svg: `python -m benchmarks.knowledge_pictures [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from sapper import Position, analyse

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SEEN = {
    "mine": "3x3/1\n1 1 1\n1 # 1\n1 1 1",
    "number": "3x3/1\n# # #\n# 1 #\n# # #",
}
"""Positions that are shown as they are."""
SOLVED = {
    "zero": "4x3/2\n# # # #\n# 0 # #\n# # # #",
    "all": "4x3/5\n3 # # #\n# # # #\n# # # #",
    "subset": "3x2/1\n1 1 #\n# # #",
}
"""Positions that are shown with the risk of every hidden cell in percent."""


def pictures() -> dict[str, str]:
    """Return the pictures, by the names of their files."""
    seen = {name: Position.parse(text).svg() for name, text in SEEN.items()}
    for name, text in SOLVED.items():
        position = Position.parse(text)
        seen[name] = position.svg(analyse(position))
    return {f"knowledge-{name}.svg": picture for name, picture in seen.items()}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        path = folder / name
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
