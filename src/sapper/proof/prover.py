"""The search for the simplest proof that a cell is safe or a mine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import count as distances_from
from operator import or_
from typing import Final

from sapper.engine import Budget, engine
from sapper.position import HIDDEN, Cell, Position
from sapper.proof.facts import Fact, Kind, Rule, bits, facts_behind, without
from sapper.proof.knowledge import Knowledge

_AS_BITS: Final = b"0" * HIDDEN + b"1" * (256 - HIDDEN)
"""Translates the codes of hidden cells to ones, and numbers to zeros."""
_RADII: Final = frozenset((0, 1, 2, 4, 7))
"""The search tries the numbers up to these distances from the cell, and then all numbers."""
_ZONES_NEEDED: Final = {Kind.COUNTING: 1, Kind.SUBSET: 2}
"""Proofs of these kinds use one number or two, so they are found in the first zones or not at all."""


@lru_cache(maxsize=4096)
def _square(i: int, j: int, height: int, width: int) -> int:
    """Return the bits of a cell and its neighbours."""
    columns = (1 << min(j + 2, width)) - (1 << max(j - 1, 0))
    return sum(columns << row * width for row in range(max(i - 1, 0), min(i + 2, height)))


class Prover:
    """Searches for the simplest proof that a cell is safe or a mine."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._hidden = int(position.codes.translate(_AS_BITS)[::-1], 2)
        self._total = Fact(self._hidden, position.mines, position.mines, Rule.MINE_COUNT)
        self._facts: dict[int, Fact] = {}

    def _fact(self, index: int) -> Fact:
        """Return what the number at an index says."""
        fact = self._facts.get(index)
        if fact is None:
            count = self._position.codes[index]
            mask = self._mask_around(index) & self._hidden
            fact = self._facts[index] = Fact(mask, count, count, Rule.NUMBER, number=index)
        return fact

    def _mask_around(self, index: int) -> int:
        i, j = divmod(index, self._position.width)
        return _square(i, j, self._position.height, self._position.width)

    def _numbers_around(self, mask: int) -> list[int]:
        """Return the indices of the numbers next to any of these cells."""
        near = reduce(or_, (self._mask_around(bit.bit_length() - 1) for bit in bits(mask)), 0)
        return [bit.bit_length() - 1 for bit in bits(near & ~self._hidden)]

    def prove(
        self,
        cell: Cell,
        count: int,
        *,
        most: Kind = Kind.MINE_COUNT,
        among: Collection[Cell] | None = None,
    ) -> tuple[Kind, Fact] | None:
        """Return the simplest proof that the cell has `count` mines, 0 or 1; None if there is none.

        Its kind is not harder than `most`, and it uses only the numbers in `among`, if given.
        """
        zones = _Zones(self._generate_zones(self._bit(cell), among))
        for kind in Kind:
            if kind > most:
                break
            # The mine count concerns the whole board, so smaller zones are of no use for it.
            tried = [zones.last()] if kind is Kind.MINE_COUNT else zones.first(_ZONES_NEEDED.get(kind))
            for numbers in tried:
                fact = self._try(kind, numbers, cell, count)
                if fact is not None:
                    if not self._settles(fact, cell, count):
                        return None  # The opposite follows, or the numbers contradict each other.
                    return kind, self._fewest(kind, fact, cell, count)
        return None

    def _settles(self, fact: Fact, cell: Cell, count: int) -> bool:
        """Return whether the fact says that the cell has `count` mines."""
        if fact.is_impossible or not fact.mask & self._bit(cell):
            return False
        return fact.low == fact.mask.bit_count() if count else fact.high == 0

    def _bit(self, cell: Cell) -> int:
        return 1 << cell[0] * self._position.width + cell[1]

    def _generate_zones(self, bit: int, among: Collection[Cell] | None) -> Iterator[list[int]]:
        """Yield the numbers next to the cell, then also those that share cells with them, and so on.

        Only the radii in `_RADII` have a zone. The last zone is all numbers.
        """
        width = self._position.width
        allowed = None if among is None else {i * width + j for i, j in among}
        numbers: list[int] = []
        seen: set[int] = set()
        cells, done = bit, 0
        for distance in distances_from(0):
            self._budget.check()
            ring = [
                index
                for index in self._numbers_around(cells & ~done)
                if index not in seen and (allowed is None or index in allowed)
            ]
            done |= cells
            seen.update(ring)
            numbers += ring
            cells = reduce(or_, (self._fact(index).mask for index in ring), 0)
            if not cells & ~done:
                yield list(numbers)
                break
            if distance in _RADII:
                yield list(numbers)
        if allowed is None:
            every = self._numbers_around(self._hidden)
            if len(every) > len(numbers):
                yield every
        elif len(allowed) > len(numbers):
            yield sorted(allowed)

    def _try(self, kind: Kind, numbers: Sequence[int], cell: Cell, count: int) -> Fact | None:
        """Return the fact that settles the cell by a proof of this kind from these numbers, or None."""
        facts, bit = [self._fact(index) for index in numbers], self._bit(cell)
        match kind:
            case Kind.COUNTING:
                return next((fact for fact in facts if fact.mask & bit and fact.is_settled), None)
            case Kind.SUBSET:
                return _inside(facts, bit)
            case Kind.CHAIN:
                return Knowledge(facts, budget=self._budget).conclude(bit)
            case Kind.OVERLAP:
                return Knowledge(facts, overlaps=True, budget=self._budget).conclude(bit)
            case Kind.CASES | Kind.MINE_COUNT:
                use_mine_count = kind is Kind.MINE_COUNT
                if self._follows(numbers, cell, count, use_mine_count=use_mine_count):
                    if use_mine_count:
                        facts.append(self._total)
                    return _by_cases(Knowledge(facts, overlaps=True, budget=self._budget), bit, count)
        return None

    def _follows(self, numbers: Iterable[int], cell: Cell, count: int, *, use_mine_count: bool) -> bool:
        """Return whether the numbers allow no other count; asking the engine avoids a futile search."""
        return not engine.is_possible(
            self._position,
            [divmod(index, self._position.width) for index in numbers],
            self._budget.renew(),
            mines=() if count else (cell,),
            safe=cell if count else None,
            use_mine_count=use_mine_count,
        )

    def _fewest(self, kind: Kind, fact: Fact, cell: Cell, count: int) -> Fact:
        """Return a proof of the same kind that needs all of its numbers."""
        needed: list[int] = []
        left = _numbers(fact)
        if kind >= Kind.CASES:
            use_mine_count = kind is Kind.MINE_COUNT
            while left:
                dropped = left.pop()
                if not self._follows([*needed, *left], cell, count, use_mine_count=use_mine_count):
                    needed.append(dropped)
            shorter = self._try(kind, sorted(needed), cell, count)
            return fact if shorter is None or not self._settles(shorter, cell, count) else shorter
        while left:
            dropped = left.pop()
            shorter = self._try(kind, [*needed, *left], cell, count)
            if shorter is None or not self._settles(shorter, cell, count):
                needed.append(dropped)
            else:
                fact = shorter
                used = _numbers(fact)
                left = [number for number in left if number in used]
        return fact


class _Zones:
    """Larger and larger sets of numbers around a cell, computed when they are first needed."""

    def __init__(self, zones: Iterator[list[int]]) -> None:
        self._known: list[list[int]] = []
        self._more = zones

    def first(self, most: int | None) -> Iterator[list[int]]:
        """Yield the first zones, `most` of them, or all if it is None."""
        index = 0
        while index != most:
            if index == len(self._known):
                zone = next(self._more, None)
                if zone is None:
                    return
                self._known.append(zone)
            yield self._known[index]
            index += 1

    def last(self) -> list[int]:
        """Return the zone of all numbers."""
        self._known.extend(self._more)
        return self._known[-1]


def _numbers(fact: Fact) -> list[int]:
    return sorted(each.number for each in facts_behind(fact) if each.rule is Rule.NUMBER)


def _inside(facts: Sequence[Fact], bit: int) -> Fact | None:
    """Return a fact that settles the cell by subtracting one sentence from another."""
    for whole in facts:
        if whole.mask & bit:
            for part in facts:
                if part.mask & ~whole.mask == 0 and not part.mask & bit:
                    fact = without(whole, (part,))
                    if fact.is_settled:
                        return fact
    return None


def _by_cases(known: Knowledge, bit: int, count: int) -> Fact:
    """Return the fact that there are `count` mines on the cell, because the opposite is impossible.

    It must be impossible. The refutation uses, in this order: single sentences; combined sentences;
    cells that are settled because their opposite is impossible; and all cases.
    """
    fact = known.conclude(bit)
    if fact is not None:
        return fact
    supposed = Fact(bit, 1 - count, 1 - count, Rule.SUPPOSED)
    for subsets, looks_ahead in ((False, False), (True, False), (True, True)):
        then = known.copy(subsets=subsets, overlaps=subsets)
        then.add(supposed)
        impossible = then.conclude() or (_look_ahead(then) if looks_ahead else None)
        if impossible is not None:
            return _opposite(supposed, impossible)
    return _opposite(supposed, _exhaust(then))


def _opposite(supposed: Fact, impossible: Fact) -> Fact:
    count = 1 - supposed.low
    return Fact(supposed.mask, count, count, Rule.OPPOSITE, (supposed, impossible))


def _suppose(known: Knowledge, bit: int, count: int) -> tuple[Fact, Knowledge]:
    supposed = Fact(bit, count, count, Rule.SUPPOSED)
    then = known.copy(subsets=True, overlaps=True)
    then.add(supposed)
    return supposed, then


def _look_ahead(known: Knowledge) -> Fact | None:
    """Settle cells whose opposite is impossible; return an impossible fact, or None if none follows."""
    found = True
    while found:
        found = False
        for bit in bits(known.unknown):
            for count in (0, 1):
                supposed, then = _suppose(known, bit, count)
                impossible = then.conclude()
                if impossible is not None:
                    found = True
                    known.add(_opposite(supposed, impossible))
                    if known.conclude() is not None:
                        return known.impossible
                    break
    return None


def _exhaust(known: Knowledge) -> Fact:
    """Return an impossible fact, found by trying all cases. The knowledge must be contradictory."""
    while known.impossible is None:
        supposed, then = _suppose(known, known.narrowest(), 1)
        known.add(_opposite(supposed, then.conclude() or _exhaust(then)))
        known.conclude()
    return known.impossible
