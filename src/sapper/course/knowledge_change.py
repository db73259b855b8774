"""How an agent's knowledge changes when it learns a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sapper.course.scripts import Cells, Claim, Moment
from sapper.position import Cell, describe_cell, describe_cells
from sapper.text import capitalised, plural

_MOST_LISTED: Final = 12
"""The most sentences of one kind that the text lists."""


@dataclass(frozen=True)
class KnowledgeChange:
    """The difference between what an agent knew before and after it learned some numbers.

    >>> pair = frozenset({(0, 0), (0, 2)})
    >>> before = Moment(knowledge=(Claim(pair, 1),), sentences=1)
    >>> after = Moment(mines=frozenset({(0, 0)}), safes=frozenset({(0, 2), (0, 3)}))
    >>> for line in KnowledgeChange.between((((0, 3), 0),), before, after).lines():
    ...     print(line)
    Removed: {row 1, columns 1 and 3} = 1
    Marked as safe: row 1, columns 3 and 4
    Marked as a mine: row 1, column 1
    Now: 0 sentences, 1 mine, 2 safe cells
    """

    numbers: tuple[tuple[Cell, int], ...]
    """The numbers that the agent learned, in order."""
    after: Moment
    """Everything that it knew then."""
    added: tuple[Claim, ...]
    removed: tuple[Claim, ...]
    changed: tuple[tuple[Claim, Claim], ...]
    """Sentences that lost cells that were marked: before and after."""
    new_mines: Cells
    new_safes: Cells
    unmarked: Cells
    """Cells that are no longer marked as they were before."""

    @classmethod
    def between(
        cls, numbers: Iterable[tuple[Cell, int]], before: Moment, after: Moment
    ) -> KnowledgeChange:
        """Compare what an agent knew before and after it learned some numbers."""
        old, new = Counter(before.knowledge), Counter(after.knowledge)
        gone, come = list((old - new).elements()), list((new - old).elements())
        changed = []
        for claim in list(gone):
            same = _without_marked(claim, after)
            if same != claim and same in come:
                gone.remove(claim)
                come.remove(same)
                changed.append((claim, same))
        return cls(
            tuple(numbers),
            after,
            tuple(come),
            tuple(gone),
            tuple(changed),
            after.mines - before.mines,
            after.safes - before.safes,
            (before.mines - after.mines) | (before.safes - after.safes),
        )

    @property
    def title(self) -> str:
        """The number that the agent learned."""
        if len(self.numbers) == 1:
            ((cell, number),) = self.numbers
            return f"{capitalised(describe_cell(cell))} shows {number}."
        return f"The agent learned {plural(len(self.numbers), 'number')}."

    def lines(self) -> Iterator[str]:
        """Generate the changes as text, with rows and columns counted from 1."""
        yield from _listed("Added", map(describe_claim, self.added))
        changes = (f"{describe_claim(old)} became {describe_claim(new)}" for old, new in self.changed)
        yield from _listed("Changed", changes)
        yield from _listed("Removed", map(describe_claim, self.removed))
        for what, cells in (
            ("safe", self.new_safes),
            ("a mine" if len(self.new_mines) == 1 else "mines", self.new_mines),
        ):
            if cells:
                yield f"Marked as {what}: {describe_cells(cells)}"
        if self.unmarked:
            yield f"No longer marked: {describe_cells(self.unmarked)}"
        after = self.after
        yield (
            f"Now: {plural(after.sentences, 'sentence')}, {plural(len(after.mines), 'mine')}, "
            f"{plural(len(after.safes), 'safe cell')}"
        )


def describe_claim(claim: Claim) -> str:
    """Return a sentence as text, with rows and columns counted from 1.

    >>> describe_claim(Claim(frozenset({(0, 0), (0, 1)}), 1))
    '{row 1, columns 1 and 2} = 1'
    """
    return f"{{{describe_cells(claim.cells) if claim.cells else ''}}} = {claim.count}"


def _without_marked(claim: Claim, moment: Moment) -> Claim:
    """Return a sentence without the cells that are marked."""
    return Claim(
        claim.cells - moment.mines - moment.safes, claim.count - len(claim.cells & moment.mines)
    )


def _listed(label: str, texts: Iterable[str]) -> Iterator[str]:
    for place, text in enumerate(texts):
        if place == _MOST_LISTED:
            yield f"{label}: more sentences"
            return
        yield f"{label}: {text}"
