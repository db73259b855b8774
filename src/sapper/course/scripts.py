"""Scripts: what a check does with a student's agent, step by step, and what the agent knows then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sapper.position import Cell

Cells = frozenset[Cell]


@dataclass(frozen=True)
class Claim:
    """What a sentence says: exactly `count` of these cells are mines.

    >>> print(Claim(frozenset({(0, 1), (0, 0)}), 1))
    {(0, 0), (0, 1)} = 1
    """

    cells: Cells
    count: int

    def __str__(self) -> str:
        return f"{show_cells(self.cells)} = {self.count}"


@dataclass(frozen=True)
class Step:
    """One thing that a check does with an agent.

    >>> print(Step("add_knowledge", (0, 1), 2))
    ai.add_knowledge((0, 1), 2)
    """

    action: str
    cell: Cell | None = None
    count: int | None = None
    cells: Cells | None = None
    times: int = 1

    def to_json(self) -> dict[str, Any]:
        """Return the step as JSON, without what is not set."""
        found: dict[str, Any] = {"action": self.action, "times": self.times}
        if self.cell is not None:
            found["cell"] = list(self.cell)
        if self.count is not None:
            found["count"] = self.count
        if self.cells is not None:
            found["cells"] = sorted(map(list, self.cells))
        return found

    def __str__(self) -> str:
        match self.action:
            case "add_knowledge":
                return f"ai.add_knowledge({self.cell}, {self.count})"
            case "add to mines":
                return f"ai.mines.add({self.cell})"
            case "add to safes":
                return f"ai.safes.add({self.cell})"
            case "add sentence":
                return f"ai.knowledge.append({self._sentence})"
            case "replace knowledge":
                return f"ai.knowledge = ai.knowledge + [{self._sentence}]"
            case "reverse knowledge":
                return "ai.knowledge.reverse()"
            case "copy knowledge":
                return "ai.knowledge = copy.deepcopy(ai.knowledge)"
            case "rebuild knowledge":
                return "ai.knowledge = [Sentence(set(s.cells), s.count) for s in ai.knowledge]"
        return f"ai.{self.action}({self.cell if self.cell is not None else ''})"

    @property
    def _sentence(self) -> str:
        return f"Sentence({show_cells(self.cells or ())}, {self.count})"


@dataclass(frozen=True)
class Script:
    """The size of a board, and the steps to carry out with a new agent.

    >>> script = Script(1, 3).add_knowledge((0, 0), 1).then("mark_mine", (0, 1))
    >>> [str(step) for step in script.steps]
    ['ai.add_knowledge((0, 0), 1)', 'ai.mark_mine((0, 1))']
    """

    height: int
    width: int
    steps: tuple[Step, ...] = ()

    def add_knowledge(self, cell: Cell, count: int) -> Script:
        """Return the script with one more opening."""
        return replace(self, steps=(*self.steps, Step("add_knowledge", cell, count)))

    def then(
        self,
        action: str,
        cell: Cell | None = None,
        count: int | None = None,
        *,
        cells: Iterable[Cell] | None = None,
        times: int = 1,
    ) -> Script:
        """Return the script with one more step."""
        step = Step(action, cell, count, None if cells is None else frozenset(cells), times)
        return replace(self, steps=(*self.steps, step))

    @property
    def numbers(self) -> dict[Cell, int]:
        """The opened cells, in order, with the numbers that they show."""
        return {
            step.cell: step.count
            for step in self.steps
            if step.action == "add_knowledge" and step.cell is not None and step.count is not None
        }

    def to_json(self) -> dict[str, Any]:
        """Return the script as JSON."""
        steps = [step.to_json() for step in self.steps]
        return {"height": self.height, "width": self.width, "steps": steps}


@dataclass(frozen=True)
class StudentError:
    """An exception that a student's code raised, and the line of the student's file."""

    type: str
    message: str
    line: int | None
    function: str

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True)
class Moment:
    """What an agent knows after a step."""

    mines: Cells = frozenset()
    safes: Cells = frozenset()
    moves_made: Cells = frozenset()
    knowledge: tuple[Claim, ...] = ()
    sentences: int = 0
    """The number of sentences. `knowledge` has no more than a few thousand."""
    returned: Any = None
    output: str = ""
    malformed: str = ""
    """What is wrong with the agent's attributes, if they are not what the course describes."""


def parse_cells(cells: Iterable[Any]) -> Cells:
    """Return cells that were read from JSON."""
    return frozenset((int(i), int(j)) for i, j in cells)


def parse_moment(found: dict[str, Any]) -> Moment:
    """Return a moment that was read from JSON."""
    return Moment(
        mines=parse_cells(found.get("mines", ())),
        safes=parse_cells(found.get("safes", ())),
        moves_made=parse_cells(found.get("moves_made", ())),
        knowledge=tuple(
            Claim(parse_cells(cells), int(count)) for cells, count in found.get("knowledge", ())
        ),
        sentences=int(found.get("sentences", 0)),
        returned=found.get("returned"),
        output=str(found.get("output", "")),
        malformed=str(found.get("malformed", "")),
    )


def show_cells(cells: Iterable[Cell]) -> str:
    """Return cells as the course writes them.

    >>> show_cells({(1, 0), (0, 2)}), show_cells([])
    ('{(0, 2), (1, 0)}', 'set()')
    """
    return f"{{{', '.join(map(str, sorted(cells)))}}}" if cells else "set()"
