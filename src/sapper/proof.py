"""Proofs: why a cell is safe or a mine, in steps that a person can follow and a program can check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sapper._facts import Fact, Kind, Rule, bits
from sapper._prover import Prover
from sapper._words import describe, headline
from sapper.analysis import Budget, Chance, Limit, analyse_within
from sapper.caching import cached_property
from sapper.errors import BadPosition, LimitReached, SapperError
from sapper.minesweeper import Sentence
from sapper.position import Cell, Position, describe_cell

__all__ = ["Kind", "NotCertain", "Proof", "Rule", "Step", "WrongProof", "explain", "find_proof"]


class NotCertain(SapperError):
    """The cell may be safe or a mine: there is nothing to prove. `risk` is its chance of a mine."""

    def __init__(self, message: str, risk: Chance) -> None:
        super().__init__(message)
        self.risk = risk

    def __reduce__(self) -> tuple[type[NotCertain], tuple[object, ...]]:
        return type(self), (str(self), self.risk)


class WrongProof(SapperError):
    """A step of the proof does not follow; the message says which."""


@dataclass(frozen=True, eq=False)
class Step:
    """A sentence of a proof: from `low` to `high` of the cells are mines.

    >>> step = explain(Position.parse("# 1 .", mines=1), (0, 0)).steps[0]
    >>> step.rule, step.cells, step.low, step.high, step.number
    (<Rule.NUMBER: 'number'>, frozenset({(0, 0)}), 1, 1, (0, 1))
    """

    label: str
    """`1`, `2`, and for what follows from a supposition `2.1`."""
    rule: Rule
    cells: frozenset[Cell]
    low: int
    high: int
    since: tuple[Step, ...] = ()
    """The earlier steps that it follows from, in the order that its rule asks for."""
    number: Cell | None = None
    """The opened cell whose number says so."""
    steps: tuple[Step, ...] = ()
    """What follows from the opposite, which comes first; the last of them cannot be true."""

    @property
    def sentence(self) -> Sentence | None:
        """The same as a sentence of the course, if it says exactly how many.

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
        """Whether it cannot be true, whatever the cells are."""
        return self.low > self.high or self.high < 0 or self.low > len(self.cells)

    def to_json(self) -> dict[str, Any]:
        """Return the step as an object for `json.dumps`."""
        return {
            "label": self.label,
            "rule": self.rule.value,
            "cells": sorted(map(list, self.cells)),
            "low": self.low,
            "high": self.high,
            "since": [step.label for step in self.since],
            "number": None if self.number is None else list(self.number),
            "steps": [step.to_json() for step in self.steps],
        }


class Marks(NamedTuple):
    """What a proof, or a step of it, marks on the board."""

    numbers: frozenset[Cell]
    """The numbers that it uses."""
    about: frozenset[Cell]
    """The cells that it is about."""
    safe: frozenset[Cell]
    """The cells that it shows to be safe."""
    mines: frozenset[Cell]
    """The cells that it shows to be mines."""


@dataclass(frozen=True, eq=False)
class Proof:
    """Why a cell is safe or a mine. Made by `explain`."""

    position: Position
    cell: Cell
    verdict: str
    """`safe` or `mine`."""
    kind: Kind
    steps: tuple[Step, ...]

    @cached_property
    def numbers(self) -> frozenset[Cell]:
        """The opened numbers that it rests on."""
        return frozenset(step.number for step in self.every_step() if step.number is not None)

    @cached_property
    def uses_mine_count(self) -> bool:
        """Whether it needs the number of mines on the board."""
        return any(step.rule is Rule.MINE_COUNT for step in self.every_step())

    @property
    def difficulty(self) -> int:
        """Ten for each kind that is simpler, and one for each number after the first, nine at most.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).difficulty
        0
        """
        return 10 * (self.kind - 1) + min(max(len(self.numbers) - 1, 0), 9)

    def every_step(self) -> Iterator[Step]:
        """Generate all steps in their order, those of suppositions before what they lead to."""

        def walk(steps: Sequence[Step]) -> Iterator[Step]:
            for step in steps:
                yield from walk(step.steps)
                yield step

        return walk(self.steps)

    def __str__(self) -> str:
        return "\n".join(
            [headline(self), *(line for step in self.steps for line in describe(step, self))]
        )

    def to_json(self) -> dict[str, Any]:
        """Return the proof as an object for `json.dumps`; docs/proofs.md says what it holds.

        >>> facts = explain(Position.parse("# 1 . .", mines=1), (0, 0)).to_json()
        >>> facts["verdict"], facts["kind"], facts["numbers"], facts["uses_mine_count"]
        ('mine', 'counting', [[0, 1]], False)
        """
        return {
            "cell": list(self.cell),
            "verdict": self.verdict,
            "kind": str(self.kind),
            "difficulty": self.difficulty,
            "numbers": sorted(map(list, self.numbers)),
            "uses_mine_count": self.uses_mine_count,
            "steps": [step.to_json() for step in self.steps],
            "text": str(self).splitlines(),
        }

    def svg(self, step: int | None = None) -> str:
        """Return a picture of the position with the numbers and cells of the proof marked.

        With a step, counted from 1, only what that step is about.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).svg(step=1).startswith("<svg ")
        True
        """
        from sapper.drawing import draw_marked

        title, marks = headline(self).rstrip(":"), self.marks(step)
        return draw_marked(self.position, title=title, target=self.cell, **marks._asdict())

    def marks(self, step: int | None = None) -> Marks:
        """Return what it marks on the board; with a step, counted from 1, only what that marks.

        >>> explain(Position.parse("# 1 . .", mines=1), (0, 0)).marks().mines
        frozenset({(0, 0)})
        """
        if step is not None and not 1 <= step <= len(self.steps):
            raise SapperError(f"the proof has {len(self.steps)} steps, no step {step}")
        shown = self.steps if step is None else (self.steps[step - 1],)
        within = Proof(self.position, self.cell, self.verdict, self.kind, shown)
        used = [part for each in within.every_step() for part in (each, *each.since)]
        settled = [each for each in shown if not each.is_impossible]
        return Marks(
            frozenset(each.number for each in used if each.number is not None),
            _cells_of(each for each in used if each.rule is not Rule.MINE_COUNT),
            _cells_of(each for each in settled if each.is_safe),
            _cells_of(each for each in settled if each.is_mines),
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    # The check: nothing of the engine, and nothing of the search ------------------------------------

    def check(self, position: Position) -> None:
        """Verify every step by itself; one that does not follow is a `WrongProof`.

        >>> proof = explain(Position.parse("# 1 . .", mines=1), (0, 0))
        >>> proof.check(proof.position)
        >>> proof.check(Position.parse("# 2 . .", mines=1))
        Traceback (most recent call last):
        sapper.proof.WrongProof: step 1 does not follow
        """
        _check_steps(self.steps, position, set())
        last = self.steps[-1] if self.steps else None
        shown = last is not None and self.cell in last.cells and not last.is_impossible
        right = last is not None and (last.is_safe if self.verdict == "safe" else last.is_mines)
        if not (shown and right):
            raise WrongProof(
                f"the last step does not say that {describe_cell(self.cell)} is {self.verdict}"
            )


def _cells_of(steps: Iterable[Step]) -> frozenset[Cell]:
    return frozenset(cell for step in steps for cell in step.cells)


def _check_steps(steps: Sequence[Step], position: Position, known: set[Step]) -> None:
    for step in steps:
        if not (all(each in known for each in step.since) and _follows(step, position, known)):
            raise WrongProof(f"step {step.label} does not follow")
        known.add(step)


def _follows(step: Step, position: Position, known: set[Step]) -> bool:
    """Return whether the step is true if those are that it follows from."""
    since, claim = step.since, (step.cells, step.low, step.high)
    match step.rule:
        case Rule.NUMBER:
            if step.number is None or position.is_hidden(step.number):
                return False
            around = frozenset(filter(position.is_hidden, position.neighbours(step.number)))
            return claim == (around, position[step.number], position[step.number])
        case Rule.MINE_COUNT:
            return claim == (position.hidden, position.mines, position.mines)
        case Rule.WITHOUT:
            return len(since) > 0 and claim == _without(since[0], since[1:])
        case Rule.OVERLAP:
            return len(since) == 2 and claim == _overlap(*since)
        case Rule.OPPOSITE:
            if len(step.cells) != 1 or step.low != step.high or step.low not in (0, 1):
                return False
            if len(step.steps) < 2:
                return False
            supposed, *then = step.steps
            opposite = (Rule.SUPPOSED, step.cells, 1 - step.low, 1 - step.low)
            if (supposed.rule, supposed.cells, supposed.low, supposed.high) != opposite:
                return False
            _check_steps(then, position, known | {supposed})
            return then[-1].is_impossible
        case Rule.SUPPOSED:
            return False  # Only as the first inside of an opposite.


def _without(whole: Step, parts: Sequence[Step]) -> tuple[frozenset[Cell], int, int] | None:
    """Return what the rule makes of these: a settled part may have cells elsewhere, others may not."""
    cells, low, high = whole.cells, whole.low, whole.high
    for part in parts:
        if part.is_impossible:
            return None
        if part.is_mines:
            low, high = low - len(cells & part.cells), high - len(cells & part.cells)
        elif not part.is_safe:
            if not part.cells <= cells:
                return None
            low, high = low - part.high, high - part.low
        cells -= part.cells
    return cells, low, high


def _overlap(whole: Step, other: Step) -> tuple[frozenset[Cell], int, int]:
    shared = whole.cells & other.cells
    most = min(len(shared), other.high)
    least = max(0, other.low - len(other.cells - shared))
    return whole.cells - shared, whole.low - most, whole.high - least


# Making a proof ----------------------------------------------------------------------------------


def explain(position: Position, cell: Cell, *, limit: Limit | None = None) -> Proof:
    """Return why a cell is safe, or a mine: the simplest kind of proof, with no number too many.

    Flags count for nothing. A cell that may be either is `NotCertain`.

    >>> position = Position.parse("# # # # / 1 2 2 1".replace(" / ", chr(10)), mines=2)
    >>> print(explain(position, (0, 1)))
    Row 1, column 2 is a mine (subset):
    1. The 2 at row 2, column 3: exactly 2 of row 1, columns 2 to 4 are mines.
    2. The 1 at row 2, column 4: exactly 1 of row 1, columns 3 and 4 is a mine.
    3. Take step 2 out of the 2 at row 2, column 3: row 1, column 2 is a mine.
    >>> explain(Position.parse("# 1 #", mines=1), (0, 0))
    Traceback (most recent call last):
    sapper.proof.NotCertain: row 1, column 1 may be safe or a mine: its risk is 50.0 %
    """
    return explain_within(position, cell, (limit or Limit()).start())


def explain_within(position: Position, cell: Cell, budget: Budget) -> Proof:
    """Return the same as `explain`, within a budget that other work shares."""
    if not position.is_hidden(cell):
        raise BadPosition(f"the cell at {describe_cell(cell)} is already open")
    analysis = analyse_within(position, budget.renew())
    if cell not in analysis.safe and cell not in analysis.mines:
        risk = analysis.risk[cell]
        percent = f"{'' if analysis.exact else 'about '}{100 * float(risk):.1f} %"
        raise NotCertain(f"{describe_cell(cell)} may be safe or a mine: its risk is {percent}", risk)
    verdict = "mine" if cell in analysis.mines else "safe"
    proof = find_proof(position, cell, verdict, budget=budget)
    if proof is None:
        raise LimitReached(f"no proof was found for {describe_cell(cell)} within the limit")
    return proof


def find_proof(
    position: Position,
    cell: Cell,
    verdict: str,
    *,
    most: Kind = Kind.MINE_COUNT,
    budget: Budget | None = None,
) -> Proof | None:
    """Return the simplest proof of this verdict, None if there is none of a kind up to `most`.

    >>> find_proof(Position.parse("# 1 #", mines=1), (0, 0), "safe") is None
    True
    """
    prover = Prover(position, budget or Limit().start())
    try:
        found = prover.prove(cell, int(verdict == "mine"), most=most)
        if found is None:
            return None
        kind, fact = found
        return Proof(position, cell, verdict, kind, _Writer(position).steps_of(fact))
    except RecursionError:
        raise LimitReached("the proof has too many cases within cases to follow") from None


class _Writer:
    """Writes facts down as steps: each after those it follows from, and inside of what is supposed."""

    def __init__(self, position: Position) -> None:
        self._width = position.width
        self._written: dict[Fact, Step] = {}
        self._lines: list[list[Step]] = [[]]
        self._labels: list[str] = [""]
        self._supposed: list[Fact] = []

    def steps_of(self, fact: Fact) -> tuple[Step, ...]:
        """Return the steps that lead to a fact, which is the last."""
        self._write(fact)
        return tuple(self._lines[0])

    def _write(self, fact: Fact) -> Step:
        if fact in self._written:
            return self._written[fact]
        if fact.rule is Rule.OPPOSITE:
            return self._write_opposite(fact)
        since = tuple(self._write(each) for each in fact.since)
        number = divmod(fact.number, self._width) if fact.rule is Rule.NUMBER else None
        return self._put(fact, since, number, ())

    def _write_opposite(self, fact: Fact) -> Step:
        supposed, impossible = fact.since
        for each in _in_order(impossible):  # What does not depend on it is known before.
            if each.under.issubset(self._supposed):
                self._write(each)
        depth = self._depth(fact)
        self._labels.append(f"{self._labels[depth]}{len(self._lines[depth]) + 1}.")
        self._lines.append([])
        self._supposed.append(supposed)
        self._put(supposed, (), None, ())
        self._write(impossible)
        self._supposed.pop()
        self._labels.pop()
        return self._put(fact, (), None, tuple(self._lines.pop()))

    def _depth(self, fact: Fact) -> int:
        """Return how many suppositions a fact is under."""
        return max((at + 1 for at, each in enumerate(self._supposed) if each in fact.under), default=0)

    def _put(
        self, fact: Fact, since: tuple[Step, ...], number: Cell | None, steps: tuple[Step, ...]
    ) -> Step:
        depth = self._depth(fact)
        line = self._lines[depth]
        label = f"{self._labels[depth]}{len(line) + 1}"
        cells = frozenset(divmod(bit.bit_length() - 1, self._width) for bit in bits(fact.mask))
        step = Step(label, fact.rule, cells, fact.low, fact.high, since, number, steps)
        line.append(step)
        self._written[fact] = step
        return step


def _in_order(fact: Fact) -> list[Fact]:
    """Return the facts behind one, each after those that it follows from."""
    done: dict[Fact, None] = {}

    def visit(each: Fact) -> None:
        if each not in done:
            for before in each.since:
                visit(before)
            done[each] = None

    visit(fact)
    return list(done)
