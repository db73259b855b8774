"""The steps of a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sapper.minesweeper import Sentence
from sapper.position import Cell
from sapper.proof.facts import Rule


@dataclass(frozen=True, eq=False)
class Step:
    """A step of a proof: at least `low` and at most `high` of the cells are mines.

    >>> from sapper import Position, explain
    >>> step = explain(Position.parse("# 1 .", mines=1), (0, 0)).steps[0]
    >>> step.rule, step.cells, step.low, step.high, step.number
    (<Rule.NUMBER: 'number'>, frozenset({(0, 0)}), 1, 1, (0, 1))
    """

    label: str
    """The step's number: `1`, `2`, and `2.1` for the first step inside step 2."""
    rule: Rule
    cells: frozenset[Cell]
    low: int
    high: int
    since: tuple[Step, ...] = ()
    """The earlier steps that it follows from, in the order that its rule requires."""
    number: Cell | None = None
    """The open cell whose number gives the sentence; only for the rule `number`."""
    steps: tuple[Step, ...] = ()
    """Only for the rule `opposite`: the assumption, and the steps up to an impossible one."""

    @property
    def sentence(self) -> Sentence | None:
        """The step as a sentence of the course; None if it has no exact count.

        >>> from sapper import Position, explain
        >>> print(explain(Position.parse("# 1 .", mines=1), (0, 0)).steps[0].sentence)
        {(0, 0)} = 1
        """
        return Sentence(self.cells, self.low) if self.low == self.high else None

    @property
    def is_safe(self) -> bool:
        """Whether none of its cells is a mine."""
        return self.high == 0

    @property
    def is_mines(self) -> bool:
        """Whether all of its cells are mines."""
        return self.low == len(self.cells)

    @property
    def is_impossible(self) -> bool:
        """Whether it cannot be true."""
        return self.low > self.high or self.high < 0 or self.low > len(self.cells)

    def to_json(self) -> dict[str, Any]:
        """Return the step as an object for `json.dumps`."""
        made: dict[Step, dict[str, Any]] = {}
        for step in walk([self]):
            made[step] = {
                "label": step.label,
                "rule": step.rule.value,
                "cells": sorted(map(list, step.cells)),
                "low": step.low,
                "high": step.high,
                "since": [each.label for each in step.since],
                "number": None if step.number is None else list(step.number),
                "steps": [made[inner] for inner in step.steps],
            }
        return made[self]


def walk(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps in order, each after the steps inside it.

    >>> inner = Step("1.1", Rule.SUPPOSED, frozenset([(0, 0)]), 1, 1)
    >>> outer = Step("1", Rule.OPPOSITE, frozenset([(0, 0)]), 0, 0, steps=(inner,))
    >>> [step.label for step in walk([outer])]
    ['1.1', '1']
    """
    # A stack instead of recursion: cases can be nested to any depth.
    lists = [iter(steps)]
    outer: list[Step] = []
    while lists:
        step = next(lists[-1], None)
        if step is None:
            lists.pop()
            if outer:
                yield outer.pop()
        elif step.steps:
            outer.append(step)
            lists.append(iter(step.steps))
        else:
            yield step
