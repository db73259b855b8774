"""Draw docs/images/proof-*.svg: `python -m benchmarks.proof_pictures [FOLDER]`.

The images are the same each time.
"""

from __future__ import annotations

from benchmarks.support import image_folder
from sapper import Position, Proof, explain
from sapper.position import Cell

EXAMPLES: dict[str, tuple[str, Cell]] = {
    "counting": ("2x1/1\n1 #", (0, 1)),
    "subset": ("3x2/1\n1 1 #\n# # #", (0, 2)),
    "chain": ("4x2/2\n1 2 # 1\n# # # #", (1, 3)),
    "overlap": ("3x2/2\n1 # 2\n# # #", (1, 0)),
    "cases": ("3x3/1\n# 1 #\n1 # 1\n# # #", (2, 1)),
    "mine-count": ("4x1/1\n# 1 # #", (0, 3)),
}
"""The smallest positions where no simpler kind of proof finds anything; see benchmarks/smallest.py."""


def examples() -> dict[str, Proof]:
    """Return the proofs in docs/proofs.md, by the names of their images."""
    return {name: explain(Position.parse(text), cell) for name, (text, cell) in EXAMPLES.items()}


def pictures() -> dict[str, str]:
    """Return the images, by file name."""
    proofs = examples()
    drawn = {f"proof-{name}.svg": proof.svg() for name, proof in proofs.items()}
    return drawn | {"proof-overlap-step.svg": proofs["overlap"].svg(step=3)}


def main() -> None:
    folder = image_folder(__doc__)
    for name, picture in pictures().items():
        path = folder / name
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
