"""Forged proofs: changed valid proofs, some repaired so that only the false claim is left.

Everything is drawn from a `random.Random`, so that a seed or Hypothesis can repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sapper import FLAG, HIDDEN, Kind, Position, Proof, Step, analyse
from sapper.position import Cell
from sapper.proof.facts import Rule
from tests.support.oracle import AllLayouts, around


class Equal:
    """An object that equals everything, contains everything and converts to any number."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __contains__(self, item: object) -> bool:
        return True

    def __len__(self) -> int:
        return 1

    def __index__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter([(0, 0)])

    def __le__(self, other: object) -> bool:
        return True

    __lt__ = __ge__ = __gt__ = __le__


class AnyCells(frozenset[Cell]):
    """A set of cells that is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __contains__(self, item: object) -> bool:
        return True


class AnyNumber(int):
    """An integer that is equal to every other value."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


def nested(depth: int) -> tuple[Any, ...]:
    """Return a tuple in a tuple, and so on."""
    inner: tuple[Any, ...] = ()
    for _ in range(depth):
        inner = (inner,)
    return inner


JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 9, 10**5000, -(10**5000), 0.0, 1.0, float("nan"), float("inf"), 1j),
    *(
        "",
        "safe",
        "mine",
        "1",
        "\x1b[2J",
        "\ud800",
        b"safe",
        bytearray(b"1"),
        (),
        [],
        {},
        set(),
        object,
    ),
    *(frozenset(), frozenset([(0, 0)]), frozenset([(-1, 0)]), frozenset([(True, 0)]), [(0, 0)]),
    *(frozenset([(0.0, 0.0)]), frozenset(["ab"]), frozenset([(0, 0, 0)]), AnyCells([(0, 0)])),
    *((0, 0), (-1, -1), (10**9, 0), (0.0, 0.0), (True, False), [0, 0], "00", (0,), (0, 0, 0)),
    *(Kind.COUNTING, Rule.NUMBER, Rule.SUPPOSED, "number", "counting", Equal(), AnyNumber(1)),
    *(nested(10_000), Position.blank(1, 1, 0), range(3), NotImplemented, ..., Step, object),
)
"""Values that are wrong almost everywhere."""


@dataclass(eq=False)
class Draft:
    """A step that can be changed, and may refer to any other."""

    label: Any
    rule: Any
    cells: Any
    low: Any
    high: Any
    since: list[Any] = field(default_factory=list)
    number: Any = None
    steps: list[Any] = field(default_factory=list)


class Forgery:
    """A proof that is being changed."""

    def __init__(self, proof: Proof) -> None:
        self.position, self.cell, self.verdict = proof.position, proof.cell, proof.verdict
        self.kind: Any = proof.kind
        drafts: dict[Step, Draft] = {}
        for step in proof.every_step():
            drafts[step] = Draft(step.label, step.rule, step.cells, step.low, step.high)
            drafts[step].number = step.number
        for step, draft in drafts.items():
            draft.since = [drafts[each] for each in step.since]
            draft.steps = [drafts[each] for each in step.steps]
        self.steps = [drafts[step] for step in proof.steps]

    def drafts(self) -> list[Draft]:
        """Return all steps, each once."""
        found: dict[Draft, None] = {}
        waiting = [each for each in self.steps if isinstance(each, Draft)]
        while waiting:
            draft = waiting.pop()
            if draft not in found:
                found[draft] = None
                waiting += [each for each in (*draft.steps, *draft.since) if isinstance(each, Draft)]
        return list(found)

    def lists(self) -> list[list[Any]]:
        """Return the lists of steps: those of the proof, and those inside of steps."""
        return [self.steps, *(draft.steps for draft in self.drafts() if draft.steps)]

    def built(self) -> Proof:
        """Return the proof, with the steps as they are now, in circles if need be."""
        steps: dict[Draft, Step] = {}

        def put(value: object) -> object:
            return steps[value] if isinstance(value, Draft) else value

        for draft in self.drafts():
            steps[draft] = Step(draft.label, draft.rule, draft.cells, draft.low, draft.high)
        for draft, step in steps.items():
            for name in ("since", "steps"):
                values = (put(each) for each in getattr(draft, name))
                object.__setattr__(step, name, tuple(values))
            object.__setattr__(step, "number", draft.number)
        top: Any = tuple(map(put, self.steps))
        return Proof(self.position, self.cell, self.verdict, self.kind, top)


# Changes -----------------------------------------------------------------------------------------


def _any_cell(forgery: Forgery, random: Random) -> Cell:
    position = forgery.position
    return random.randrange(position.height), random.randrange(position.width)


def change_bounds(forgery: Forgery, random: Random) -> None:
    draft = random.choice(forgery.drafts())
    low, high = random.choice([(1, 1), (-1, -1), (-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1)])
    draft.low, draft.high = draft.low + low, draft.high + high


def set_bounds(forgery: Forgery, random: Random) -> None:
    draft = random.choice(forgery.drafts())
    draft.low = draft.high = random.choice([0, 1, len(draft.cells) if draft.cells else 0])


def change_cells(forgery: Forgery, random: Random) -> None:
    draft = random.choice(forgery.drafts())
    cell = _any_cell(forgery, random)
    match random.randrange(4):
        case 0:
            draft.cells = draft.cells ^ {cell}
        case 1 if draft.cells:
            draft.cells = draft.cells - {random.choice(sorted(draft.cells))}
        case 2:
            draft.cells = frozenset([cell])
        case _:
            draft.cells = random.choice(forgery.drafts()).cells


def change_rule(forgery: Forgery, random: Random) -> None:
    random.choice(forgery.drafts()).rule = random.choice(list(Rule))


def change_number(forgery: Forgery, random: Random) -> None:
    number = random.choice([None, _any_cell(forgery, random), (-1, 0), (10**9, 10**9)])
    random.choice(forgery.drafts()).number = number


def change_since(forgery: Forgery, random: Random) -> None:
    drafts = forgery.drafts()
    draft = random.choice(drafts)
    match random.randrange(5):
        case 0:
            draft.since.append(random.choice(drafts))  # It may be a later step, or the step itself.
        case 1 if draft.since:
            draft.since.pop(random.randrange(len(draft.since)))
        case 2:
            random.shuffle(draft.since)
        case 3 if draft.since:
            draft.since[random.randrange(len(draft.since))] = random.choice(drafts)
        case _:
            draft.since = random.sample(drafts, min(2, len(drafts)))


def change_order(forgery: Forgery, random: Random) -> None:
    steps = random.choice(forgery.lists())
    match random.randrange(4):
        case 0:
            random.shuffle(steps)
        case 1:
            steps.pop(random.randrange(len(steps)))
        case 2:
            steps.insert(random.randrange(len(steps) + 1), random.choice(forgery.drafts()))
        case _:
            at = random.randrange(len(steps))
            steps[at] = random.choice(forgery.drafts())


def change_nesting(forgery: Forgery, random: Random) -> None:
    """Put steps inside others, perhaps in a circle, or take them out."""
    drafts = forgery.drafts()
    draft = random.choice(drafts)
    match random.randrange(3):
        case 0:
            draft.steps = random.sample(drafts, random.randint(1, len(drafts)))
        case 1:
            forgery.steps = [*draft.steps, *forgery.steps]
        case _:
            draft.steps = []


def add_step(forgery: Forgery, random: Random) -> None:
    """Add a step that looks as if it followed."""
    drafts = forgery.drafts()
    steps = random.choice(forgery.lists())
    since = random.sample(drafts, min(len(drafts), random.randint(1, 3)))
    cells = frozenset([_any_cell(forgery, random)])
    count = random.randrange(2)
    rule = random.choice([Rule.WITHOUT, Rule.OVERLAP, Rule.SUPPOSED, Rule.OPPOSITE, Rule.MINE_COUNT])
    added = Draft("", rule, cells, count, count, since if rule in (Rule.WITHOUT, Rule.OVERLAP) else [])
    if rule is Rule.OPPOSITE:
        supposed = Draft("", Rule.SUPPOSED, cells, 1 - count, 1 - count)
        added.steps = [supposed, Draft("", Rule.WITHOUT, cells, 0, 0, [since[0], supposed])]
    elif rule is Rule.MINE_COUNT:
        position = forgery.position
        added.cells, added.low, added.high = position.hidden, position.mines, position.mines
    steps.insert(random.randrange(len(steps) + 1), added)
    if random.random() < 0.5:
        random.choice(drafts).since.append(added)


def add_conclusion(forgery: Forgery, random: Random) -> None:
    """Append a different conclusion from any two steps, even steps inside cases."""
    drafts = forgery.drafts()
    since = [random.choice(drafts), random.choice(drafts)]
    rule = random.choice([Rule.WITHOUT, Rule.OVERLAP])
    forgery.steps.append(Draft("", rule, frozenset(), 0, 0, since))


def change_verdict(forgery: Forgery, random: Random) -> None:
    forgery.verdict = random.choice(["safe", "mine", "SAFE", "a mine", "", "banana"])


def change_kind(forgery: Forgery, random: Random) -> None:
    forgery.kind = random.choice([*Kind, 1, "counting", None])


def change_target(forgery: Forgery, random: Random) -> None:
    forgery.cell = _any_cell(forgery, random)


def change_position(forgery: Forgery, random: Random) -> None:
    """The proof claims to be for another position."""
    own = forgery.position
    codes = bytearray(own.codes)
    codes[random.randrange(len(codes))] = random.choice([0, 1, 2, 3, HIDDEN, FLAG])
    mines = min(max(own.mines + random.choice([0, 0, 1, -1]), 0), len(codes))
    forgery.position = Position(own.height, own.width, mines, bytes(codes))


def put_junk(forgery: Forgery, random: Random) -> None:
    """Put a value of any type anywhere."""
    draft, junk = random.choice(forgery.drafts()), random.choice(JUNK)
    match random.randrange(5):
        case 0:
            setattr(forgery, random.choice(["cell", "verdict", "kind", "position"]), junk)
        case 1:
            setattr(draft, random.choice(["label", "rule", "cells", "low", "high", "number"]), junk)
        case 2:
            draft.since.insert(random.randrange(len(draft.since) + 1), junk)
        case 3:
            steps = random.choice(forgery.lists())
            steps.insert(random.randrange(len(steps) + 1), junk)
        case _:
            draft.steps.append(junk)


CHANGES: tuple[Callable[[Forgery, Random], None], ...] = (
    *(change_bounds, set_bounds, change_cells, change_rule, change_number, change_since),
    *(change_order, change_nesting, add_step, add_conclusion, add_conclusion),
    *(change_verdict, change_kind, change_target),
)


# Repairs: without them, nearly every change would fail for its label or its kind alone -------------


def relabel(forgery: Forgery) -> None:
    """Number the steps as they are now."""
    waiting: list[tuple[list[Any], str]] = [(forgery.steps, "")]
    seen: set[int] = set()
    while waiting:
        steps, prefix = waiting.pop()
        if id(steps) in seen or len(prefix) > 100:
            continue
        seen.add(id(steps))
        for number, draft in enumerate(steps, start=1):
            draft.label = f"{prefix}{number}"
            waiting.append((draft.steps, f"{draft.label}."))


def recompute(forgery: Forgery) -> None:
    """Recompute the derived steps from the changed ones by their rules."""
    for draft in _in_order(forgery):
        if draft.rule is Rule.WITHOUT and len(draft.since) > 1:
            _recompute_without(draft)
        elif draft.rule is Rule.OVERLAP and len(draft.since) == 2:
            _recompute_overlap(draft)


def _in_order(forgery: Forgery) -> Iterator[Draft]:
    seen: set[int] = set()
    waiting: list[Draft] = list(reversed(forgery.steps))
    while waiting:
        draft = waiting.pop()
        if id(draft) not in seen:
            seen.add(id(draft))
            yield draft
            waiting += reversed(draft.steps)


def _recompute_without(draft: Draft, wrongly: int = 0) -> None:
    """Say what is left of the first sentence; `wrongly` selects a formula that is not quite right."""
    whole, *parts = draft.since
    cells, low, high = whole.cells, whole.low, whole.high
    for part in parts:
        shared = part.cells if wrongly == 1 else cells & part.cells
        if part.high == 0:
            pass
        elif part.low == len(part.cells):
            low, high = low - len(shared), high - len(shared)
        elif wrongly == 2:
            low, high = low - part.low, high - part.high
        else:
            low, high = low - part.high, high - part.low
        cells = cells - part.cells
    draft.cells, draft.low, draft.high = cells, low, high


def _recompute_overlap(draft: Draft, wrongly: int = 0) -> None:
    """Say what the second sentence leaves for the first; `wrongly` as above."""
    whole, other = draft.since
    shared, apart = whole.cells & other.cells, other.cells - whole.cells
    draft.cells = whole.cells - shared
    draft.low = whole.low - min(len(shared), other.low if wrongly == 1 else other.high)
    draft.high = whole.high - max(0, other.low if wrongly == 2 else other.low - len(apart))


def prune(forgery: Forgery) -> None:
    """Drop the steps of the proof that no step uses."""
    for _ in range(len(forgery.steps)):
        used = {id(each) for draft in forgery.drafts() for each in draft.since}
        kept = [each for each in forgery.steps[:-1] if id(each) in used] + forgery.steps[-1:]
        if len(kept) == len(forgery.steps):
            return
        forgery.steps = kept


def agree(forgery: Forgery) -> None:
    """Claim what the last step says, and the kind of the rules used."""
    last = forgery.steps[-1] if forgery.steps else None
    if last is not None and last.cells:
        if forgery.cell not in last.cells:
            forgery.cell = next(iter(last.cells))
        forgery.verdict = "safe" if last.high == 0 else "mine"
    rules = [draft.rule for draft in forgery.drafts()]
    if forgery.steps:
        forgery.kind = expected_kind(rules, forgery.steps)


def expected_kind(rules: list[Any], steps: list[Any]) -> Kind:
    """Return the kind of a proof that uses these rules, as docs/proofs.md defines the kinds."""
    if any(rule is Rule.MINE_COUNT for rule in rules):
        return Kind.MINE_COUNT
    if any(rule is Rule.OPPOSITE for rule in rules):
        return Kind.CASES
    if any(rule is Rule.OVERLAP for rule in rules):
        return Kind.OVERLAP
    if all(rule is Rule.NUMBER for rule in rules):
        return Kind.COUNTING
    last = steps[-1]
    if len(steps) == 3 and len(last.since) == 2:
        whole, part = last.since
        if whole.rule is part.rule is Rule.NUMBER and part.cells <= whole.cells:
            return Kind.SUBSET
    return Kind.CHAIN


REPAIRS: tuple[Callable[[Forgery], None], ...] = (recompute, prune, relabel, agree)


def forged(proof: Proof, random: Random) -> Proof:
    """Return the proof with one to three changes, and perhaps repaired."""
    forgery = Forgery(proof)
    for _ in range(random.choice([1, 1, 2, 3])):
        random.choice(CHANGES)(forgery, random)
        if not forgery.drafts():
            break
    # Mostly all repairs, in this order; now and then some of them, or none.
    chance = random.choice([1.0, 1.0, 0.7, 0.0])
    for repair in REPAIRS:
        if random.random() < chance:
            repair(forgery)
    if random.random() < 0.05:
        change_position(forgery, random)
    if random.random() < 0.1 and forgery.drafts():
        put_junk(forgery, random)
    return forgery.built()


# Proofs that no search would find -----------------------------------------------------------------


def derived(position: Position, random: Random, *, wrongly: int = 0) -> Proof | None:
    """Return a proof that was found by drawing conclusions at random; None if none was found.

    It is valid, except that `wrongly` selects formulas that are not quite right.
    """
    known = [_said_by(position, number) for number in position.numbers]
    known = [draft for draft in known if draft.cells]
    if random.random() < 0.3 or not known:
        known.append(Draft("", Rule.MINE_COUNT, position.hidden, position.mines, position.mines))
    for _ in range(12):
        draft = Draft("", random.choice([Rule.WITHOUT, Rule.OVERLAP]), frozenset(), 0, 0)
        draft.since = [random.choice(known), random.choice(known)]
        whole, other = draft.since
        if draft.rule is Rule.OVERLAP:
            _recompute_overlap(draft, wrongly)
        elif other.high == 0 or other.low == len(other.cells) or other.cells <= whole.cells:
            _recompute_without(draft, wrongly)
        if draft.cells and max(draft.low, 0) <= min(draft.high, len(draft.cells)):
            known.append(draft)
            if draft.high == 0 or draft.low == len(draft.cells):
                return _ending_with(draft, position)
    return None


def _said_by(position: Position, number: Cell) -> Draft:
    cells = frozenset(around(number, position.hidden))
    return Draft("", Rule.NUMBER, cells, position[number], position[number], number=number)


def _ending_with(last: Draft, position: Position) -> Proof:
    needed: dict[Draft, None] = {}
    waiting = [last]
    while waiting:
        draft = waiting.pop()
        needed.pop(draft, None)  # So that each one comes after all that use it.
        needed[draft] = None
        waiting += draft.since
    forgery = Forgery.__new__(Forgery)
    forgery.position, forgery.steps = position, list(reversed(needed))
    forgery.cell, forgery.verdict = min(last.cells), "safe" if last.high == 0 else "mine"
    forgery.kind = expected_kind([draft.rule for draft in needed], forgery.steps)
    relabel(forgery)
    return forgery.built()


# What must hold of a proof that passes the check --------------------------------------------------


def is_true(proof: Proof, layouts: AllLayouts | None, position: Position) -> bool:
    """Return whether the verdict of a proof holds in all layouts, or by the exact analysis."""
    if layouts is not None:
        mines = layouts.mines[proof.cell]
        return mines == (0 if proof.verdict == "safe" else layouts.count)
    analysis = analyse(position)
    return proof.cell in (analysis.safe if proof.verdict == "safe" else analysis.mines)


def is_sound(proof: Proof, position: Position) -> bool:
    """Return whether every sentence of a proof holds wherever the numbers it rests on do.

    Sentences inside an opposite must hold in the layouts that its suppositions leave. This follows the
    meaning of a proof and not its rules, so it shares no idea with the check.
    """
    hidden = sorted(position.hidden)
    places = {cell: place for place, cell in enumerate(hidden)}
    layouts = range(1 << len(hidden))

    def holds(step: Step, layout: int) -> bool:
        mines = sum(layout >> places[cell] & 1 for cell in step.cells)
        return step.low <= mines <= step.high

    def allowed(layout: int) -> bool:
        if proof.uses_mine_count and layout.bit_count() != position.mines:
            return False
        return all(
            sum(layout >> places[near] & 1 for near in around(number, hidden)) == position[number]
            for number in proof.numbers
        )

    def sound(steps: tuple[Step, ...], left: list[int]) -> bool:
        for step in steps:
            if step.rule is Rule.SUPPOSED:
                left = [layout for layout in left if holds(step, layout)]
            elif not all(holds(step, layout) for layout in left):
                return False
            if step.steps and not sound(step.steps, left):
                return False
        return True

    return sound(proof.steps, [layout for layout in layouts if allowed(layout)])


def has_right_kind(proof: Proof) -> bool:
    """Return whether the kind of a proof is that of the rules that it uses."""
    rules = [step.rule for step in proof.every_step()]
    return proof.kind is expected_kind(rules, list(proof.steps))
