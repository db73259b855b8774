"""The proof checker. It uses neither the engine nor the prover, and trusts nothing in the proof.

A proof may come from anywhere. So the checker uses a value only after it has checked the value's exact
type, and distinguishes steps by identity: an object of another class could return anything. There is no
recursion, every step is checked once, and the work is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, NoReturn, TypeGuard

from sapper.errors import WrongProof
from sapper.minesweeper import neighbours
from sapper.position import HIDDEN, Cell, Position, describe_cell
from sapper.proof.facts import Kind, Rule
from sapper.proof.steps import Step

_LONGEST_LABEL: Final = 40
"""Longer labels are truncated in messages."""
_MOST_WORK: Final = 2 * 10**7
"""The most cells that a check visits, which takes a few seconds. Steps can share a large set of cells,
so without this limit a small proof could take days. The largest known proofs need 5 % of it.
"""
_WITHOUT_FLAGS: Final = bytes(min(code, HIDDEN) for code in range(256))
"""For `bytes.translate`: maps flags to hidden cells."""


def check_proof(proof: object, position: Position) -> None:
    """Raise `WrongProof` unless the proof is valid for this position.

    >>> from sapper import explain
    >>> position = Position.parse("# 1 .", mines=1)
    >>> check_proof(explain(position, (0, 0)), position)
    """
    given = vars(proof)
    if type(position) is not Position:
        raise WrongProof("a proof can only be checked against a Position")
    if type(given.get("position")) is not Position or _board(given["position"]) != _board(position):
        raise WrongProof("the proof is for another position")
    cell, verdict, kind = given.get("cell"), given.get("verdict"), given.get("kind")
    if not (_is_cell(cell) and cell in position and position.is_hidden(cell)):
        raise WrongProof("the proof is not about a hidden cell of the board")
    if not (type(verdict) is str and verdict in ("safe", "mine")):
        raise WrongProof("the verdict is neither 'safe' nor 'mine'")
    if type(kind) is not Kind:
        raise WrongProof("the kind is not a Kind")
    check = _Check(position)
    last = check.run(given.get("steps"))
    if cell not in last.cells or not (last.is_safe if verdict == "safe" else last.is_mines):
        raise WrongProof(f"the last step does not say that {describe_cell(cell)} is {verdict}")
    if kind is not check.kind(last):
        raise WrongProof(f"the proof is of the kind '{check.kind(last)}', not '{kind}'")


def _board(position: Position) -> tuple[int, int, int, bytes] | None:
    """Return what a proof may use of a position: everything except its flags."""
    given = vars(position)
    values: list[Any] = [given.get(name) for name in ("height", "width", "mines", "codes")]
    if any(type(value) is not kind for value, kind in zip(values, (int, int, int, bytes), strict=True)):
        return None
    height, width, mines, codes = values
    return height, width, mines, codes.translate(_WITHOUT_FLAGS)


def _is_cell(value: object) -> TypeGuard[Cell]:
    return type(value) is tuple and len(value) == 2 and all(type(side) is int for side in value)


def _fail(label: str, problem: str) -> NoReturn:
    shown = label if len(label) <= _LONGEST_LABEL else f"{label[:_LONGEST_LABEL]}..."
    raise WrongProof(f"step {shown} {problem}")


class _Claim(NamedTuple):
    """What a step says: at least `low` and at most `high` of the cells are mines."""

    rule: Rule
    cells: frozenset[Cell]
    low: int
    high: int
    since: tuple[_Claim, ...] = ()

    @property
    def is_safe(self) -> bool:
        return self.high == 0

    @property
    def is_mines(self) -> bool:
        return self.low == len(self.cells)

    @property
    def is_impossible(self) -> bool:
        return self.low > self.high or self.high < 0 or self.low > len(self.cells)

    @property
    def is_subset(self) -> bool:
        """Whether one number was subtracted from another that contains all its cells."""
        if len(self.since) != 2:
            return False
        whole, part = self.since
        return whole.rule is part.rule is Rule.NUMBER and part.cells <= whole.cells


@dataclass
class _Case:
    """Steps that are being checked: those of the proof, or those inside an `opposite` step."""

    steps: tuple[object, ...]
    prefix: str = ""
    """The prefix of the labels of its steps."""
    opposite: _Claim | None = None
    """The claim that the steps inside an `opposite` step prove; None for those of the proof."""
    known: list[int] = field(default_factory=list)
    """The steps checked so far, by identity."""

    @property
    def label(self) -> str:
        """The label of the next step."""
        return f"{self.prefix}{len(self.known) + 1}"


class _Check:
    """Checks steps in order, and records the rules that they use."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # All steps, by identity; none of them can be replaced meanwhile.
        self._met: dict[int, Step] = {}
        self._known: dict[int, _Claim] = {}  # What the next step may use.
        self._unused: set[int] = set()
        self._rules: set[Rule] = set()
        self._work = 0

    def run(self, steps: object) -> _Claim:
        """Check all steps, and return what the last one says."""
        if type(steps) is not tuple or not steps:
            raise WrongProof("the steps of a proof must be a tuple with at least one step")
        cases = [_Case(steps)]
        while True:
            case = cases[-1]
            if len(case.known) < len(case.steps):
                inside = self._check_next(case)
                if inside is not None:
                    cases.append(inside)
                continue
            last = self._close(case)
            if case.opposite is None:
                return last
            cases.pop()
            self._accept(cases[-1], case.opposite)

    def kind(self, last: _Claim) -> Kind:
        """Return the kind of the proof that ends with this claim, from the rules that it uses."""
        for rule, kind in (
            (Rule.MINE_COUNT, Kind.MINE_COUNT),
            (Rule.OPPOSITE, Kind.CASES),
            (Rule.OVERLAP, Kind.OVERLAP),
        ):
            if rule in self._rules:
                return kind
        if Rule.WITHOUT not in self._rules:
            return Kind.COUNTING
        return Kind.SUBSET if last.is_subset else Kind.CHAIN

    def _check_next(self, case: _Case) -> _Case | None:
        """Check the next step of a case; return the case inside it if its rule is `opposite`."""
        step, label = case.steps[len(case.known)], case.label
        if type(step) is not Step:
            _fail(label, "is not a Step")
        if id(step) in self._met:
            _fail(label, "is in the proof twice")
        self._met[id(step)] = step
        given = vars(step)
        claim = self._read(given, label)
        self._rules.add(claim.rule)
        if claim.rule is Rule.OPPOSITE:
            self._check_opposite(claim, label)
            return _Case(given["steps"], f"{label}.", claim)
        if not self._follows(claim, given.get("number"), case):
            _fail(label, "does not follow")
        self._accept(case, claim)
        return None

    def _read(self, given: dict[str, Any], label: str) -> _Claim:
        """Return what a step says, if all its values are of the right types."""
        if type(given.get("label")) is not str or given["label"] != label:
            _fail(label, "has the wrong label")
        rule, cells = given.get("rule"), given.get("cells")
        if type(rule) is not Rule:
            _fail(label, "has a rule that is not a Rule")
        if type(cells) is not frozenset:
            _fail(label, "has cells that are not a frozenset")
        self._count_work(len(cells))
        if not all(map(_is_cell, cells)):
            _fail(label, "has cells that are not pairs of integers")
        low, high = given.get("low"), given.get("high")
        if type(low) is not int or type(high) is not int:
            _fail(label, "has a bound that is not an integer")
        since, inside = given.get("since"), given.get("steps")
        if type(since) is not tuple or type(inside) is not tuple:
            _fail(label, "has steps that are not in a tuple")
        if (given.get("number") is not None) != (rule is Rule.NUMBER):
            _fail(label, "must name a number exactly if its rule is 'number'")
        if bool(inside) != (rule is Rule.OPPOSITE):
            _fail(label, "must contain steps exactly if its rule is 'opposite'")
        if any(id(each) not in self._known for each in since):
            _fail(label, "follows from a step that is not available there")
        self._unused.difference_update(map(id, since))
        claims = tuple(self._known[id(each)] for each in since)
        self._count_work(sum(len(each.cells) for each in claims))
        return _Claim(rule, cells, low, high, claims)

    def _count_work(self, cells: int) -> None:
        self._work += cells
        if self._work > _MOST_WORK:
            raise WrongProof("the proof is too large to check")

    def _check_opposite(self, claim: _Claim, label: str) -> None:
        """Raise an error unless the claim says that one hidden cell is safe, or that it is a mine."""
        if len(claim.cells) != 1 or claim.low != claim.high or claim.low not in (0, 1) or claim.since:
            _fail(label, "must say that one cell is safe, or that it is a mine")
        (cell,) = claim.cells
        if cell not in self._position or not self._position.is_hidden(cell):
            _fail(label, "is not about a hidden cell of the board")

    def _follows(self, claim: _Claim, number: object, case: _Case) -> bool:
        """Return whether the claim follows by its rule from the claims that it cites."""
        said = claim.cells, claim.low, claim.high
        match claim.rule:
            case Rule.NUMBER:
                return not claim.since and said == self._said_by(number)
            case Rule.MINE_COUNT:
                mines = self._position.mines
                return not claim.since and said == (self._position.hidden, mines, mines)
            case Rule.WITHOUT:
                return len(claim.since) > 1 and said == _without(claim.since[0], claim.since[1:])
            case Rule.OVERLAP:
                return len(claim.since) == 2 and said == _overlap(*claim.since)
            case Rule.SUPPOSED:  # Only the first step inside an opposite.
                if case.opposite is None or case.known or claim.since:
                    return False
                count = 1 - case.opposite.low
                return said == (case.opposite.cells, count, count)
        return False

    def _said_by(self, number: object) -> tuple[frozenset[Cell], int, int] | None:
        """Return what the number of an open cell says about its hidden neighbours."""
        position = self._position
        if not _is_cell(number) or number not in position or position.is_hidden(number):
            return None
        around = neighbours(number, position.height, position.width)
        return frozenset(filter(position.is_hidden, around)), position[number], position[number]

    def _accept(self, case: _Case, claim: _Claim) -> None:
        """Add a step that follows to the known steps."""
        step, label = id(case.steps[len(case.known)]), case.label
        if claim.is_impossible:
            if case.opposite is None or len(case.known) + 1 < len(case.steps):
                _fail(label, "is impossible, but is not the end of a case")
        elif not claim.cells:
            _fail(label, "is about no cells")
        self._known[step] = claim
        self._unused.add(step)
        case.known.append(step)

    def _close(self, case: _Case) -> _Claim:
        """End a case and return what its last step says. Steps inside `opposite` are then forgotten."""
        for number, step in enumerate(case.known[:-1], start=1):
            if step in self._unused:
                _fail(f"{case.prefix}{number}", "is not used by a later step")
        last = self._known[case.known[-1]]
        if case.opposite is not None:
            if not last.is_impossible:
                _fail(f"{case.prefix}{len(case.known)}", "is the end of a case, but is possible")
            for step in case.known:
                del self._known[step]
        return last


def _without(whole: _Claim, parts: Sequence[_Claim]) -> tuple[frozenset[Cell], int, int] | None:
    """Return the first claim minus the others; None if that is not allowed.

    A part whose cells are all safe or all mines may have cells elsewhere; any other must be a subset.
    """
    cells, low, high = set(whole.cells), whole.low, whole.high
    for part in parts:
        if part.is_mines:
            shared = len(part.cells & cells)
            low, high = low - shared, high - shared
        elif not part.is_safe:
            if not part.cells <= cells:
                return None
            low, high = low - part.high, high - part.low
        cells -= part.cells
    return frozenset(cells), low, high


def _overlap(whole: _Claim, other: _Claim) -> tuple[frozenset[Cell], int, int]:
    """Return what follows about the cells of the first claim that are not in the second."""
    shared = whole.cells & other.cells
    most = min(len(shared), other.high)
    least = max(0, other.low - len(other.cells - shared))
    return whole.cells - shared, whole.low - most, whole.high - least
