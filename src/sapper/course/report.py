"""The report of a check: what was checked, what is wrong, and the smallest position that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from sapper.course.scripts import Cells, Moment, show_cells
from sapper.position import Cell

MOST_SHOWN: Final = 12
"""A report lists at most this many sentences."""
_LONGEST_TEXT: Final = 600
"""A report shows at most this many characters of a text from the student's file."""


def printable(text: str, most: int = _LONGEST_TEXT) -> str:
    r"""Return a text on one line, shortened, without characters that could control a terminal.

    >>> print(printable("\x1b[2J"), printable("x" * 1000, most=3))
    \x1b[2J xxx...
    """
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[:most])
    return shown + ("..." if len(text) > most else "")


@dataclass(frozen=True)
class Check:
    """One thing that is checked."""

    name: str
    title: str
    required: bool = True
    """Whether the course's specification requires it; otherwise it is advice."""


CHECKS: Final = (
    Check("imports", "Standard library only"),
    Check("signatures", "Classes and signatures"),
    Check("sentence", "Sentence"),
    Check("marking", "mark_mine and mark_safe"),
    Check("steps", "The steps of add_knowledge"),
    Check("errors", "No exceptions"),
    Check("soundness", "Soundness: nothing is marked that does not follow"),
    Check("completeness", "Completeness: everything that follows is found"),
    Check("order", "The order of the openings makes no difference"),
    Check("manual-marks", "Cells added to mines and safes by hand"),
    Check("shapes", "Boards that are not square"),
    Check("safe-moves", "make_safe_move"),
    Check("random-moves", "make_random_move"),
    Check("limits", "Every call ends: no infinite loop, no runaway memory"),
    Check("clean", "A clean knowledge base", required=False),
    Check("manual-edits", "Other changes by hand", required=False),
    Check("output", "No printing", required=False),
    Check("threads", "No threads left running", required=False),
    Check("speed", "Speed", required=False),
)
"""All checks, in the order of the report."""


class Status(str, Enum):
    """The outcome of one check."""

    PASSED = "passed"
    FAILED = "failed"
    ADVICE = "advice"
    """It failed, but the course does not require it."""
    SKIPPED = "not checked"
    """An earlier failure made it impossible."""


@dataclass(frozen=True)
class Problem:
    """What is wrong, and what shows it. Everything but the message is optional."""

    message: str
    """One or two sentences for the student."""
    height: int = 0
    width: int = 0
    """The size of the board; 0 if the problem needs no board."""
    numbers: Mapping[Cell, int] = field(default_factory=dict)
    """The opened cells and their numbers."""
    steps: tuple[str, ...] = ()
    """What was done, as calls of the agent's methods."""
    knows: Moment | None = None
    """What the agent knew then."""
    expected: str = ""
    """What it should know or return."""
    cell: Cell | None = None
    """The cell that matters."""
    reasons: tuple[str, ...] = ()
    """Why: the sentences from which the cell follows, or the layout that shows that it does not."""
    layout: Cells | None = None
    """Mines that agree with all numbers, but not with what the agent believes."""
    line: int | None = None
    """The line of the student's file that the problem comes from."""
    source: str = ""
    """The text of that line."""
    function: str = ""
    output: str = ""
    """What the code printed."""

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.height * self.width

    def to_json(self) -> dict[str, Any]:
        """Return the problem as JSON. Cells are pairs of row and column, counted from 0."""
        found: dict[str, Any] = {"message": self.message}
        if self.cells:
            found["board"] = {
                "height": self.height,
                "width": self.width,
                "numbers": [[*cell, number] for cell, number in self.numbers.items()],
            }
        if self.steps:
            found["steps"] = list(self.steps)
        if self.knows is not None:
            found["knows"] = {
                "mines": sorted(map(list, self.knows.mines)),
                "safes": sorted(map(list, self.knows.safes)),
                "moves_made": sorted(map(list, self.knows.moves_made)),
                "sentences": [
                    {"cells": sorted(map(list, each.cells)), "count": each.count}
                    for each in self.knows.knowledge[:MOST_SHOWN]
                ],
                "sentence_count": self.knows.sentences,
            }
        for name in ("expected", "source", "function", "output"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if self.cell is not None:
            found["cell"] = list(self.cell)
        if self.reasons:
            found["reasons"] = list(self.reasons)
        if self.layout is not None:
            found["layout"] = sorted(map(list, self.layout))
        if self.line is not None:
            found["line"] = self.line
        return found

    def knows_in_words(self) -> list[str]:
        """Return what the agent knew, one line each."""
        knows = self.knows
        if knows is None:
            return []
        sentences = [str(each) for each in knows.knowledge[:MOST_SHOWN]]
        more = knows.sentences - len(sentences)
        if more > 0:
            sentences.append(f"and {more} more")
        return [
            f"mines: {show_cells(knows.mines)}",
            f"safes: {show_cells(knows.safes)}",
            *(f"sentence: {each}" for each in sentences or ["none"]),
        ]


@dataclass(frozen=True)
class Result:
    """The result of one check."""

    check: Check
    status: Status
    problem: Problem | None = None
    note: str = ""
    """A measurement, or why it was not checked."""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        found: dict[str, Any] = {
            "name": self.check.name,
            "title": self.check.title,
            "required": self.check.required,
            "status": self.status.value,
        }
        if self.note:
            found["note"] = self.note
        if self.problem is not None:
            found["problem"] = self.problem.to_json()
        return found


@dataclass(frozen=True)
class Report:
    """The results of all checks of one file."""

    path: Path
    results: tuple[Result, ...]
    found: int
    """The number of cells that follow by counting and subsets and that the agent found."""
    forced: int
    """The number of cells that follow by counting and subsets, in all games of the check."""
    seconds: float
    """How long the check took."""
    unreadable: Problem | None = None
    """Why the file could not be checked at all."""
    expert_seconds: float | None = None
    """The time for all openings of an expert board; None if it was not measured."""

    def failures(self, *, strict: bool = False) -> list[Result]:
        """Return the checks that failed; if strict, also those that are only advice."""
        bad = {Status.FAILED, Status.ADVICE} if strict else {Status.FAILED}
        return [result for result in self.results if result.status in bad]

    @property
    def share_found(self) -> float | None:
        """The share of forced cells that the agent found; None if there were no games."""
        return self.found / self.forced if self.forced else None

    def counted(self, *, strict: bool = False) -> list[Result]:
        """Return the results that decide: those of required checks; if strict, of all checks."""
        return [result for result in self.results if strict or result.check.required]

    def exit_code(self, *, strict: bool = False) -> int:
        """Return 0 if the agent is correct, 1 if it is not, and 2 if it could not be checked."""
        if self.unreadable is not None:
            return 2
        if self.failures(strict=strict):
            return 1
        skipped = any(each.status is Status.SKIPPED and each.check.required for each in self.results)
        return 2 if skipped else 0

    def to_json(self, *, strict: bool = False) -> dict[str, Any]:
        """Return the report as JSON."""
        code = self.exit_code(strict=strict)
        found: dict[str, Any] = {
            "file": str(self.path),
            "verdict": ("correct", "incorrect", "could not be checked")[code],
            "checks": [result.to_json() for result in self.results],
            "forced_cells": self.forced,
            "found_cells": self.found,
            "seconds": round(self.seconds, 2),
        }
        if self.unreadable is not None:
            found["problem"] = self.unreadable.to_json()
        return found
