"""Students' files: copies of our `minesweeper.py` with one fault each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sapper import minesweeper

CORRECT: Final = Path(minesweeper.__file__)
_LEARN: Final = "around = self._check(cell, count)"
_MOVE: Final = "return next(iter(self.safes - self.moves_made), None)"
FAULTS: Final = {
    "no subset rule": ("for other in related:", "for other in ():"),
    "marks the opposite": ("marks[cell] = count > 0", "marks[cell] = count == 0"),
    "marks a neighbour as safe": (
        "# Step 1, now that nothing can go wrong.",
        "\n        self.safes |= set(sorted(around - self.safes - self.mines)[:1])",
    ),
    "hangs": (_LEARN, f"{_LEARN}\n        while 1: pass"),
    "raises": (_LEARN, f"{_LEARN}\n        1 / 0"),
    "exits": (_MOVE, "raise SystemExit(3)"),
    "moves off the board": (_MOVE, "return -1, 0"),
    "opens an open cell": (
        _MOVE,
        "return next(iter(self.moves_made), None)",
    ),
    "returns a list": (_MOVE, "return [0, 0]"),
    "prints": (_LEARN, f"{_LEARN}\n        print(cell)"),
    "mines become None": ("# Step 1, now that nothing can go wrong.", "\n        self.mines = None"),
    "takes all other cells for mines": (
        "# Step 1, now that nothing can go wrong.",
        "\n        self.safes = {cell}"
        "\n        rows, columns = range(self.height), range(self.width)"
        "\n        self.mines = {(i, j) for i in rows for j in columns} - {cell}",
    ),
    "marks its process ID": (
        "self.mines: set[Cell] = set()",
        "import os; self.mines: set[Cell] = {(os.getpid(), 0)}",
    ),
}  # fmt: skip
"""What is replaced, and by what."""


def student_file(folder: Path, fault: str) -> Path:
    """Write a file with this fault, and return its path."""
    old, new = FAULTS[fault]
    source = CORRECT.read_text()
    assert source.count(old) == 1, f"{fault}: there is not one {old!r}"
    path = folder / "minesweeper.py"
    path.write_text(source.replace(old, new))
    return path


def line_of(path: Path, text: str) -> int:
    """Return the number of the line that contains a text."""
    lines = path.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
