"""Students' files: copies of our `minesweeper.py` with one fault each."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Final

from sapper import minesweeper

CORRECT: Final = Path(minesweeper.__file__)
_REPLACED: Final = {
    "no subset rule": ("for other in related:", "for other in ():"),
    "marks the opposite": ("marks[cell] = count > 0", "marks[cell] = count == 0"),
}
"""What is replaced in the file, and by what."""
_LEARNS: Final = {
    "hangs": "while 1: pass",
    "raises": "1 / 0",
    "prints": "print(cell)",
    "mines become None": "self.mines = None",
    "marks a neighbour as safe": """
near = neighbours(cell, self.height, self.width) - self.safes - self.mines
self.safes |= set(sorted(near)[:1])
""",
    "takes all other cells for mines": """
self.safes = {cell}
self.mines = {(i, j) for i in range(self.height) for j in range(self.width)} - {cell}
""",
}
"""What `add_knowledge` does after it has learned a number."""
_MOVES: Final = {
    "exits": "raise SystemExit(3)",
    "moves off the board": "return -1, 0",
    "opens an open cell": "return next(iter(self.moves_made), None)",
    "returns a list": "return [0, 0]",
}
"""What `make_safe_move` does instead."""


def student_file(folder: Path, fault: str) -> Path:
    """Write a file with this fault, and return its path."""
    source = CORRECT.read_text()
    if fault in _REPLACED:
        old, new = _REPLACED[fault]
        assert source.count(old) == 1, f"{fault}: there is not one {old!r}"
        source = source.replace(old, new)
    else:
        source += "\n\nclass MinesweeperAI(MinesweeperAI):\n"
        if fault == "marks its process ID":
            source += _method("__init__(self, height, width)", _PROCESS)
        elif fault in _LEARNS:
            learn = f"super().add_knowledge(cell, count)\n{_LEARNS[fault]}"
            source += _method("add_knowledge(self, cell, count)", learn)
        else:
            source += _method("make_safe_move(self)", _MOVES[fault])
    path = folder / "minesweeper.py"
    path.write_text(source)
    return path


_PROCESS: Final = """
import os
super().__init__(height, width)
self.mines = {(os.getpid(), 0)}
"""


def _method(signature: str, body: str) -> str:
    return f"    def {signature}:\n" + indent(body, " " * 8)


def line_of(path: Path, text: str) -> int:
    """Return the number of the line that contains a text."""
    lines = path.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
