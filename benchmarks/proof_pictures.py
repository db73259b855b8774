"""Make docs/images/proof-*.svg, the same each time: `python -m benchmarks.proof_pictures [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from sapper import Position, Proof, explain
from sapper.position import Cell

IMAGES = Path(__file__).parents[1] / "docs" / "images"
EXAMPLES: dict[str, tuple[str, Cell]] = {
    "counting": ("2x1/1\n1 #", (0, 1)),
    "subset": ("3x2/1\n1 1 #\n# # #", (0, 2)),
    "chain": ("4x2/2\n1 2 # 1\n# # # #", (1, 3)),
    "overlap": ("3x2/2\n1 # 2\n# # #", (1, 0)),
    "cases": ("3x3/1\n# 1 #\n1 # 1\n# # #", (2, 1)),
    "mine-count": ("4x1/1\n# 1 # #", (0, 3)),
}
"""The smallest positions where no simpler kind finds anything, as benchmarks/smallest.py says."""


def examples() -> dict[str, Proof]:
    """Return the proofs of docs/proofs.md, by the names of their pictures."""
    return {name: explain(Position.parse(text), cell) for name, (text, cell) in EXAMPLES.items()}


def pictures() -> dict[str, str]:
    """Return the pictures, by the names of their files."""
    proofs = examples()
    drawn = {f"proof-{name}.svg": proof.svg() for name, proof in proofs.items()}
    return drawn | {"proof-overlap-step.svg": proofs["overlap"].svg(step=3)}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        path = folder / name
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
