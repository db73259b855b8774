"""Agents with one fault each, as patches of the correct agents, and the check that must name each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

AGENTS = Path(__file__).parents[1] / "course" / "agents"
"""The folder of the correct agents."""

MOST_CELLS = 16
"""A counterexample never needs a board of more cells."""

WITHOUT_POSITION = {"signatures", "sentence", "marking", "imports", "output", "threads", "speed"}
"""Checks whose counterexample is not a position."""


@dataclass(frozen=True)
class Fault:
    """A correct agent, the changes that make it wrong, and the first check that must fail."""

    name: str
    check: str
    changes: tuple[tuple[str, str], ...]  # old and new text
    cells: int | None  # the size limit of the counterexample, if it is a position
    base: str = "naive"

    def source(self) -> str:
        """Return the patched source. Raise a `ValueError` if a change does not apply exactly once."""
        source = (AGENTS / f"{self.base}.py").read_text(encoding="utf-8")
        for old, new in self.changes:
            if (times := source.count(old)) != 1:
                raise ValueError(f"{self.name}: {old!r} occurs {times} times in {self.base}.py")
            source = source.replace(old, new)
        return source


def _fault(check: str, name: str, *changes: tuple[str, str], base: str = "naive") -> Fault:
    return Fault(name, check, changes, None if check in WITHOUT_POSITION else MOST_CELLS, base)


# Parts of naive.py that several faults replace.

KNOWN_MINES = """\
        if len(self.cells) == self.count:
            return self.cells.copy()
        return set()
"""
KNOWN_SAFES = """\
        if self.count == 0:
            return set(self.cells)
        return set()
"""
EQUALITY = """\
    def __eq__(self, other):
        return self.cells == other.cells and self.count == other.count

"""
INIT = """\
        self.safes = set()
        self.knowledge = []
"""
HAND_MARKED_MINES = """\
            for mine in sentence.cells & self.mines:
                sentence.mark_mine(mine)
"""
HAND_MARKED_SAFES = """\
            for safe in sentence.cells & self.safes:
                sentence.mark_safe(safe)
"""
MOVE = "        self.moves_made.add(cell)\n"
NEW_SENTENCE = "        self.knowledge.append(Sentence(cells, count))\n"
KNOWN_NEIGHBOURS = """\
            if neighbour in self.mines:
                count -= 1
            elif neighbour not in self.safes:
                cells.add(neighbour)
"""
LOOP = """\
        while self.mark_certain_cells() or self.infer_sentences():
            pass
"""
NEIGHBOUR_TEST = "if (i, j) != cell and 0 <= i < self.height and 0 <= j < self.width:"
USEFUL = "if sentence.cells and sentence not in useful:"
CLEAN_UP = """\
        useful = []
        for sentence in self.knowledge:
            if sentence.cells and sentence not in useful:
                useful.append(sentence)
        self.knowledge = useful
"""
SUBSET = "if a.cells < b.cells:"
UNLESS_KNOWN = "if new not in self.knowledge and new not in inferred:"
# With this test, wrong counts cannot grow without end.
IF_POSSIBLE = UNLESS_KNOWN.replace("if new", "if 0 <= new.count <= len(new.cells) > 0 and new")
INFER = """\
        for a in self.knowledge:
            for b in self.knowledge:
                if a.cells < b.cells:
                    new = Sentence(b.cells - a.cells, b.count - a.count)
                    if new not in self.knowledge and new not in inferred:
                        inferred.append(new)
"""
SAFE_MOVE = """\
        for cell in self.safes:
            if cell not in self.moves_made:
                return cell
        return None
"""
FREE_CELL = "if (i, j) not in self.moves_made and (i, j) not in self.mines:"
NO_CHOICE = """\
        if not choices:
            return None
"""
CHOICE = "        return random.choice(choices)\n"

SIGNATURES = (
    _fault("signatures", "class renamed", ("class MinesweeperAI:", "class MineSweeperAI:")),
    _fault(
        "signatures",
        "method renamed",
        ("def known_safes(self):", "def known_safe(self):"),
        ("sentence.known_safes()", "sentence.known_safe()"),
    ),
    _fault(
        "signatures",
        "method missing",
        (
            "    def make_random_move(self):\n        choices = []\n",
            "    def choices(self):\n        choices = []\n",
        ),
        (NO_CHOICE + CHOICE, "        return choices\n"),
    ),
    _fault(
        "signatures",
        "count before cell",
        ("def add_knowledge(self, cell, count):", "def add_knowledge(self, count, cell):"),
    ),
    _fault(
        "signatures",
        "sentence with the count first",
        ("def __init__(self, cells, count):", "def __init__(self, count, cells):"),
        ("Sentence(cells, count)", "Sentence(count, cells)"),
        (
            "Sentence(b.cells - a.cells, b.count - a.count)",
            "Sentence(b.count - a.count, b.cells - a.cells)",
        ),
    ),
    _fault(
        "signatures",
        "attribute renamed",
        ("self.moves_made = set()", "self.moves = set()"),
        ("self.moves_made.add(cell)", "self.moves.add(cell)"),
        ("if cell not in self.moves_made:", "if cell not in self.moves:"),
        ("(i, j) not in self.moves_made", "(i, j) not in self.moves"),
    ),
    _fault(
        "signatures",
        "no default size",
        ("def __init__(self, height=8, width=8):", "def __init__(self, height, width):"),
    ),
)

SENTENCE = (
    _fault("sentence", "known_mines returns the live set", ("self.cells.copy()", "self.cells")),
    _fault(
        "sentence",
        "known_mines returns a list",
        (KNOWN_MINES, KNOWN_MINES.replace("self.cells.copy()", "list(self.cells)")),
        ("mines |= sentence.known_mines()", "mines.update(sentence.known_mines())"),
    ),
    _fault(
        "sentence",
        "known_safes returns None",
        (KNOWN_SAFES, KNOWN_SAFES.replace("        return set()\n", "")),
        ("safes |= sentence.known_safes()", "safes |= sentence.known_safes() or set()"),
    ),
    _fault(
        "sentence", "known_safes ignores the count", (KNOWN_SAFES, "        return set(self.cells)\n")
    ),
    _fault(
        "sentence",
        "all are mines if one is not",
        ("if len(self.cells) == self.count:", "if len(self.cells) - 1 <= self.count:"),
    ),
    _fault("sentence", "mark_mine keeps the count", ("            self.count -= 1\n", "")),
    _fault("sentence", "mark_mine keeps the cell", ("            self.cells.remove(cell)\n", "")),
    _fault(
        "sentence",
        "mark_mine counts any cell",
        (
            """\
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1
""",
            """\
        self.cells.discard(cell)
        self.count -= 1
""",
        ),
    ),
    _fault(
        "sentence",
        "mark_safe lowers the count",
        ("self.cells.discard(cell)\n", "self.cells.discard(cell)\n            self.count -= 1\n"),
    ),
    _fault(
        "sentence",
        "mark_safe needs the cell",
        (
            "        if cell in self.cells:\n            self.cells.discard(cell)\n",
            "        self.cells.remove(cell)\n",
        ),
    ),
    _fault(
        "sentence",
        "mark_safe changes the set while iterating",
        (
            "        if cell in self.cells:\n            self.cells.discard(cell)\n",
            """\
        for each in self.cells:
            if each == cell:
                self.cells.remove(each)
""",
        ),
    ),
    _fault("sentence", "equality by identity", (EQUALITY, "")),
    _fault(
        "sentence",
        "equality ignores the count",
        (EQUALITY, EQUALITY.replace(" and self.count == other.count", "")),
    ),
)

MARKING = (
    _fault(
        "marking",
        "mark_mine leaves the sentences",
        ("        for sentence in self.knowledge:\n            sentence.mark_mine(cell)\n", ""),
    ),
    _fault(
        "marking",
        "mark_safe leaves the sentences",
        ("        for sentence in self.knowledge:\n            sentence.mark_safe(cell)\n", ""),
    ),
    _fault("marking", "mark_mine leaves the mines", ("        self.mines.add(cell)\n", "")),
    _fault(
        "marking",
        "mark_safe takes a mine from the sentences",
        ("sentence.mark_safe(cell)", "sentence.mark_mine(cell)"),
    ),
    _fault(
        "marking",
        "mark_mine stops at the first sentence",
        (
            "            sentence.mark_mine(cell)\n",
            """\
            if cell in sentence.cells:
                sentence.mark_mine(cell)
                break
""",
        ),
    ),
    _fault(
        "marking",
        "mark_mine skips the sentence after an empty one",
        (
            "            sentence.mark_mine(cell)\n",
            """\
            sentence.mark_mine(cell)
            if not sentence.cells:
                self.knowledge.remove(sentence)
""",
        ),
    ),
)

STEPS = (
    _fault("steps", "move not recorded", (MOVE, "")),
    _fault(
        "steps",
        "cell not marked safe",
        ("        # 2) the cell is safe\n        self.mark_safe(cell)\n", ""),
    ),
    _fault(
        "steps",
        "opened cell in its own sentence",
        (NEIGHBOUR_TEST, NEIGHBOUR_TEST.replace("(i, j) != cell and ", "")),
        ("elif neighbour not in self.safes:", "else:"),
    ),
    _fault(
        "steps",
        "known mines in new sentences",
        (
            KNOWN_NEIGHBOURS,
            "            if neighbour not in self.safes:\n                cells.add(neighbour)\n",
        ),
    ),
    _fault(
        "steps",
        "count not reduced by known mines",
        (KNOWN_NEIGHBOURS, KNOWN_NEIGHBOURS.replace("count -= 1", "continue")),
    ),
    _fault(
        "steps", "known safe cells in new sentences", ("elif neighbour not in self.safes:", "else:")
    ),
    _fault(
        "steps",
        "no diagonal neighbours",
        (NEIGHBOUR_TEST, NEIGHBOUR_TEST.replace("(i, j) != cell", "(i == cell[0]) != (j == cell[1])")),
    ),
    _fault(
        "steps",
        "last row forgotten",
        (NEIGHBOUR_TEST, NEIGHBOUR_TEST.replace("self.height", "self.height - 1")),
    ),
    _fault(
        "steps",
        "negative indices",
        (NEIGHBOUR_TEST, "if (i, j) != cell and i < self.height and j < self.width:"),
    ),
    _fault(
        "steps",
        "neighbours beyond the edges wrap around",
        (NEIGHBOUR_TEST, "if (i, j) != cell:"),
        ("result.append((i, j))", "result.append((i % self.height, j % self.width))"),
    ),
    _fault("steps", "no sentence added", (NEW_SENTENCE, "")),
    _fault("steps", "certain cells not marked", (LOOP, "        self.infer_sentences()\n")),
    _fault(
        "steps",
        "only safe cells marked",
        ("            mines |= sentence.known_mines()\n", ""),
    ),
    _fault("steps", "no subset rule", (LOOP, LOOP.replace(" or self.infer_sentences()", ""))),
    _fault(
        "steps",
        "counts added instead of subtracted",
        ("b.count - a.count", "b.count + a.count"),
        (UNLESS_KNOWN, IF_POSSIBLE),
    ),
    _fault(
        "steps",
        "counts subtracted the wrong way round",
        ("b.count - a.count", "a.count - b.count"),
        (UNLESS_KNOWN, IF_POSSIBLE),
    ),
    _fault(
        "steps",
        "sets subtracted the wrong way round",
        ("b.cells - a.cells", "a.cells - b.cells"),
        (UNLESS_KNOWN, IF_POSSIBLE),
    ),
    _fault(
        "steps",
        "exception at a count of 0",
        (NEW_SENTENCE, NEW_SENTENCE + "        self.cells_per_mine = len(cells) / count\n"),
    ),
    _fault(
        "steps",
        "sentences stored as tuples",
        ("[Sentence(cells, n) for cells, n in self.close(sentences)]", "list(self.close(sentences))"),
        base="rebuild",
    ),
)

ERRORS = (
    _fault(
        "errors",
        "exception if all neighbours are known",
        (NEW_SENTENCE, NEW_SENTENCE + "        self.risk = count / len(cells)\n"),
    ),
    _fault(
        "errors",
        "mines marked while iterating over them",
        (
            NEW_SENTENCE,
            NEW_SENTENCE
            + """\
        for mine in self.mines:
            for sentence in self.knowledge:
                sentence.mark_mine(mine)
                for other in sentence.known_mines():
                    self.mark_mine(other)
""",
        ),
    ),
    _fault(
        "errors",
        "recursion without end",
        (
            LOOP,
            """\
        self.update()

    def update(self):
        while self.mark_certain_cells():
            pass
        if self.infer_sentences():
            self.update()
""",
        ),
        (UNLESS_KNOWN, "if new not in inferred:"),
    ),
    _fault(
        "errors",
        "sentences of equal size compared by less than",
        (
            "        inferred = []\n",
            """\
        inferred = []
        by_size = sorted((len(sentence.cells), sentence) for sentence in self.knowledge)
        self.knowledge = [sentence for size, sentence in by_size]
""",
        ),
    ),
    _fault(
        "steps",
        "exception if a known safe cell is opened",
        (INIT, INIT + "        self.left = {(i, j) for i in range(height) for j in range(width)}\n"),
        (
            "        for mine in mines:\n            self.mark_mine(mine)\n",
            """\
        for mine in mines:
            self.mark_mine(mine)
            self.left.remove(mine)
""",
        ),
        (
            "        for safe in safes:\n            self.mark_safe(safe)\n",
            """\
        for safe in safes:
            self.mark_safe(safe)
            self.left.remove(safe)
""",
        ),
        (MOVE, MOVE + "        self.left.remove(cell)\n"),
    ),
)

LIMITS = (
    _fault(
        "limits",
        "while True",
        (
            LOOP,
            """\
        while True:
            self.mark_certain_cells()
            self.infer_sentences()
""",
        ),
    ),
    _fault("limits", "known sentences inferred again", (UNLESS_KNOWN, "if new not in inferred:")),
    _fault("limits", "sentences compared with themselves", (SUBSET, "if a.cells <= b.cells:")),
    _fault(
        "limits",
        "equal sentences pile up",
        (UNLESS_KNOWN, "if new.cells:"),
        (USEFUL, "if sentence.cells:"),
    ),
    _fault(
        "limits",
        "200 MB of sentences per move",
        (INIT, INIT + "        self.history = []\n"),
        (
            NEW_SENTENCE,
            NEW_SENTENCE + "        self.history += [Sentence(cells, count) for _ in range(500_000)]\n",
        ),
    ),
    _fault(
        "limits",
        "exit when the game is won",
        ("import random\n", "import random\nimport sys\n"),
        (
            LOOP,
            LOOP
            + """\
        if len(self.moves_made) + len(self.mines) == self.height * self.width:
            sys.exit("I have won!")
""",
        ),
    ),
    _fault(
        "limits",
        "process ended when a mine is found",
        ("import random\n", "import os\nimport random\n"),
        (LOOP, LOOP + "        if self.mines:\n            os._exit(0)\n"),
    ),
    _fault(
        "limits",
        "random move tried again without end",
        (NO_CHOICE, "        if not choices:\n            return self.wait_for_choices(choices)\n"),
        (
            CHOICE,
            CHOICE
            + """\

    def wait_for_choices(self, choices):
        while not choices:
            cell = (random.randrange(self.height), random.randrange(self.width))
            if cell not in self.moves_made and cell not in self.mines:
                choices.append(cell)
        return choices[0]
""",
        ),
    ),
)

SOUNDNESS = (
    _fault(
        "soundness",
        "subset rule for sentences that overlap",
        (SUBSET, "if a.cells & b.cells and len(a.cells) < len(b.cells) and a.count <= b.count:"),
    ),
    _fault(
        "soundness",
        "probable mines marked",
        (
            "            mines |= sentence.known_mines()\n",
            """\
            if sentence.count >= 0.8 * len(sentence.cells):
                mines |= sentence.cells
""",
        ),
    ),
    _fault(
        "soundness",
        "known mines marked safe",
        (
            NEW_SENTENCE,
            NEW_SENTENCE
            + """\
        if count == 0:
            for neighbour in self.neighbours(cell):
                self.mark_safe(neighbour)
""",
        ),
    ),
    _fault(
        "soundness",
        "eight mines assumed",
        (
            LOOP,
            LOOP
            + """\
        if len(self.mines) == 8:
            for i in range(self.height):
                for j in range(self.width):
                    if (i, j) not in self.mines:
                        self.mark_safe((i, j))
""",
        ),
    ),
    _fault(
        "soundness",
        "cell alone in a sentence marked as a mine",
        (
            "            mines |= sentence.known_mines()\n",
            """\
            mines |= sentence.known_mines()
            if len(sentence.cells) == 1:
                mines |= sentence.cells
""",
        ),
    ),
)

COMPLETENESS = (
    _fault(
        "completeness",
        "one round only",
        (
            LOOP,
            """\
        self.mark_certain_cells()
        self.infer_sentences()
        self.mark_certain_cells()
""",
        ),
    ),
    _fault(
        "completeness",
        "two rounds only",
        (
            LOOP,
            """\
        for _ in range(2):
            self.mark_certain_cells()
            self.infer_sentences()
        self.mark_certain_cells()
""",
        ),
    ),
    _fault(
        "completeness",
        "only the new sentence is compared",
        (
            NEW_SENTENCE,
            "        self.new = Sentence(cells, count)\n        self.knowledge.append(self.new)\n",
        ),
        (SUBSET, "if a.cells < b.cells and (a is self.new or b is self.new):"),
    ),
    _fault(
        "completeness",
        "marks only after the last inference",
        (
            LOOP,
            """\
        while self.infer_sentences():
            pass
        self.mark_certain_cells()
""",
        ),
    ),
    _fault(
        "completeness",
        "goes on only if a cell was marked",
        (
            LOOP,
            """\
        self.mark_certain_cells()
        self.infer_sentences()
        while self.mark_certain_cells():
            self.infer_sentences()
""",
        ),
    ),
    _fault(
        "completeness",
        "stops when the number of sentences stays the same",
        (
            LOOP,
            """\
        before = -1
        while len(self.knowledge) != before:
            before = len(self.knowledge)
            self.mark_certain_cells()
            self.infer_sentences()
""",
        ),
    ),
    _fault(
        "completeness",
        "only sentences next to each other compared",
        (
            INFER,
            """\
        for c, d in zip(self.knowledge, self.knowledge[1:]):
            for a, b in ((c, d), (d, c)):
                if a.cells < b.cells:
                    new = Sentence(b.cells - a.cells, b.count - a.count)
                    if new not in self.knowledge and new not in inferred:
                        inferred.append(new)
""",
        ),
    ),
    _fault(
        "completeness",
        "larger sentence replaced",
        (
            "    def infer_sentences(self):\n        inferred = []\n" + INFER,
            """\
    def infer_sentences(self):
        inferred = []
        for a in self.knowledge:
            for b in self.knowledge:
                if a.cells < b.cells:
                    b.cells = b.cells - a.cells
                    b.count -= a.count
                    return True
""",
        ),
    ),
    _fault(
        "completeness",
        "large sentences not compared",
        (SUBSET, "if a.cells < b.cells and len(b.cells) <= 6:"),
    ),
    _fault(
        "completeness",
        "derived sentences not compared",
        (INIT, INIT + "        self.derived = []\n"),
        (SUBSET, "if a.cells < b.cells and a not in self.derived and b not in self.derived:"),
        (
            "        self.knowledge.extend(inferred)\n",
            "        self.knowledge.extend(inferred)\n        self.derived.extend(inferred)\n",
        ),
    ),
    _fault(
        "completeness",
        "only the newest sentences kept",
        (
            NEW_SENTENCE,
            """\
        self.knowledge.append(Sentence(cells, count))
        self.knowledge = self.knowledge[-4:]
""",
        ),
    ),
)

ORDER = (
    _fault(
        "order",
        "overlap compared only with the new sentence",
        (
            "elif only_second and second",
            "elif first is self.knowledge[-1] and only_second and second",
        ),
        base="stronger",
    ),
)

MANUAL_MARKS = (
    _fault(
        "manual-edits",
        "marks made by hand ignored",
        (
            "        for sentence in self.knowledge:\n" + HAND_MARKED_MINES + HAND_MARKED_SAFES,
            "",
        ),
    ),
    _fault("manual-edits", "mines marked by hand ignored", (HAND_MARKED_MINES, "")),
    _fault("manual-edits", "safe cells marked by hand ignored", (HAND_MARKED_SAFES, "")),
    _fault(
        "manual-marks",
        "marks made by hand forgotten",
        (INIT, INIT + "        self.found = (set(), set())\n"),
        (
            "        # 1) remember the move\n",
            """\
        self.mines = set(self.found[0])
        self.safes = set(self.found[1])
        # 1) remember the move
""",
        ),
        (LOOP, LOOP + "        self.found = (self.mines.copy(), self.safes.copy())\n"),
    ),
)

SHAPES = (
    _fault(
        "shapes",
        "rows and columns swapped",
        (NEIGHBOUR_TEST, "if (i, j) != cell and 0 <= i < self.width and 0 <= j < self.height:"),
    ),
    _fault(
        "shapes",
        "height used for the width",
        (NEIGHBOUR_TEST, NEIGHBOUR_TEST.replace("self.width", "self.height")),
    ),
    _fault(
        "shapes",
        "grid with rows and columns swapped",
        (INIT, INIT + "        self.numbers = [[None] * height for _ in range(width)]\n"),
        (MOVE, MOVE + "        self.numbers[cell[0]][cell[1]] = count\n"),
    ),
    _fault(
        "shapes",
        "random moves within a square",
        (
            """\
            for j in range(self.width):
                if (i, j) not in self.moves_made""",
            """\
            for j in range(self.height):
                if (i, j) not in self.moves_made""",
        ),
    ),
)

SAFE_MOVES = (
    _fault(
        "safe-moves",
        "safe move already made",
        (SAFE_MOVE, "        for cell in self.safes:\n            return cell\n        return None\n"),
    ),
    _fault(
        "safe-moves",
        "safe move taken from the safe cells",
        (
            SAFE_MOVE,
            """\
        for cell in self.safes:
            if cell not in self.moves_made:
                self.safes.remove(cell)
                return cell
        return None
""",
        ),
    ),
    _fault(
        "safe-moves",
        "safe move recorded",
        (
            SAFE_MOVE,
            """\
        for cell in self.safes:
            if cell not in self.moves_made:
                self.moves_made.add(cell)
                return cell
        return None
""",
        ),
    ),
    _fault(
        "safe-moves",
        "exception without a safe move",
        (SAFE_MOVE, "        return list(self.safes - self.moves_made)[0]\n"),
    ),
    _fault(
        "safe-moves",
        "random move instead of none",
        (SAFE_MOVE, SAFE_MOVE.replace("return None", "return self.make_random_move()")),
    ),
    _fault(
        "safe-moves",
        "no safe move at the corner (0, 0)",
        (
            SAFE_MOVE,
            """\
        for cell in self.safes:
            if cell not in self.moves_made and any(cell):
                return cell
        return None
""",
        ),
    ),
)

RANDOM_MOVES = (
    _fault(
        "random-moves", "first cell instead of a random one", (CHOICE, "        return choices[0]\n")
    ),
    _fault(
        "random-moves",
        "random move on a known mine",
        (FREE_CELL, "if (i, j) not in self.moves_made:"),
    ),
    _fault("random-moves", "random move already made", (FREE_CELL, "if (i, j) not in self.mines:")),
    _fault("random-moves", "exception without a random move", (NO_CHOICE, "")),
    _fault(
        "random-moves",
        "random move recorded",
        (
            CHOICE,
            """\
        cell = random.choice(choices)
        self.moves_made.add(cell)
        return cell
""",
        ),
    ),
    _fault(
        "random-moves",
        "safe cells preferred",
        (CHOICE, "        return self.make_safe_move() or random.choice(choices)\n"),
    ),
    _fault(
        "random-moves",
        "row chosen before the column",
        (
            CHOICE,
            """\
        row = random.choice(sorted({i for i, j in choices}))
        return random.choice([(i, j) for i, j in choices if i == row])
""",
        ),
    ),
    _fault(
        "random-moves",
        "last cell never chosen",
        (CHOICE, "        return choices[random.randrange(max(1, len(choices) - 1))]\n"),
    ),
    _fault(
        "random-moves",
        "same seed every time",
        (CHOICE, "        random.seed(len(choices))\n" + CHOICE),
    ),
)

IMPORTS = (
    _fault("imports", "numpy imported", ("import random\n", "import random\n\nimport numpy as np\n")),
    _fault(
        "imports",
        "numpy imported in a method",
        (NO_CHOICE + CHOICE, NO_CHOICE + "        import numpy as np\n\n" + CHOICE),
    ),
)

CLEAN = (
    _fault("clean", "empty sentences kept", (USEFUL, "if sentence not in useful:")),
    _fault("clean", "equal sentences kept", (USEFUL, "if sentence.cells:")),
    _fault(
        "clean",
        "sentences removed while iterating",
        (
            CLEAN_UP,
            """\
        for sentence in self.knowledge:
            if not sentence.cells or self.knowledge.count(sentence) > 1:
                self.knowledge.remove(sentence)
""",
        ),
    ),
    _fault(
        "clean",
        "full sentence kept, too",
        (MOVE, MOVE + "        full = Sentence(self.neighbours(cell), count)\n"),
        (LOOP, LOOP + "        self.knowledge.append(full)\n"),
    ),
    _fault(
        "clean",
        "empty sentence inferred from equal ones",
        (SUBSET, "if a.cells <= b.cells:"),
        (USEFUL, "if sentence not in useful:"),
    ),
)

MANUAL_EDITS = (
    _fault(
        "manual-edits",
        "sentences added by hand ignored",
        ("self.numbers + by_hand", "self.numbers"),
        base="rebuild",
    ),
    _fault(
        "manual-edits",
        "replaced list ignored",
        (INIT, INIT + "        self.sentences = self.knowledge\n"),
        ("        # 1) remember the move\n", "        self.knowledge = self.sentences\n"),
        (LOOP, LOOP + "        self.sentences = self.knowledge\n"),
    ),
    _fault(
        "manual-edits",
        "exception after a sentence is added by hand",
        (INIT, INIT + "        self.sizes = []\n"),
        (
            "        # 1) remember the move\n",
            """\
        for sentence, size in zip(self.knowledge, self.sizes, strict=True):
            assert len(sentence.cells) <= size
""",
        ),
        (LOOP, LOOP + "        self.sizes = [len(sentence.cells) for sentence in self.knowledge]\n"),
    ),
)

OUTPUT = (
    _fault("output", "prints every move", (MOVE, MOVE + '        print("AI opens", cell)\n')),
    _fault("output", "prints at import", ("import random\n", 'import random\n\nprint("AI loaded")\n')),
    _fault(
        "output",
        "prints when no safe move is left",
        (
            SAFE_MOVE,
            SAFE_MOVE.replace(
                "        return None\n", '        print("no safe move")\n        return None\n'
            ),
        ),
    ),
)

THREADS = (
    _fault(
        "threads",
        "thread started at import",
        (
            "import random\n",
            """\
import random
import threading

threading.Thread(target=threading.Event().wait, daemon=True).start()
""",
        ),
    ),
    _fault(
        "threads",
        "daemon thread started by every agent",
        ("import random\n", "import random\nimport threading\n"),
        (INIT, INIT + "        threading.Thread(target=threading.Event().wait, daemon=True).start()\n"),
    ),
    _fault(
        "threads",
        "thread started by every agent",
        ("import random\n", "import random\nimport threading\n"),
        (INIT, INIT + "        threading.Thread(target=threading.Event().wait).start()\n"),
    ),
)

SPEED = (
    _fault(
        "speed",
        "pause after every move",
        ("import random\n", "import random\nimport time\n"),
        (LOOP, LOOP + "        time.sleep(0.015)\n"),
    ),
    _fault(
        "speed",
        "cells compared as text",
        (
            SUBSET,
            """\
same = [cell for cell in sorted(a.cells) if str(cell) in map(str, sorted(b.cells))]
                if same == sorted(a.cells) != sorted(b.cells):""",
        ),
    ),
)

FAULTS: tuple[Fault, ...] = (
    *SIGNATURES,
    *SENTENCE,
    *MARKING,
    *STEPS,
    *ERRORS,
    *LIMITS,
    *SOUNDNESS,
    *COMPLETENESS,
    *ORDER,
    *MANUAL_MARKS,
    *SHAPES,
    *SAFE_MOVES,
    *RANDOM_MOVES,
    *IMPORTS,
    *CLEAN,
    *MANUAL_EDITS,
    *OUTPUT,
    *THREADS,
    *SPEED,
)
"""All faults, in the order of the checks."""
